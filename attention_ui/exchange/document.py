"""The experiment and its settings as a plain document: dicts, lists, texts and numbers that any format can hold.

Every number is there exactly, so reading what was written gives the same bits, −0 included. The language is a
matter of whoever reads and is not carried.
"""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from attention_core.checks import FloatArray
from attention_ui import address
from attention_ui.address import Settings
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.checks import (
    LARGEST_DRAW,
    a_matrix,
    a_text,
    a_whole,
    an_object,
    check_shape,
    the_marks,
    the_tokens,
)
from attention_ui.exchange.problems import ExchangeProblem, shown
from attention_ui.experiment import AXES, MATRICES, Experiment
from attention_ui.tokens import Problem

FORMAT = "attention-lab experiment"
VERSION = 1
SETTINGS = tuple(item.name for item in fields(Settings) if item.name not in ("lang", "example"))
_KEYS = ("format", "version", "example", "settings", "tokens", "matrices", "fresh", "seeds")
_NEEDED = ("example", "settings", "tokens", "matrices")


def write(carried: Carried) -> dict[str, Any]:
    """The document of what is carried.

    Law: read(write(carried)) is the same experiment, bit for bit, and the same settings but for the language.
    Settings stand as in the address; one that is None is left out. A whole number stands without decimals.
    """
    experiment = carried.experiment
    return {
        "format": FORMAT,
        "version": VERSION,
        "example": experiment.example,
        "settings": settings_of(carried.settings),
        "tokens": list(experiment.tokens),
        "matrices": {name: _numbers(experiment.matrices[name]) for name in MATRICES},
        "fresh": {
            name: ["".join("01"[int(cell)] for cell in row) for row in marks] for name, marks in _fresh(experiment)
        },
        "seeds": {name: experiment.seeds[name] for name in MATRICES if name in experiment.seeds},
    }


def settings_of(settings: Settings) -> dict[str, str]:
    """The settings that a document carries, as in the address."""
    values = {name: getattr(settings, name) for name in SETTINGS}
    return {name: address.text(name, value) for name, value in values.items() if value is not None}


def read(raw: object) -> Carried:
    """What a document carries.

    Law: for every value, whatever its types, the answer or an ExchangeProblem; nothing is guessed or mended.
    Errors: ExchangeProblem that names the part, and in a matrix the cell, counted from 1.
    """
    document = _ours(raw)
    words = the_tokens(document["tokens"])
    matrices = _matrices(document["matrices"], len(words))
    settings = _settings(document["example"], document["settings"], len(words))
    fresh = an_object("fresh", document.get("fresh", {}), (), MATRICES)
    seeds = an_object("seeds", document.get("seeds", {}), (), MATRICES)
    experiment = Experiment(
        settings.example,
        words,
        matrices,
        {name: the_marks(name, marks, matrices[name].shape) for name, marks in fresh.items()},
        {name: a_whole(f"seeds.{name}", seed, 0, LARGEST_DRAW) for name, seed in seeds.items()},
    )
    return Carried(experiment, settings)


def _ours(raw: object) -> dict[str, Any]:
    """A document of this format and version with all its parts."""
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise ExchangeProblem("format", format=FORMAT)
    version = raw.get("version")
    if type(version) is int and version > VERSION:
        raise ExchangeProblem("newer", version=shown(str(version)), known=VERSION)
    if type(version) is not int or version != VERSION:
        raise ExchangeProblem("version", known=VERSION)
    return an_object("experiment", raw, _NEEDED, _KEYS)


def _matrices(raw: object, n_tokens: int) -> dict[str, FloatArray]:
    """The four matrices, each with the sizes that tokens, X and W_Q leave it."""
    given = an_object("matrices", raw, MATRICES, MATRICES)
    matrices: dict[str, FloatArray] = {}
    sizes = {"tokens": n_tokens}
    for name in MATRICES:
        matrices[name] = a_matrix(name, given[name])
        shape = matrices[name].shape
        check_shape(name, shape, tuple(sizes.get(axis, size) for axis, size in zip(AXES[name], shape, strict=True)))
        sizes |= dict(zip(AXES[name], shape, strict=True))
    return matrices


def _settings(example: object, raw: object, n_tokens: int) -> Settings:
    """The settings, read as an address is, but with a problem where an address would fall back to a default."""
    given = an_object("settings", raw, (), SETTINGS)
    query = {"example": a_text("example", example)}
    query |= {name: a_text(f"settings.{name}", value) for name, value in given.items()}
    settings, problems = address.read(query, n_tokens)
    if problems:
        raise _setting(problems[0])
    return settings


def _setting(problem: Problem) -> ExchangeProblem:
    """An address's problem with one setting as one of a file."""
    name, values = problem.key.removeprefix("address."), problem.values
    setting = {"name": "param" if name == "param_none" else name, "raw": shown(values["raw"])}
    if name == "param_none":
        return ExchangeProblem("setting_unused", rule=values["rule"], **setting)
    if "low" in values:
        return ExchangeProblem("setting_range", low=values["low"], high=values["high"], **setting)
    return ExchangeProblem("setting_choice", expected=values["expected"], **setting)


def _fresh(experiment: Experiment) -> list[tuple[str, Any]]:
    return [(name, experiment.fresh[name]) for name in MATRICES if name in experiment.fresh]


def _numbers(matrix: FloatArray) -> list[list[float]]:
    """Rows of numbers; a whole one is an int, but −0, which an int would lose."""
    return [
        [int(x) if x.is_integer() and (x or math.copysign(1, x) > 0) else x for x in row] for row in matrix.tolist()
    ]
