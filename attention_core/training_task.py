"""The task of learning to look up: its batches, its loss, and the gradient that reaches M = W_Q W_Kᵀ.

n keys of d_model entries N(0, 1), the query is one of them, and attention should find which. Scores are
(x_q W_Q)·(x_k W_K) = x_q M x_kᵀ; the loss is the squared error between the row of weights and the one-hot row, summed
over keys and averaged over a batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.attention import softmax
from attention_core.checks import FloatArray


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
class Batch:
    """Keys (B, n, d_model), queries (B, d_model) and where each query's key is (B,)."""

    keys: FloatArray
    queries: FloatArray
    places: NDArray[np.int64]


def batches(seed: int = 0, task: Task | None = None) -> Iterator[tuple[FloatArray, FloatArray, NDArray[np.int64]]]:
    """The batches of a run: keys (B, n, d_model), queries (B, d_model), and where each query's key is (B,)."""
    for batch in draw_batches(task or Task(), seed):
        yield batch.keys, batch.queries, batch.places


def draw_batches(task: Task, seed: int) -> Iterator[Batch]:
    """The same as records, without end."""
    rng = np.random.default_rng([seed, 0])
    while True:
        yield _draw(task, task.batch, rng)


def watched_queries(task: Task, seed: int) -> Batch:
    """The queries whose weights are shown at every step, with keys of their own."""
    return _draw(task, task.watched, np.random.default_rng([seed, 1 << 20]))


def _draw(task: Task, size: int, rng: np.random.Generator) -> Batch:
    keys = rng.standard_normal((size, task.n_keys, task.d_model))
    places = rng.integers(task.n_keys, size=size)
    return Batch(keys, keys[np.arange(size), places], places)


def loss_and_gradient(M: FloatArray, batch: Batch, factor: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weights (…, B, n), loss (…) and G = ∂L/∂M (…, d_model, d_model)."""
    p = look_up(M, batch, factor)
    error = p.copy()
    error[..., np.arange(len(batch.places)), batch.places] -= 1
    loss = np.square(error).sum(axis=-1).mean(axis=-1)
    d_p = error * (2 / len(batch.places))
    d_scores = factor * p * (d_p - (p * d_p).sum(axis=-1, keepdims=True))
    back = np.matmul(d_scores[..., None, :], batch.keys)[..., 0, :]
    return p, loss, np.matmul(batch.queries.T, back)


def look_up(M: FloatArray, batch: Batch, factor: float) -> FloatArray:
    """Weights of each query over its keys, (…, B, n)."""
    moved = np.matmul(batch.queries, M)
    return softmax(factor * np.matmul(batch.keys, moved[..., None])[..., 0])
