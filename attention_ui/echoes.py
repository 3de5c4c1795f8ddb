"""Values that Python puts into widgets, and how to tell what the browser says of them before it has heard.

Every message of the browser brings the values of all widgets as it last knew them. One that it sent before it heard
that Python had changed a value brings the old one, which to Streamlit looks like a change by the learner.
"""

from __future__ import annotations

import time

import streamlit as st

# Seconds for which the value that Python has replaced is not taken for a new choice: less than a hand takes to choose
# it again, and longer while the page changes by itself.
HAND, ALONE = 0.3, 1.5


def replace(key: str, value: object) -> None:
    """Give a widget another value."""
    session = st.session_state
    if key in session and session[key] != value:
        session[f"{key}:replaced"] = session[key], time.monotonic()
    session[key] = value


def is_echo(key: str) -> bool:
    """True when the widget's value is the one that Python has replaced just now."""
    session, now = st.session_state, time.monotonic()
    before, when = session.get(f"{key}:replaced", (None, -ALONE))
    alone = now - session.stepped < ALONE
    return session[key] == before and now - when < (ALONE if alone else HAND)
