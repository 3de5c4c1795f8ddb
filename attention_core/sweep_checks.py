"""What a sweep over random rows accepts: each error names the argument, its value and what was expected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike

from attention_core.checks import check_whole
from attention_core.ensembles import ENTRIES, IntArray
from attention_core.formats import as_format

MOST_KEYS, MOST_ROWS, LARGEST_D = 10_000, 100_000, 1 << 16
LARGEST_HALF_D = 1 << 14  # up to there an aligned key's score fits float16
MOST_ENTRIES = 1 << 23  # of a row's vectors, or of its scores at all d: 64 MB


def checked(
    d_values: Sequence[int], n_keys: int, n_rows: int, cosine: float, entries: str, dtype: DTypeLike
) -> np.dtype[np.floating]:
    """The number format, when everything is within its range."""
    ends = _rising(d_values)
    check_whole("n_keys", n_keys, MOST_KEYS)
    check_whole("n_rows", n_rows, MOST_ROWS)
    _check_cosine(cosine)
    if not isinstance(entries, str) or entries not in ENTRIES:
        raise ValueError(f"unknown entries {entries!r}; expected one of {', '.join(ENTRIES)}")
    _check_size(ends, n_keys, entries)
    kind = as_format(dtype)
    if kind == np.float16 and ends[-1] > LARGEST_HALF_D:
        raise ValueError(f"d_values reaches {ends[-1]}; expected at most {LARGEST_HALF_D} in float16")
    return kind


def _rising(d_values: Sequence[int]) -> IntArray:
    ends = np.asarray(d_values)
    whole = ends.ndim == 1 and ends.size > 0 and np.issubdtype(ends.dtype, np.integer)
    if not whole or ends[0] < 1 or (np.diff(ends) <= 0).any() or ends[-1] > LARGEST_D:
        raise ValueError(f"d_values is {d_values!r}; expected rising whole numbers from 1 to {LARGEST_D}")
    return ends


def _check_cosine(cosine: float) -> None:
    number = isinstance(cosine, float | int | np.floating | np.integer) and not isinstance(cosine, bool)
    if not number or not 0 <= cosine <= 1:
        raise ValueError(f"cosine is {cosine!r}; expected a number from 0 to 1")


def _check_size(ends: IntArray, n_keys: int, entries: str) -> None:
    size = n_keys * (ends.size if entries == "normal" else int(ends[-1]))
    if size > MOST_ENTRIES:
        raise ValueError(
            f"n_keys is {n_keys!r} and d_values has {ends.size} values up to {ends[-1]}: {size} numbers a row; "
            f"expected at most {MOST_ENTRIES}"
        )
