"""The playground's settings as they stand in the address: short codes that no language changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from attention_core import EXAMPLES, SCALINGS, get_example
from attention_core.growth import HOWS
from attention_core.scaling import Bounds
from attention_ui import codes
from attention_ui.stages import STAGES
from attention_ui.text import LANGUAGES
from attention_ui.tokens import Problem

TYPED = "typed"
D_CODES = (TYPED, "64", "128", "256", "512", "1024", "2048", "4096")
RULES = tuple(name for name in SCALINGS if name != "none")
LARGEST_SEED = 9999
MOST_DECIMALS = 6
WHOLE = "x"  # the code of an address that carries the whole experiment
VIEWS = ("weights", "stage", "curve")  # of an embedded page, which shows one figure alone
MEASURES = ("largest", "effective", "sensitivity")


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


def read(query: Mapping[str, str], n_tokens: int | None = None) -> tuple[Settings, list[Problem]]:
    """The settings that an address asks for, and what is wrong with it.

    The row is one of the example's tokens, or of the n_tokens of a sentence that comes with the settings.
    """
    known = _CODES if n_tokens is None else _CODES | {"row": _row_of(lambda _: n_tokens)}
    settings, problems = codes.read(query, known, Settings())
    return settings, [_without_parameter(problem) for problem in problems]


def write(settings: Settings) -> str:
    """The query string that `read` turns into the same settings; defaults are left out."""
    return codes.write(settings, text)


def completed(asked: Settings, lang: str | None, n_tokens: int) -> Settings:
    """The settings an address or a file asks for, with what the example sets by itself, as far as the tokens go."""
    example = get_example(asked.example)
    row = example.row if asked.row is None else asked.row
    return replace(asked, lang=lang, how=asked.how or example.how, row=min(row, n_tokens - 1))


def parameter_of(rule: str) -> str | None:
    """The name of a rule's parameter, None when it has none."""
    return next(iter(SCALINGS[rule].bounds), None)


def text(name: str, value: object) -> str:
    """One setting as it stands in the address, where rows count from 1."""
    return str(value + 1) if name == "row" and isinstance(value, int) else codes.plain(name, value)


def _tokens(settings: Settings) -> int:
    return len(get_example(settings.example).tokens)


def _row_of(count: Callable[[Settings], int]) -> codes.Code:
    """A row from 1 to the count, kept from 0."""

    def read_row(raw: str, settings: Settings) -> int | None:
        number = codes.read_whole(raw, 1, count(settings))
        return None if number is None else number - 1

    return codes.Code(read_row, lambda settings: {"low": 1, "high": count(settings)})


def _bounds(settings: Settings) -> Bounds | None:
    """The range of the chosen rule's parameter."""
    name = parameter_of(settings.rule)
    return None if name is None else SCALINGS[settings.rule].bounds[name]


def _param(raw: str, settings: Settings) -> float | None:
    bounds = _bounds(settings)
    return None if bounds is None else codes.read_decimal(raw, bounds.low, bounds.high)


def _param_expected(settings: Settings) -> dict[str, object]:
    bounds = _bounds(settings)
    return {"rule": settings.rule} | ({} if bounds is None else {"low": bounds.low, "high": bounds.high})


def _without_parameter(problem: Problem) -> Problem:
    """A rule without a parameter has a sentence of its own."""
    missing = problem.key == "address.param" and "low" not in problem.values
    return Problem("address.param_none", problem.values) if missing else problem


# In this order, since a row is checked against the example and a parameter against the rule.
_CODES = {
    "lang": codes.one_of(*LANGUAGES),
    "example": codes.one_of(*EXAMPLES),
    "scale": codes.switch(),
    "rule": codes.one_of(*RULES),
    "param": codes.Code(_param, _param_expected),
    "d": codes.one_of(*D_CODES),
    "how": codes.one_of(*HOWS),
    "row": _row_of(_tokens),
    "causal": codes.switch(),
    "seed": codes.whole(0, LARGEST_SEED),
    "stage": codes.one_of(*STAGES),
    "show_all": codes.switch(),
    "measure": codes.one_of(*MEASURES),
    "decimals": codes.whole(0, MOST_DECIMALS),
}
