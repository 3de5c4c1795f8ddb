"""What the matrix editor sends, checked: it comes from a browser, so nothing about it is trusted."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

LARGEST_COUNTER = 2**53  # the largest whole number that a browser counts to
Shapes = Mapping[str, tuple[int, int]]


class Command(NamedTuple):
    """One press of a button: "reset" or "randomise" a matrix, or "resize" (`size` and `to` say which and how far)."""

    name: str
    matrix: str
    size: str | None
    to: int | None
    n: int


def read_draft(raw: object, expected_shapes: Shapes, limit: float = 1e6) -> dict[str, np.ndarray] | None:
    """All matrices of a draft, or None unless each has its expected shape and only finite entries up to ±limit."""
    given = _field(raw, "matrices")
    if not isinstance(given, Mapping) or set(given) != set(expected_shapes):
        return None
    read = {name: _matrix(given[name], shape, limit) for name, shape in expected_shapes.items()}
    return None if any(matrix is None for matrix in read.values()) else read


def read_revision(raw: object) -> int | None:
    """The revision a draft was typed on; a draft on another one than yours is stale."""
    return read_counter(raw, "revision")


def read_touched(raw: object, expected_shapes: Shapes) -> dict[str, np.ndarray] | None:
    """For each matrix, True where a cell was edited since the draft's revision."""
    given = _field(raw, "touched")
    if not isinstance(given, Mapping) or set(given) != set(expected_shapes):
        return None
    read = {name: _marks(given[name], shape) for name, shape in expected_shapes.items()}
    return None if any(marks is None for marks in read.values()) else read


def read_command(raw: object, matrices: Collection[str], sizes: Mapping[str, tuple[int, int]]) -> Command | None:
    """A command for one of `matrices`, or None; a size must be in `sizes` and is clipped to its (min, max)."""
    name, matrix, n = _field(raw, "name"), _field(raw, "matrix"), read_counter(raw, "n")
    if not isinstance(matrix, str) or matrix not in matrices or n is None:
        return None
    if name in ("reset", "randomise"):
        return Command(name, matrix, None, None, n)
    size, to = _field(raw, "size"), _field(raw, "to")
    if name != "resize" or not isinstance(size, str) or size not in sizes or not _is_int(to):
        return None
    low, high = sizes[size]
    return Command(name, matrix, size, min(max(to, low), high), n)


def read_counter(raw: object, name: str) -> int | None:
    """The number of a draft ("edit") or of a command ("n"), which tells a new one from a repeated one."""
    counter = _field(raw, name)
    return counter if _is_int(counter) and abs(counter) <= LARGEST_COUNTER else None


def _field(raw: object, name: str) -> Any:
    return raw.get(name) if isinstance(raw, Mapping) else None


def _matrix(given: object, shape: tuple[int, int], limit: float) -> np.ndarray | None:
    if not _has_shape(given, shape):
        return None
    entries = [entry for row in given for entry in row]
    if not all(_is_number(entry) and abs(entry) <= limit for entry in entries):
        return None
    return np.array(entries, dtype=float).reshape(shape)


def _marks(given: object, shape: tuple[int, int]) -> np.ndarray | None:
    marks = np.zeros(shape, dtype=bool)
    if not isinstance(given, list) or len(given) > marks.size:
        return None
    for cell in given:
        if not isinstance(cell, list) or len(cell) != 2 or not all(map(_is_int, cell)):
            return None
        if not all(0 <= place < size for place, size in zip(cell, shape, strict=True)):
            return None
        marks[cell[0], cell[1]] = True
    return marks


def _has_shape(given: object, shape: tuple[int, int]) -> bool:
    rows, columns = shape
    return (
        isinstance(given, list)
        and len(given) == rows
        and all(isinstance(row, list) and len(row) == columns for row in given)
    )


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    # abs() <= limit, which follows, also turns away NaN, infinities and integers too long for a float.
    return isinstance(value, (int, float)) and not isinstance(value, bool)
