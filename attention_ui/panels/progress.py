"""A sweep with its progress shown, once it takes long enough to be noticed."""

from __future__ import annotations

import time

import streamlit as st

from attention_ui import saturation_results, state
from attention_ui.saturation_results import Run, Summary

PATIENCE = 0.4  # seconds before a bar appears
STEP = 0.1  # seconds between its moves


def with_progress(run: Run) -> Summary:
    """The run's summary. Each move of the bar is where a change of a control stops the work."""
    place, words = st.empty(), state.words()
    due = time.monotonic() + (PATIENCE if run.entries == "normal" else 0)  # real vectors always take long

    def tell(done: int, rows: int) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due and done < rows:
            due = now + STEP
            place.progress(done / rows, text=words("lab.progress", done=done, rows=rows))

    made = saturation_results.summary(run, tell)
    place.empty()
    return made
