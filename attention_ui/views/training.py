"""The training lab: what the scaling does to learning.

One fragment that, while runs or the map are under way, runs by itself and asks for their next steps; outside of
such a run nothing works. Two fragments that each run by themselves would starve each other.
"""

from __future__ import annotations

import streamlit as st

from attention_ui import state, training_runs
from attention_ui.address_bar import address_bar
from attention_ui.panels import pictures, training_controls, training_inside, training_map, training_run, training_same
from attention_ui.take_along import Chart
from attention_ui.training_settings import write


def page() -> None:
    """Everything below the controls."""
    training_runs.work()
    if training_runs.under_way() != st.session_state.training_declared:
        st.rerun()  # the fragment must be declared anew to run by itself, or to stop
    training_run.draw()
    training_inside.draw()
    training_map.draw()
    training_same.draw()
    pictures.draw(state.TRAINING, _charts())
    address_bar(write(state.training()), state.words().language)


def _charts() -> list[Chart]:
    """The charts to save; those of one run are there once it has begun."""
    words, now, runs = state.words(), state.training(), training_runs.live().runs
    course = pictures.note(now, ((rule, words(f"rules.{rule}.label")) for rule in runs))
    found = [Chart(f".st-key-course_{now.measure}", words(f"train.measures.{now.measure}"), now.measure, course)]
    if runs[now.watched].last is not None:
        heading = words("train.inside.heading")
        places = {f".st-key-watched_{now.watched}": "weights", ".st-key-identity": "M"}
        found += [
            Chart(place, words("take.pictures.titled", title=heading, name=name), name, pictures.note(now))
            for place, name in places.items()
        ]
    return [*found, Chart(".st-key-map", words("train.map.heading"), "map", pictures.note(now))]


training_controls.draw()
st.session_state.training_declared = training_runs.under_way()
st.fragment(page, key="training_page", run_every=training_runs.EVERY if training_runs.under_way() else None)()
