"""Arrays to tidy tables: one row a mark, columns in English words that charts refer to.

A `role` or flag column tells a chart's layers which rows are theirs, so that a chart never changes with
the data. Words that change with the data are columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from attention_core.checks import FloatArray
from attention_ui.columns import shown_columns
from attention_ui.numbers import fixed, measure, plain, short

ELLIPSIS = "…"
MASKED, PLUS, MINUS, GAP = "masked", "plus", "minus", "gap"


def matrix_table(
    matrix: FloatArray,
    row_names: Sequence[str],
    column_names: Sequence[str],
    decimals: int,
    *,
    full: float | None = None,
    marked_row: int | None = None,
    typed: bool = False,
) -> pd.DataFrame:
    """One row a cell: its names and place, the value as text and short text, its tone (sign) and shade (0 to 1).

    `full` is the value of full shade; without it the largest absolute finite value is. Typed values stand
    without needless decimals.
    """
    matrix = np.asarray(matrix, dtype=float)
    write = plain if typed else fixed
    shown = shown_columns(matrix.shape[1])
    finite = np.abs(matrix[np.isfinite(matrix)])
    if full is None:
        full = float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    cells = [(i, j) for i in range(len(matrix)) for j in shown]
    values = [None if j is None else float(matrix[i, j]) for i, j in cells]
    return pd.DataFrame(
        {
            "row": [row_names[i] for i, _ in cells],
            "column": [ELLIPSIS if j is None else column_names[j] for _, j in cells],
            "i": np.array([i for i, _ in cells], dtype=np.int16),
            "j": np.array([-1 if j is None else j for _, j in cells], dtype=np.int16),
            "text": [ELLIPSIS if value is None else write(value, decimals) for value in values],
            "short": [ELLIPSIS if value is None else short(value) for value in values],
            "tone": [_tone(value) for value in values],
            "shade": np.array([_shade(value, full) for value in values], dtype=np.float32),
            "marked": np.array([i == marked_row for i, _ in cells]),
        }
    )


def curve_table(
    d_values: Sequence[int],
    measures: dict[str, FloatArray],
    weights: dict[str, FloatArray],
    keys: Sequence[str],
    decimals: int,
    band: dict[str, FloatArray] | None = None,
) -> pd.DataFrame:
    """The growth chart: curves (D,) and weights (D, n) by rule, band (2, D) by rule.

    Roles: curve (its row holds the band's ends too) and weight, whose `line` and `place` say where it stands.
    """
    d, n = np.asarray(d_values), len(keys)
    curves, cells = len(d) * len(measures), len(d) * n * len(weights)
    values = [np.concatenate(list(measures.values())), np.concatenate([rows.ravel() for rows in weights.values()])]
    nothing = np.full(cells, np.nan)
    low, high = (np.concatenate([band[rule][end] for rule in measures]) if band else np.full(curves, np.nan)
                 for end in (0, 1))  # fmt: skip
    rules = [*np.repeat(list(measures), len(d)), *np.repeat(list(weights), len(d) * n)]
    places = {rule: place for place, rule in enumerate(weights)}
    return pd.DataFrame(
        {
            "role": ["curve"] * curves + ["weight"] * cells,
            "d": np.concatenate([np.tile(d, len(measures)), np.tile(np.repeat(d, n), len(weights))]),
            "rule": rules,
            "value": np.concatenate(values),
            "text": [*map(measure, values[0].tolist()), *(fixed(value, decimals) for value in values[1].tolist())],
            "low": np.concatenate([low, nothing]),
            "high": np.concatenate([high, nothing]),
            "key": [""] * curves + list(keys) * (cells // n),
            "place": np.concatenate([np.zeros(curves, int), np.tile(np.arange(n), cells // n)]),
            "count": n,
            "line": [places[rule] for rule in rules],
        }
    )


def _tone(value: float | None) -> str:
    if value is None:
        return GAP
    if np.isneginf(value):
        return MASKED
    return MINUS if value < 0 else PLUS


def _shade(value: float | None, full: float) -> float:
    if value is None or not np.isfinite(value):
        return 0.0
    return min(abs(value) / full, 1.0)
