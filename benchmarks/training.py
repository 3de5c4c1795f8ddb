"""Training beside its own matrix products and beside the plain form on W_Q and W_K.

(a) The whole map: three rules, four d, seven learning rates, 200 steps; the time of all runs and of the first.
(b) One step at d = 4096, beside the three products of (32 × d) matrices that a step on W_Q and W_K cannot do without:
    M = W_Q W_Kᵀ, G W_K and Gᵀ W_Q. Both on a batch drawn before.
(c) One step of the plain form at d = 4096: queries and keys of the whole batch times W_Q and W_K, and back.

The functions of (b) and (c) take turns; the times are medians.

    python -m benchmarks.training [rounds]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from attention_core import softmax
from attention_core.training import training_grid
from attention_core.training_descent import Products, descend, initial_weights
from attention_core.training_task import Batch, batches, loss_and_gradient
from benchmarks.core import by_turns
from benchmarks.report import median, p95, show, verdict

ROUNDS, LARGEST, RATE = 60, 4096, np.float64(1.0)
RULES, D_VALUES, RATES = ("none", "sqrt", "linear"), (64, 256, 1024, 4096), (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
MAP_SECONDS, FIRST_SECONDS, STEP_RATIO, TIMES_SLOWER = 15.0, 1.0, 1.5, 10.0


def main(rounds: int) -> None:
    _report_map()
    _report_steps(by_turns(_step_cases(), rounds))


def _report_map() -> None:
    start, first = time.perf_counter(), 0.0
    for number, _ in enumerate(training_grid(RULES, D_VALUES, RATES)):
        if number == 0:
            first = time.perf_counter() - start
    whole = time.perf_counter() - start
    rows: list[list[object]] = [
        ["first cells", first, verdict(first, FIRST_SECONDS)],
        ["whole map", whole, verdict(whole, MAP_SECONDS)],
    ]
    show("(a) The map of 84 runs of 200 steps", ["", "seconds", ""], rows)


def _step_cases() -> dict[str, Callable[[], object]]:
    W_Q, W_K = initial_weights(LARGEST)
    keys, queries, places = next(batches())
    batch, factor = Batch(keys, queries, places), LARGEST**-0.5
    products = Products.of(W_Q, W_K)
    G = loss_and_gradient(products.M, batch, factor)[2]

    def step() -> object:
        return descend(products, loss_and_gradient(products.M, batch, factor)[2], RATE)

    return {
        "step": step,
        "products": lambda: (W_Q @ W_K.T, G @ W_K, G.T @ W_Q),
        "plain": lambda: _plain_step(W_Q, W_K, keys, queries, places, factor),
    }


def _plain_step(
    W_Q: np.ndarray, W_K: np.ndarray, keys: np.ndarray, queries: np.ndarray, places: np.ndarray, factor: float
) -> tuple[np.ndarray, np.ndarray]:
    Q, K = queries @ W_Q, keys @ W_K  # (B, d), (B, n, d)
    p = softmax(factor * np.matmul(K, Q[..., None])[..., 0])
    error = p.copy()
    error[np.arange(len(places)), places] -= 1
    d_p = error * (2 / len(places))
    d_scores = factor * p * (d_p - (p * d_p).sum(axis=1, keepdims=True))
    d_Q = np.matmul(d_scores[:, None, :], K)[:, 0]
    d_K = d_scores[..., None] * Q[:, None, :]
    d_W_K = keys.reshape(-1, keys.shape[-1]).T @ d_K.reshape(-1, LARGEST)
    return W_Q - RATE * (queries.T @ d_Q), W_K - RATE * d_W_K


def _report_steps(times: dict[str, list[float]]) -> None:
    labels = {
        "step": "one step, whatever d",
        "products": f"three products at d = {LARGEST}",
        "plain": f"one plain step at d = {LARGEST}",
    }
    rows: list[list[object]] = [[labels[name], median(values), p95(values), ""] for name, values in times.items()]
    ratio, slower = median(times["step"]) / median(times["products"]), median(times["plain"]) / median(times["step"])
    rows.append(["step / products", ratio, "", verdict(ratio, STEP_RATIO)])
    rows.append(["plain / step", slower, "", "met (≥ 10)" if slower >= TIMES_SLOWER else "MISSED (≥ 10)"])
    show("(b, c) One step, 64 queries of 16 keys", ["", "median ms", "p95 ms", ""], rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
