"""The list of all lessons with what is done, and the way from one to the next."""

from __future__ import annotations

import streamlit as st

from attention_ui import pages, state
from attention_ui.lessons import markdown

DONE, OPEN = ":material/check_circle:", ":material/circle:"
PREVIOUS, NEXT = ":material/arrow_back:", ":material/arrow_forward:"


def draw(current: str | None = None) -> None:
    """A link to each lesson."""
    words, done = state.words(), state.lessons().done
    for name in markdown.NAMES:
        number = markdown.number_of(name)
        title = f"{number}  {markdown.title_of(name, words.language)}"
        label = f"**{title}**" if name == current else title
        _link(name, label, DONE if str(number) in done else OPEN)


def around(current: str) -> None:
    """The lessons before and after this one."""
    words, at = state.words(), markdown.NAMES.index(current)
    with st.container(horizontal=True, horizontal_alignment="distribute", key="around"):
        if at > 0:
            _link(markdown.NAMES[at - 1], words("lesson.page.previous"), PREVIOUS)
        if at + 1 < len(markdown.NAMES):
            following = markdown.NAMES[at + 1]
            _link(following, words("lesson.page.next", title=markdown.title_of(following, words.language)), NEXT)


def first_open() -> str:
    """The first lesson that is not done; the first of all when all are."""
    done = state.lessons().done
    left = [name for name in markdown.NAMES if str(markdown.number_of(name)) not in done]
    return left[0] if left else markdown.NAMES[0]


def _link(name: str, label: str, icon: str) -> None:
    pages.link(markdown.address_of(name), label, {}, icon)
