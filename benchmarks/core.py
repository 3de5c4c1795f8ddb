"""The core beside plain numpy: the sweep over every d, and attention on large matrices.

(a) score_sweep for 16 tokens at every d of the growth curve up to 4096, against one product at d = 4096
    (X W_Q, X W_K, Q Kᵀ on matrices already drawn) and the drawing of its random columns.
(b) scaled_dot_product_attention for 512 × 512 tokens at d = 4096 in float32, against two matrix products with
    scipy.special.softmax between them.

The functions take turns; the times are medians.

    python -m benchmarks.core [rounds]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.special import softmax

from attention_core import d_grid, scaled_dot_product_attention, score_sweep, widen_pair
from benchmarks.report import median, p95, show, verdict

ROUNDS, WARM_UP = 200, 5
TOKENS, D_EMB, D_K, LARGEST = 16, 16, 16, 4096
LONG = 512  # tokens in (b)
ATTENTION_RATIO = 1.5


def main(rounds: int) -> None:
    _report_sweep(by_turns(_sweep_cases(), rounds))
    _report_attention(by_turns(_attention_cases(), rounds // 2))


def _sweep_cases() -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(0)
    X, W_Q, W_K = (rng.standard_normal(shape) for shape in ((TOKENS, D_EMB), (D_EMB, D_K), (D_EMB, D_K)))
    grid = d_grid(D_K, LARGEST)
    wide_Q, wide_K = widen_pair(W_Q, W_K, LARGEST, seed=0)
    return {
        "sweep": lambda: score_sweep(X, W_Q, W_K, grid, seed=0, lengths=False),
        "product": lambda: (X @ wide_Q) @ (X @ wide_K).T,
        "drawing": lambda: widen_pair(W_Q, W_K, LARGEST, seed=0),
    }


def _attention_cases() -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(0)
    query, key, value = (rng.standard_normal((LONG, LARGEST), dtype=np.float32) for _ in range(3))
    scale = np.float32(1 / np.sqrt(LARGEST))
    return {
        "attention": lambda: scaled_dot_product_attention(query, key, value),
        "plain": lambda: softmax(scale * (query @ key.T), axis=-1) @ value,
    }


def by_turns(cases: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each function, called one after the other in every round."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(-WARM_UP, rounds):
        for name, call in cases.items():
            start = time.perf_counter()
            call()
            if turn >= 0:
                times[name].append(1000 * (time.perf_counter() - start))
    return times


def _report_sweep(times: dict[str, list[float]]) -> None:
    allowed = 2 * median(times["product"]) + median(times["drawing"])
    ratio = median(times["sweep"]) / allowed
    labels = {
        "sweep": f"score_sweep, {len(d_grid(D_K, LARGEST))} values of d",
        "product": f"one product at d = {LARGEST}",
        "drawing": "drawing of the random columns",
    }
    rows: list[list[object]] = [[labels[name], median(values), p95(values), ""] for name, values in times.items()]
    rows.append(["sweep / (2 × product + drawing)", ratio, "", verdict(ratio, 1)])
    show(f"(a) Every d in one pass, {TOKENS} tokens", ["", "median ms", "p95 ms", ""], rows)


def _report_attention(times: dict[str, list[float]]) -> None:
    ratio = median(times["attention"]) / median(times["plain"])
    labels = {"attention": "scaled_dot_product_attention", "plain": "two products and scipy.special.softmax"}
    rows: list[list[object]] = [[labels[name], median(values), p95(values), ""] for name, values in times.items()]
    rows.append(["ratio", ratio, "", verdict(ratio, ATTENTION_RATIO)])
    show(f"(b) Attention, {LONG} × {LONG} tokens, d = {LARGEST}, float32", ["", "median ms", "p95 ms", ""], rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
