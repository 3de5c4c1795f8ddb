"""Learning to look up: what the scaling rule does to gradient descent.

The task: n keys of d_model entries N(0, 1), the query is one of them, and attention should find which. Scores
are (x_q W_Q)·(x_k W_K) = x_q M x_kᵀ with M = W_Q W_Kᵀ; the loss is the squared error between the row of weights
and the one-hot row, summed over keys and averaged over a fresh batch at each step; plain gradient descent
changes W_Q and W_K.

With G = ∂L/∂M the step is W_Q − η G W_K and W_K − η Gᵀ W_Q, so M, P = W_Q W_Qᵀ and R = W_K W_Kᵀ follow by themselves:

    M' = M − η (P G + G R) + η² G Mᵀ G
    P' = P − η (M Gᵀ + G Mᵀ) + η² G R Gᵀ
    R' = R − η (Mᵀ G + Gᵀ M) + η² Gᵀ P G

A step costs O(d_model³) whatever d is, and is the same step (derived for this project, tested against W_Q and W_K).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.attention import softmax
from attention_core.checks import FloatArray
from attention_core.scaling import Scaling, get_scaling

LAST = 20  # steps whose mean loss is a run's final loss
WORSE = 1.2  # times the loss of uniform attention, from which a run counts as diverged
MOST_STEPS, LARGEST_D = 10_000, 1 << 16


@dataclass(frozen=True)
class Task:
    """Sizes of the task: keys a query looks among, entries of each, queries a step, and queries that are watched."""

    n_keys: int = 16
    d_model: int = 32
    batch: int = 64
    watched: int = 4

    @property
    def uniform_loss(self) -> float:
        """The loss of attention that looks everywhere alike: 1 − 1/n."""
        return 1 - 1 / self.n_keys


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
    overflowed, or ended clearly worse than attention that looks everywhere alike."""

    rule: str
    d: int
    rate: float
    loss: float
    diverged: bool


@dataclass(frozen=True, eq=False)
class _Batch:
    """Keys (B, n, d_model), queries (B, d_model) and where each query's key is (B,)."""

    keys: FloatArray
    queries: FloatArray
    places: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Products:
    """M = W_Q W_Kᵀ, P = W_Q W_Qᵀ and R = W_K W_Kᵀ of one or several runs, each (…, d_model, d_model)."""

    M: FloatArray
    P: FloatArray
    R: FloatArray


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

    Formula: the head of this module; W_Q and W_K start as gain · N(0, 1/d_model), so that with gain 1 query and
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
    start = _start(task, d, gain, seed)
    return _run(task, start, factor, learning_rate, steps, seed)


def _run(task: Task, products: _Products, factor: float, rate: float, steps: int, seed: int) -> Iterator[TrainingStep]:
    watched, batches = _watched(task, seed), _batches(task, seed)
    for step in range(1, steps + 1):
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            batch = next(batches)
            p, loss, G = _loss_and_gradient(products.M, batch, factor)
            record = TrainingStep(
                step=step,
                loss=float(loss),
                accuracy=float((p.argmax(axis=-1) == batch.places).mean()),
                gradient=float(np.sqrt(_gradient_square(products, G))),
                weights=_attend(products.M, watched, factor),
                places=watched.places,
                M=products.M,
            )
            products = _descend(products, G, np.float64(rate))
        if not _finite(products):
            yield _ended(record)
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
    """The ends of many runs, as `train` would end them; runs of one rule and d are worked on together.

    Yields a cell for each learning rate of each d of each rule, in that order. Errors: as for `train`.
    """
    task = task or Task()
    rules = [get_scaling(scaling) for scaling in scalings]
    for d in d_values:
        _check(d, learning_rates, gain, steps)
    factors = [[_factor(rule, d, task.n_keys) for d in d_values] for rule in rules]
    return _cells(task, rules, d_values, factors, np.asarray(learning_rates, dtype=np.float64), steps, seed, gain)


def _cells(
    task: Task,
    rules: Sequence[Scaling],
    d_values: Sequence[int],
    factors: Sequence[Sequence[float]],
    rates: FloatArray,
    steps: int,
    seed: int,
    gain: float,
) -> Iterator[GridCell]:
    for rule, row in zip(rules, factors, strict=True):
        for d, factor in zip(d_values, row, strict=True):
            losses = _final_losses(task, _start(task, d, gain, seed), factor, rates, steps, seed)
            for rate, loss in zip(rates.tolist(), losses.tolist(), strict=True):
                bad = not np.isfinite(loss) or loss > WORSE * task.uniform_loss
                yield GridCell(rule.name, int(d), rate, loss, bool(bad))


def _final_losses(task: Task, start: _Products, factor: float, rates: FloatArray, steps: int, seed: int) -> FloatArray:
    """Mean loss of the last steps for every learning rate, NaN where a run left the range of floats. (L,)"""
    products = _Products(*(np.repeat(each[None], len(rates), axis=0) for each in (start.M, start.P, start.R)))
    last, batches = np.zeros(len(rates)), _batches(task, seed)
    kept = min(LAST, steps)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for step in range(steps):
            _, loss, G = _loss_and_gradient(products.M, next(batches), factor)
            products = _descend(products, G, rates[:, None, None])
            if step >= steps - kept:
                last += loss / kept
        alive = np.isfinite(products.M).all(axis=(-2, -1)) & np.isfinite(last)
    return np.where(alive, last, np.nan)


def _loss_and_gradient(M: FloatArray, batch: _Batch, factor: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weights (…, B, n), loss (…) and G = ∂L/∂M (…, d_model, d_model)."""
    p = _attend(M, batch, factor)
    error = p.copy()
    error[..., np.arange(len(batch.places)), batch.places] -= 1
    loss = np.square(error).sum(axis=-1).mean(axis=-1)
    d_p = error * (2 / len(batch.places))
    d_scores = factor * p * (d_p - (p * d_p).sum(axis=-1, keepdims=True))
    back = np.matmul(d_scores[..., None, :], batch.keys)[..., 0, :]
    return p, loss, np.matmul(batch.queries.T, back)


def _attend(M: FloatArray, batch: _Batch, factor: float) -> FloatArray:
    """Weights of each query over its keys, (…, B, n)."""
    moved = np.matmul(batch.queries, M)
    return softmax(factor * np.matmul(batch.keys, moved[..., None])[..., 0])


def _descend(products: _Products, G: FloatArray, rate: FloatArray | np.float64) -> _Products:
    """One step of gradient descent on W_Q and W_K, in their products."""
    M, P, R = products.M, products.P, products.R
    M_T, G_T = M.swapaxes(-1, -2), G.swapaxes(-1, -2)
    PG, GR, GM_T, M_TG = P @ G, G @ R, G @ M_T, M_T @ G
    return _Products(
        M - rate * (PG + GR) + rate * rate * (GM_T @ G),
        P - rate * (GM_T + GM_T.swapaxes(-1, -2)) + rate * rate * (GR @ G_T),
        R - rate * (M_TG + M_TG.swapaxes(-1, -2)) + rate * rate * (G_T @ PG),
    )


def _gradient_square(products: _Products, G: FloatArray) -> FloatArray:
    """|∂L/∂W_Q|² + |∂L/∂W_K|² = tr(G R Gᵀ) + tr(Gᵀ P G)."""
    square = np.sum(G * (G @ products.R), axis=(-2, -1)) + np.sum(G * (products.P @ G), axis=(-2, -1))
    return np.asarray(np.maximum(square, 0))


def _start(task: Task, d: int, gain: float, seed: int) -> _Products:
    """The products of the random W_Q and W_K (d_model, d)."""
    W_Q, W_K = initial_weights(d, gain, seed, task)
    return _Products(W_Q @ W_K.T, W_Q @ W_Q.T, W_K @ W_K.T)


def initial_weights(
    d: int, gain: float = 1.0, seed: int = 0, task: Task | None = None
) -> tuple[FloatArray, FloatArray]:
    """W_Q and W_K as a run starts with them, gain · N(0, 1/d_model), each (d_model, d)."""
    task = task or Task()
    drawn = np.random.default_rng([seed, d]).standard_normal((2, task.d_model, d))
    W_Q, W_K = gain / np.sqrt(task.d_model) * drawn
    return W_Q, W_K


def batches(seed: int = 0, task: Task | None = None) -> Iterator[tuple[FloatArray, FloatArray, NDArray[np.int64]]]:
    """The batches of a run: keys (B, n, d_model), queries (B, d_model), and where each query's key is (B,)."""
    for batch in _batches(task or Task(), seed):
        yield batch.keys, batch.queries, batch.places


def _batches(task: Task, seed: int) -> Iterator[_Batch]:
    rng = np.random.default_rng([seed, 0])
    while True:
        yield _draw(task, task.batch, rng)


def _watched(task: Task, seed: int) -> _Batch:
    return _draw(task, task.watched, np.random.default_rng([seed, 1 << 20]))


def _draw(task: Task, size: int, rng: np.random.Generator) -> _Batch:
    keys = rng.standard_normal((size, task.n_keys, task.d_model))
    places = rng.integers(task.n_keys, size=size)
    return _Batch(keys, keys[np.arange(size), places], places)


def _ended(record: TrainingStep) -> TrainingStep:
    return TrainingStep(**{**vars(record), "ended": "overflow"})


def _finite(products: _Products) -> bool:
    return all(bool(np.isfinite(each).all()) for each in (products.M, products.P, products.R))


def _factor(scaling: str | Scaling, d: int, n_keys: int) -> float:
    rule = get_scaling(scaling)
    if not rule.only_multiplies:
        raise ValueError(
            f"{rule.name} does more than multiply the scores; expected a rule such as none, sqrt or linear"
        )
    return float(rule.factor(d, n_keys))


def _check(d: int, rates: Sequence[float], gain: float, steps: int) -> None:
    for name, value, most in (("d", d, LARGEST_D), ("steps", steps, MOST_STEPS)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
            raise ValueError(f"{name} is {value!r}; expected a whole number from 1 to {most}")
    for rate in rates:
        if not 0 <= rate < np.inf:
            raise ValueError(f"learning_rate is {rate!r}; expected a finite number from 0 on")
    if not 0 < gain < np.inf:
        raise ValueError(f"gain is {gain!r}; expected a finite number above 0")
