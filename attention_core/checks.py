"""Input checks shared by the core: each error names the matrix, its shape and what was expected."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.floating]


def as_floats(values: ArrayLike) -> FloatArray:
    """Floating arrays are kept as given; whole numbers and booleans become float64."""
    array = np.asarray(values)
    if np.issubdtype(array.dtype, np.floating):
        return array
    return array.astype(np.float64)


def as_matrix(name: str, values: ArrayLike) -> FloatArray:
    """A finite, non-empty matrix, or a ValueError that names it."""
    try:
        matrix = as_floats(values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a matrix of numbers: {error}") from None
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


def check_rows(name: str, matrix: FloatArray, rows: int, reason: str) -> None:
    """The matrix must have `rows` rows."""
    if matrix.shape[0] != rows:
        raise ValueError(f"{name} has shape {matrix.shape}; expected {rows} rows, {reason}")


def check_columns(name: str, matrix: FloatArray, columns: int, reason: str) -> None:
    """The matrix must have `columns` columns."""
    if matrix.shape[1] != columns:
        raise ValueError(f"{name} has shape {matrix.shape}; expected {columns} columns, {reason}")
