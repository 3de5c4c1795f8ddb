"""Inside one run: the watched queries' weights, and M = W_Q W_Kᵀ on its way to a multiple of the identity."""

from __future__ import annotations

import streamlit as st

from attention_ui import charts, controls, notices, state, training_runs, training_tables
from attention_ui.numbers import fixed, significant
from attention_ui.training_frames import likeness
from attention_ui.training_live import TASK
from attention_ui.training_settings import RULES


def draw() -> None:
    """Two pictures side by side of the rule that is watched."""
    words, live = state.words(), training_runs.live()
    rule = state.training().watched
    st.subheader(words("train.inside.heading"))
    if len(live.runs) > 1:
        options = {name: words(f"rules.{name}.label") for name in RULES if name in live.runs}
        controls.choose(
            st.segmented_control, "training_watch", words("train.inside.watch"), options,
            lambda: state.redraw("training_page"), required=True,
        )  # fmt: skip
    run = live.runs[rule]
    if run.last is None:
        notices.say(words("train.inside.before"), kind="quiet")
        return
    if run.overflowed:
        notices.say(words("train.inside.overflow", step=run.last.step))
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _weights(rule)
    with right:
        _matrix(rule)


def _weights(rule: str) -> None:
    words, live = state.words(), training_runs.live()
    step = live.runs[rule].last
    with st.container(key=f"watched_{rule}"):
        st.vega_lite_chart(
            training_tables.watched(live, rule), charts.watched_chart(words.language, rule),
            key=f"watched_chart_{rule}", alt=words("train.inside.weights_alt"),
        )  # fmt: skip
    right = [float(weights[place]) for weights, place in zip(step.weights, step.places, strict=True)]
    numbers = words("lab.comma").join(fixed(value, 3) for value in right)
    notices.say(words("train.inside.weights", count=TASK.watched, step=step.step, numbers=numbers))


def _matrix(rule: str) -> None:
    words, live = state.words(), training_runs.live()
    step = live.runs[rule].last
    with st.container(key="identity"):
        st.vega_lite_chart(
            training_tables.identity(live, rule), charts.identity_chart(words.language),
            key="identity_chart", alt=words("train.inside.matrix_alt"),
        )  # fmt: skip
    diagonal, off = likeness(step.M)
    values = {"step": step.step, "diagonal": significant(diagonal), "off": significant(off)}
    notices.say(words("train.inside.matrix", **values), note=words("train.inside.designer"))
