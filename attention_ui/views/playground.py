"""The playground: the first page, from the bar to the growth curve."""

from __future__ import annotations

import streamlit as st

from attention_ui import state
from attention_ui.address import write
from attention_ui.address_bar import address_bar
from attention_ui.panels import bar, editor, growth, picture, stages

PLAY_EVERY = 0.9  # seconds a step while playing


def page() -> None:
    """Everything below the title; while playing it runs by itself, one d further each time."""
    if st.session_state.playing:
        state.step_play()
        if not st.session_state.playing:
            st.rerun()
    bar.draw()
    editor.draw()
    draw_picture()
    draw_stages()
    draw_growth()


@st.fragment(key="picture")
def draw_picture() -> None:
    """The part that answers first to d and to the toggle."""
    address_bar(write(state.shared()), st.session_state.lang)
    picture.draw()


@st.fragment(key="stages")
def draw_stages() -> None:
    """The stepper and its stage."""
    stages.draw()


@st.fragment(key="growth")
def draw_growth() -> None:
    """The curve against d."""
    growth.draw()


st.fragment(page, key="playground", run_every=PLAY_EVERY if st.session_state.playing else None)()
