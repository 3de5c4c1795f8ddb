"""The training lab: what the scaling does to learning.

One fragment that, while runs or the map are under way, runs by itself and asks for their next steps; outside of
such a run nothing works. Two fragments that each run by themselves would starve each other.
"""

from __future__ import annotations

import streamlit as st

from attention_ui import state, training_runs
from attention_ui.address_bar import address_bar
from attention_ui.panels import training_controls, training_inside, training_map, training_run, training_same
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
    address_bar(write(state.training()), state.words().language)


training_controls.draw()
st.session_state.training_declared = training_runs.under_way()
st.fragment(page, key="training_page", run_every=training_runs.EVERY if training_runs.under_way() else None)()
