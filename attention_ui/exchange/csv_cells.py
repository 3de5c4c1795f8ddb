"""What one cell of a CSV file says: a number as people and spreadsheets write it, or a name."""

from __future__ import annotations

import math
import re

import numpy as np

from attention_core.checks import FloatArray
from attention_ui.exchange.checks import LONGEST_NUMBER, vanishes
from attention_ui.exchange.problems import ExchangeProblem, shown
from attention_ui.experiment import LARGEST_ENTRY

# Possessive, so that a cell of a hundred thousand digits is not tried in as many ways.
_NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:(?P<mark>[.,])[0-9]*+)?+|(?P<first>[.,])[0-9]++)(?:[eE][+-]?[0-9]{1,5})?")
_ALMOST = re.compile(r"[+-]?[.,]?\d[^;,\t]*+")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf(?:inity)?|\u221e)", re.IGNORECASE)
_MINUS = str.maketrans(dict.fromkeys("\N{MINUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}", "-"))
Body = list[tuple[int, list[str]]]


def is_name(cell: str) -> bool:
    """True for text that says no number, not even an impossible or badly written one such as 1 % or 0x10."""
    text = cell.translate(_MINUS)
    return bool(cell) and not any(kind.fullmatch(text) for kind in (_NUMBER, _ALMOST, _NOT_FINITE))


def numbers(body: Body, first_column: int, delimiter: str) -> FloatArray:
    """The numbers of lines with equally many cells, of which the first is in `first_column` of the file.

    Errors: ExchangeProblem with line and column of the first cell that is no finite number up to ±1e6, or that
        has another decimal mark than a cell before it.
    """
    marks: set[str] = set()
    matrix = np.empty((len(body), len(body[0][1])))
    for i, (line, cells) in enumerate(body):
        for j, cell in enumerate(cells):
            place = {"line": line, "column": first_column + j}
            matrix[i, j], mark = _number(cell, place)
            marks |= {mark} - {""}
            if len(marks) > 1 or (mark == "," and delimiter == ","):
                raise ExchangeProblem("csv_decimal", **place, raw=shown(cell))
    return matrix


def _number(cell: str, place: dict[str, int]) -> tuple[float, str]:
    """The number and its decimal mark, "" for none."""
    if not cell:
        raise ExchangeProblem("csv_blank", **place)
    text = cell.translate(_MINUS)
    found = _NUMBER.fullmatch(text) if len(text) <= LONGEST_NUMBER else None
    if _NOT_FINITE.fullmatch(text):
        raise ExchangeProblem("csv_not_finite", **place, raw=shown(cell))
    if not found:
        raise ExchangeProblem("csv_text", **place, raw=shown(cell))
    text = text.replace(",", ".")
    if vanishes(text):
        raise ExchangeProblem("csv_vanishing", **place, raw=shown(cell))
    value = float(text)
    if not math.isfinite(value) or abs(value) > LARGEST_ENTRY:
        raise ExchangeProblem("csv_too_extreme", **place, raw=shown(cell), most=f"{LARGEST_ENTRY:,.0f}")
    return value, found["mark"] or found["first"] or ""
