"""The real head's settings, and how they stand in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from attention_core import SCALINGS, Scaling, get_scaling
from attention_core.heads import ENDINGS, RECORDED
from attention_ui import codes
from attention_ui.text import LANGUAGES
from attention_ui.tokens import Problem

RULES = tuple(name for name in SCALINGS if name != "none")
TEMPERATURES = (0.177, 0.25, 0.5, 0.71, 1.0, 1.41, 2.0, 4.0, 8.0)
OWN = "own"  # the uploaded head, which an address cannot hold


@dataclass(frozen=True)
class HeadSettings:
    """Which head and ending, the toggle and its rule, the temperature, how many components are kept (None for all),
    and the token whose row is looked at (None for the head's own)."""

    lang: str | None = None
    head: str = RECORDED[0]
    ending: str = ENDINGS[0]
    scale: bool = True
    rule: str = "sqrt"
    temperature: float = 1.0
    components: int | None = None
    token: int | None = None

    @property
    def scaling(self) -> Scaling:
        """The rule in force."""
        return get_scaling(self.rule if self.scale else "none")


def read(query: Mapping[str, str]) -> tuple[HeadSettings, list[Problem]]:
    """The settings that an address asks for, and what is wrong with it."""
    return codes.read(query, _CODES, HeadSettings())


def write(settings: HeadSettings) -> str:
    """The query string that `read` turns into the same settings; defaults and an uploaded head are left out."""
    return codes.write(settings, codes.plain) if settings.head != OWN else ""


_CODES = {
    "lang": codes.one_of(*LANGUAGES),
    "head": codes.one_of(*RECORDED),
    "ending": codes.one_of(*ENDINGS),
    "scale": codes.switch(),
    "rule": codes.one_of(*RULES),
    "temperature": codes.one_number(*TEMPERATURES),
    "components": codes.whole(1, 32),
    "token": codes.whole(0, 15),
}
