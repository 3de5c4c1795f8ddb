"""Named starting points: tokens, X, W_Q, W_K, W_V, and how the example is best grown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from attention_core.checks import FloatArray


@dataclass(frozen=True)
class Example:
    """X (n, d_emb), W_Q and W_K (d_emb, d_k), W_V (d_emb, d_v); `row` is the query to look at first."""

    name: str
    tokens: tuple[str, ...]
    X: FloatArray
    W_Q: FloatArray
    W_K: FloatArray
    W_V: FloatArray
    how: str = "independent"
    row: int = 0


def love() -> Example:
    """Three tokens, d_k = 3. Source: Amit Shekhar, "Math behind Attention: Q, K and V", 2026-04-03."""
    return Example(
        name="love",
        tokens=("I", "love", "AI"),
        X=np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]], float),
        W_Q=np.array([[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1]], float),
        W_K=np.array([[0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 0]], float),
        W_V=np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]], float),
    )


def love_zh() -> Example:
    """The same matrices with the Chinese sentence's tokens."""
    return replace(love(), name="love_zh", tokens=("我", "爱", "AI"))


def one_matrix() -> Example:
    """Q = K = V = X: every W is the identity, so the scores are symmetric."""
    return replace(love(), name="one_matrix", W_Q=np.eye(4), W_K=np.eye(4), W_V=np.eye(4))


def meeting() -> Example:
    """C listens to A, B, C, D with weights 10, 60, 20, 10 %; the values are points in the plane."""
    weights = np.array([0.1, 0.6, 0.2, 0.1])
    opinions = np.array([[1, 0], [0, 1], [1, 1], [-1, 0]], float)
    return _from_scores("meeting", ("A", "B", "C", "D"), np.log(weights), opinions, row=2)


def arrows() -> Example:
    """Parallel, orthogonal and opposite arrows in the plane, each its own query, key and value."""
    X = np.array([[1, 0], [0, 1], [-1, 0], [2, 0]], float)
    return Example("arrows", ("→", "↑", "←", "⟶"), X, np.eye(2), np.eye(2), np.eye(2))


def scores_285() -> Example:
    """The scores [2, 8, 5], the usual first example of a softmax."""
    return _from_scores("scores_285", ("a", "b", "c"), np.array([2.0, 8.0, 5.0]), np.eye(3))


def scores_3000() -> Example:
    """The scores [3000, 2800, 2500], the usual example of a saturated softmax."""
    return _from_scores("scores_3000", ("a", "b", "c"), np.array([3000.0, 2800.0, 2500.0]), np.eye(3))


def random_8() -> Example:
    """Eight tokens with random entries: X normal, weights normal with variance 1/d_emb, two decimals."""
    rng = np.random.default_rng(8)
    d = 8
    W_Q, W_K, W_V = (np.round(rng.standard_normal((d, d)) / np.sqrt(d), 2) for _ in range(3))
    tokens = ("The", "cat", "sat", "because", "it", "was", "very", "tired")
    return Example("random_8", tokens, np.round(rng.standard_normal((len(tokens), d)), 2), W_Q, W_K, W_V)


def _from_scores(name: str, tokens: tuple[str, ...], scores: FloatArray, values: FloatArray, row: int = 0) -> Example:
    """An example with d_k = 1 whose query in `row` has exactly these scores; the other queries are zero.

    X holds in each token's row: 1 for the asking token (its query), the token's score (its key), its value.
    Grown with zeros, so that the scores stay as given while √d grows.
    """
    n, d_v = values.shape
    asks = np.zeros((n, 1))
    asks[row] = 1
    X = np.hstack([asks, scores[:, None], values])
    W_Q, W_K = np.zeros((2 + d_v, 1)), np.zeros((2 + d_v, 1))
    W_Q[0], W_K[1] = 1, 1
    W_V = np.vstack([np.zeros((2, d_v)), np.eye(d_v)])
    return Example(name, tokens, X, W_Q, W_K, W_V, how="zeros", row=row)


EXAMPLES: dict[str, Callable[[], Example]] = {
    make.__name__: make for make in (love, love_zh, one_matrix, meeting, arrows, scores_285, scores_3000, random_8)
}


def get_example(name: str) -> Example:
    """The example of that name, with arrays of its own: editing one matrix changes no other.

    Errors: ValueError for an unknown name, which lists the known ones.
    """
    if name not in EXAMPLES:
        raise ValueError(f"unknown example {name!r}; expected one of {', '.join(EXAMPLES)}")
    return EXAMPLES[name]()
