"""Keeps the browser's address equal to the settings, without a history entry, and names the page's language.

Streamlit binds widgets to the address under their translated labels and st.query_params adds a history
entry for each change; neither makes a link that opens the same in every language.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from attention_ui import edits, state

_HERE = Path(__file__).parent
# Streamlit takes one script. The parts are plain functions; only the last one exports.
_SCRIPTS = ("../idle", "links", "sentence", "address")
_component = st.components.v2.component(
    "address_bar", js="\n".join((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
)


def address_bar(query: str, language: str, on_sentence: Callable[[str], None] = lambda sentence: None) -> None:
    """Show `query` in the address, with the lessons' progress, the lesson that led here and the view of an embedded
    page; parameters of Streamlit's own embedding stay. As it is drawn with every part of a page, it also sees to
    it that no whole run is lost to one of its parts.

    on_sentence(sentence) is called with one that was typed before the page was loaded again, and that the address did
    not hold yet.
    """
    if state.was_cut_short():
        st.rerun()
    session = st.session_state
    done = "" if "done=" in query else ".".join(session.lessons.done)
    shown = shared_query(query, done=done, back=session.get("came_from"), view=session.get("view"))

    def kept() -> None:
        sentence = session.address_bar.get("sentence")
        if isinstance(sentence, str):
            on_sentence(sentence)

    data = {
        "query": shown,
        "language": language,
        "session": session.visit,
        "answered": edits.answered(),
        "beside": None if session.own_head is None else state.HEAD,  # what the address cannot hold
    }
    _component(key="address_bar", data=data, height=1, on_sentence_change=kept)


def shared_query(query: str, **more: str | None) -> str:
    """A query string with more parameters; None leaves one out."""
    return "&".join(filter(None, (query, urlencode({name: value for name, value in more.items() if value}))))
