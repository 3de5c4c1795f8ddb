"""Every page by its address: those of the menu, and the lessons, which links lead to."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from attention_ui import state
from attention_ui.lessons import markdown
from attention_ui.text import Words

SCRIPTS = {
    state.PLAYGROUND: "playground",
    state.LESSONS: "lessons",
    state.SATURATION: "saturation",
    state.TRAINING: "training",
    state.HEAD: "head",
}


def page(address: str, words: Words) -> StreamlitPage:
    """The page at an address; for Streamlit two of the same address are the same page."""
    name = markdown.name_at(address)
    if name is not None:
        title = markdown.title_of(name, words.language)
        return st.Page(_path("lesson"), title=title, url_path=address, visibility="hidden")
    title = words(f"page.{address or 'playground'}")
    if address == state.PLAYGROUND:
        return st.Page(_path("playground"), title=title, default=True)
    return st.Page(_path(SCRIPTS[address]), title=title, url_path=address)


def every(words: Words) -> list[StreamlitPage]:
    """All pages, those of the menu first."""
    return [page(address, words) for address in (*SCRIPTS, *map(markdown.address_of, markdown.NAMES))]


def link(address: str, label: str, query: Mapping[str, str], icon: str | None = None) -> None:
    """A link to a page with settings, in the present language and with the lessons' progress; inside the lab it
    opens without a reload."""
    words, done = state.words(), state.lessons().done
    progress = {"done": ".".join(done)} if done else {}
    settings = {"lang": words.language, **progress, **query}
    st.page_link(page(address, words), label=label, icon=icon, query_params=settings)


def _path(script: str) -> str:
    return f"attention_ui/views/{script}.py"
