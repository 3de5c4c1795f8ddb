"""Numbers as they stand in a lesson's text: lists, points, counts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from attention_ui.numbers import fixed, plain

LONG = 10_000  # from here on the thousands are set apart


def listed(numbers: Iterable[float], decimals: int) -> str:
    """[2, 8, 5] or [0.002, 0.950, 0.047]: whole numbers plain, others with the same decimals."""
    found = list(numbers)
    show = fixed if any(value != round(value) for value in found) else plain
    return f"[{', '.join(show(float(value), decimals) for value in found)}]"


def point(place: Iterable[float]) -> str:
    """(0.2, 0.8)."""
    return f"({', '.join(f'{float(value):g}'.replace('-', '−') for value in np.round(list(place), 6))})"


def whole(value: float) -> str:
    """4096, 16,777,216."""
    return f"{value:,.0f}" if value >= LONG else f"{value:.0f}"
