"""How attention reacts: the softmax Jacobian, and the gradients of a loss for X and the weight matrices.

`d_name` stands for ∂L/∂name, where L is the loss; it has the shape of `name`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import Trace
from attention_core.checks import FloatArray, as_matrix, as_rows, check_finite, product
from attention_core.scaling import row_lengths


def softmax_jacobian(p: ArrayLike) -> FloatArray:
    """J = diag(p) − p pᵀ: how each weight p_i = softmax(s)_i moves with each score s_j.

    Formula: J_ij = ∂p_i/∂s_j = p_i (δ_ij − p_j); the diagonal's 1 − p_i is taken as the sum of the other
        weights, so that 1e-30 is not rounded to 0.
    Shapes: rows of weights (…, n), each with sum 1 (or all 0, masked everywhere) -> (…, n, n).
    Law: symmetric; rows sum to 0; the trace is the row's sensitivity; ‖J‖₂ ≤ ½.
    Errors: ValueError when p has no axis or no keys, or a row that is no row of weights.
    Source: Bridle, Training Stochastic Model Recognition Algorithms as Networks (NIPS 1989); the bound ½: Nair,
        arXiv:2510.23012.
    """
    p = _weights(p)
    diagonal = np.arange(p.shape[-1])
    with np.errstate(under="ignore"):
        jacobian = np.asarray(0 - p[..., :, None] * p[..., None, :])
        jacobian[..., diagonal, diagonal] = 0
        jacobian[..., diagonal, diagonal] = 0 - jacobian.sum(axis=-1)
    return jacobian


def _weights(p: ArrayLike) -> FloatArray:
    """Rows of weights: none negative, each with sum 1 to the rounding of its type, or all 0."""
    rows = as_rows("p", p)
    slack = 4 * rows.shape[-1] * float(np.finfo(rows.dtype).eps) + 1e-9
    with np.errstate(over="ignore", invalid="ignore"):
        sums = rows.sum(axis=-1, dtype=np.float64)
        fit = (rows >= 0).all() and ((np.abs(sums - 1) <= slack) | (sums == 0)).all()
    if not fit:
        raise ValueError(
            f"p of shape {rows.shape} has a row that is no row of weights; expected none below 0 and sum 1"
        )
    return rows


@dataclass(frozen=True)
class Gradients:
    """∂L/∂X (n, d_emb), ∂L/∂W_Q and ∂L/∂W_K (d_emb, d_k), ∂L/∂W_V (d_emb, d_v)."""

    X: FloatArray
    W_Q: FloatArray
    W_K: FloatArray
    W_V: FloatArray


def self_attention_backward(trace: Trace, d_output: ArrayLike) -> Gradients:
    """Gradients of a loss L for X and the three matrices, from its gradient for the output.

    Formula: d_V = weightsᵀ d_output; d_weights = d_output Vᵀ; d_scaled_i = J_i d_weights_i for each row, J its
        softmax Jacobian; d_scores = d_scaled ∘ ∂scaled/∂scores; d_Q = d_scores K and d_K = d_scoresᵀ Q, for
        QK-norm through the unit vectors; d_W_Q = Xᵀ d_Q, likewise W_K and W_V;
        d_X = d_Q W_Qᵀ + d_K W_Kᵀ + d_V W_Vᵀ.
    Shapes: a trace of n tokens, d_output (n, d_v), taken in the output's type -> Gradients.
    Law: linear in d_output; reordering the tokens reorders d_X alike and leaves the matrices' gradients
        (without a mask); a masked pair gives nothing.
    A zero query or key under QK-norm, where the cosine jumps, has its length held at 1, as in the scaled score.
    Errors: ValueError for a trace without the matrices, a d_output that has not the output's shape or is not
        finite, or entries so large that a product overflows.
    Source: the chain rule on arXiv:1706.03762, eq. 1; values from PyTorch's autograd in the tests.
    """
    if not isinstance(trace, Trace):
        raise ValueError(f"trace is a {type(trace).__name__}; expected what self_attention returns")
    if trace.W_Q is None or trace.W_K is None or trace.W_V is None:
        raise ValueError("the trace has no W_Q, W_K and W_V; expected one from self_attention, which keeps them")
    d_output = _as_output(trace, d_output)
    d_weights = product("d_weights", d_output, trace.V.T)
    d_Q, d_K = _through_scores(trace, _through_softmax(trace.weights, d_weights))
    d_V = product("d_V", trace.weights.T, d_output)
    roads = ((d_Q, trace.W_Q), (d_K, trace.W_K), (d_V, trace.W_V))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        d_X = sum((d @ matrix.T for d, matrix in roads), np.zeros_like(trace.X))
    return Gradients(
        check_finite("d_X", d_X),
        product("d_W_Q", trace.X.T, d_Q),
        product("d_W_K", trace.X.T, d_K),
        product("d_W_V", trace.X.T, d_V),
    )


def _as_output(trace: Trace, d_output: ArrayLike) -> FloatArray:
    """The given gradient in the output's type, or a ValueError when it does not fit the output."""
    given = as_matrix("d_output", d_output)
    if given.shape != trace.output.shape:
        raise ValueError(f"d_output has shape {given.shape}; expected {trace.output.shape}, the output's")
    with np.errstate(over="ignore", under="ignore"):
        return check_finite("d_output", given.astype(trace.output.dtype, copy=False))


def _through_softmax(weights: FloatArray, d_weights: FloatArray) -> FloatArray:
    """p ∘ (u − Σ p u) for each row, where u = d_weights − its value at the largest weight. All (n, n).

    The shift changes nothing in exact arithmetic; with it a saturated row's tiny gradient is not lost to rounding.
    """
    largest = weights.argmax(axis=-1)[:, None]
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        u = d_weights - np.take_along_axis(d_weights, largest, axis=-1)
        mean = (weights * u).sum(axis=-1, keepdims=True)
        return check_finite("d_scaled", np.asarray(weights * (u - mean)))


def _through_scores(trace: Trace, d_scaled: FloatArray) -> tuple[FloatArray, FloatArray]:
    """d_Q and d_K (n, d_k) from d_scaled (n, n).

    A rule that divides the lengths out sees only the unit vectors q/|q| and k/|k|, so they take the places of
    q and k, and their own gradient leads on to q and k.
    """
    Q, K, scores = trace.Q, trace.K, trace.scores
    if trace.rule.uses_lengths:
        Q, K = _units(trace.Q), _units(trace.K)
        scores = product("scores", Q, K.T)
    n_keys = np.isfinite(trace.masked).sum(axis=1, keepdims=True)
    with np.errstate(under="ignore"):
        d_scores = d_scaled * trace.rule.slope(scores, d_k=trace.d_k, n_keys=n_keys)
    d_Q, d_K = product("d_Q", d_scores, K), product("d_K", d_scores.T, Q)
    if trace.rule.uses_lengths:
        d_Q, d_K = _through_units("d_Q", trace.Q, d_Q), _through_units("d_K", trace.K, d_K)
    return d_Q, d_K


def _lengths(vectors: FloatArray) -> FloatArray:
    """The length of each row, 1 for a zero row, as QK-norm counts it. (n, d) -> (n, 1)."""
    lengths = row_lengths(vectors)
    return np.where(lengths == 0, lengths.dtype.type(1), lengths)


def _units(vectors: FloatArray) -> FloatArray:
    """Each row divided by its length. (n, d) -> (n, d)."""
    with np.errstate(under="ignore"):
        return np.asarray(vectors / _lengths(vectors))


def _through_units(name: str, vectors: FloatArray, d_units: FloatArray) -> FloatArray:
    """∂L/∂v = (d_u − u (u·d_u)) / |v| for each row, where u = v/|v|: along v itself nothing changes."""
    units = _units(vectors)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        along = (units * d_units).sum(axis=1, keepdims=True)
        return check_finite(name, np.asarray((d_units - units * along) / _lengths(vectors)))
