"""Random rows at every d under a scaling rule: how saturated they are, and the gradient that reaches the query."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from attention_core.checks import FloatArray
from attention_core.ensembles import ENTRIES, Ensemble, IntArray, Rows, pieces
from attention_core.formats import FORMATS
from attention_core.scaling import Scaling, get_scaling

TOP = 8  # keys whose mean weight is kept, the largest first
BINS = np.linspace(-4, 4, 33)  # edges of the score histogram, in units of √d
DEAD = 1e-3  # a row with less sensitivity, or less gradient, counts as dead
THREADS = min(4, os.cpu_count() or 1)
MOST_KEYS, MOST_ROWS, LARGEST_D = 10_000, 100_000, 1 << 16
LARGEST_HALF_D = 1 << 14  # up to there an aligned key's score fits float16
MOST_ENTRIES = 1 << 23  # of a row's vectors, or of its scores at all d: 64 MB


@dataclass(frozen=True, eq=False)
class SaturationSweep:
    """Rows of attention at every d: R rows, D values of d, row = query with keys of its own.

    Each (R, D): largest weight, concentration Σp², entropy (nats), sensitivity 1 − Σp², gradient = |∂L/∂q| for
    an upstream gradient of independent N(0, 1) entries, the scale of the rule included, aligned = weight of
    key 0, zeros = share of weights that are exactly 0. top (D, T): mean weight of the largest keys.
    """

    d_values: IntArray
    largest: FloatArray
    concentration: FloatArray
    entropy: FloatArray
    sensitivity: FloatArray
    gradient: FloatArray
    aligned: FloatArray
    zeros: FloatArray
    top: FloatArray

    @property
    def effective_keys(self) -> FloatArray:
        """exp(H) of each row, (R, D)."""
        return np.asarray(np.exp(self.entropy))

    def dead(self, measure: str = "sensitivity") -> FloatArray:
        """Share of rows with less than 1e-3 of `measure`, "sensitivity" or "gradient", at every d. (D,)"""
        return np.asarray((getattr(self, measure) < DEAD).mean(axis=0))


@dataclass(frozen=True, eq=False)
class ScoreSpread:
    """Raw scores at every d, key 0 left out when it is aligned.

    counts (D, bins) between BINS · √d; outside (D,) beyond them; mean size of a score (D,), 0 when none is counted;
    mean score of key 0 (D,).
    """

    counts: IntArray
    outside: IntArray
    size: FloatArray
    aligned: FloatArray


@dataclass(frozen=True, eq=False)
class Progress:
    """A part of a sweep: rows done so far of all, and the results of this part by rule."""

    done: int
    rows: int
    spread: ScoreSpread
    sweeps: tuple[SaturationSweep, ...]


def saturation_sweep(
    d_values: Sequence[int],
    n_keys: int,
    n_rows: int,
    rng: np.random.Generator,
    scaling: str | Scaling = "sqrt",
    cosine: float = 0.0,
    entries: str = "normal",
    dtype: DTypeLike = "float64",
) -> SaturationSweep:
    """Distributions over random rows at every d, under one rule.

    Formula: scores s_j = q·k_j for d = d_values, weights p = softmax of the scaled scores, computed in `dtype`
        and measured in float64; |∂L/∂q| = |Σ_j (J g)_j ∂scaled_j/∂q| with J = diag(p) − p pᵀ and g ~ N(0, 1).
    Shapes: see SaturationSweep. Key 0 has entrywise correlation `cosine` with the query: c q + √(1−c²) z for
        normal entries, a copy of each entry with probability c for "uniform" and "signs" (±1).
    Law: with equal seeds the rows of a shorter run are the first rows of a longer one. Bounds such as Σp² ≤ 1 hold
        up to the rounding of `dtype`.
    Errors: ValueError for d_values that do not rise from 1 on, n_keys, n_rows, cosine, entries or dtype out of
        range, or an unknown rule.
    Source: one normal per key, row and d in place of whole vectors, exact in law; derived for this project.
    """
    parts = list(sweep_parts(d_values, n_keys, n_rows, rng, [scaling], cosine, entries, dtype))
    return join([part.sweeps[0] for part in parts], [part.sweeps[0].largest.shape[0] for part in parts])


def sweep_parts(
    d_values: Sequence[int],
    n_keys: int,
    n_rows: int,
    rng: np.random.Generator,
    scalings: Sequence[str | Scaling],
    cosine: float = 0.0,
    entries: str = "normal",
    dtype: DTypeLike = "float64",
) -> Iterator[Progress]:
    """The same for several rules on the same rows, a part at a time, so that a caller can show progress or stop."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng is {rng!r}; expected a numpy Generator, such as numpy.random.default_rng(0)")
    if not isinstance(scalings, Sequence) or isinstance(scalings, str) or not scalings:
        raise ValueError(f"scalings is {scalings!r}; expected at least one rule in a list")
    rules = [get_scaling(scaling) for scaling in scalings]
    kind = _checked(d_values, n_keys, n_rows, cosine, entries, dtype)
    lengths = any(rule.uses_lengths for rule in rules)
    ensemble = Ensemble(tuple(int(d) for d in d_values), int(n_keys), float(cosine), entries, lengths)
    tasks = [partial(_worked, piece, rules, kind) for piece in pieces(ensemble, int(n_rows), rng)]
    return _told(tasks, int(n_rows))


def _told(tasks: Sequence[Callable[[], Worked]], n_rows: int) -> Iterator[Progress]:
    done = 0
    for spread, sweeps in _in_order(tasks):
        done += len(sweeps[0].largest)
        yield Progress(done, n_rows, spread, sweeps)


Worked = tuple[ScoreSpread, tuple[SaturationSweep, ...]]


def _worked(piece: Callable[[], Rows], rules: Sequence[Scaling], kind: np.dtype[np.floating]) -> Worked:
    """The results of one piece of rows."""
    with np.errstate(under="ignore"):
        rows = piece()
        return _spread(rows), _measured(rows, rules, kind)


def _in_order(tasks: Sequence[Callable[[], Worked]]) -> Iterator[Worked]:
    """The tasks' results in their order, worked on by a few threads that run little ahead of the caller.

    numpy leaves Python's lock while it works, so two threads take about half the time. When the caller stops,
    what has not begun is dropped.
    """
    pool = ThreadPoolExecutor(THREADS)
    waiting: deque[Future[Worked]] = deque()
    try:
        for task in tasks:
            waiting.append(pool.submit(task))
            if len(waiting) > 2 * THREADS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def join(parts: Sequence[SaturationSweep], sizes: Sequence[int]) -> SaturationSweep:
    """The parts' rows one after the other."""
    arrays = {item.name: [getattr(part, item.name) for part in parts] for item in fields(SaturationSweep)}
    means = {"top": np.average(arrays.pop("top"), axis=0, weights=sizes), "d_values": arrays.pop("d_values")[0]}
    return SaturationSweep(**means, **{name: np.concatenate(each) for name, each in arrays.items()})


def join_spreads(parts: Sequence[ScoreSpread], sizes: Sequence[int]) -> ScoreSpread:
    """The parts' rows taken together."""
    mean = {name: np.average([getattr(part, name) for part in parts], axis=0, weights=sizes)
            for name in ("size", "aligned")}  # fmt: skip
    return ScoreSpread(np.sum([part.counts for part in parts], axis=0),
                       np.sum([part.outside for part in parts], axis=0), **mean)  # fmt: skip


def _measured(rows: Rows, rules: Sequence[Scaling], kind: np.dtype[np.floating]) -> tuple[SaturationSweep, ...]:
    """Every rule on the same rows; the best scores are found once, as most rules keep the order of scores."""
    scores = rows.scores.astype(kind, copy=False)
    best = _largest(scores)
    return tuple(_measure(rows, rule, scores, None if rule.uses_lengths else best) for rule in rules)


def _measure(rows: Rows, rule: Scaling, scores: FloatArray, best: FloatArray | None) -> SaturationSweep:
    """Every measure of these rows under one rule; `best` are its T largest scores where they are known.

    The winner of a row is kept apart from the others, whose weights may be far below the rounding of 1.
    """
    ensemble = rows.ensemble
    given = _Given(ensemble.ends[:, None], ensemble.n_keys, rows.q_norm, rows.k_norm)
    gaps = rule.apply(scores, **given._asdict())
    best = _largest(gaps) if best is None else rule.apply(best, **given._asdict())
    winner = _Places(gaps.argmax(axis=-1), ensemble.n_keys)
    peak = winner.take(gaps)[..., None]
    gaps -= peak
    p, total = _weights(gaps)
    mean_best = (_exponentials(best - peak) / total).astype(p.dtype).mean(axis=0, dtype=np.float64)
    zeros = (p == 0).mean(axis=-1) if p.min() == 0 else np.zeros(p.shape[:2])
    p = p.astype(np.float64, copy=False)
    top, aligned = winner.take(p), p[..., 0].copy()
    mean_upstream = np.einsum("rdn,rn->rd", p, rows.upstream)
    winner.put(p, 0)
    rest, squares = p.sum(axis=-1), np.einsum("rdn,rdn->rd", p, p)
    entropy = -(top + rest) * _log(top, rest) - np.einsum("rdn,rdn->rd", p, gaps)
    # J g is p (g − Σ p g); the winner's entry is minus all the others'
    p *= rows.upstream[:, None] - mean_upstream[..., None]
    winner.put(p, -p.sum(axis=-1))
    return SaturationSweep(
        d_values=ensemble.ends,
        largest=top,
        concentration=top * top + squares,
        entropy=np.maximum(entropy, 0),
        sensitivity=rest * (1 + top) - squares,
        gradient=_gradient(rows, rule, p, given),
        aligned=aligned,
        zeros=zeros,
        top=np.asarray(mean_best),
    )


class _Given(NamedTuple):
    """What a rule may depend on besides the scores."""

    d_k: IntArray
    n_keys: int
    q_norm: FloatArray
    k_norm: FloatArray


class _Places:
    """One place in each row of (R, D, n) arrays."""

    def __init__(self, places: NDArray[np.intp], n: int) -> None:
        self.flat = places + n * np.arange(places.size).reshape(places.shape)

    def take(self, values: FloatArray) -> FloatArray:
        return np.asarray(values.ravel()[self.flat])

    def put(self, values: FloatArray, new: FloatArray | float) -> None:
        values.reshape(-1)[self.flat] = new


def _weights(gaps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Softmax of gaps below the maximum and its denominator, in the gaps' format; half precision sums in single."""
    weights = _exponentials(gaps)
    half = weights.dtype == np.float16
    total = weights.sum(axis=-1, keepdims=True, dtype=np.float32 if half else weights.dtype)
    weights /= total
    return weights, total


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


def _gradient(rows: Rows, rule: Scaling, pull: FloatArray, given: _Given) -> FloatArray:
    """|Σ_j pull_j ∂scaled_j/∂q|; a rule that divides by lengths leaves nothing along the query. (R, D, n) -> (R, D)"""
    if rule.only_multiplies:
        factor = rule.factor(rows.ensemble.ends, rows.ensemble.n_keys)
        return np.asarray(np.hypot(rows.along(pull), rows.across(pull)) * factor)
    pull = pull * rule.slope(rows.scores, **given._asdict())
    along = np.zeros(pull.shape[:2]) if rule.uses_lengths else rows.along(pull)
    return np.asarray(np.hypot(along, rows.across(pull, rule.uses_lengths)))


def _spread(rows: Rows) -> ScoreSpread:
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


def _checked(
    d_values: Sequence[int], n_keys: int, n_rows: int, cosine: float, entries: str, dtype: DTypeLike
) -> np.dtype[np.floating]:
    """The number format, when everything is within its range."""
    ends = np.asarray(d_values)
    whole = ends.ndim == 1 and ends.size > 0 and np.issubdtype(ends.dtype, np.integer)
    if not whole or ends[0] < 1 or (np.diff(ends) <= 0).any() or ends[-1] > LARGEST_D:
        raise ValueError(f"d_values is {d_values!r}; expected rising whole numbers from 1 to {LARGEST_D}")
    for name, value, most in (("n_keys", n_keys, MOST_KEYS), ("n_rows", n_rows, MOST_ROWS)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
            raise ValueError(f"{name} is {value!r}; expected a whole number from 1 to {most}")
    number = isinstance(cosine, float | int | np.floating | np.integer) and not isinstance(cosine, bool)
    if not number or not 0 <= cosine <= 1:
        raise ValueError(f"cosine is {cosine!r}; expected a number from 0 to 1")
    if not isinstance(entries, str) or entries not in ENTRIES:
        raise ValueError(f"unknown entries {entries!r}; expected one of {', '.join(ENTRIES)}")
    size = n_keys * (ends.size if entries == "normal" else int(ends[-1]))
    if size > MOST_ENTRIES:
        raise ValueError(
            f"n_keys is {n_keys!r} and d_values has {ends.size} values up to {ends[-1]}: {size} numbers a row; "
            f"expected at most {MOST_ENTRIES}"
        )
    kind = _format(dtype)
    if kind == np.float16 and ends[-1] > LARGEST_HALF_D:
        raise ValueError(f"d_values reaches {ends[-1]}; expected at most {LARGEST_HALF_D} in float16")
    return kind


def _format(dtype: DTypeLike) -> np.dtype[np.floating]:
    try:
        name = np.dtype(dtype).name if dtype is not None else "None"
    except TypeError:
        name = repr(dtype)
    if name not in FORMATS:
        raise ValueError(f"dtype is {name}; expected one of {', '.join(FORMATS)}")
    return np.dtype(np.dtype(dtype).type)
