"""Numbers as people read them: real minus signs, no −0, tiny and huge values as powers of ten."""

from __future__ import annotations

import math

MINUS = "\N{MINUS SIGN}"
INFINITY = "\N{INFINITY}"
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
HUGE = 1e7  # from here on a fixed number of decimals says nothing


def fixed(value: float, decimals: int) -> str:
    """A fixed number of decimals: −1.50, 0.33, −∞; from ten million on a power of ten: 1.20×10⁹."""
    if math.isinf(value):
        return INFINITY if value > 0 else MINUS + INFINITY
    if abs(value) >= HUGE:
        return _power_of_ten(value, decimals)
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def plain(value: float, decimals: int) -> str:
    """As `fixed`, but a whole number stands without decimals: 2, −3, 0.577."""
    if math.isfinite(value) and value == round(value) and abs(value) < HUGE:
        return fixed(value, 0)
    return fixed(value, decimals)


def short(value: float) -> str:
    """As few characters as say something, for narrow cells: .95, −1.2, 166, 1, 0."""
    if math.isinf(value) or abs(value) >= 9.95:
        return fixed(value, 0)
    decimals = 2 if abs(value) < 0.995 else 1
    text = fixed(value, decimals)
    trimmed = text.rstrip("0").rstrip(".") if "." in text else text
    return trimmed.replace("0.", ".", 1) if trimmed.startswith(("0.", MINUS + "0.")) else trimmed


def measure(value: float, decimals: int = 3) -> str:
    """As `fixed`, but what would round to zero or hides its digits is a power of ten: 2.1×10⁻⁹."""
    if value != 0 and abs(value) < 10.0**-decimals:
        return _power_of_ten(value, 1)
    return fixed(value, decimals)


def significant(value: float, digits: int = 3) -> str:
    """A few significant digits: 0.00412, 0.105, 12.3, 2.1×10⁻⁹; what is exactly 0 is 0."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else fixed(value, 0)
    if abs(value) < 10.0**-digits or abs(value) >= HUGE:
        return _power_of_ten(value, 1)
    exponent = _scientific(value, digits - 1)[1]  # of the rounded value: 0.9997 has three digits as 1.00
    return fixed(value, max(digits - 1 - exponent, 0))


def percent(share: float) -> str:
    """A share as a percentage with one decimal, never rounded to 0 or 100."""
    if share < 0.0005:
        return "< 0.1 %"
    if share >= 0.9995:
        return "> 99.9 %"
    return f"{share * 100:.1f} %"


def share(percentage: float) -> str:
    """A percentage that is exact: 80 %."""
    return f"{percentage:g} %"


def counted(part: float) -> str:
    """As `percent`, for a share that was counted: none and all are told from nearly so."""
    return {0.0: "0 %", 1.0: "100 %"}.get(part) or percent(part)


def latex(value: float, decimals: int) -> str:
    """A number inside a formula: 2, -0.577, 1.2 \\times 10^{9}, -\\infty."""
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    if abs(value) >= HUGE or 0 < abs(value) < 0.5 * 10.0**-decimals:
        mantissa, exponent = _scientific(value, min(decimals, 3))
        return rf"{mantissa} \times 10^{{{exponent}}}"
    return plain(value, decimals).replace(MINUS, "-")


def _scientific(value: float, decimals: int) -> tuple[str, int]:
    mantissa, exponent = f"{value:.{decimals}e}".split("e")
    return mantissa, int(exponent)


def _power_of_ten(value: float, decimals: int) -> str:
    return power_of_ten(*_scientific(value, decimals))


def power_of_ten(mantissa: str, exponent: int) -> str:
    """Digits times a power of ten: −1.5×10¹²."""
    return f"{mantissa.replace('-', MINUS)}×10{str(exponent).translate(_SUPERSCRIPTS)}"
