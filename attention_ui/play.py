"""Playing: d goes up by itself, a step at a time."""

from __future__ import annotations

import time

import streamlit as st

from attention_ui import state
from attention_ui.address import D_CODES, TYPED

PLAY_EVERY = 0.9  # seconds a step


def start() -> None:
    """From d = 64, or from the present d when it is on the way."""
    session = st.session_state
    session.playing, session.stepped = True, time.monotonic()
    if state.settings().d in (TYPED, D_CODES[-1]):
        state.put("d", D_CODES[1])


def pause() -> None:
    """Stay at the present d; what is chosen from now on is the learner's choice."""
    st.session_state.playing, st.session_state.stepped = False, 0.0


def step() -> None:
    """The next d, if it is time; at the largest, stop."""
    session = st.session_state
    if time.monotonic() - session.stepped < 0.8 * PLAY_EVERY:  # another change drew the page in between
        return
    session.stepped = time.monotonic()
    state.put("d", D_CODES[min(D_CODES.index(state.settings().d) + 1, len(D_CODES) - 1)])
    session.playing = state.settings().d != D_CODES[-1]


def declare_anew() -> None:
    """The page's fragment must be declared anew, by a run of the whole page, to run by itself or to stop that."""
    if st.session_state.playing != st.session_state.play_declared:
        st.rerun()
