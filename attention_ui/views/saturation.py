"""The saturation lab: random queries and keys, from the spread of scores to the myths about the scaling.

A change of what the sweep depends on runs the whole page, which stops a sweep that is still at work; d and the
measure need no new sweep and redraw their parts alone.
"""

from __future__ import annotations

import streamlit as st

from attention_ui import saturation_results, state
from attention_ui.address_bar import address_bar
from attention_ui.panels import (
    pictures,
    saturation_aligned,
    saturation_board,
    saturation_controls,
    saturation_formats,
    saturation_gradient,
    saturation_myths,
)
from attention_ui.panels.progress import with_progress
from attention_ui.saturation_scene import SaturationScene
from attention_ui.saturation_settings import write
from attention_ui.take_along import Chart


def scene() -> SaturationScene:
    """What is shown now; the sweep is at hand once a run of the page has made it, with its progress shown."""
    settings, session = state.saturation(), st.session_state
    run = saturation_results.run_of(settings)
    if "summary" not in session or session.summary.run != run:
        session.summary = with_progress(run)
    return SaturationScene(state.words(), settings, session.summary)


@st.fragment(key="saturation_address")
def draw_address() -> None:
    """Before the sweep, so that a reload in the middle of one keeps what was chosen."""
    address_bar(write(state.saturation()), state.words().language)


@st.fragment(key="saturation_board")
def draw_board() -> None:
    """The chart that answers first to d and the measure."""
    saturation_board.draw_controls()
    saturation_board.draw(scene())


@st.fragment(key="saturation_rest")
def draw_rest() -> None:
    """What else depends on d."""
    now = scene()
    saturation_gradient.draw(now)
    saturation_aligned.draw(now)
    saturation_formats.draw(now)
    saturation_myths.draw(now)


@st.fragment(key="saturation_pictures")
def draw_pictures() -> None:
    """The charts to save, which follow d and the measure."""
    now = scene()
    words, name = now.words, now.settings.measure
    note = pictures.note(now.settings, ((rule, now.label(rule)) for rule in now.outcomes))
    found = {
        f"[class*=st-key-board_{name}]": words(f"lab.measures.{name}"),
        "[class*=st-key-gradient_]": words("lab.gradient.heading", d=now.settings.d),
        ".st-key-zeros": words("lab.formats.heading", format=now.run.format),
    }
    if now.run.c:
        found[".st-key-aligned"] = words("lab.aligned.heading")
    pictures.draw(state.SATURATION, [Chart(place, title, _file(place), note) for place, title in found.items()])


def _file(place: str) -> str:
    """A file's name from where the chart stands."""
    return place.rpartition("st-key-")[2].strip("]_")


saturation_controls.draw()
draw_address()
scene()
draw_board()
draw_rest()
draw_pictures()
