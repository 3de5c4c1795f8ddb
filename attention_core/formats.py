"""Number formats: how far below the largest score a weight can lie before it is lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

FORMATS = ("float64", "float32", "float16")


@dataclass(frozen=True)
class FormatLimits:
    """Gaps in natural logarithms: e^−gap is subnormal from `subnormal`, exactly 0 from `zero`; e^x overflows from
    x = `overflow` when the maximum is not subtracted first."""

    subnormal: float
    zero: float
    overflow: float


def format_limits(dtype: DTypeLike) -> FormatLimits:
    """The limits of one format of floating-point numbers, for a row of two keys.

    Formula: −ln of the smallest normal number, −ln of half the smallest subnormal one (what is below rounds to
        0), ln of the largest number.
    Errors: ValueError for another format.
    Source: IEEE 754 as in numpy's finfo; the values are checked against softmax in each format.
    """
    info = np.finfo(as_format(dtype))
    smallest, least, largest = (float(x) for x in (info.smallest_normal, info.smallest_subnormal, info.max))
    return FormatLimits(-float(np.log(smallest)), float(np.log(2) - np.log(least)), float(np.log(largest)))


def as_format(dtype: DTypeLike) -> np.dtype[np.floating]:
    """One of FORMATS in the machine's own byte order, or a ValueError that names them; None is no format."""
    try:
        name = np.dtype(dtype).name if dtype is not None else "None"
    except TypeError:
        name = repr(dtype)
    if name not in FORMATS:
        raise ValueError(f"dtype is {name}; expected one of {', '.join(FORMATS)}")
    return np.dtype(name)
