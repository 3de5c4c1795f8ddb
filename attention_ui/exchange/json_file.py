"""The document as a JSON file that a person can read: one matrix row a line."""

from __future__ import annotations

import codecs
import json
import re
from contextlib import suppress
from typing import Any

from attention_ui.exchange import document, file_text
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.checks import LONGEST_NUMBER, vanishes
from attention_ui.exchange.problems import ExchangeProblem, shown

LARGEST_FILE = 256 * 1024
DEEPEST = 8  # brackets within brackets; a document has four
_one_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode  # made once: it is asked row by row
_LONG = re.compile(rf"[-+.0-9eE]{{{LONGEST_NUMBER + 1}}}")  # no text of a document has so many of these either
_PIECES = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|(?P<unclosed>\\?\Z))|[\[{\]}]', re.DOTALL)


def write(carried: Carried) -> bytes:
    """The JSON file of what is carried, UTF-8, indented, each row of a matrix on one line.

    Law: read(write(carried)) is the same experiment, bit for bit, and the same settings but for the language.
    """
    return (_laid_out(document.write(carried), "") + "\n").encode()


def read(data: bytes) -> Carried:
    """What a JSON file carries.

    Law: for every bytes the answer or an ExchangeProblem; a file beyond 256 kB is not looked at.
    Errors: ExchangeProblem with line and column where the text is no JSON, else with the part that does not fit.
    """
    file_text.check_size(data, LARGEST_FILE)
    try:
        text = file_text.decoded(data, "utf-8", "encoding")
    except ExchangeProblem:
        _check_end(data)
        raise
    return read_text(text)


def read_text(text: str) -> Carried:
    """What a JSON text carries; law and errors as for `read`, its size bounded by whoever calls."""
    unclosed = _scan(text)
    try:
        raw = json.loads(text, object_pairs_hook=_without_duplicates, parse_float=_float)
    except json.JSONDecodeError as error:
        code = "json_truncated" if unclosed else "json_syntax"
        raise ExchangeProblem(code, line=error.lineno, column=error.colno) from None
    return document.read(raw)


def _check_end(data: bytes) -> None:
    """Bytes that end inside a character are a text that was cut off, if brackets or quotes are open there."""
    with suppress(UnicodeDecodeError):
        text, _ = codecs.utf_8_decode(data, "strict", False)  # all but a last character that is not whole
        if _scan(text):
            raise ExchangeProblem("json_truncated", **_place(text, len(text)))


def _scan(text: str) -> bool:
    """True when the text ends inside brackets or quotes; what json would choke on is refused before it sees it."""
    long = _LONG.search(text)
    if long:
        raise ExchangeProblem("long_number", **_place(text, long.start()), most=LONGEST_NUMBER)
    depth = 0
    for found in _PIECES.finditer(text):
        if found["unclosed"] is not None:
            return True
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > DEEPEST:
            raise ExchangeProblem("nested", **_place(text, found.start()), most=DEEPEST)
    return depth > 0


def _place(text: str, at: int) -> dict[str, int]:
    """Line and column, counted from 1, as json counts them."""
    return {"line": text.count("\n", 0, at) + 1, "column": at - text.rfind("\n", 0, at)}


def _float(text: str) -> float:
    """A number that is not silently read as 0."""
    if vanishes(text):
        raise ExchangeProblem("vanishing", raw=shown(text))
    return float(text)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys come once: of two values one would be lost unseen."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ExchangeProblem("duplicate_key", name=shown(key))
        found[key] = value
    return found


def _laid_out(value: Any, indent: str) -> str:
    """JSON in which an object or a list of lists has a line for each part, and any other list one line."""
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        parts = [f"{_one_line(key)}: {_laid_out(part, deeper)}" for key, part in value.items()]
    elif isinstance(value, list) and any(isinstance(part, list) for part in value):
        parts = [_laid_out(part, deeper) for part in value]
    else:
        return _one_line(value)
    start, end = "{}" if isinstance(value, dict) else "[]"
    return start + ",".join(f"\n{deeper}{part}" for part in parts) + f"\n{indent}{end}"
