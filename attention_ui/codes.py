"""Settings as short codes in the address, read against fixed lists and ranges.

Everything that arrives is untrusted: what does not fit becomes a Problem that names the setting and what is
expected, while the default stands. A code gives None for a value that does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar
from urllib.parse import urlencode

from attention_ui.tokens import Problem, shorten

LONGEST = 200  # characters of a list that are read
SWITCH = {"on": True, "off": False}
Settings = TypeVar("Settings")


@dataclass(frozen=True)
class Code:
    """How one setting is read, and what fills the sentence about a bad value, given the settings read so far."""

    read: Callable[[str, Any], object]
    expected: Callable[[Any], dict[str, object]]


def one_of(*codes: str) -> Code:
    """One of these words."""
    return Code(lambda raw, _: raw if raw in codes else None, lambda _: {"expected": ", ".join(codes)})


def switch() -> Code:
    """on or off."""
    return Code(lambda raw, _: SWITCH.get(raw), lambda _: {"expected": ", ".join(SWITCH)})


def one_number(*values: float) -> Code:
    """One of these numbers, written as briefly as they can be."""
    known = {f"{value:g}": value for value in values}
    return Code(lambda raw, _: known.get(raw), lambda _: {"expected": ", ".join(known)})


def some_of(names: tuple[str, ...], most: int) -> Code:
    """One to `most` of these words, with dots between them; the list's order holds, not the address's."""

    def read_names(raw: str, _: object) -> tuple[str, ...] | None:
        given = raw[:LONGEST].split(".")
        fit = 1 <= len(given) <= most and len(set(given)) == len(given) and set(given) <= set(names)
        return tuple(name for name in names if name in given) if fit else None

    return Code(read_names, lambda _: {"most": most, "expected": ", ".join(names)})


def whole(low: int, high: int) -> Code:
    """A whole number in plain digits within the range."""
    return Code(lambda raw, _: read_whole(raw, low, high), lambda _: {"low": low, "high": high})


def decimal(low: float, high: float) -> Code:
    """A number with at most four decimals within the range."""
    return Code(lambda raw, _: read_decimal(raw, low, high), lambda _: {"low": low, "high": high})


def read_whole(raw: str, low: int, high: int) -> int | None:
    """A whole number in plain digits, without zeros in front, within the range, or None."""
    return int(raw) if re.fullmatch(r"0|[1-9][0-9]{0,4}", raw) and low <= int(raw) <= high else None


def read_decimal(raw: str, low: float, high: float) -> float | None:
    """A number in plain digits with at most four decimals within the range, or None."""
    return float(raw) if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,4})?", raw) and low <= float(raw) <= high else None


def read(query: Mapping[str, str], codes: Mapping[str, Code], default: Settings) -> tuple[Settings, list[Problem]]:
    """The settings that an address asks for, and what is wrong with it; codes are read in their order."""
    settings, problems = default, []
    for name, code in codes.items():
        if name not in query:
            continue
        value = code.read(query[name], settings)
        if value is None:
            problems.append(Problem(f"address.{name}", {"raw": shorten(query[name]), **code.expected(settings)}))
        else:
            settings = replace(settings, **{name: value})  # type: ignore[type-var]
    return settings, problems


def write(settings: Any, text: Callable[[str, object], str]) -> str:
    """The query string that `read` turns into the same settings; defaults are left out. `text` writes one value."""
    default = type(settings)()
    pairs = {item.name: getattr(settings, item.name) for item in fields(settings)}
    changed = {name: value for name, value in pairs.items() if value is not None and value != getattr(default, name)}
    return urlencode({name: text(name, value) for name, value in changed.items()}, safe=".,")


def plain(name: str, value: object) -> str:
    """A value as `read` expects it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ".".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
