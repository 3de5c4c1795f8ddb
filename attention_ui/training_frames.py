"""The training lab's runs as tidy tables, one a chart."""

from __future__ import annotations

import numpy as np
import pandas as pd

from attention_core.checks import FloatArray
from attention_core.training import GridCell, TrainingStep
from attention_ui.frames import MINUS, PLUS
from attention_ui.numbers import fixed, short
from attention_ui.training_live import TASK, Live, Map, failed
from attention_ui.training_settings import D_VALUES, RATES, RULES

LEVELS = {"loss": TASK.uniform_loss, "accuracy": 1 / TASK.n_keys}
BROKEN, WAITING, CHAOTIC = "✕", "·", "~"


def course(live: Live, name: str, labels: dict[str, str], note: str) -> pd.DataFrame:
    """One measure against the step for each rule. Roles: line, end (its last point), level (uniform attention)."""
    rows: list[dict[str, object]] = []
    if name in LEVELS:
        rows.append({"role": "level", "value": LEVELS[name], "text": note})
    for rule, run in live.runs.items():
        values = run.course[name]
        points = [
            {"role": "line", "rule": rule, "step": step, "value": value}
            for step, value in enumerate(values, start=1)
            if np.isfinite(value) and (name != "gradient" or value > 0)
        ]
        rows += points
        if points:
            rows.append({**points[-1], "role": "end", "text": labels[rule]})
    return pd.DataFrame.from_records(rows, columns=["role", "rule", "step", "value", "text"])


def attention(step: TrainingStep) -> pd.DataFrame:
    """The watched queries' weights: one row a cell, the right key flagged."""
    rows, columns = step.weights.shape
    i, j = np.divmod(np.arange(step.weights.size), columns)
    values = step.weights.ravel()
    return pd.DataFrame(
        {
            "query": (i + 1).astype(str),
            "key": (j + 1).astype(str),
            "value": values,
            "text": [short(value) for value in values.tolist()],
            "right": j == np.repeat(step.places, columns)[: rows * columns],
        }
    )


def matrix(M: FloatArray) -> pd.DataFrame:
    """M as cells: place, sign as a tone, size as a shade of the largest."""
    i, j = np.divmod(np.arange(M.size), M.shape[1])
    values = np.nan_to_num(M.ravel(), nan=0.0, posinf=0.0, neginf=0.0)
    full = float(np.abs(values).max()) or 1.0
    return pd.DataFrame(
        {
            "i": (i + 1).astype(np.int16),
            "j": (j + 1).astype(np.int16),
            "tone": np.where(values < 0, MINUS, PLUS),
            "shade": (np.abs(values) / full).astype(np.float32),
        }
    )


def likeness(M: FloatArray) -> tuple[float, float]:
    """Mean of the diagonal, and root mean square of what is off it: how near M is to a multiple of the identity."""
    n = len(M)
    off = M - np.diag(np.diag(M))
    return float(np.mean(np.diag(M))), float(np.sqrt(np.sum(off * off) / (n * (n - 1))))


def grid(made: Map, labels: dict[str, str]) -> pd.DataFrame:
    """The map: a row a cell, those to come with a dot; `good` cells learned, `state` says how a cell ended.

    What a chaotic cell is said to be is what its twin says too; its loss has a sign and a digit less.
    """
    known = {(cell.rule, cell.d, cell.rate): cell for cell in made.cells}
    rows = []
    for rule in RULES:
        for d in D_VALUES:
            good = made.good(rule, d)
            for rate in RATES:
                cell = known.get((rule, d, rate))
                state = "waiting" if cell is None else "diverged" if failed(cell) else "ended"
                value = 0.0 if state != "ended" else _learned_share(cell.loss)
                text = WAITING if cell is None else BROKEN if failed(cell) else _brief(cell)
                rows.append(
                    {"rule": rule, "line": f"{labels[rule]} · {d}", "rate": f"{rate:g}", "value": value, "text": text,
                     "good": rate in good, "state": state}
                )  # fmt: skip
    return pd.DataFrame.from_records(rows)


def _learned_share(loss: float) -> float:
    """How far a loss has come down from that of uniform attention to 0; nothing for an overflow."""
    return float(np.clip(1 - np.nan_to_num(loss, nan=np.inf) / TASK.uniform_loss, 0, 1))


def _brief(cell: GridCell) -> str:
    """Three decimals without the leading zero, so that it is clear on which side of the limit a loss lies."""
    if cell.calm:
        return fixed(cell.loss, 3).removeprefix("0")
    return CHAOTIC + (BROKEN if np.isnan(cell.loss) else fixed(cell.loss, 2).removeprefix("0"))
