"""The training lab's settings, and how they stand in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from attention_ui import codes
from attention_ui.address import LARGEST_SEED
from attention_ui.text import LANGUAGES
from attention_ui.tokens import Problem

RULES = ("none", "sqrt", "linear")
D_VALUES = (64, 256, 1024, 4096)
RATES = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
GAINS = (0.125, 0.25, 0.5, 1.0, 2.0)
STEPS = (100, 200, 400)
MEASURES = ("loss", "accuracy", "gradient")


@dataclass(frozen=True)
class TrainingSettings:
    """Rules that are trained side by side, d, learning rate, gain of the first W_Q and W_K, steps, seed, the measure
    that is drawn, and the rule whose weights are watched."""

    lang: str | None = None
    rules: tuple[str, ...] = RULES
    d: int = 1024
    rate: float = 10.0
    gain: float = 1.0
    steps: int = 200
    seed: int = 0
    measure: str = "loss"
    watch: str = "sqrt"

    @property
    def watched(self) -> str:
        """The rule whose weights are shown: the chosen one, if it is trained."""
        return self.watch if self.watch in self.rules else self.rules[0]


def read(query: Mapping[str, str]) -> tuple[TrainingSettings, list[Problem]]:
    """The settings that an address asks for, and what is wrong with it."""
    return codes.read(query, _CODES, TrainingSettings())


def write(settings: TrainingSettings) -> str:
    """The query string that `read` turns into the same settings; defaults are left out."""
    return codes.write(settings, codes.plain)


def ordered(rules: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Rules in the order of the whole list, whatever the order they were chosen in."""
    return tuple(name for name in RULES if name in rules)


_CODES = {
    "lang": codes.one_of(*LANGUAGES),
    "rules": codes.some_of(RULES, len(RULES)),
    "d": codes.one_number(*D_VALUES),
    "rate": codes.one_number(*RATES),
    "gain": codes.one_number(*GAINS),
    "steps": codes.one_number(*STEPS),
    "seed": codes.whole(0, LARGEST_SEED),
    "measure": codes.one_of(*MEASURES),
    "watch": codes.one_of(*RULES),
}
