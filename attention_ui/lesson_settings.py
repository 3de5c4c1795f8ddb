"""The lessons' progress, and how it stands in the address: the numbers of the lessons that are done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from attention_ui import codes
from attention_ui.lessons.markdown import NAMES, number_of
from attention_ui.text import LANGUAGES
from attention_ui.tokens import Problem

NUMBERS = tuple(str(number_of(name)) for name in NAMES)


@dataclass(frozen=True)
class LessonSettings:
    """Numbers of the lessons that are done, in order."""

    lang: str | None = None
    done: tuple[str, ...] = ()

    def with_done(self, name: str) -> tuple[str, ...]:
        """The numbers with one more lesson done."""
        return tuple(number for number in NUMBERS if number in self.done or number == str(number_of(name)))


def read(query: Mapping[str, str]) -> tuple[LessonSettings, list[Problem]]:
    """The progress that an address holds, and what is wrong with it."""
    return codes.read(query, _CODES, LessonSettings())


def write(settings: LessonSettings) -> str:
    """The query string that `read` turns into the same progress."""
    return codes.write(settings, codes.plain)


_CODES = {
    "lang": codes.one_of(*LANGUAGES),
    "done": codes.some_of(NUMBERS, len(NUMBERS)),
}
