"""The head of every page: title, one sentence, the language, and what was wrong with the address."""

from __future__ import annotations

from html import escape

import streamlit as st

from attention_ui import controls, notices, state
from attention_ui.text import LANGUAGES


def draw(page: str) -> None:
    """Title, the page's sentence and the language on one line, which wraps on a phone."""
    words = state.words()
    lead = words("page.lead" if page == state.PLAYGROUND else f"page.{page}_lead")
    st.html(notices.STYLE)
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
    _address_problems()


def _address_problems() -> None:
    problems = st.session_state.address_problems
    if not problems:
        return
    words = state.words()
    notices.warn(words("address.lead"), [words(problem.key, **problem.values) for problem in problems])
    if st.button(words("address.close"), key="close_address"):
        st.session_state.address_problems = []
        st.rerun()
