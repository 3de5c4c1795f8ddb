"""What every benchmark prints: medians, 95th percentiles and ratios in a plain table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def median(times: Sequence[float]) -> float:
    """The middle of the times, NaN when there are none."""
    return float(np.median(times)) if len(times) else float("nan")


def p95(times: Sequence[float]) -> float:
    """The time that one in twenty exceeds, NaN when there are none."""
    return float(np.percentile(times, 95)) if len(times) else float("nan")


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table: the first column to the left, numbers to the right with two decimals."""
    cells = [list(head), *([_text(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    print(f"\n{title}")
    for first, *others in cells:
        numbers = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        print("  ".join([first.ljust(widths[0]), *numbers]))


def verdict(value: float, most: float) -> str:
    """Whether a target is met."""
    return f"{'met' if value <= most else 'MISSED'} (≤ {most:g})"


def _text(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
