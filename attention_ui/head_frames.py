"""The real head's tables: the sentence as a graph, and the singular values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from attention_core.checks import FloatArray
from attention_ui.numbers import fixed


def graph(weights: FloatArray, labels: Sequence[str], row: int, choices: int) -> pd.DataFrame:
    """Roles: edge from the chosen query to each key, query (left), key (right, with the weight it gets)."""
    shares = weights[row, : len(labels)].tolist()
    rows: list[dict[str, object]] = []
    for j, share in enumerate(shares):
        rows.append({"role": "edge", "i": j, "x": 0.0, "y": float(row), "x2": 1.0, "y2": float(j), "value": share})
    for i, (label, share) in enumerate(zip(labels, shares, strict=True)):
        rows.append({"role": "query", "i": i, "x": 0.0, "y": float(i), "text": label, "chosen": i == row})
        number = fixed(share, 3).removeprefix("0")
        rows.append(
            {"role": "key", "i": i, "x": 1.0, "y": float(i), "text": label, "value": share, "number": number}
        )  # fmt: skip
    columns = ["role", "i", "x", "y", "x2", "y2", "value", "text", "number", "chosen"]
    table = pd.DataFrame.from_records(rows, columns=columns)
    table["chosen"] = table["chosen"].fillna(False).astype(bool)
    return table.assign(choices=choices)


def spectrum(values: FloatArray, kept: int) -> pd.DataFrame:
    """A row a singular value; the `kept` strongest are flagged."""
    ranks = np.arange(1, len(values) + 1)
    return pd.DataFrame({"rank": ranks.astype(np.int16), "value": values, "kept": ranks <= kept})
