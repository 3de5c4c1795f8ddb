"""Numbers of an exercise: printed so that a student can calculate with them, and what the student then reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from attention_core.checks import FloatArray
from attention_ui.exchange import sheet
from attention_ui.exchange.sheet import Html
from attention_ui.numbers import HUGE, MINUS, fixed, power_of_ten

PLACES = 3  # decimals, and one more significant digit where they would say less
SHARE_PLACES = 4
_TINY = 1e-4
_ROUNDING = 1e-12  # relative error of a sum of a few products
CANCELLED = 1e-9  # a sum this much smaller than its terms is mostly rounding
_CLOSE = 0.005  # how far a result from printed numbers may be from the exact one


def printed(value: float) -> float:
    """The number that a student reads where this one was printed."""
    if not np.isfinite(value) or value == 0:
        return value
    if not _TINY <= abs(value) < HUGE:
        return float(_scientific(value))
    exponent = int(f"{value:.{PLACES}e}".split("e")[1])
    return round(value, max(PLACES, PLACES - exponent))


def text(value: float) -> str:
    """The number with as few digits as `printed` has: 5, −0.25, 2.887, 1.5×10¹²."""
    shown = printed(value)
    if not np.isfinite(shown) or shown == 0:
        return fixed(abs(shown) if shown == 0 else shown, 0)
    if not _TINY <= abs(shown) < HUGE:
        mantissa, exponent = _scientific(shown).split("e")
        return power_of_ten(_trimmed(mantissa), int(exponent))
    return _trimmed(f"{shown:.7f}")


def number(value: float) -> Html:
    """The number as markup that no line break cuts."""
    return sheet.number(text(value))


def factor(value: float) -> Html:
    """The number inside a product or a difference, in brackets when it is negative."""
    shown = text(value)
    return sheet.number(f"({shown})" if shown.startswith(MINUS) else shown)


def equals(value: float, exact: bool = True) -> Html:
    """= 5 or ≈ 2.887; never = where what was calculated is not exact even if all its digits are shown."""
    return _equals(value, exact, number(value))


def equals_share(value: float, exact: bool) -> Html:
    """As `equals` for a part of a sum: what only rounds to a whole number is ≈ 1.0000."""
    return _equals(value, exact, number(value) if exact or not printed(value).is_integer() else share(value, exact))


def _equals(value: float, exact: bool, result: Html) -> Html:
    shown = exact and abs(printed(value) - value) <= _ROUNDING * abs(value)
    return Html(f'{"=" if shown else "≈"} <b class="result">{result}</b>')


def share(value: float, exact: bool = True) -> Html:
    """A part of a sum, or the sum: four decimals unless it is whole, and whole only where it is exact; what would
    read as 0.0000 and is not nothing is < 0.0001."""
    if value > 0 and np.round(value, SHARE_PLACES) == 0:
        return sheet.number(f"< {fixed(10.0**-SHARE_PLACES, SHARE_PLACES)}")
    return sheet.number(fixed(value, 0 if exact and float(value).is_integer() else SHARE_PLACES))


def shares(values: FloatArray) -> Html:
    """(< 0.0001, 0.7854, 0.2146)"""
    return Html(f"({', '.join(map(share, values))})")


def positive(values: FloatArray) -> FloatArray:
    """What was only too small for a float, so that it is not written as exactly 0."""
    return np.maximum(values, np.finfo(float).tiny)


def mix(weights: FloatArray, values: FloatArray) -> Html:
    """0.7854 × 2 + 0.2146 × (−1), without the weights that are < 0.0001."""
    kept = read_shares(weights) > 0
    terms = zip(weights[kept], values[kept], strict=True)
    return Html(" + ".join(f"{share(weight)} × {factor(value)}" for weight, value in terms))


def squares(weights: FloatArray) -> Html:
    """0.7854² + 0.2146², without the weights that are < 0.0001."""
    return Html(" + ".join(f"{share(weight)}²" for weight in weights[read_shares(weights) > 0]))


def vector(values: Iterable[float]) -> Html:
    """(1, 0, −0.5)"""
    return Html(f"({', '.join(map(number, values))})")


def products(left: Sequence[float] | FloatArray, right: Sequence[float] | FloatArray) -> Html:
    """1 × 0 + 0 × (−2) + …, every term."""
    return Html(" + ".join(f"{factor(a)} × {factor(b)}" for a, b in zip(left, right, strict=True)))


def read(values: Iterable[float]) -> FloatArray:
    """Numbers as a student reads them."""
    return np.array([printed(float(value)) for value in values])


def read_shares(values: FloatArray) -> FloatArray:
    """Parts of a sum as a student reads them; what is < 0.0001 counts as nothing."""
    return np.round(values, SHARE_PLACES)


def agree(found: FloatArray | float, exact: FloatArray | float) -> bool:
    """True when what comes of printed numbers is the exact result but for its last digits."""
    return bool(np.all(np.abs(np.subtract(found, exact)) <= _CLOSE * np.maximum(1, np.abs(exact))))


def adds_up(
    left: FloatArray, right: FloatArray, total: float, reading: Callable[[FloatArray], FloatArray] = read
) -> bool:
    """True when the printed terms give the sum, and the sum is more than what rounding left of terms that cancel;
    `reading` gives the left ones as a student reads them."""
    size, found = float(np.abs(left) @ np.abs(right)), reading(left) @ read(right)
    return agree(found, total) and (total == 0 or bool(found != 0 and abs(total) > CANCELLED * size))


def _scientific(value: float) -> str:
    """Few digits of what is nearly nothing, more of what is huge."""
    return f"{value:.{5 if abs(value) >= 1 else 2}e}"


def _trimmed(digits: str) -> str:
    return digits.rstrip("0").rstrip(".").replace("-", MINUS)
