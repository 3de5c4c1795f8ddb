"""The gradient that reaches the query: its distribution over rows, and what popular accounts get wrong about it."""

from __future__ import annotations

import streamlit as st

from attention_core.saturation import DEAD
from attention_ui import charts, notices, saturation_tables
from attention_ui.numbers import counted, fixed, measure, share, significant
from attention_ui.panels.downloads import download
from attention_ui.rules import RULES
from attention_ui.saturation_results import BAND, place_of
from attention_ui.saturation_scene import SaturationScene
from attention_ui.saturation_settings import D_VALUES

MANY, HUGE = 0.2, 10  # share of dead rows, and rms over median, from which "a few huge, most dead" is said
ALIKE = 5  # 90th over 10th percentile up to which rows are said to be alike
FROM = 64  # d from which the growth is told


def draw(scene: SaturationScene) -> None:
    """Chart, figures and what is true."""
    words, lines = scene.words, len(scene.outcomes)
    st.subheader(words("lab.gradient.heading", d=scene.settings.d))
    notices.say(words("lab.gradient.lead"), kind="quiet")
    chart, figures = st.columns([3, 2], gap="medium")
    with chart, st.container(key=f"gradient_{lines}"):
        st.vega_lite_chart(
            saturation_tables.gradient(scene.run, words.language, scene.settings.d),
            charts.gradient_chart(words.language, lines),
            key=f"gradient_chart_{lines}",
            alt=words("lab.gradient.alt"),
        )
        notices.say(words("lab.gradient.marks", dead=measure(DEAD)), kind="quiet")
    with figures:
        _figures(scene)
    notices.say(*_reading(scene))
    download(scene, "gradient")


def _figures(scene: SaturationScene) -> None:
    """Five figures for each rule."""
    words, at, outcomes = scene.words, scene.at, scene.outcomes.values()
    rows = {
        "trace": [significant(float(o.figures["sensitivity"].median[at])) for o in outcomes],
        "dead": [counted(float(o.dead[at])) for o in outcomes],
        "rms": [significant(float(o.figures["gradient"].rms[at])) for o in outcomes],
        "median": [significant(float(o.figures["gradient"].median[at])) for o in outcomes],
        "small": [counted(float(o.dead_gradient[at])) for o in outcomes],
    }
    columns = [
        notices.Column(words(f"rules.{rule}.short"), RULES[rule].look.sign, RULES[rule].look.color)
        for rule in scene.outcomes
    ]
    named = {words(f"lab.gradient.{name}", dead=measure(DEAD)): values for name, values in rows.items()}
    notices.figures(columns, named)


def _reading(scene: SaturationScene) -> list[str]:
    """What the run says; what popular accounts get wrong is said where this run shows it."""
    words, outcomes, at = scene.words, scene.outcomes, scene.at
    medians = {rule: float(outcome.figures["gradient"].median[at]) for rule, outcome in outcomes.items()}
    sentences = [words("lab.gradient.plain", d=scene.settings.d, each=scene.each("lab.clause", medians))]
    if "none" in outcomes and not scene.run.c:
        sentences += _unscaled(scene)
    if "sqrt" in outcomes:
        root = outcomes["sqrt"].figures["gradient"]
        key = "lab.gradient.root_even" if root.high[at] < ALIKE * root.low[at] else "lab.gradient.root"
        names = ("median", "rms", "low", "high")
        numbers = {name: significant(float(getattr(root, name)[at])) for name in names}
        sentences.append(words(key, middle=share(BAND[1] - BAND[0]), **numbers))
    return sentences


def _unscaled(scene: SaturationScene) -> list[str]:
    """Most rows dead and a few huge, if they are; and how the root mean square grows with d."""
    words, at, outcome = scene.words, scene.at, scene.outcomes["none"]
    none, sentences = outcome.figures["gradient"], []
    if outcome.dead[at] > MANY and none.rms[at] > HUGE * none.median[at]:
        sentences.append(
            words("lab.gradient.truth", d=scene.settings.d, dead=counted(float(outcome.dead[at])), limit=measure(DEAD),
                  median=significant(float(none.median[at])), rms=significant(float(none.rms[at])))
        )  # fmt: skip
    first, last = place_of(FROM), len(D_VALUES) - 1
    if none.rms[first]:
        sentences.append(
            words("lab.gradient.rms_growth", low=FROM, high=D_VALUES[last], first=significant(float(none.rms[first])),
                  last=significant(float(none.rms[last])), ratio=fixed(float(none.rms[last] / none.rms[first]), 1),
                  theory=fixed((D_VALUES[last] / FROM) ** 0.25, 1))
        )  # fmt: skip
    return sentences
