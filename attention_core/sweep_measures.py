"""The measures of random rows under a scaling rule, from their raw scores to the gradient of the query.

The winner of a row is kept apart from the others, whose weights may be far below the rounding of 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention_core.checks import FloatArray
from attention_core.ensembles import Rows
from attention_core.rule import Given, Scaling
from attention_core.sweep_records import SaturationSweep, ScoreSpread

TOP = 8  # keys whose mean weight is kept, the largest first
BINS = np.linspace(-4, 4, 33)  # edges of the score histogram, in units of √d


def measure_rows(rows: Rows, rules: Sequence[Scaling], kind: np.dtype[np.floating]) -> tuple[SaturationSweep, ...]:
    """Every rule on the same rows; the best scores are found once, as most rules keep the order of scores."""
    scores = rows.scores.astype(kind, copy=False)
    best = _largest(scores)
    return tuple(_measure_rule(rows, rule, scores, None if rule.uses_lengths else best) for rule in rules)


def _measure_rule(rows: Rows, rule: Scaling, scores: FloatArray, best: FloatArray | None) -> SaturationSweep:
    """Every measure of these rows under one rule; `best` are its T largest scores where they are known."""
    ends = rows.ensemble.ends
    given = Given.of(ends[:, None], rows.ensemble.n_keys, rows.q_norm, rows.k_norm)
    p, gaps, winner, zeros, mean_best = _soften(rule, scores, best, given)
    aligned = p[..., 0].copy()
    mean_upstream = np.einsum("rdn,rn->rd", p, rows.upstream)
    top = winner.take(p)
    winner.put(p, 0)
    figures = _figures(top, p, gaps)
    # J g is p (g − Σ p g); the winner's entry is minus all the others'
    room = gaps if gaps.dtype == p.dtype else None  # no longer needed; fresh memory would take longer to get
    p *= np.subtract(rows.upstream[:, None], mean_upstream[..., None], out=room)
    winner.put(p, -p.sum(axis=-1))
    gradient = _gradient(rows, rule, p, given)
    return SaturationSweep(ends, gradient=gradient, aligned=aligned, zeros=zeros, top=mean_best, **figures)


class _Softened(NamedTuple):
    """Weights (R, D, n) in double precision, gaps below the largest scaled score (R, D, n) and its place, share of
    weights that are 0 (R, D), and mean weights of the largest keys (D, T)."""

    p: FloatArray
    gaps: FloatArray
    winner: _Places
    zeros: FloatArray
    mean_best: FloatArray


def _soften(rule: Scaling, scores: FloatArray, best: FloatArray | None, given: Given) -> _Softened:
    """The softmax of the scaled scores, computed in their own format."""
    gaps = rule.apply(scores, **given._asdict())
    best = _largest(gaps) if best is None else rule.apply(best, **given._asdict())
    winner = _Places(gaps.argmax(axis=-1), gaps.shape[-1])
    peak = winner.take(gaps)[..., None]
    gaps -= peak
    p, total = weights(gaps)
    mean_best = (_exponentials(best - peak) / total).astype(p.dtype).mean(axis=0, dtype=np.float64)
    zeros = (p == 0).mean(axis=-1) if p.min() == 0 else np.zeros(p.shape[:2])
    return _Softened(p.astype(np.float64, copy=False), gaps, winner, zeros, np.asarray(mean_best))


def _figures(top: FloatArray, others: FloatArray, gaps: FloatArray) -> dict[str, FloatArray]:
    """What the weights alone tell of each row, (R, D), from the winner's weight and the others', 0 in its place."""
    rest, squares = others.sum(axis=-1), np.einsum("rdn,rdn->rd", others, others)
    entropy = -(top + rest) * _log(top, rest) - np.einsum("rdn,rdn->rd", others, gaps)
    return {
        "largest": top,
        "concentration": top * top + squares,
        "entropy": np.maximum(entropy, 0),
        "sensitivity": rest * (1 + top) - squares,
    }


class _Places:
    """One place in each row of (R, D, n) arrays."""

    def __init__(self, places: NDArray[np.intp], n: int) -> None:
        self.flat = places + n * np.arange(places.size).reshape(places.shape)

    def take(self, values: FloatArray) -> FloatArray:
        return np.asarray(values.ravel()[self.flat])

    def put(self, values: FloatArray, new: FloatArray | float) -> None:
        values.reshape(-1)[self.flat] = new


def weights(gaps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Softmax of gaps below the maximum and its denominator, in the gaps' format; half precision sums in single."""
    p = _exponentials(gaps)
    total = p.sum(axis=-1, keepdims=True, dtype=np.float32 if p.dtype == np.float16 else p.dtype)
    p /= total
    return p, total


def _exponentials(gaps: FloatArray) -> FloatArray:
    """e^gap in the gaps' format; half precision is computed in single and rounded, as numpy does more slowly."""
    if gaps.dtype == np.float16:
        return np.asarray(np.exp(gaps.astype(np.float32)).astype(np.float16))
    return np.asarray(np.exp(gaps))


def _log(top: FloatArray, rest: FloatArray) -> FloatArray:
    """ln of the largest weight, with all digits when the rest is tiny."""
    return np.where(rest < 0.5, np.log1p(-np.minimum(rest, 0.5)), np.log(top))


def _largest(scores: FloatArray) -> FloatArray:
    """The T largest scores, the largest first. (R, D, n) -> (R, D, T)"""
    return np.asarray(np.sort(scores, axis=-1)[..., : -min(TOP, scores.shape[-1]) - 1 : -1])


def _gradient(rows: Rows, rule: Scaling, pull: FloatArray, given: Given) -> FloatArray:
    """|Σ_j pull_j ∂scaled_j/∂q|; a rule that divides by lengths leaves nothing along the query. (R, D, n) -> (R, D)"""
    if rule.only_multiplies:
        factor = rule.factor(rows.ensemble.ends, rows.ensemble.n_keys)
        return np.asarray(np.hypot(rows.along(pull), rows.across(pull)) * factor)
    pull = pull * rule.slope(rows.scores, **given._asdict())
    along = np.zeros(pull.shape[:2]) if rule.uses_lengths else rows.along(pull)
    return np.asarray(np.hypot(along, rows.across(pull, rule.uses_lengths)))


def measure_spread(rows: Rows) -> ScoreSpread:
    """The histogram of raw scores in units of √d; only independent keys are counted."""
    ensemble = rows.ensemble
    scores = rows.scores[..., 1:] if ensemble.cosine else rows.scores
    bins, places = len(BINS) - 1, scores * (1 / (BINS[1] - BINS[0]) / np.sqrt(ensemble.ends))[:, None]
    places += len(BINS) // 2 + 1  # place 0 and the last hold what is outside
    numbers = np.clip(places, 0, bins + 1, out=places).astype(np.int32)
    numbers += (bins + 2) * np.arange(len(ensemble.ends), dtype=np.int32)[:, None]
    counts = np.bincount(numbers.ravel(), minlength=(bins + 2) * len(ensemble.ends)).reshape(-1, bins + 2)
    return ScoreSpread(
        counts=np.asarray(counts[:, 1:-1]),
        outside=np.asarray(counts[:, 0] + counts[:, -1]),
        size=np.asarray(np.abs(scores).sum(axis=(0, 2)) / max(scores[:, 0].size, 1)),
        aligned=np.asarray(rows.scores[..., 0].mean(axis=0)),
    )
