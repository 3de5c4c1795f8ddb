"""The map: final loss over learning rate and d for each rule, filled as runs end, and what it says."""

from __future__ import annotations

import streamlit as st

from attention_core.training import LAST, WORSE, GridCell
from attention_ui import charts, notices, state, training_runs, training_tables
from attention_ui.numbers import significant
from attention_ui.training_live import GOOD, TASK, Map
from attention_ui.training_settings import D_VALUES, RATES, RULES

EXAMPLE_RATE = 3.0  # at which the unscaled loss is compared over d


def draw() -> None:
    """The button with its progress, the chart, and the reading once it is filled."""
    words, made = state.words(), training_runs.the_map()
    st.subheader(words("train.map.heading"))
    notices.say(
        words("train.map.lead", runs=made.size, steps=made.plan.steps, good=f"{GOOD:g}", last=LAST,
              worse=significant(WORSE * TASK.uniform_loss), gain=f"{made.plan.gain:g}", seed=made.plan.seed),
        kind="quiet",
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
    """The good learning rates of each rule by d and at every d, and where the popular claim holds and does not."""
    words = state.words()
    sentences = []
    for rule in RULES:
        ranges = [words("train.map.range", d=d, rates=_rates(made.good(rule, d))) for d in D_VALUES]
        joined = words("lab.semicolon").join(ranges)
        sentences.append(words("train.map.ranges", rule=words(f"lab.rules.{rule}"), ranges=joined))
    return [*sentences, _common(made), *_claim(made)]


def _common(made: Map) -> str:
    """The learning rates that are good at every d; what the rule buys is said where the map shows it."""
    words = state.words()
    common = {rule: made.common(rule) for rule in RULES}
    clauses = [words("lab.clause", rule=words(f"lab.rules.{rule}"), value=_rates(common[rule])) for rule in RULES]
    sentence = words("train.map.common", each=words("lab.semicolon").join(clauses))
    if len(common["sqrt"]) <= max(len(common["none"]), len(common["linear"])):
        return sentence
    return words("page.between").join([sentence, words("train.map.buys")])


def _claim(made: Map) -> list[str]:
    """Whether the map bears out that without scaling the model is hard to learn."""
    words, sentences = state.words(), []
    low, high, slow = D_VALUES[0], D_VALUES[-1], RATES[0]
    first, last = (made.loss("none", d, EXAMPLE_RATE) for d in (low, high))
    if last.diverged or last.loss > max(GOOD, first.loss):
        values = {"low": low, "high": high, "first": _loss(first), "last": _loss(last)}
        sentences.append(words("train.map.claim", rate=f"{EXAMPLE_RATE:g}", **values))
        broken = [rate for rate in RATES if all(made.loss("none", d, rate).diverged for d in D_VALUES)]
        if broken:
            sentences[-1] = words("page.between").join([sentences[-1], words("train.map.broken", rates=_rates(broken))])
    one, other = made.loss("none", high, slow), made.loss("sqrt", high, slow)
    if not one.diverged and one.loss < other.loss:
        values = {"d": high, "none": _loss(one), "root": _loss(other)}
        sentences.append(words("train.map.against", rate=f"{slow:g}", **values))
    return sentences


def _loss(cell: GridCell) -> str:
    return state.words()("train.states.diverged") if cell.diverged else significant(cell.loss, 2)


def _rates(rates: list[float]) -> str:
    """Stretches of neighbouring learning rates: 0.03 and 10 – 30; or that there is none."""
    words, stretches = state.words(), []
    for rate in rates:
        if stretches and RATES.index(rate) == RATES.index(stretches[-1][-1]) + 1:
            stretches[-1].append(rate)
        else:
            stretches.append([rate])
    shown = [f"{each[0]:g}" if len(each) == 1 else f"{each[0]:g} – {each[-1]:g}" for each in stretches]
    return words("lab.comma").join(shown) or words("train.map.no_rate")
