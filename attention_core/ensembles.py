"""Rows of attention between random vectors: their raw scores at every d, and what reaches the query.

One row is one query with n keys of its own. The entries of query and keys are independent with mean 0 and
variance 1; key 0 may be aligned with the query. Rows are drawn in blocks, each from its own child of the
generator, so a row is the same however many rows are asked for and in whatever pieces they are worked on.

Normal entries need no vectors. A block of m new dimensions adds |q_new| x to the score of each key, with
|q_new|² ~ χ²_m and x ~ N(0, 1) the key's new part along the query: the same joint law over keys and d as real
vectors (derived for this project, tested against them). Other entries have no such shortcut.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from attention_core.checks import FloatArray

ENTRIES = ("normal", "uniform", "signs")
BLOCK = 8  # rows drawn from one child generator
CHUNK = 1 << 16  # scores worked on at once, so that they stay in the processor's cache and memory is used again
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Ensemble:
    """What is drawn: rising d_values (D,), keys a row, the entrywise correlation of key 0 with the query, the
    distribution of the entries, and whether the keys' lengths are needed."""

    d_values: tuple[int, ...]
    n_keys: int
    cosine: float = 0.0
    entries: str = "normal"
    lengths: bool = False

    @property
    def ends(self) -> IntArray:
        """d_values as an array."""
        return np.array(self.d_values, dtype=np.int64)

    @property
    def widths(self) -> IntArray:
        """Dimensions that each d adds to the one before it."""
        return np.diff(self.ends, prepend=0)


@dataclass(frozen=True, eq=False)
class Rows(ABC):
    """R rows: raw scores (R, D, n), lengths of query (R, D, 1) and keys (R, D, n; ones when not needed), and an
    upstream gradient ∂L/∂weights (R, n) of independent N(0, 1) entries."""

    ensemble: Ensemble
    scores: FloatArray
    q_norm: FloatArray
    k_norm: FloatArray
    upstream: FloatArray

    def along(self, pull: FloatArray) -> FloatArray:
        """The part of Σ_j pull_j k_j along the query; (R, D, n) -> (R, D)."""
        return np.asarray(np.einsum("rdn,rdn->rd", pull, self.scores) / _or_one(self.q_norm[..., 0]))

    @abstractmethod
    def across(self, pull: FloatArray, by_length: bool = False) -> FloatArray:
        """The length of the part of Σ_j pull_j k_j across the query; `by_length` when pull depends on the keys'
        lengths. (R, D, n) -> (R, D)."""


@dataclass(frozen=True, eq=False)
class NormalRows(Rows):
    """Rows of normal entries; what lies across the query is drawn when it is asked for.

    chi_square (R, D) is χ²_{d−1}. `turns` (R, D, n) is the cosine of each key's part across the query with a
    given direction, drawn only when lengths are needed.
    """

    chi_square: FloatArray
    turns: FloatArray | None

    def across(self, pull: FloatArray, by_length: bool = False) -> FloatArray:
        """A sum of independent normal vectors, or for given lengths a sum of vectors of known length.

        Law: exact at each d; different d are not joint. Vectors of squared length a and b at an angle of cosine t
        add up to one of a + b + 2 √(ab) t; pairs are added, then pairs of sums, each pair at an angle of its own.
        """
        if self.turns is None or not by_length:
            spread = np.einsum("rdn,rdn->rd", pull, pull)
            spread -= (self.ensemble.cosine * pull[..., 0]) ** 2
            return np.asarray(np.sqrt(np.maximum(spread, 0) * self.chi_square))
        steps = pull * np.sqrt(np.maximum(self.k_norm**2 - (self.scores / _or_one(self.q_norm)) ** 2, 0))
        steps[:, self.ensemble.ends == 1] = 0  # nothing lies across a line; the root above is of rounding
        square, turns = steps * steps, self.turns
        while square.shape[-1] > 1:
            half = square.shape[-1] // 2
            a, b, odd = square[..., :half], square[..., half : 2 * half], square[..., 2 * half :]
            joined = np.maximum(a + b + 2 * np.sqrt(a * b) * turns[..., :half], 0)
            square, turns = np.concatenate([joined, odd], axis=-1), turns[..., half:]
        return np.sqrt(square[..., 0])


@dataclass(frozen=True, eq=False)
class VectorRows(Rows):
    """One row of real vectors: q (d,) and K (n, d) at the largest d."""

    q: FloatArray
    K: FloatArray

    def across(self, pull: FloatArray, by_length: bool = False) -> FloatArray:
        lengths = np.empty(pull.shape[:2])
        for place, d in enumerate(self.ensemble.d_values):
            q = self.q[:d]
            total = pull[0, place] @ self.K[:, :d]
            total -= q * (total @ q / (q @ q))
            lengths[0, place] = np.linalg.norm(total)
        return lengths


def pieces(ensemble: Ensemble, n_rows: int, rng: np.random.Generator) -> list[Callable[[], Rows]]:
    """The work of drawing all rows in independent parts, in order; any thread may do any of them.

    Normal rows come as many at once as fit the cache, in blocks with a generator each; a row of real vectors comes
    alone with its own, so memory stays bounded.
    """
    if ensemble.entries != "normal":
        return [partial(_vector_row, ensemble, child) for child in rng.spawn(n_rows)]
    children = rng.spawn(-(-n_rows // BLOCK))
    sizes = [min(BLOCK, n_rows - BLOCK * number) for number in range(len(children))]
    together = max(1, CHUNK // (BLOCK * len(ensemble.d_values) * ensemble.n_keys))
    groups = [slice(start, start + together) for start in range(0, len(children), together)]
    return [partial(_normal_rows, ensemble, children[group], sum(sizes[group])) for group in groups]


def _normal_rows(ensemble: Ensemble, children: Sequence[np.random.Generator], size: int) -> NormalRows:
    """The rows of several blocks; each block draws all its rows in one order, whatever is needed of them."""
    parts = [_draw_block(ensemble, child) for child in children]
    q_square, x, chi_square, upstream, *side = (np.concatenate(part)[:size] for part in zip(*parts, strict=True))
    along, cosine = np.sqrt(q_square)[..., None], ensemble.cosine
    if cosine:
        x[..., 0] = cosine * along[..., 0] + np.sqrt(1 - cosine * cosine) * x[..., 0]
    k_norm = np.ones((1, 1, 1))
    if side:
        k_square = side[0]
        k_square[..., 0] *= 1 - cosine * cosine
        k_norm = np.sqrt(np.cumsum(k_square + x * x, axis=1))
    x *= along
    scores, q_norm = np.cumsum(x, axis=1, out=x), np.sqrt(np.cumsum(q_square, axis=1))[..., None]
    return NormalRows(ensemble, scores, q_norm, k_norm, upstream, chi_square, side[1] if side else None)


def _draw_block(ensemble: Ensemble, rng: np.random.Generator) -> list[FloatArray]:
    """|q_new|² (B, D), x (B, D, n), χ²_{d−1} (B, D), upstream (B, n), and for lengths χ²_{m−1} and turns (B, D, n)."""
    d, m = ensemble.ends, ensemble.widths
    block = (BLOCK, len(d), ensemble.n_keys)
    lengths = _chi_square(rng, np.concatenate([m, d - 1]), (BLOCK, 2 * len(d)))
    q_square, chi_square = lengths[:, : len(d)], lengths[:, len(d) :]
    drawn = [q_square, rng.standard_normal(block), chi_square, rng.standard_normal((BLOCK, ensemble.n_keys))]
    if ensemble.lengths:
        k_square = _chi_square(rng, (m - 1)[:, None], block)
        side, rest = rng.standard_normal(block), _chi_square(rng, np.maximum(d - 2, 0)[:, None], block)
        drawn += [k_square, side / np.sqrt(side * side + rest)]
    return drawn


def _chi_square(rng: np.random.Generator, freedom: IntArray, size: tuple[int, ...]) -> FloatArray:
    """χ² with that many degrees of freedom, 0 for none."""
    return np.asarray(2 * rng.standard_gamma(freedom / 2, size=size))


def _vector_row(ensemble: Ensemble, rng: np.random.Generator) -> VectorRows:
    """One row of real vectors; key 0 copies each entry of the query with probability `cosine`."""
    d, n = ensemble.d_values[-1], ensemble.n_keys
    q, K = _entries(ensemble.entries, rng, (d,)), _entries(ensemble.entries, rng, (n, d))
    copied = rng.random(d) < ensemble.cosine
    K[0, copied] = q[copied]
    starts = ensemble.ends - ensemble.widths
    products = [K[:, start:end] @ q[start:end] for start, end in zip(starts, ensemble.ends, strict=True)]
    scores = np.cumsum(products, axis=0)[None]
    q_norm = np.sqrt(np.cumsum(np.add.reduceat(q * q, starts)))[None, :, None]
    k_norm = np.ones((1, 1, 1))
    if ensemble.lengths:
        squares = [np.einsum("nd,nd->n", K[:, a:b], K[:, a:b]) for a, b in zip(starts, ensemble.ends, strict=True)]
        k_norm = np.sqrt(np.cumsum(squares, axis=0))[None]
    return VectorRows(ensemble, scores, q_norm, k_norm, rng.standard_normal((1, n)), q, K)


def _entries(kind: str, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Entries with mean 0 and variance 1: normal, uniform on ±√3, or ±1."""
    if kind == "normal":
        return rng.standard_normal(shape)
    if kind == "uniform":
        return np.asarray(np.sqrt(12) * (rng.random(shape) - 0.5))
    count = int(np.prod(shape))
    bits = np.unpackbits(np.frombuffer(rng.bytes(-(-count // 8)), dtype=np.uint8))[:count]
    return np.asarray(2.0 * bits.reshape(shape) - 1.0)


def _or_one(lengths: FloatArray) -> FloatArray:
    return np.where(lengths == 0, 1, lengths)
