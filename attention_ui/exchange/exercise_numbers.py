"""Numbers of an exercise: printed so that a student can calculate with them, and what the student then reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from attention_core.checks import FloatArray
from attention_ui.exchange import sheet
from attention_ui.exchange.sheet import Html
from attention_ui.numbers import HUGE, MINUS, fixed

PLACES = 3  # decimals, and one more significant digit where they would say less
_TINY = 1e-4
_CLOSE = 0.005  # how far a result from printed numbers may be from the exact one
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def printed(value: float) -> float:
    """The number that a student reads where this one was printed."""
    if not np.isfinite(value) or value == 0:
        return value
    if abs(value) >= HUGE or abs(value) < _TINY:
        return float(f"{value:.5e}")
    exponent = int(f"{value:.{PLACES}e}".split("e")[1])
    return round(value, max(PLACES, PLACES - exponent))


def text(value: float) -> str:
    """The number with as few digits as `printed` has: 5, −0.25, 2.887, 1.5×10¹²."""
    shown = printed(value)
    if not np.isfinite(shown) or shown == 0:
        return fixed(abs(shown) if shown == 0 else shown, 0)
    if abs(shown) >= HUGE or abs(shown) < _TINY:
        mantissa, exponent = f"{shown:.5e}".split("e")
        return f"{_trimmed(mantissa)}×10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
    return _trimmed(f"{shown:.7f}")


def number(value: float) -> Html:
    """The number as markup that no line break cuts."""
    return sheet.number(text(value))


def factor(value: float) -> Html:
    """The number inside a product or a difference, in brackets when it is negative."""
    shown = text(value)
    return sheet.number(f"({shown})" if shown.startswith(MINUS) else shown)


def equals(value: float) -> Html:
    """= 5 or ≈ 2.887."""
    exact = printed(value) == value or abs(printed(value) - value) <= 1e-12 * abs(value)
    return Html(f'{"=" if exact else "≈"} <b class="result">{number(value)}</b>')


def vector(values: Iterable[float]) -> Html:
    """(1, 0, −0.5)"""
    return Html(f"({', '.join(map(number, values))})")


def products(left: Sequence[float] | FloatArray, right: Sequence[float] | FloatArray) -> Html:
    """1 × 0 + 0 × (−2) + …, every term."""
    return Html(" + ".join(f"{factor(a)} × {factor(b)}" for a, b in zip(left, right, strict=True)))


def read(values: Iterable[float]) -> FloatArray:
    """Numbers as a student reads them."""
    return np.array([printed(float(value)) for value in values])


def agree(found: FloatArray | float, exact: FloatArray | float) -> bool:
    """True when what comes of printed numbers is the exact result but for its last digits."""
    return bool(np.all(np.abs(np.subtract(found, exact)) <= _CLOSE * np.maximum(1, np.abs(exact))))


def _trimmed(digits: str) -> str:
    return digits.rstrip("0").rstrip(".").replace("-", MINUS)
