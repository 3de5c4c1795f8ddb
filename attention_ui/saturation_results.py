"""What the saturation lab shows of a sweep over random rows, computed once for each run and kept for all visitors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from attention_core import Scaling
from attention_core.checks import FloatArray
from attention_core.sweep import sweep_parts
from attention_core.sweep_records import SaturationSweep, ScoreSpread, join, join_spreads
from attention_core.theory import expected_over_queries
from attention_ui.read_only import read_only
from attention_ui.saturation_settings import D_VALUES, SaturationSettings

BAND = (10, 90)  # percentiles
MEASURED = ("largest", "concentration", "entropy", "effective_keys", "sensitivity", "aligned", "gradient")
WITH_THEORY = ("concentration", "entropy", "sensitivity")
DECADES = np.arange(-12, 3.25, 0.25)  # edges of the gradient's histogram, log10
FEWEST = 4  # keys from which an onset is spoken of
KEPT_RUNS = 64  # about 0.2 MB each
Tell = Callable[[int, int], object]


@dataclass(frozen=True)
class Run:
    """Everything that a sweep depends on."""

    n: int
    c: float
    scalings: tuple[Scaling, ...]
    rows: int
    entries: str
    format: str
    seed: int


@dataclass(frozen=True, eq=False)
class Figures:
    """One measure at every d, each (D,): median, 10th and 90th percentile, mean, root mean square."""

    median: FloatArray
    low: FloatArray
    high: FloatArray
    mean: FloatArray
    rms: FloatArray


@dataclass(frozen=True, eq=False)
class Outcome:
    """One rule at every d: its measures, the exact mean where there is one, shares of dead rows and of weights that
    are 0, mean weights of the top keys (D, T), and rows by size of the gradient (D, bins + 2, ends for the rest)."""

    rule: Scaling
    figures: dict[str, Figures]
    theory: dict[str, FloatArray]
    dead: FloatArray
    dead_gradient: FloatArray
    zeros: FloatArray
    top: FloatArray
    gradients: FloatArray


@dataclass(frozen=True, eq=False)
class Summary:
    """All rules of a run on the same rows, and the spread of the raw scores."""

    run: Run
    outcomes: dict[str, Outcome]
    spread: ScoreSpread


def run_of(settings: SaturationSettings) -> Run:
    """The run that the settings ask for."""
    now = settings
    return Run(now.n, now.c, now.scalings, now.rows, now.entries, now.format, now.seed)


def place_of(d: int) -> int:
    """Where a d stands among all d."""
    return D_VALUES.index(d)


def has_theory(run: Run, rule: Scaling) -> bool:
    """The exact means hold for independent normal entries, rules that only multiply, and exact arithmetic."""
    return rule.only_multiplies and run.entries == "normal" and run.c == 0 and run.format != "float16"


def freezes(run: Run) -> bool:
    """The onset d = 2 ln n is that of independent keys without scaling, and says something from a few keys on."""
    return run.c == 0 and run.n >= FEWEST and any(rule.name == "none" for rule in run.scalings)


@dataclass
class Shelf:
    """The last results, by what they depend on; the one unused for longest leaves first."""

    size: int
    kept: OrderedDict[object, object] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def get(self, key: object) -> object | None:
        with self.lock:
            if key in self.kept:
                self.kept.move_to_end(key)
            return self.kept.get(key)

    def put(self, key: object, value: object) -> None:
        with self.lock:
            self.kept[key] = value
            while len(self.kept) > self.size:
                self.kept.popitem(last=False)


_shelf = Shelf(KEPT_RUNS)


def summary(run: Run, tell: Tell = lambda done, rows: None) -> Summary:
    """The summary of a run. `tell` hears of rows done so far; an exception from it stops the work."""
    known = _shelf.get(run)
    if isinstance(known, Summary):
        return known
    parts, sizes, before = [], [], 0
    rng = np.random.default_rng(run.seed)
    for part in sweep_parts(D_VALUES, run.n, run.rows, rng, run.scalings, run.c, run.entries, run.format):
        parts.append(part)
        sizes.append(part.done - before)
        before = part.done
        tell(part.done, part.rows)
    sweeps = [join([part.sweeps[i] for part in parts], sizes) for i in range(len(run.scalings))]
    outcomes = {rule.name: _outcome(run, rule, sweep) for rule, sweep in zip(run.scalings, sweeps, strict=True)}
    made = read_only(Summary(run, outcomes, join_spreads([part.spread for part in parts], sizes)))
    _shelf.put(run, made)
    return made


def _outcome(run: Run, rule: Scaling, sweep: SaturationSweep) -> Outcome:
    theory = {}
    if has_theory(run, rule):
        theory = {name: expected_over_queries(name, run.n, sweep.d_values, rule) for name in WITH_THEORY}
    return Outcome(
        rule=rule,
        figures={name: _figures(getattr(sweep, name)) for name in MEASURED},
        theory=theory,
        dead=sweep.dead(),
        dead_gradient=sweep.dead("gradient"),
        zeros=sweep.zeros.mean(axis=0),
        top=sweep.top,
        gradients=_by_decade(sweep.gradient),
    )


def _figures(values: FloatArray) -> Figures:
    """(R, D) -> figures over the rows."""
    low, median, high = np.percentile(values, [BAND[0], 50, BAND[1]], axis=0)
    return Figures(median, low, high, values.mean(axis=0), np.sqrt(np.mean(values * values, axis=0)))


def _by_decade(gradient: FloatArray) -> FloatArray:
    """Share of rows in each bin of DECADES, and below and above them. (R, D) -> (D, bins + 2)"""
    with np.errstate(divide="ignore"):
        places = np.searchsorted(DECADES, np.log10(gradient), side="right")
    return np.array([np.bincount(column, minlength=len(DECADES) + 1) for column in places.T]) / len(gradient)
