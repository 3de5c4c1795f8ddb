"""Random rows at every d under a scaling rule: how saturated they are, and the gradient that reaches the query."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import DTypeLike

from attention_core.ensembles import Ensemble, Rows, pieces
from attention_core.scaling import Scaling, get_scaling
from attention_core.sweep_checks import checked
from attention_core.sweep_measures import measure_rows, measure_spread
from attention_core.sweep_records import SaturationSweep, ScoreSpread, join

THREADS = min(4, os.cpu_count() or 1)


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
    kind = checked(d_values, n_keys, n_rows, cosine, entries, dtype)
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
        return measure_spread(rows), measure_rows(rows, rules, kind)


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
