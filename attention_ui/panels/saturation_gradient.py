"""The gradient that reaches the query: its distribution over rows, and what popular accounts get wrong about it."""

from __future__ import annotations

from html import escape

import numpy as np
import streamlit as st

from attention_core.sweep import DEAD
from attention_ui import charts, notices, saturation_tables
from attention_ui.numbers import counted, measure
from attention_ui.panels.downloads import download
from attention_ui.saturation_scene import SaturationScene
from attention_ui.saturation_settings import D_VALUES


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
        st.html(_figures(scene))
    notices.say(*_reading(scene))
    download(scene, "gradient")


def _figures(scene: SaturationScene) -> str:
    """A table of five figures for each rule."""
    words, at = scene.words, scene.at
    rows = {
        "trace": [measure(float(o.figures["sensitivity"].median[at])) for o in scene.outcomes.values()],
        "dead": [counted(float(o.dead[at])) for o in scene.outcomes.values()],
        "rms": [measure(float(o.figures["gradient"].rms[at])) for o in scene.outcomes.values()],
        "median": [measure(float(o.figures["gradient"].median[at])) for o in scene.outcomes.values()],
        "small": [counted(float(o.dead_gradient[at])) for o in scene.outcomes.values()],
    }
    head = "".join(
        f'<th scope="col"><span style="color:{charts.LOOKS[rule].color}">{charts.LOOKS[rule].sign}</span> '
        f"{escape(words(f'lab.short.{rule}'))}</th>"
        for rule in scene.outcomes
    )
    body = "".join(
        f'<tr><th scope="row">{escape(words(f"lab.gradient.{name}", dead=measure(DEAD)))}</th>'
        f"{''.join(f'<td>{value}</td>' for value in values)}</tr>"
        for name, values in rows.items()
    )
    return f'<table class="figures dense"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>'


def _reading(scene: SaturationScene) -> list[str]:
    """What the run says, for the unscaled rule and 1/√d when they are there, else for the rules that are."""
    words, outcomes, at = scene.words, scene.outcomes, scene.at
    if "none" not in outcomes:
        values = {rule: float(outcome.figures["gradient"].rms[at]) for rule, outcome in outcomes.items()}
        return [words("lab.gradient.plain", d=scene.settings.d, each=scene.each("lab.clause", values))]
    none = outcomes["none"].figures["gradient"]
    power = _power(scene)
    sentences = [
        words("lab.gradient.truth", d=scene.settings.d, dead=counted(float(outcomes["none"].dead[at])),
              median=measure(float(none.median[at])), rms=measure(float(none.rms[at])), limit=measure(DEAD)),
        words("lab.gradient.rms_growth", low=D_VALUES[0], high=D_VALUES[-1], first=measure(float(none.rms[0])),
              last=measure(float(none.rms[-1])), power=measure(power, 2)),
    ]  # fmt: skip
    if "sqrt" in outcomes:
        root = outcomes["sqrt"].figures["gradient"]
        sentences.append(
            words("lab.gradient.root", median=measure(float(root.median[at])), rms=measure(float(root.rms[at])),
                  low=measure(float(root.low[at])), high=measure(float(root.high[at])))
        )  # fmt: skip
    return sentences


def _power(scene: SaturationScene) -> float:
    """The exponent b of rms ~ d^b of the unscaled gradient, fitted from d = 64 on."""
    d = np.array(D_VALUES)
    late = d >= 64
    rms = scene.outcomes["none"].figures["gradient"].rms
    with np.errstate(divide="ignore"):
        return float(np.polyfit(np.log(d[late]), np.log(rms[late]), 1)[0])
