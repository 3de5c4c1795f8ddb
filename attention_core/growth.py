"""From the typed d_k to any d: widen W_Q and W_K, and the scores at every d in one pass.

The typed columns stay in front. New columns are seeded normals with the typed columns' root-mean-square
("independent": scores spread like √d), the typed columns in turn ("copies": scores grow like d), or zeros
("zeros": scores stay as typed while the divisor √d grows).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_core.checks import FloatArray, as_matrix, check_columns, check_finite, check_rows, product
from attention_core.scaling import row_lengths

HOWS = ("independent", "copies", "zeros")
LARGEST_D = 4096
STEPS_PER_OCTAVE = 4
SMALL, LARGE = 1e-15, 1e15  # between them squares neither vanish nor overflow, in float32 too


def d_grid(d_k: int, largest: int = LARGEST_D) -> NDArray[np.int64]:
    """The typed d_k, then four values an octave up to `largest`; every power of two above d_k is among them."""
    octaves = np.arange(0, STEPS_PER_OCTAVE * np.log2(largest) + 1) / STEPS_PER_OCTAVE
    values = np.unique(np.rint(2**octaves).astype(np.int64))
    return np.concatenate([[d_k], values[(values > d_k) & (values <= largest)]])


def root_mean_square(W: ArrayLike) -> float:
    """√(mean of squares) over all entries; the size of the columns that `widen` draws."""
    W = as_matrix("W", W)
    largest = float(np.abs(W).max()) or 1.0  # taken out first, so that no square overflows or underflows
    with np.errstate(under="ignore"):
        return largest * float(np.sqrt(np.mean(np.square(W / largest, dtype=np.float64))))


def widen(W: ArrayLike, d: int, rng: np.random.Generator, how: str = "independent") -> FloatArray:
    """W with d columns, the first ones as typed.

    Formula: new column j is rms(W) · N(0, 1) per entry, or typed column j mod d_k, or 0.
    Shapes: (d_emb, d_k) -> (d_emb, d).
    Law: with equal seeds widen(W, a) is the first a columns of widen(W, b) for a ≤ b.
    Errors: ValueError when d is below the typed width, `how` is unknown, or the new columns overflow.
    Source: independent columns give Var[q·k] = d, arXiv:1706.03762, footnote 4; copies multiply q·k by d / d_k.
    """
    W = as_matrix("W", W)
    d_emb, d_k = W.shape
    if how not in HOWS:
        raise ValueError(f"unknown way to grow {how!r}; expected one of {', '.join(HOWS)}")
    if d < d_k:
        raise ValueError(f"W has shape {W.shape}; expected at most d = {d} columns, so d must be at least {d_k}")
    if how == "copies":
        return np.asarray(W[:, np.arange(d) % d_k])
    if how == "zeros":
        return np.hstack([W, np.zeros((d_emb, d - d_k), W.dtype)])
    # drawn column by column, so that a wider draw starts with the narrower one
    new = rng.standard_normal((d - d_k, d_emb))
    wide = np.empty((d_emb, d), W.dtype)
    wide[:, :d_k] = W
    with np.errstate(over="ignore", under="ignore"):
        new *= root_mean_square(W)
        wide[:, d_k:] = new.T
    return check_finite("W", wide)


def widen_pair(
    W_Q: ArrayLike, W_K: ArrayLike, d: int, seed: int, how: str = "independent"
) -> tuple[FloatArray, FloatArray]:
    """W_Q and W_K with d columns each; equal matrices are tied and share their new columns.

    Shapes: (d_emb, d_k) twice -> (d_emb, d) twice. Law and errors as for `widen`.
    """
    W_Q, W_K = as_matrix("W_Q", W_Q), as_matrix("W_K", W_K)
    streams = (0, 0) if is_tied(W_Q, W_K) else (0, 1)
    wide_Q, wide_K = (
        widen(W, d, np.random.default_rng([seed, stream]), how) for W, stream in zip((W_Q, W_K), streams, strict=True)
    )
    return wide_Q, wide_K


def is_tied(W_Q: ArrayLike, W_K: ArrayLike) -> bool:
    """True when both matrices are equal, so that each token's query is its key."""
    return np.array_equal(W_Q, W_K)


@dataclass(frozen=True)
class ScoreSweep:
    """Raw scores at every d: d_values (D,), scores (D, n, n), q_norm (D, n, 1) and k_norm (D, 1, n)."""

    d_values: NDArray[np.int64]
    scores: FloatArray
    q_norm: FloatArray
    k_norm: FloatArray


def score_sweep(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    d_values: Sequence[int],
    seed: int,
    how: str = "independent",
    lengths: bool = True,
) -> ScoreSweep:
    """The scores QKᵀ at each d, from one pass over the widest matrices.

    Formula: scores(d) = scores(d') + Q[:, d':d] K[:, d':d]ᵀ, a running sum over blocks of columns.
    Shapes: X (n, d_emb), W_Q and W_K (d_emb, d_k), D rising values of d -> ScoreSweep; without `lengths`,
        which only QK-norm needs, q_norm and k_norm are ones.
    Law: scores at d equal those of self_attention with both matrices widened to d, to rounding.
    Errors: ValueError when the values of d are not whole numbers that rise from at least d_k, entries so
        large that a product overflows, and as for `widen`.
    Source: the sum q·k = Σ q_i k_i, cut into blocks.
    """
    X, W_Q, W_K = _checked(X, W_Q, W_K)
    ends = _rising(d_values, W_Q.shape[1])
    wide_Q, wide_K = widen_pair(W_Q, W_K, int(ends[-1]), seed, how)
    Q, K = product("Q", X, wide_Q), product("K", X, wide_K)
    starts = np.concatenate([[0], ends[:-1]])
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        blocks = [Q[:, a:b] @ K[:, a:b].T for a, b in zip(starts, ends, strict=True)]
        scores = check_finite("scores", np.cumsum(blocks, axis=0))
    if not lengths:
        return ScoreSweep(ends, scores, np.ones((1, 1, 1)), np.ones((1, 1, 1)))
    return ScoreSweep(ends, scores, _growing_lengths(Q, starts), _growing_lengths(K, starts).swapaxes(1, 2))


def _growing_lengths(vectors: FloatArray, starts: NDArray[np.int64]) -> FloatArray:
    """Length of each row up to the end of every block of columns. (n, d) -> (D, n, 1).

    Rows whose squares could overflow or vanish are divided by their largest entry first.
    """
    largest = np.maximum(vectors.max(axis=1, keepdims=True), -vectors.min(axis=1, keepdims=True))
    unit = np.where((largest < SMALL) & (largest > 0) | (largest > LARGE), largest, 1)
    with np.errstate(under="ignore"):
        scaled = vectors if (unit == 1).all() else vectors / unit
        squares = np.add.reduceat(scaled * scaled, starts, axis=1)
        return np.asarray((unit * np.sqrt(np.cumsum(squares, axis=1))).T[:, :, None])


def row_score_draws(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    row: int,
    d_values: Sequence[int],
    n_draws: int,
    rng: np.random.Generator,
) -> FloatArray:
    """One query's raw scores at every d, for many draws of the independent new columns.

    Formula: a block of m new columns adds |q_new| · rms(W_K) · X z with z ~ N(0, I) and
        |q_new|² ~ rms(W_Q)² |x|² χ²(m), x being the query's row of X; tied matrices add
        |q_new|² X x / |x|² and only the part of X z that is perpendicular to x.
    Shapes: X (n, d_emb) -> (n_draws, D, n).
    Law: the same joint distribution over keys and d as score_sweep over random seeds, without drawing
        one normal per column.
    Errors: as for score_sweep; ValueError for a row that X does not have.
    Source: given q, each k·q is Gaussian; derived for this project and tested against score_sweep.
    """
    X, W_Q, W_K = _checked(X, W_Q, W_K)
    if not 0 <= row < len(X):
        raise ValueError(f"row is {row}; expected 0 to {len(X) - 1}, as X has shape {X.shape}")
    x = X[row]
    ends = _rising(d_values, W_Q.shape[1])
    widths = np.diff(np.concatenate([[W_Q.shape[1]], ends]))  # new columns per block; the first may add none
    chi_square = 2 * rng.standard_gamma(widths / 2, size=(n_draws, len(ends)))
    noise = rng.standard_normal((n_draws, len(ends), X.shape[1]))
    typed = product("scores", product("q", x, W_Q), product("K", X, W_K).T)
    along, across = np.zeros(len(X)), X
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        length = float(row_lengths(x[None])[0, 0])
        if is_tied(W_Q, W_K) and length > 0:
            along = root_mean_square(W_Q) ** 2 * (X @ x)
            across = X - np.outer(X @ (x / length), x / length)
        q_new = root_mean_square(W_Q) * length * np.sqrt(chi_square)[..., None]
        steps = chi_square[..., None] * along + root_mean_square(W_K) * q_new * (noise @ across.T)
        return check_finite("scores", np.asarray(typed + np.cumsum(steps, axis=1)))


def _checked(X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    X, W_Q, W_K = as_matrix("X", X), as_matrix("W_Q", W_Q), as_matrix("W_K", W_K)
    for name, matrix in (("W_Q", W_Q), ("W_K", W_K)):
        check_rows(name, matrix, X.shape[1], f"one for each column of X of shape {X.shape}")
    check_columns("W_K", W_K, W_Q.shape[1], f"as W_Q of shape {W_Q.shape} has")
    return X, W_Q, W_K


def _rising(d_values: Sequence[int], d_k: int) -> NDArray[np.int64]:
    ends = np.asarray(d_values)
    whole = ends.ndim == 1 and ends.size > 0 and np.issubdtype(ends.dtype, np.integer)
    rising = ends.astype(np.int64) if whole else np.zeros(0, np.int64)
    if not whole or rising[0] < d_k or (np.diff(rising) <= 0).any():
        raise ValueError(f"d_values is {ends.tolist()}; expected rising whole numbers from at least d_k = {d_k}")
    return rising
