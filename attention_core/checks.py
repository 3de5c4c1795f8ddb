"""Input checks shared by the core: each error names the matrix, its shape and what was expected."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.floating]


def as_floats(values: ArrayLike, name: str = "array") -> FloatArray:
    """Floating arrays are kept as given; whole numbers and booleans become float64.

    Errors: ValueError that names the array when its entries are no real numbers or its rows differ in length.
    """
    try:
        array = np.asarray(values)
        if np.issubdtype(array.dtype, np.floating):
            return array
        if np.iscomplexobj(array):
            raise TypeError("complex entries")
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must hold real numbers in rows of equal length: {error}") from None


def as_matrix(name: str, values: ArrayLike) -> FloatArray:
    """A finite, non-empty matrix, or a ValueError that names it."""
    matrix = as_floats(values, name)
    if matrix.ndim != 2:
        raise ValueError(f"{name} has shape {matrix.shape}; expected two axes (rows, columns)")
    if matrix.size == 0:
        raise ValueError(f"{name} is empty, shape {matrix.shape}; expected at least one row and column")
    if not np.isfinite(matrix).all():
        row, column = np.argwhere(~np.isfinite(matrix))[0]
        raise ValueError(
            f"{name} of shape {matrix.shape} has {matrix[row, column]} at row {row}, column {column}; "
            "expected finite numbers"
        )
    return matrix


def as_rows(name: str, values: ArrayLike) -> FloatArray:
    """Rows (…, n) of at least one key, or a ValueError that names them."""
    rows = as_floats(values, name)
    if rows.ndim == 0 or rows.shape[-1] == 0:
        raise ValueError(f"{name} has shape {rows.shape}; expected rows of at least one key")
    return rows


def check_finite(name: str, matrix: FloatArray) -> FloatArray:
    """The matrix as it is, or a ValueError when the finite entries it came from were so large that it overflowed."""
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} of shape {matrix.shape} overflows {matrix.dtype}; expected smaller entries")
    return matrix


def product(name: str, left: FloatArray, right: FloatArray) -> FloatArray:
    """left @ right, or a ValueError when entries are so large that it overflows."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return check_finite(name, np.asarray(left @ right))


def check_rows(name: str, matrix: FloatArray, rows: int, reason: str) -> None:
    """The matrix must have `rows` rows."""
    if matrix.shape[0] != rows:
        raise ValueError(f"{name} has shape {matrix.shape}; expected {rows} rows, {reason}")


def check_columns(name: str, matrix: FloatArray, columns: int, reason: str) -> None:
    """The matrix must have `columns` columns."""
    if matrix.shape[1] != columns:
        raise ValueError(f"{name} has shape {matrix.shape}; expected {columns} columns, {reason}")


def check_whole(name: str, value: int, most: int) -> None:
    """A whole number from 1 to `most`, or a ValueError that names it; True is no number."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
        raise ValueError(f"{name} is {value!r}; expected a whole number from 1 to {most}")
