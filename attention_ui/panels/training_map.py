"""The map: final loss over learning rate and d for each rule, filled as runs end, and what it says."""

from __future__ import annotations

import streamlit as st

from attention_core.training import LAST, WORSE
from attention_ui import charts, notices, state, training_runs, training_tables
from attention_ui.numbers import significant
from attention_ui.training_frames import CHAOTIC
from attention_ui.training_live import GOOD, TASK, Map, failed, lost
from attention_ui.training_settings import D_VALUES, RATES, RULES

AHEAD = 0.7  # share of another run's loss below which a run, and its twin, are said to be ahead


def draw() -> None:
    """The button with its progress, the chart, and the reading once it is filled."""
    words, made = state.words(), training_runs.the_map()
    st.subheader(words("train.map.heading"))
    notices.say(
        words("train.map.lead", runs=made.size, steps=made.plan.steps, good=f"{GOOD:g}", last=LAST,
              worse=significant(WORSE * TASK.uniform_loss), gain=f"{made.plan.gain:g}", seed=made.plan.seed,
              chaotic=CHAOTIC),
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
        sentences.append(words("train.map.ranges", rule=words(f"rules.{rule}.label"), ranges=joined))
    return [*sentences, _common(made), *_claim(made)]


def _common(made: Map) -> str:
    """The learning rates that are good at every d; what the rule buys is said where the map shows it."""
    words = state.words()
    common = {rule: made.common(rule) for rule in RULES}
    clauses = [words("lab.clause", rule=words(f"rules.{rule}.label"), value=_rates(common[rule])) for rule in RULES]
    sentence = words("train.map.common", each=words("lab.semicolon").join(clauses))
    if len(common["sqrt"]) <= max(len(made.possible(rule)) for rule in ("none", "linear")):
        return sentence
    return words("page.between").join([sentence, words("train.map.buys")])


def _claim(made: Map) -> list[str]:
    """Whether the map bears out that without scaling the model is hard to learn; of chaotic runs it tells what run
    and twin have in common."""
    words = state.words()
    claims = [*_hard(made), *_broken(made)]
    sentences = [words("page.between").join(claims)] if claims else []
    high, slow = D_VALUES[-1], RATES[0]
    one, other = made.cell("none", high, slow), made.cell("sqrt", high, slow)
    if other.calm and max(one.loss, one.twin) < AHEAD * other.loss:
        sentences.append(words("train.map.against", rate=f"{slow:g}", d=high, root=significant(other.loss, 2)))
    return sentences


def _hard(made: Map) -> list[str]:
    """The rates at which, at the largest d, 1/√d learns and no scaling does not."""
    words, d = state.words(), D_VALUES[-1]
    rates = [rate for rate in made.good("sqrt", d) if lost(made.cell("none", d, rate))]
    return [words("train.map.claim", rates=_rates(rates), d=d)] if rates else []


def _broken(made: Map) -> list[str]:
    """The rates at which no scaling fails at every d."""
    rates = [rate for rate in RATES if all(failed(made.cell("none", d, rate)) for d in D_VALUES)]
    return [state.words()("train.map.broken", rates=_rates(rates))] if rates else []


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
