"""Notices in the browser when the server has lost the session, and opens the page anew from its address.

After a lost connection Streamlit's browser side stays on the page and talks to a new session: that one starts from the
address with which the page was once loaded, knows none of the page's fragments and would overwrite the address.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from attention_ui import own_head, state

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "connection",
    html='<div class="reopened" role="status"></div>',
    css=(_HERE / "connection.css").read_text(encoding="utf-8"),
    js="\n".join(path.read_text(encoding="utf-8") for path in (_HERE.parent / "idle.js", _HERE / "connection.js")),
)


def watch() -> None:
    """Tell the browser which session this is. When it has been without a connection it asks again, with a run of the
    whole script, which any session can answer."""
    data = {"session": st.session_state.visit, "reopened": state.words()("page.reopened")}
    _component(key="connection", data=data, height=1, on_asked_change=lambda: None, on_lost_change=_lost)


def _lost() -> None:
    """The page was opened anew, and the address did not hold everything."""
    if st.session_state.connection.get("lost") == state.HEAD:
        own_head.lose("session")
