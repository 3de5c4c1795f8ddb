"""Values that Python puts into widgets, and how to tell what the browser says of them before it has heard.

Every message of the browser brings the values of all widgets as it last knew them. One that it sent before it heard
that Python had changed a value brings the old one, which to Streamlit looks like a change by the learner.
"""

from __future__ import annotations

import time

import streamlit as st

ECHO = 1.5  # seconds for which the value that Python has replaced is not taken for a new choice


def replace(key: str, value: object) -> None:
    """Give a widget another value."""
    session = st.session_state
    if key in session and session[key] != value:
        session[f"{key}:replaced"] = session[key], time.monotonic()
    session[key] = value


def is_echo(key: str) -> bool:
    """True when the widget's value is the one that Python has replaced just now."""
    before, when = st.session_state.get(f"{key}:replaced", (None, -ECHO))
    return st.session_state[key] == before and time.monotonic() - when < ECHO
