"""The runs side by side: their buttons, their course as they train, and what they learned."""

from __future__ import annotations

import math

import streamlit as st

from attention_core.training import LAST
from attention_ui import charts, controls, notices, state, training_runs, training_tables
from attention_ui.numbers import counted, measure, significant
from attention_ui.rules import RULES
from attention_ui.training_live import GOOD, TASK, Live, Run
from attention_ui.training_settings import MEASURES

SURE = 0.5  # accuracy from which the right key is said to be ahead
WIDTH = 130  # pixels of the first button, whatever it says


def draw() -> None:
    """Buttons and progress, the chart with its figures, and what was learned."""
    words, live = state.words(), training_runs.live()
    _buttons(live)
    notices.legend(words("train.run.task", n=TASK.n_keys, batch=TASK.batch), _samples(live), inline=True)
    name = state.training().measure
    chart, figures = st.columns([3, 2], gap="medium")
    with chart:
        controls.choose(
            st.segmented_control, "training_measure", words("growth.measure"),
            {each: words(f"train.measures.{each}") for each in MEASURES},
            lambda: state.redraw("training_page"), required=True, label_visibility="collapsed",
        )  # fmt: skip
        with st.container(key=f"course_{name}"):
            st.vega_lite_chart(
                training_tables.course(words, live, name),
                charts.course_chart(words.language, name, live.plan.steps),
                key=f"course_chart_{name}_{live.plan.steps}",
                alt=words("train.run.alt", measure=words(f"train.measures.{name}")),
            )
    with figures:
        _figures(live)
        notices.say(*_reading(live))


def _buttons(live: Live) -> None:
    words = state.words()
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _start_or_pause(live)
        st.button(
            words("train.run.step"), key="training_step", icon=":material/skip_next:", disabled=live.done,
            on_click=training_runs.step,
        )  # fmt: skip
        st.button(
            words("train.run.reset"), key="training_restart", icon=":material/first_page:", disabled=not live.step,
            on_click=training_runs.reset,
        )  # fmt: skip
        st.progress(live.step / live.plan.steps, text=words("train.run.progress", step=live.step, all=live.plan.steps))


def _start_or_pause(live: Live) -> None:
    """Two buttons in one place, each with its own key: a click that Streamlit reports twice must mean the same."""
    words = state.words()
    if training_runs.running():
        st.button(
            words("train.run.pause"), key="training_pause", icon=":material/pause:", type="primary",
            on_click=training_runs.pause, width=WIDTH,
        )  # fmt: skip
        return
    name, icon = ("again", "replay") if live.done else ("start", "play_arrow")
    st.button(
        words(f"train.run.{name}"), key="training_start", icon=f":material/{icon}:", type="primary",
        on_click=training_runs.start, width=WIDTH,
    )  # fmt: skip


def _samples(live: Live) -> list[str]:
    looks = ((RULES[rule].look, state.words()(f"rules.{rule}.label")) for rule in live.runs)
    return [notices.curve_sample(look.color, look.sign, look.dash, label) for look, label in looks]


def _figures(live: Live) -> None:
    """Loss, accuracy, gradient and outcome of each rule so far."""
    words = state.words()
    columns = [
        notices.Column(words(f"rules.{rule}.short"), RULES[rule].look.sign, RULES[rule].look.color)
        for rule in live.runs
    ]
    names = ("loss", "accuracy", "gradient", "state")
    rows = {words(f"train.figures.{name}"): [_number(name, run) for run in live.runs.values()] for name in names}
    notices.figures(columns, rows)


def _number(name: str, run: Run) -> str:
    if run.last is None:
        return "–"
    if name == "state":
        return state.words()(f"train.states.{run.state}")
    if run.overflowed:
        return "✕"
    value = float(getattr(run.last, name))
    return counted(value) if name == "accuracy" else significant(value)


def _reading(live: Live) -> list[str]:
    """What was learned, rule by rule, once the runs have ended."""
    words, plan = state.words(), live.plan
    if not live.step:
        return [words("train.run.before")]
    if not live.done:
        return _chaos(live)
    values = {"d": plan.d, "rate": f"{plan.rate:g}", "uniform": measure(TASK.uniform_loss), "good": f"{GOOD:g}"}
    values["last"] = LAST
    sentences = [words("train.run.after", **values)]
    for rule, run in live.runs.items():
        key = "overflow" if run.overflowed else run.state
        if key == "stuck" and run.last.accuracy > SURE:
            key = "ranked"
        found = {
            "loss": significant(run.final_loss),
            "last": LAST,
            "accuracy": counted(run.last.accuracy),
            "step": run.last.step,
        }
        sentences.append(words(f"train.ends.{key}", rule=words(f"rules.{rule}.label"), **found))
    return sentences + _chaos(live)


def _chaos(live: Live) -> list[str]:
    """Which runs have parted from their twins, so that their numbers are this computer's."""
    words = state.words()
    clauses = [
        words("train.run.parted", rule=words(f"rules.{rule}.label"), loss=_mean(run.final_loss),
              twin=_mean(run.twin_loss))
        for rule, run in live.runs.items() if run.parted
    ]  # fmt: skip
    return [words("train.run.chaotic", last=LAST, each=words("lab.semicolon").join(clauses))] if clauses else []


def _mean(loss: float) -> str:
    return "✕" if math.isnan(loss) else significant(loss, 2)
