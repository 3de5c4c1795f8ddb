"""A lesson's Markdown as parts: prose, guesses, figures, links; {{placeholders}} are filled with values.

# Title
<!-- figure: name -->
<!-- guess --> **question**, - [ ] options with the right one marked [x], > reason <!-- /guess -->
[label](/page?setting=code), on lines of their own
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl

from attention_ui.text import CONTENT, DEFAULT_LANGUAGE

NAMES = tuple(sorted(path.stem for path in (CONTENT / DEFAULT_LANGUAGE / "lessons").glob("*.md")))
PREFIX = "lesson-"  # of a lesson's address
_HOLE = re.compile(r"\{\{(\w+)\}\}")
_BLOCK = re.compile(r"<!-- guess -->\n(?P<guess>.*?)<!-- /guess -->|<!-- figure: (?P<figure>\w+) -->", re.DOTALL)
_LINK = re.compile(r"^\[(?P<label>.+)\]\(/(?P<page>[\w-]*)\??(?P<query>[^)]*)\)$", re.MULTILINE)
_OPTION = re.compile(r"^- \[(?P<mark>[ x])\] (?P<text>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Prose:
    """Markdown with formulas."""

    text: str


@dataclass(frozen=True)
class Figure:
    """The place of a live figure."""

    name: str


@dataclass(frozen=True)
class Guess:
    """A question to answer before what follows is shown; `right` is the place of the right option."""

    question: str
    options: tuple[str, ...]
    right: int
    reason: str


@dataclass(frozen=True)
class Link:
    """Leads to a page with settings."""

    label: str
    page: str
    query: Mapping[str, str]


Part = Prose | Figure | Guess | Link


@dataclass(frozen=True)
class Lesson:
    """A title and the parts in order."""

    title: str
    parts: tuple[Part, ...]

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """The questions in order."""
        return tuple(part for part in self.parts if isinstance(part, Guess))


def number_of(name: str) -> int:
    """12 for 12-scaling."""
    return int(name.partition("-")[0])


def address_of(name: str) -> str:
    """The page of a lesson: lesson-12 for 12-scaling."""
    return f"{PREFIX}{number_of(name)}"


def name_at(page: str) -> str | None:
    """The lesson of a page, None for another page."""
    return next((name for name in NAMES if address_of(name) == page), None)


@lru_cache
def source(name: str, language: str) -> str:
    """A lesson as it is written."""
    return (CONTENT / language / "lessons" / f"{name}.md").read_text(encoding="utf-8")


def title_of(name: str, language: str) -> str:
    """A lesson's title alone; titles hold no placeholders."""
    return source(name, language).partition("\n")[0].removeprefix("# ")


def fill(text: str, values: Mapping[str, str]) -> str:
    """Put values into their {{placeholders}}. Errors: KeyError for a placeholder without a value."""
    return _HOLE.sub(lambda hole: values[hole[1]], text)


def placeholders(text: str) -> set[str]:
    """The names that `fill` asks for."""
    return set(_HOLE.findall(text))


def parse(text: str) -> Lesson:
    """A lesson from filled Markdown. Errors: ValueError for a guess without question, right option or reason."""
    title, _, body = text.partition("\n")
    return Lesson(title.removeprefix("# "), tuple(_parts(body)))


def _parts(body: str) -> Iterator[Part]:
    end = 0
    for block in _BLOCK.finditer(body):
        yield from _prose(body[end : block.start()])
        yield Figure(block["figure"]) if block["figure"] else _guess(block["guess"])
        end = block.end()
    yield from _prose(body[end:])


def _prose(text: str) -> Iterator[Part]:
    """Prose and the links that stand between it."""
    end = 0
    for link in _LINK.finditer(text):
        if text[end : link.start()].strip():
            yield Prose(text[end : link.start()].strip())
        yield Link(link["label"], link["page"], dict(parse_qsl(link["query"], keep_blank_values=True)))
        end = link.end()
    if text[end:].strip():
        yield Prose(text[end:].strip())


def _guess(text: str) -> Guess:
    options = list(_OPTION.finditer(text))
    question = text[: options[0].start()].strip() if options else ""
    reason = "\n".join(line.removeprefix(">").strip() for line in text.splitlines() if line.startswith(">"))
    right = [i for i, option in enumerate(options) if option["mark"] == "x"]
    if not question or len(right) != 1 or not reason:
        raise ValueError(f"a guess needs a question, one right option and a reason: {text[:60]!r}")
    return Guess(question, tuple(option["text"] for option in options), right[0], reason)
