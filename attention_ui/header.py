"""The head of every page: title, one sentence, the language, and what was wrong with the address."""

from __future__ import annotations

from html import escape

import streamlit as st

from attention_ui import controls, notices, pages, state
from attention_ui.lessons import markdown
from attention_ui.text import LANGUAGES, Words


def draw(page: str) -> None:
    """Title, the page's sentence and the language on one line, which wraps on a phone."""
    words = state.words()
    lead = _lead(page, words)
    st.html(notices.STYLE)
    if st.session_state.view:
        _address_problems()
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.html(
            f'<div class="lab-head"><h1>{escape(words("page.title"))}</h1><p>{escape(lead)}</p></div>',
            width="content",
        )
        controls.choose(
            st.segmented_control, "lang", words("page.language"),
            {code: words(f"languages.{code}") for code in LANGUAGES}, lambda: None,
            required=True, label_visibility="collapsed",
        )  # fmt: skip
    _way_back()
    _address_problems()


def _lead(page: str, words: Words) -> str:
    """The page's sentence; a lesson's says which one it is."""
    name = markdown.name_at(page)
    if name is not None:
        last = markdown.number_of(markdown.NAMES[-1])
        if name == markdown.NAMES[0]:
            return words("lesson.page.example")
        return words("lesson.page.place", number=markdown.number_of(name), last=last)
    return words("page.lead" if page == state.PLAYGROUND else f"page.{page}_lead")


def _way_back() -> None:
    """Back to the lesson whose link led here."""
    words, name = state.words(), markdown.name_at(st.session_state.came_from or "")
    if name is not None:
        label = words("lesson.page.back", title=markdown.title_of(name, words.language))
        with st.container(key="way_back"):
            pages.link(markdown.address_of(name), label, {}, icon=":material/arrow_back:")


def _address_problems() -> None:
    problems = st.session_state.address_problems
    if not problems:
        return
    words = state.words()
    linked = all(problem.key.startswith("exchange.") for problem in problems)
    notices.warn(
        words("address.link_lead" if linked else "address.lead"),
        [words(problem.key, **problem.values) for problem in problems],
    )
    if st.button(words("address.close"), key="close_address"):
        st.session_state.address_problems = []
        st.rerun()
