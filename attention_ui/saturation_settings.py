"""The saturation lab's settings, and how they stand in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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


def read(query: Mapping[str, str]) -> tuple[SaturationSettings, list[Problem]]:
    """The settings that an address asks for, and what is wrong with it."""
    return codes.read(query, _CODES, SaturationSettings())


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
