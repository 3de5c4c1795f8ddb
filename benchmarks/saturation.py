"""The sweep over random rows beside its own random numbers and exponentials, and beside brute force.

(a) The default view: 64 keys, 500 rows, every plotted d from 1 to 4096, three rules, double precision; against drawing
    the same random numbers and exponentiating the scores once for each rule. The stricter ratio has one exponential in
    all.
(b) The large view: 1024 keys, 200 rows, four rules, among them QK-norm, which needs the keys' lengths.
(c) Brute force for the default view: rows of real vectors of 4096 normal entries, their scores at every d and the
    weights under each rule, without any gradient. Fewer rows are drawn and the time is scaled up.

The functions of (a) take turns; the times are medians.

    python -m benchmarks.saturation [rounds]
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from attention_core import get_scaling, softmax
from attention_core.sweep import sweep_parts
from benchmarks.core import by_turns
from benchmarks.report import median, p95, show, verdict

ROUNDS = 60
D_VALUES = [int(d) for d in np.unique(np.rint(2.0 ** (np.arange(25) / 2)))]
KEYS, ROWS, RULES = 64, 500, ("none", "sqrt", "linear")
LARGE_KEYS, LARGE_ROWS, LARGE_RULES = 1024, 200, ("none", "sqrt", "ssmax", "qknorm")
BRUTE_ROWS = 10  # of the 500
RATIO, DEFAULT_MS, LARGE_MS, TIMES_SLOWER = 2.5, 100.0, 2000.0, 10.0


def main(rounds: int) -> None:
    times = by_turns(_default_cases(), rounds)
    _report_default(times)
    large = by_turns({"large": lambda: _sweep(LARGE_KEYS, LARGE_ROWS, LARGE_RULES)}, max(1, rounds // 10))["large"]
    _report_large(large)
    brute = by_turns({"brute": lambda: _brute_force(BRUTE_ROWS)}, max(1, rounds // 10))["brute"]
    _report_brute([time * ROWS / BRUTE_ROWS for time in brute], median(times["sweep"]))


def _default_cases() -> dict[str, Callable[[], object]]:
    scores = np.random.default_rng(0).standard_normal((ROWS, len(D_VALUES), KEYS))
    scores -= scores.max(axis=-1, keepdims=True)
    room = np.empty_like(scores)
    return {
        "sweep": lambda: _sweep(KEYS, ROWS, RULES),
        "drawing": _draw,
        "exponentials": lambda: np.exp(scores, out=room),
    }


def _sweep(n_keys: int, n_rows: int, rules: tuple[str, ...]) -> None:
    for _ in sweep_parts(D_VALUES, n_keys, n_rows, np.random.default_rng(0), rules):
        pass


def _draw() -> None:
    """The sweep's random numbers: one normal a key, row and d, two χ² a row and d, one upstream gradient a row."""
    rng, d = np.random.default_rng(0), np.array(D_VALUES)
    rng.standard_normal((ROWS, len(d), KEYS))
    rng.standard_gamma(np.diff(d, prepend=0) / 2, (ROWS, len(d)))
    rng.standard_gamma((d - 1) / 2, (ROWS, len(d)))
    rng.standard_normal((ROWS, KEYS))


def _brute_force(n_rows: int) -> None:
    rng, ends = np.random.default_rng(0), np.array(D_VALUES)[:, None]
    rules = [get_scaling(rule) for rule in RULES]
    for _ in range(n_rows):
        q, K = rng.standard_normal(D_VALUES[-1]), rng.standard_normal((KEYS, D_VALUES[-1]))
        starts = [0, *D_VALUES[:-1]]
        parts = [K[:, start:end] @ q[start:end] for start, end in zip(starts, D_VALUES, strict=True)]
        scores = np.cumsum(parts, axis=0)
        for rule in rules:
            softmax(rule.apply(scores, d_k=ends, n_keys=KEYS))


def _report_default(times: dict[str, list[float]]) -> None:
    sweep, drawing, once = (median(times[name]) for name in ("sweep", "drawing", "exponentials"))
    labels = {
        "sweep": f"sweep, {', '.join(RULES)}",
        "drawing": "drawing its random numbers",
        "exponentials": "exponentials of its scores, once",
    }
    rows: list[list[object]] = [[labels[name], median(values), p95(values), ""] for name, values in times.items()]
    rows[0][-1] = verdict(sweep, DEFAULT_MS)
    ratio = sweep / (drawing + len(RULES) * once)
    rows.append(["sweep / (drawing + one exponential a rule)", ratio, "", verdict(ratio, RATIO)])
    rows.append(["sweep / (drawing + one exponential in all)", sweep / (drawing + once), "", ""])
    show(f"(a) {KEYS} keys, {ROWS} rows, {len(D_VALUES)} values of d", ["", "median ms", "p95 ms", ""], rows)


def _report_large(times: list[float]) -> None:
    row = [f"sweep, {', '.join(LARGE_RULES)}", median(times), p95(times), verdict(median(times), LARGE_MS)]
    show(
        f"(b) {LARGE_KEYS} keys, {LARGE_ROWS} rows, {len(D_VALUES)} values of d", ["", "median ms", "p95 ms", ""], [row]
    )


def _report_brute(times: list[float], sweep: float) -> None:
    slower = median(times) / sweep
    met = f"{'met' if slower >= TIMES_SLOWER else 'MISSED'} (≥ {TIMES_SLOWER:g})"
    rows: list[list[object]] = [
        [f"{BRUTE_ROWS} rows of real vectors, times {ROWS // BRUTE_ROWS}", median(times), p95(times), ""],
        ["times slower than the sweep", slower, "", met],
    ]
    show(f"(c) Brute force over {D_VALUES[-1]} normal entries a vector", ["", "median ms", "p95 ms", ""], rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
