"""Softmax, scaled dot-product attention, and self-attention with every stage kept.

Source of the formulas: Vaswani et al., Attention Is All You Need, arXiv:1706.03762, eq. 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_core.checks import FloatArray, as_floats, as_matrix, check_columns, check_finite, check_rows, product
from attention_core.scaling import Scaling, get_scaling, row_lengths


def softmax(scores: ArrayLike, axis: int = -1) -> FloatArray:
    """Turn scores into weights along one axis.

    Formula: p_i = exp(s_i − max s) / Σ_j exp(s_j − max s); the maximum only guards against overflow.
    Shapes: any shape in, the same shape out; float32 and float64 are kept.
    Law: weights are ≥ 0 and sum to 1; adding a constant to all scores changes nothing.
    A row of −inf (all keys masked) gives zeros. NaN and +inf give NaN in their row, without a warning.
    Errors: ValueError when the scores have no such axis.
    Source: arXiv:1706.03762, section 3.2.1; zeros for a masked row as in torch's attention.
    """
    shifted = np.array(as_floats(scores, "scores"))  # a copy: the steps below work in place
    if shifted.ndim == 0:
        raise ValueError("scores is a single number, shape (); expected at least one axis")
    if shifted.size == 0:
        return shifted
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        peak = shifted.max(axis=axis, keepdims=True)
        shifted -= np.where(np.isneginf(peak), 0, peak)
        weights = np.exp(shifted, out=shifted)
        total = weights.sum(axis=axis, keepdims=True)
        weights /= np.where(total == 0, 1, total)
    return weights


def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
) -> FloatArray:
    """Attention as torch.nn.functional.scaled_dot_product_attention computes it.

    Formula: softmax(scale · query keyᵀ + mask) value, with scale = 1/√d_k unless given.
    Shapes: query (…, L, d_k), key (…, S, d_k), value (…, S, d_v), mask (…, L, S) -> (…, L, d_v);
        leading axes broadcast; float32 and float64 are kept.
    Law: each output row is a weighted mean of value rows; a row masked everywhere gives zeros.
    A boolean mask's True means "may attend"; a float mask is added to the scaled scores;
    is_causal with L ≠ S is aligned to the upper left; scale = 0 gives the mean of value.
    Errors: ValueError for shapes that do not fit, or a mask together with is_causal.
    Source: arXiv:1706.03762, eq. 1; edge behaviour of torch 2.13.
    """
    query, key, value = as_floats(query, "query"), as_floats(key, "key"), as_floats(value, "value")
    _check_attention_shapes(query, key, value)
    if attn_mask is not None and is_causal:
        raise ValueError("attn_mask and is_causal=True were both given; expected at most one of them")
    if scale is None:
        scale = 1 / np.sqrt(query.shape[-1])
    dtype = np.result_type(query, key, value)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        scores = np.matmul(query * dtype.type(scale), np.swapaxes(key, -1, -2))
        if is_causal:
            attn_mask = causal_mask(query.shape[-2], key.shape[-2])
        if attn_mask is not None:
            scores = _apply_mask(scores, np.asarray(attn_mask))
        return np.asarray(np.matmul(softmax(scores), value))


def causal_mask(n_queries: int, n_keys: int) -> NDArray[np.bool_]:
    """True where query i may look at key j, that is j ≤ i, aligned to the upper left. Shape (L, S)."""
    return np.tri(n_queries, n_keys, dtype=bool)


def _check_attention_shapes(query: FloatArray, key: FloatArray, value: FloatArray) -> None:
    for name, array in (("query", query), ("key", key), ("value", value)):
        if array.ndim < 2:
            raise ValueError(f"{name} has shape {array.shape}; expected at least two axes (rows, columns)")
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"key has shape {key.shape}; expected {query.shape[-1]} columns, as query of shape {query.shape} has"
        )
    if query.shape[-1] == 0:
        raise ValueError(f"query is empty, shape {query.shape}; expected at least one column")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"value has shape {value.shape}; expected {key.shape[-2]} rows, as key of shape {key.shape} has"
        )
    try:
        np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    except ValueError:
        raise ValueError(
            f"query {query.shape}, key {key.shape} and value {value.shape} have leading axes that do not broadcast"
        ) from None


def _apply_mask(scores: FloatArray, mask: NDArray[np.generic]) -> FloatArray:
    """Scores with masked entries at −inf (boolean mask) or shifted by the mask (float mask)."""
    try:
        np.broadcast_to(mask, scores.shape)
    except ValueError:
        raise ValueError(
            f"attn_mask has shape {mask.shape}; expected one that broadcasts to the scores' {scores.shape}"
        ) from None
    if mask.dtype == np.bool_:
        return np.where(mask, scores, scores.dtype.type(-np.inf))
    if not np.issubdtype(mask.dtype, np.floating):
        raise ValueError(f"attn_mask has type {mask.dtype}; expected booleans (True attends) or floats (added)")
    return np.asarray(scores + mask.astype(scores.dtype))


@dataclass(frozen=True)
class Trace:
    """Every stage of one self-attention, for n tokens.

    X (n, d_emb); Q, K (n, d_k); V, output (n, d_v); scores, scaled, masked, weights (n, n), row = query.
    Without a mask `masked` equals `scaled`; with one, forbidden entries are −inf.
    `rule` made scaled from scores; W_Q, W_K (d_emb, d_k) and W_V (d_emb, d_v) made Q, K and V from X, or are
    None when Q, K and V came without them.
    """

    X: FloatArray
    Q: FloatArray
    K: FloatArray
    V: FloatArray
    scores: FloatArray
    scaled: FloatArray
    masked: FloatArray
    weights: FloatArray
    output: FloatArray
    d_k: int
    rule: Scaling
    W_Q: FloatArray | None = None
    W_K: FloatArray | None = None
    W_V: FloatArray | None = None


def self_attention(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    scaling: str | Scaling = "sqrt",
    is_causal: bool = False,
) -> Trace:
    """Self-attention of one sequence, returned as a trace of every stage.

    Formula: Q = X W_Q, K = X W_K, V = X W_V; scores = Q Kᵀ; scaled by the rule; masked;
        weights = softmax by rows; output = weights V.
    Shapes: X (n, d_emb); W_Q, W_K (d_emb, d_k); W_V (d_emb, d_v) -> Trace.
    Law: reordering the tokens reorders the output's rows alike (without a mask); rows of weights sum to 1.
    Errors: ValueError for an unknown rule, shapes that do not fit, an empty matrix, an entry that is not
        finite, or entries so large that a product overflows.
    Source: arXiv:1706.03762, section 3.2.
    """
    rule = get_scaling(scaling)
    X, W_Q, W_K, W_V = (
        as_matrix(name, matrix) for name, matrix in (("X", X), ("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V))
    )
    for name, matrix in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)):
        check_rows(name, matrix, X.shape[1], f"one for each column of X of shape {X.shape}")
    check_columns("W_K", W_K, W_Q.shape[1], f"as W_Q of shape {W_Q.shape} has")
    Q, K, V = product("Q", X, W_Q), product("K", X, W_K), product("V", X, W_V)
    return attend(X, Q, K, V, rule, is_causal, W_Q=W_Q, W_K=W_K, W_V=W_V)


def attend(
    X: FloatArray,
    Q: FloatArray,
    K: FloatArray,
    V: FloatArray,
    rule: Scaling,
    is_causal: bool = False,
    *,
    W_Q: FloatArray | None = None,
    W_K: FloatArray | None = None,
    W_V: FloatArray | None = None,
) -> Trace:
    """The stages from Q, K and V on; shapes as in Trace, already checked. The matrices are only passed on."""
    n, d_k = Q.shape
    allowed = causal_mask(n, n) if is_causal else np.ones((n, n), dtype=bool)
    scores = product("scores", Q, K.T)
    with np.errstate(over="ignore", under="ignore"):
        n_keys = allowed.sum(axis=1, keepdims=True)
        lengths = {"q_norm": row_lengths(Q), "k_norm": row_lengths(K).T} if rule.uses_lengths else {}
        scaled = rule.apply(scores, d_k=d_k, n_keys=n_keys, **lengths)
    check_finite("scaled", scaled)
    masked = np.where(allowed, scaled, scaled.dtype.type(-np.inf))
    weights = softmax(masked)
    output = product("output", weights, V)
    return Trace(X, Q, K, V, scores, scaled, masked, weights, output, d_k, rule, W_Q, W_K, W_V)
