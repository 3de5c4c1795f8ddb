"""The map: final loss over learning rate and d for each rule, filled as runs end, and what it says."""

from __future__ import annotations

import streamlit as st

from attention_ui import charts, notices, state, training_runs, training_tables
from attention_ui.numbers import measure
from attention_ui.training_live import GOOD, Map
from attention_ui.training_settings import D_VALUES, RATES, RULES

EXAMPLE_RATE = 3.0  # at which the unscaled loss is compared over d


def draw() -> None:
    """The button with its progress, the chart, and the reading once it is filled."""
    words, made = state.words(), training_runs.the_map()
    st.subheader(words("train.map.heading"))
    notices.say(
        words("train.map.lead", runs=made.size, steps=made.plan.steps, good=measure(GOOD)), kind="quiet"
    )  # fmt: skip
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _fill_or_stop(made)
        st.progress(len(made.cells) / made.size, text=words("train.map.progress", done=len(made.cells), all=made.size))
    with st.container(key="map"):
        st.vega_lite_chart(
            training_tables.grid(words, made), charts.map_chart(words.language), key="map_chart",
            alt=words("train.map.alt"),
        )  # fmt: skip
    if made.done:
        notices.say(*_reading(made))


def _fill_or_stop(made: Map) -> None:
    """Two buttons in one place, each with its own key: a click that Streamlit reports twice must mean the same."""
    words = state.words()
    if training_runs.map_running():
        st.button(words("train.map.stop"), key="map_stop", icon=":material/stop:", on_click=training_runs.map_stop)
        return
    st.button(
        words("train.map.fill"), key="map_fill", icon=":material/grid_on:", disabled=made.done,
        on_click=training_runs.map_fill,
    )  # fmt: skip


def _reading(made: Map) -> list[str]:
    """The good learning rates of each rule by d, where the popular claim holds and where it does not."""
    words = state.words()
    sentences = []
    for rule in RULES:
        ranges = [words("train.map.range", d=d, rates=_range(made.good(rule, d))) for d in D_VALUES]
        sentences.append(
            words("train.map.ranges", rule=words(f"lab.rules.{rule}"), ranges=words("lab.semicolon").join(ranges))
        )
    low, high, slow = D_VALUES[0], D_VALUES[-1], RATES[0]
    unscaled = [made.loss("none", d, EXAMPLE_RATE) for d in (low, high)]
    sentences.append(
        words("train.map.claim", rate=f"{EXAMPLE_RATE:g}", low=low, high=high, first=_loss(unscaled[0]),
              last=_loss(unscaled[1]), broken=_broken(made))
    )  # fmt: skip
    one, other = made.loss("none", high, slow), made.loss("sqrt", high, slow)
    if not one.diverged and one.loss < other.loss:
        sentences.append(
            words("train.map.against", rate=f"{slow:g}", d=high, none=_loss(one), root=_loss(other))
        )  # fmt: skip
    return sentences


def _loss(cell: object) -> str:
    return state.words()("train.states.diverged") if cell.diverged else measure(cell.loss, 2)


def _range(rates: list[float]) -> str:
    """A run of learning rates from the first good one to the last, or that there is none."""
    if not rates:
        return state.words()("train.map.no_rate")
    return f"{rates[0]:g}" if len(rates) == 1 else f"{rates[0]:g} – {rates[-1]:g}"


def _broken(made: Map) -> str:
    """The learning rates at which the unscaled runs diverge at every d."""
    rates = [rate for rate in RATES if all(made.loss("none", d, rate).diverged for d in D_VALUES)]
    return _range(rates)
