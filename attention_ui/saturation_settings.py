"""The saturation lab's settings, and how they stand in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from attention_core import SCALINGS, Scaling, get_scaling
from attention_core.ensembles import ENTRIES
from attention_core.formats import FORMATS
from attention_ui import codes
from attention_ui.address import LARGEST_SEED
from attention_ui.myths import MYTHS
from attention_ui.text import LANGUAGES
from attention_ui.tokens import Problem

D_VALUES = tuple(int(d) for d in np.unique(np.rint(2 ** (np.arange(25) / 2))))  # 1 … 4096, two an octave
KEYS = tuple(2**power for power in range(1, 11))
ROWS = (50, 100, 200, 500, 1000, 2000)
RULES = tuple(SCALINGS)
MOST_RULES = 4
MOST_WORK = 12.0  # seconds that a sweep may take one core of the machine on which `row_work` was measured
MEASURES = ("largest", "concentration", "entropy", "effective_keys", "sensitivity", "dead")


@dataclass(frozen=True)
class SaturationSettings:
    """d, number of keys, alignment c of one key with the query, rules to compare and the exponent of d^−a, number
    of rows, distribution of the entries, number format, seed, the measure drawn against d, and the open myth."""

    lang: str | None = None
    d: int = 1024
    n: int = 64
    c: float = 0.0
    rules: tuple[str, ...] = ("none", "sqrt", "linear")
    a: float = 0.25
    rows: int = 500
    entries: str = "normal"
    format: str = "float32"
    seed: int = 0
    measure: str = "concentration"
    myth: str = "root"

    @property
    def scalings(self) -> tuple[Scaling, ...]:
        """The rules to compare, in the order of the whole list."""
        return tuple(get_scaling(name, **({"a": self.a} if name == "power" else {})) for name in self.rules)


def row_work(settings: SaturationSettings) -> float:
    """About how many seconds of one core a row takes: drawn at all d of the sweep, then softened by each rule.

    Normal rows need a number a key and d; others whole vectors of 4096 entries a key, and their sums for each rule.
    """
    rules, keys = settings.scalings, settings.n / KEYS[-1]
    if settings.entries == "normal":
        lengths = 3e-3 if any(rule.uses_lengths for rule in rules) else 0.0
        each = 5.4e-3 if settings.format == "float16" else 2.7e-3
        return 1e-4 * len(rules) + keys * (1e-3 + lengths + each * len(rules))
    draw = 50e-3 if settings.entries == "uniform" else 15e-3
    return 6e-4 * (1 + len(rules)) + keys * (draw + 14e-3 * len(rules))


def allowed_rows(settings: SaturationSettings) -> tuple[int, ...]:
    """The numbers of rows that keep the work within its bound; the two fewest always stay, as a slider needs them."""
    return ROWS[:2] + tuple(rows for rows in ROWS[2:] if rows * row_work(settings) <= MOST_WORK)


def bounded(settings: SaturationSettings) -> SaturationSettings:
    """The same settings with as many rows as are allowed, where they ask for more."""
    return replace(settings, rows=min(settings.rows, allowed_rows(settings)[-1]))


def read(query: Mapping[str, str]) -> tuple[SaturationSettings, list[Problem]]:
    """The settings that an address asks for, and what is wrong with it; too many rows become as many as are allowed."""
    asked, problems = codes.read(query, _CODES, SaturationSettings())
    settings = bounded(asked)
    if settings.rows != asked.rows:
        problems.append(Problem("address.too_many_rows", {"raw": str(asked.rows), "most": settings.rows, "n": asked.n}))
    return settings, problems


def write(settings: SaturationSettings) -> str:
    """The query string that `read` turns into the same settings; defaults are left out."""
    return codes.write(settings, codes.plain)


def ordered(rules: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Rules in the order of the whole list, whatever the order they were chosen in."""
    return tuple(name for name in RULES if name in rules)


_CODES = {
    "lang": codes.one_of(*LANGUAGES),
    "d": codes.one_number(*D_VALUES),
    "n": codes.one_number(*KEYS),
    "c": codes.decimal(0, 1),
    "rules": codes.some_of(RULES, MOST_RULES),
    "a": codes.decimal(0, 1),
    "rows": codes.one_number(*ROWS),
    "entries": codes.one_of(*ENTRIES),
    "format": codes.one_of(*FORMATS),
    "seed": codes.whole(0, LARGEST_SEED),
    "measure": codes.one_of(*MEASURES),
    "myth": codes.one_of(*MYTHS),
}
