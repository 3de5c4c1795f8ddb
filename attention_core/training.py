"""Learning to look up: what the scaling rule does to gradient descent.

The task is in training_task.py; plain gradient descent on W_Q and W_K, on a fresh batch at each step, is in
training_descent.py. Here are the records of one run, and the ends of many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from attention_core.checks import FloatArray, check_whole
from attention_core.scaling import Scaling, get_scaling
from attention_core.training_descent import Products, descend, finite, gradient_square, initial_products
from attention_core.training_task import Task, draw_batches, look_up, loss_and_gradient, watched_queries

LAST = 20  # steps whose mean loss is a run's final loss
WORSE = 1.2  # times the loss of uniform attention, from which a run counts as diverged
NUDGE = 1 + 2.0**-50  # times the gain: a twin's first weights differ from a run's in the last digits alone
CALM = 1e-3  # difference of M, as a part of its largest entry, up to which run and twin are one: more is chaos
MOST_STEPS, LARGEST_D = 10_000, 1 << 16


@dataclass(frozen=True, eq=False)
class TrainingStep:
    """One step: loss and accuracy on its batch before the update, length of the gradient of W_Q and W_K together,
    weights (watched, n) of the fixed queries, whose right key is `places`, and M (d_model, d_model).

    `ended` is None, or "overflow" when the numbers left the range of floats; then it is the last.
    """

    step: int
    loss: float
    accuracy: float
    gradient: float
    weights: FloatArray
    places: NDArray[np.int64]
    M: FloatArray
    ended: str | None = None


@dataclass(frozen=True)
class GridCell:
    """The end of one run: mean loss of its last steps, NaN after an overflow, and whether it diverged: it
    overflowed, or ended clearly worse than attention that looks everywhere alike. `twin` is the loss of the same
    run from first weights that differ in the last digits alone; the run is `calm` when both ended with the same M,
    and where they did not, another processor's rounding gives another loss too."""

    rule: str
    d: int
    rate: float
    loss: float
    diverged: bool
    twin: float
    calm: bool


def same_run(M: FloatArray, twin: FloatArray) -> NDArray[np.bool_]:
    """Whether M of a run and of its twin are equal but for rounding; two overflows are. (…, m, m) twice -> (…).

    M and not the loss, for with saturated weights a loss is a count, and two counts are often equal by chance.
    """
    inside = [np.isfinite(each).all(axis=(-2, -1)) for each in (M, twin)]
    with np.errstate(over="ignore", invalid="ignore"):
        apart = np.abs(M - twin).max(axis=(-2, -1)) <= CALM * np.abs(M).max(axis=(-2, -1))
    return np.where(inside[0] & inside[1], apart, ~inside[0] & ~inside[1])


def train(
    d: int,
    learning_rate: float,
    scaling: str | Scaling = "sqrt",
    gain: float = 1.0,
    steps: int = 200,
    seed: int = 0,
    task: Task | None = None,
) -> Iterator[TrainingStep]:
    """One run, a record a step; stopping the iteration stops the work.

    Formula: the head of training_descent.py; W_Q and W_K start as gain · N(0, 1/d_model), so that with gain 1 query and
        key have entries of unit variance.
    Law: a scale c equals, exactly, no scale with W_Q and W_K times √c and the learning rate times c. Equal seeds
        give equal batches to every rule and d.
    Errors: ValueError for a rule that does more than multiply the scores, or a d, steps, learning rate or gain
        out of range. An overflow is no error: it ends the run with a record that says so.
    Source: scale and learning rate, muP (arXiv:2203.03466); the task is this project's own.
    """
    task = task or Task()
    _check(d, [learning_rate], gain, steps)
    factor = _factor(scaling, d, task.n_keys)
    return _run(task, initial_products(task, d, gain, seed), factor, learning_rate, steps, seed)


def _run(task: Task, products: Products, factor: float, rate: float, steps: int, seed: int) -> Iterator[TrainingStep]:
    watched, batches = watched_queries(task, seed), draw_batches(task, seed)
    for step in range(1, steps + 1):
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            batch = next(batches)
            p, loss, G = loss_and_gradient(products.M, batch, factor)
            record = TrainingStep(
                step=step,
                loss=float(loss),
                accuracy=float((p.argmax(axis=-1) == batch.places).mean()),
                gradient=float(np.sqrt(gradient_square(products, G))),
                weights=look_up(products.M, watched, factor),
                places=watched.places,
                M=products.M,
            )
            products = descend(products, G, np.float64(rate))
        if not finite(products):
            yield replace(record, ended="overflow")
            return
        yield record


def training_grid(
    scalings: Sequence[str | Scaling],
    d_values: Sequence[int],
    learning_rates: Sequence[float],
    steps: int = 200,
    seed: int = 0,
    gain: float = 1.0,
    task: Task | None = None,
) -> Iterator[GridCell]:
    """The ends of many runs and their twins, as `train` would end them; runs of one rule and d are worked on together.

    A twin is the run with a gain times NUDGE. Where the descent is chaotic it ends elsewhere; there the loss is one of
    many that rounding chooses between.
    Yields a cell for each learning rate of each d of each rule, in that order. Errors: as for `train`.
    """
    task = task or Task()
    rules = [get_scaling(scaling) for scaling in scalings]
    for d in d_values:
        _check(d, learning_rates, gain, steps)
    runs = [(rule.name, int(d), _factor(rule, d, task.n_keys)) for rule in rules for d in d_values]
    return _cells(task, runs, np.asarray(learning_rates, dtype=np.float64), steps, seed, gain)


def _cells(
    task: Task,
    runs: Sequence[tuple[str, int, float]],
    rates: FloatArray,
    steps: int,
    seed: int,
    gain: float,
) -> Iterator[GridCell]:
    for rule, d, factor in runs:
        starts = [initial_products(task, d, each, seed) for each in (gain, gain * NUDGE)]
        (losses, twins), calm = _ends(task, starts, factor, rates, steps, seed)
        for rate, loss, twin, same in zip(*(each.tolist() for each in (rates, losses, twins, calm)), strict=True):
            bad = not np.isfinite(loss) or loss > WORSE * task.uniform_loss
            yield GridCell(rule, d, rate, loss, bool(bad), twin, same)


def _ends(
    task: Task, starts: Sequence[Products], factor: float, rates: FloatArray, steps: int, seed: int
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """For every start and learning rate the mean loss of the last steps, NaN where a run left the floats (S, L), and
    whether the first two starts ended alike (L,)."""
    stacked = (np.stack([getattr(start, name) for start in starts]) for name in "MPR")
    products = Products(*(np.repeat(each, len(rates), axis=0) for each in stacked))
    every = np.tile(rates, len(starts))
    last, batches = np.zeros(len(every)), draw_batches(task, seed)
    kept = min(LAST, steps)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for step in range(steps):
            _, loss, G = loss_and_gradient(products.M, next(batches), factor)
            products = descend(products, G, every[:, None, None])
            if step >= steps - kept:
                last += loss / kept
    runs, twins, *_ = np.split(products.M, len(starts))
    return np.where(finite(products), last, np.nan).reshape(len(starts), len(rates)), same_run(runs, twins)


def _factor(scaling: str | Scaling, d: int, n_keys: int) -> float:
    rule = get_scaling(scaling)
    if not rule.only_multiplies:
        raise ValueError(
            f"{rule.name} does more than multiply the scores; expected a rule such as none, sqrt or linear"
        )
    return float(rule.factor(d, n_keys))


def _check(d: int, rates: Sequence[float], gain: float, steps: int) -> None:
    check_whole("d", d, LARGEST_D)
    check_whole("steps", steps, MOST_STEPS)
    for rate in rates:
        if not 0 <= rate < np.inf:
            raise ValueError(f"learning_rate is {rate!r}; expected a finite number from 0 on")
    if not 0 < gain < np.inf:
        raise ValueError(f"gain is {gain!r}; expected a finite number above 0")
