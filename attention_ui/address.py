"""The settings as they stand in the address: short codes that no language changes.

Everything that arrives is untrusted: each value is read against a fixed list or range, and what does not
fit becomes a Problem that names the setting and what is expected, while the default stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

from attention_core import EXAMPLES, SCALINGS, get_example
from attention_core.growth import HOWS
from attention_ui.text import LANGUAGES
from attention_ui.tokens import Problem, shorten

TYPED = "typed"
D_CODES = (TYPED, "64", "128", "256", "512", "1024", "2048", "4096")
RULES = tuple(name for name in SCALINGS if name != "none")
LARGEST_SEED = 9999
MOST_DECIMALS = 6
STAGES = ("X", "QKV", "scores", "scaled", "masked", "weights", "output")
MEASURES = ("largest", "effective", "sensitivity")
SWITCH = {"on": True, "off": False}


@dataclass(frozen=True)
class Settings:
    """What the playground shows. `param` is the chosen rule's parameter, None for its default; `how` and
    `row` are None for the example's own."""

    lang: str | None = None
    example: str = "love"
    scale: bool = True
    rule: str = "sqrt"
    param: float | None = None
    d: str = TYPED
    how: str | None = None
    row: int | None = None
    causal: bool = False
    seed: int = 0
    stage: str = "X"
    show_all: bool = False
    measure: str = "largest"
    decimals: int = 3


def read(query: Mapping[str, str]) -> tuple[Settings, list[Problem]]:
    """The settings that an address asks for, and what is wrong with it."""
    settings, problems = Settings(), []
    for code, reader in _READERS.items():
        if code not in query:
            continue
        raw = query[code]
        value = reader(raw, settings)
        if value is None:
            problems.append(_problem(code, raw, settings))
        else:
            settings = replace(settings, **{code: value})
    return settings, problems


def write(settings: Settings) -> str:
    """The query string that `read` turns into the same settings; defaults are left out."""
    default = Settings()
    pairs = {}
    for item in fields(settings):
        value = getattr(settings, item.name)
        if value is not None and value != getattr(default, item.name):
            pairs[item.name] = _code(item.name, value)
    return urlencode(pairs)


def parameter_of(rule: str) -> str | None:
    """The name of a rule's parameter, None when it has none."""
    return next(iter(SCALINGS[rule].bounds), None)


def _code(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value + 1) if name == "row" and isinstance(value, int) else str(value)


def _one_of(*codes: str):
    return lambda raw, _: raw if raw in codes else None


def _whole(raw: str, low: int, high: int) -> int | None:
    """A whole number in plain digits within the range, or None."""
    return int(raw) if re.fullmatch(r"[0-9]{1,5}", raw) and low <= int(raw) <= high else None


def _row(raw: str, settings: Settings) -> int | None:
    number = _whole(raw, 1, len(get_example(settings.example).tokens))
    return None if number is None else number - 1


def _param(raw: str, settings: Settings) -> float | None:
    name = parameter_of(settings.rule)
    if name is None or not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,4})?", raw):
        return None
    bounds = SCALINGS[settings.rule].bounds[name]
    return float(raw) if bounds.low <= float(raw) <= bounds.high else None


# In this order, since a row is checked against the example and a parameter against the rule.
_READERS = {
    "lang": _one_of(*LANGUAGES),
    "example": _one_of(*EXAMPLES),
    "scale": lambda raw, _: SWITCH.get(raw),
    "rule": _one_of(*RULES),
    "param": _param,
    "d": _one_of(*D_CODES),
    "how": _one_of(*HOWS),
    "row": _row,
    "causal": lambda raw, _: SWITCH.get(raw),
    "seed": lambda raw, _: _whole(raw, 0, LARGEST_SEED),
    "stage": _one_of(*STAGES),
    "show_all": lambda raw, _: SWITCH.get(raw),
    "measure": _one_of(*MEASURES),
    "decimals": lambda raw, _: _whole(raw, 0, MOST_DECIMALS),
}


def _problem(code: str, raw: str, settings: Settings) -> Problem:
    key = "param_none" if code == "param" and parameter_of(settings.rule) is None else code
    return Problem(f"address.{key}", {"raw": shorten(raw), **_expected(code, settings)})


def _expected(code: str, settings: Settings) -> dict[str, object]:
    """What fills the sentence about a bad value: the codes or the range that would have been right."""
    lists = {"lang": LANGUAGES, "example": tuple(EXAMPLES), "scale": tuple(SWITCH), "rule": RULES, "d": D_CODES}
    lists |= {"how": HOWS, "causal": tuple(SWITCH), "stage": STAGES, "show_all": tuple(SWITCH), "measure": MEASURES}
    if code in lists:
        return {"expected": ", ".join(lists[code])}
    if code == "row":
        return {"low": 1, "high": len(get_example(settings.example).tokens)}
    if code == "seed":
        return {"low": 0, "high": LARGEST_SEED}
    if code == "decimals":
        return {"low": 0, "high": MOST_DECIMALS}
    name = parameter_of(settings.rule)
    if name is None:
        return {"rule": settings.rule}
    bounds = SCALINGS[settings.rule].bounds[name]
    return {"rule": settings.rule, "low": bounds.low, "high": bounds.high}
