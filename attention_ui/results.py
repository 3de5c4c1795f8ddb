"""Cached core calls: what the pages show, computed once for each experiment and setting.

The caches are bounded and shared by all visitors; their arrays are read-only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from attention_core import (
    Scaling,
    Trace,
    d_grid,
    effective_keys,
    get_scaling,
    row_score_draws,
    score_sweep,
    sensitivity,
    softmax,
    widen_pair,
)
from attention_core.attention import attend
from attention_core.checks import FloatArray
from attention_core.growth import ScoreSweep
from attention_ui.address import TYPED, Settings, parameter_of
from attention_ui.experiment import Experiment
from attention_ui.read_only import read_only

DRAWS = 200  # seeds behind the band
BAND = (10, 90)  # percentiles
ROUNDING = 8 * np.finfo(float).eps  # relative error of a score, as a sum of a few products
WITHOUT, WITH = "without", "with"


def rule_of(settings: Settings) -> Scaling:
    """The chosen rule with its parameter."""
    name = parameter_of(settings.rule)
    if name is None or settings.param is None:
        return get_scaling(settings.rule)
    return get_scaling(settings.rule, **{name: settings.param})


def size_of(experiment: Experiment, settings: Settings) -> int:
    """d as a number: the typed d_k or the chosen one."""
    return experiment.sizes["d_k"] if settings.d == TYPED else int(settings.d)


@dataclass(frozen=True)
class Grown:
    """What a trace depends on: an experiment under a rule, with W_Q and W_K grown to d columns."""

    experiment: Experiment
    rule: Scaling
    d: int
    seed: int
    how: str
    causal: bool

    @property
    def start(self) -> Grown:
        """The same before it grows, on which what shows every d depends."""
        return replace(self, d=self.experiment.sizes["d_k"])


@lru_cache(maxsize=64)
def _widened(experiment: Experiment, d: int, seed: int, how: str) -> dict[str, FloatArray]:
    """The weight matrices at d, by name, for every rule."""
    W_Q, W_K = widen_pair(experiment.matrices["W_Q"], experiment.matrices["W_K"], d, seed, how)
    return read_only({"W_Q": W_Q, "W_K": W_K, "W_V": experiment.matrices["W_V"]})


@lru_cache(maxsize=128)
def trace(grown: Grown) -> Trace:
    """Every stage at d under a rule."""
    size = (grown.experiment, grown.d, grown.seed, grown.how)
    X = grown.experiment.matrices["X"]
    return read_only(attend(X, *_projections(*size), grown.rule, grown.causal, **_widened(*size)))


@lru_cache(maxsize=64)
def _projections(experiment: Experiment, d: int, seed: int, how: str) -> tuple[FloatArray, ...]:
    weights = _widened(experiment, d, seed, how)
    return read_only(tuple(experiment.matrices["X"] @ weights[name] for name in ("W_Q", "W_K", "W_V")))


@dataclass(frozen=True)
class Figures:
    """The three measures of a row of weights."""

    largest: float
    effective: float
    sensitivity: float


def figures(weights: FloatArray) -> Figures:
    """The measures of one row."""
    return Figures(*(float(values) for values in measures(weights).values()))


def measures(weights: FloatArray) -> dict[str, FloatArray]:
    """The measures of rows of weights (…, n) by name, each (…)."""
    return {
        "largest": weights.max(axis=-1),
        "effective": effective_keys(weights),
        "sensitivity": sensitivity(weights),
    }


@dataclass(frozen=True, eq=False)
class Curves:
    """One row at every d: raw scores (D, n), and by rule its weights (D, n), measures (D,) and band (2, D)."""

    d_values: np.ndarray
    scores: FloatArray
    weights: dict[str, FloatArray]
    measures: dict[str, dict[str, FloatArray]]
    bands: dict[str, dict[str, FloatArray]] | None


def curves(grown: Grown, row: int) -> Curves:
    """The chosen row's weights and measures at every d, without scaling and with the rule, whatever d it is grown to.

    The band comes from many draws of the new columns; copies and zeros draw nothing and have none, nor has a
    rule that uses lengths, since it needs the vectors themselves and not only their scores.
    """
    return _curves(grown.start, row)


@lru_cache(maxsize=64)
def _curves(start: Grown, row: int) -> Curves:
    experiment, rule = start.experiment, start.rule
    sweep = sweep_of(experiment, start.seed, start.how, rule.uses_lengths)
    n_keys = row + 1 if start.causal else len(experiment.tokens)
    q_norm = sweep.q_norm[:, min(row, sweep.q_norm.shape[1] - 1)]  # (D, 1), or one for all
    arguments = (sweep.d_values, q_norm, sweep.k_norm[:, 0])
    weights = _row_weights(sweep.scores[:, row], rule, n_keys, *arguments)
    bands = None
    if start.how == "independent" and not rule.uses_lengths:
        nothing = np.ones(1)
        drawn = _row_weights(band_draws(experiment, row), rule, n_keys, sweep.d_values, nothing, nothing)
        bands = {
            side: {name: np.percentile(values, BAND, axis=0) for name, values in measures(p).items()}
            for side, p in drawn.items()
        }
    measured = {side: measures(p) for side, p in weights.items()}
    return read_only(Curves(sweep.d_values, sweep.scores[:, row, :n_keys], weights, measured, bands))


@lru_cache(maxsize=64)
def sweep_of(experiment: Experiment, seed: int, how: str, lengths: bool) -> ScoreSweep:
    """The raw scores at every d of the growth curve, with the vectors' lengths when a rule needs them."""
    grid = d_grid(experiment.sizes["d_k"])
    X, W_Q, W_K = (experiment.matrices[name] for name in ("X", "W_Q", "W_K"))
    return read_only(score_sweep(X, W_Q, W_K, grid, seed, how, lengths))


@lru_cache(maxsize=64)
def band_draws(experiment: Experiment, row: int) -> FloatArray:
    """The row's scores (draws, D, n) for many draws of independent new columns; always the same draws."""
    X, W_Q, W_K = (experiment.matrices[name] for name in ("X", "W_Q", "W_K"))
    grid = d_grid(experiment.sizes["d_k"])
    return read_only(row_score_draws(X, W_Q, W_K, row, grid, DRAWS, np.random.default_rng(0)))


def _row_weights(
    scores: FloatArray, rule: Scaling, n_keys: int, d: FloatArray, q_norm: FloatArray, k_norm: FloatArray
) -> dict[str, FloatArray]:
    """Weights (…, D, n) of a row that sees its first n_keys keys, without scaling and with the rule."""
    hidden = np.arange(scores.shape[-1]) >= n_keys
    result = {}
    for side, each in ((WITHOUT, get_scaling("none")), (WITH, rule)):
        scaled = each.apply(scores, d_k=d[:, None], n_keys=n_keys, q_norm=q_norm, k_norm=k_norm)
        result[side] = softmax(np.where(hidden, -np.inf, scaled))
    return result


def tied_keys(scores: FloatArray) -> int:
    """How many keys share the row's largest score, up to rounding: softmax sees differences, not ratios."""
    top = scores.max()
    return int((scores >= top - ROUNDING * max(1.0, abs(top))).sum())
