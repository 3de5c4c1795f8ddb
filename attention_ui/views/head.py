"""A real head: trained weights under the toggle."""

from __future__ import annotations

import streamlit as st

from attention_ui import own_head, state
from attention_ui.address_bar import address_bar
from attention_ui.head_scene import HeadScene
from attention_ui.head_settings import write
from attention_ui.panels import head_controls, head_figures, head_picture, head_upload, pictures
from attention_ui.take_along import Chart


def scene() -> HeadScene:
    """What is shown now."""
    own = own_head.own()  # first: when it has gone, the settings ask for a recorded one
    return HeadScene(state.words(), state.head(), own)


def _charts(now: HeadScene) -> list[Chart]:
    """The charts to save."""
    words, note = now.words, pictures.note(now.settings)
    if now.head.pos_bias is not None:
        note += " · + pos_bias"
    titles = {
        "graph": "take.pictures.sentence",
        "head_weights": "take.pictures.weights",
        "spectrum": "head.apart.heading",
    }
    return [Chart(f".st-key-{name}", words(title), name, note) for name, title in titles.items()]


@st.fragment(key="head_page")
def page() -> None:
    """Everything below the title."""
    now = scene()
    top = st.container()
    head_controls.draw(now)
    head_picture.draw(now)
    head_figures.draw(now)
    head_figures.apart(now)
    head_picture.truth(now)
    head_upload.draw(now)
    with top:
        head_upload.draw_gone(now)
    pictures.draw(state.HEAD, _charts(now))
    address_bar(write(now.settings), now.words.language)


page()
