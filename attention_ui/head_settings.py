"""The real head's settings, and how they stand in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from attention_core import Scaling, get_scaling
from attention_core.heads import ENDINGS, RECORDED
from attention_ui import codes
from attention_ui.address import RULES
from attention_ui.text import LANGUAGES
from attention_ui.tokens import Problem

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

    def kept(self, d_k: int) -> int | None:
        """How many of a head's d_k components are kept, None for all of them."""
        return None if self.components is None or self.components >= d_k else self.components


def read(query: Mapping[str, str]) -> tuple[HeadSettings, list[Problem]]:
    """The settings that an address asks for, and what is wrong with it."""
    return codes.read(query, _CODES, HeadSettings())


def write(settings: HeadSettings) -> str:
    """The query string that `read` turns into the same settings; defaults are left out, and so is an uploaded head
    with what only it has: its tokens and components."""
    if settings.head == OWN:
        default = HeadSettings()
        settings = replace(settings, head=default.head, token=default.token, components=default.components)
    return codes.write(settings, codes.plain)


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
