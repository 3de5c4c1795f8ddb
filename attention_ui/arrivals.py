"""Links that are followed inside a session: the page takes their settings over, as a new session would."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from attention_ui import address, edits, state
from attention_ui.experiment import from_example
from attention_ui.lessons.markdown import name_at
from attention_ui.session_start import READERS

FROM = "from"  # the lesson that a link is in; only such links change a session that is under way
BACK = "back"  # the lesson that a page was reached from, which stays in its address


def take(page: str, query: Mapping[str, str]) -> None:
    """On arriving at a page by a link of a lesson, take over what the link asks for; the playground can undo it."""
    session = st.session_state
    before, session.page = session.get("page"), page
    if before == page:
        return
    lesson = query.get(FROM) or query.get(BACK)
    session.came_from = lesson if lesson and name_at(lesson) and not name_at(page) else None
    if before is None or session.came_from is None or FROM not in query:
        return
    if page == state.PLAYGROUND:
        _open_playground(query)
    elif page in READERS:
        session[page], session.address_problems = READERS[page](query)


def _open_playground(query: Mapping[str, str]) -> None:
    session = st.session_state
    asked, session.address_problems = address.read(query)
    example = from_example(asked.example)
    edits.take_over(example, asked)
