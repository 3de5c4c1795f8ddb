"""Checks of single parts of a document: each gives the part back, typed, or raises an ExchangeProblem naming it."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np

from attention_core.checks import FloatArray
from attention_ui import tokens
from attention_ui.exchange.problems import ExchangeProblem, shown
from attention_ui.experiment import LARGEST_ENTRY, LARGEST_SIZE

LONGEST_NUMBER = 60  # characters; a double's shortest form has at most 24
LARGEST_DRAW = 2**31 - 1  # of the seed that a matrix was drawn with


def an_object(name: str, raw: object, needed: Collection[str], allowed: Collection[str]) -> dict[str, Any]:
    """An object with all the needed keys and none beyond the allowed ones."""
    if not isinstance(raw, dict):
        raise ExchangeProblem("not_object", name=name)
    for key in raw:
        if key not in allowed:
            raise ExchangeProblem("unknown", name=shown(key), where=name, allowed=", ".join(allowed))
    for key in needed:
        if key not in raw:
            raise ExchangeProblem("missing", name=key, where=name)
    return raw


def a_list(name: str, raw: object) -> list[Any]:
    """A list."""
    if not isinstance(raw, list):
        raise ExchangeProblem("not_list", name=name)
    return raw


def a_text(name: str, raw: object) -> str:
    """A text."""
    if not isinstance(raw, str):
        raise ExchangeProblem("not_text", name=name)
    return raw


def a_whole(name: str, raw: object, low: int, high: int) -> int:
    """A whole number in the range; 3.0 and true are none."""
    if type(raw) is not int or not low <= raw <= high:
        raise ExchangeProblem("not_whole", name=name, low=low, high=high)
    return raw


def the_tokens(raw: object) -> tuple[str, ...]:
    """1 to 16 tokens, each one that the sentence's own splitter would make."""
    given = a_list("tokens", raw)
    if not 1 <= len(given) <= tokens.MOST_TOKENS:
        raise ExchangeProblem("token_count", count=len(given), most=tokens.MOST_TOKENS)
    for position, token in enumerate(given, start=1):
        if len(a_text(f"tokens[{position}]", token)) > tokens.LONGEST_TOKEN:
            values = {"position": position, "token": shown(token), "length": len(token), "most": tokens.LONGEST_TOKEN}
            raise ExchangeProblem("long_token", **values)
        if tokens.split(token) != (token,):
            raise ExchangeProblem("token", position=position, token=shown(token))
    return tuple(given)


def a_matrix(name: str, raw: object) -> FloatArray:
    """1 to 16 rows of 1 to 16 finite numbers up to ±1e6, float64; nothing is rounded and −0 stays −0."""
    given = a_list(name, raw)
    rows = [a_list(f"{name}[{i}]", row) for i, row in enumerate(given[:LARGEST_SIZE], start=1)]
    check_size(name, len(given), len(rows[0]) if rows else 0)
    for i, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise ExchangeProblem("ragged", name=name, row=i, count=len(row), expected=len(rows[0]))
        for j, entry in enumerate(row, start=1):
            if type(entry) not in (int, float) or not abs(entry) <= LARGEST_ENTRY:
                raise _bad_entry(entry, name=name, row=i, column=j)
    return np.array(rows, float)


def check_size(name: str, rows: int, columns: int) -> None:
    """Both sizes from 1 to 16."""
    if not (1 <= rows <= LARGEST_SIZE and 1 <= columns <= LARGEST_SIZE):
        raise ExchangeProblem("size", name=name, rows=rows, columns=columns, most=LARGEST_SIZE)


def check_shape(name: str, shape: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """A matrix has the shape that the others leave it."""
    if shape != expected:
        raise ExchangeProblem("shape", name=name, shape=times(shape), expected=times(expected))


def the_marks(name: str, raw: object, shape: tuple[int, ...]) -> np.ndarray:
    """Which cells are fresh, from one text of 0 and 1 for each row."""
    rows = a_list(f"fresh.{name}", raw)
    fits = len(rows) == shape[0] and all(
        isinstance(row, str) and len(row) == shape[1] and set(row) <= {"0", "1"} for row in rows
    )
    if not fits:
        raise ExchangeProblem("marks", name=name, rows=shape[0], columns=shape[1])
    return np.array([[mark == "1" for mark in row] for row in rows], bool)


def times(shape: tuple[int, ...]) -> str:
    """A shape in words of every language: 4 × 3."""
    return " × ".join(map(str, shape))


def _bad_entry(entry: object, **cell: object) -> ExchangeProblem:
    """Why an entry is no finite number up to ±1e6."""
    if not isinstance(entry, int | float) or isinstance(entry, bool):
        return ExchangeProblem("not_number", **cell)
    if isinstance(entry, float) and not math.isfinite(entry):
        return ExchangeProblem("not_finite", **cell)
    return ExchangeProblem("too_extreme", **cell, most=f"{LARGEST_ENTRY:,.0f}")


def vanishes(text: str) -> bool:
    """True for a number that is not 0 and is nearer to it than any float."""
    return float(text) == 0 and any(digit in "123456789" for digit in text.lower().partition("e")[0])
