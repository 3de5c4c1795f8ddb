"""The playground: the first page, from the bar to the growth curve.

One fragment holds the page; while playing it runs by itself. The parts that follow d and the rule are
fragments inside it, so that a move draws them and nothing else.
"""

from __future__ import annotations

import streamlit as st

from attention_ui import edits, play, sharing, state
from attention_ui.address_bar import address_bar
from attention_ui.panels import bar, editor, growth, picture, stages, take


def page() -> None:
    """Everything below the title."""
    if st.session_state.playing:
        play.step()
    play.declare_anew()
    if st.session_state.view:
        take.whole(state.words())
        VIEWS[st.session_state.view]()
        draw_address()
        return
    bar.draw()
    editor.draw()
    draw_picture()
    draw_stages()
    draw_growth()
    draw_address()
    draw_take()


@st.fragment(key="picture")
def draw_picture() -> None:
    """The part that answers first to d and to the toggle."""
    picture.draw(state.scene())


@st.fragment(key="address")
def draw_address() -> None:
    """The address, which follows every part."""
    address_bar(sharing.query(), state.words().language, _take_kept_sentence)


def _take_kept_sentence(sentence: str) -> None:
    """What was typed just before the page was loaded again."""
    edits.type_kept_sentence(sentence)
    state.redraw("playground")


def draw_pair() -> None:
    """The two heat maps alone."""
    picture.draw_pair(state.scene())


@st.fragment(key="stages")
def draw_stages() -> None:
    """The stepper and its stage."""
    stages.draw_stepper()
    stages.draw(state.scene())


@st.fragment(key="curve")
def draw_curve() -> None:
    """The curve against d."""
    growth.draw(state.scene())


def draw_growth() -> None:
    """The curve with its controls."""
    growth.draw_controls()
    draw_curve()


@st.fragment(key="take_along")
def draw_take() -> None:
    """Links, files, code and pictures of what stands above."""
    take.draw(state.scene())


VIEWS = {"weights": draw_pair, "stage": draw_stages, "curve": draw_growth}  # of an embedded page
st.session_state.play_declared = st.session_state.playing
st.fragment(page, key="playground", run_every=play.PLAY_EVERY if st.session_state.playing else None)()
