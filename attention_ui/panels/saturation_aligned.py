"""The weight of the aligned key against d: where 1/d helps and where it drowns the signal."""

from __future__ import annotations

import streamlit as st

from attention_ui import charts, notices, saturation_tables, state
from attention_ui.numbers import significant
from attention_ui.panels.downloads import download
from attention_ui.panels.saturation_board import samples
from attention_ui.saturation_scene import SaturationScene

MANY = 16  # keys from which the others can drown one
TRY = 0.3  # the alignment that the button sets


def draw(scene: SaturationScene) -> None:
    """The chart, or without an aligned key the offer to align one."""
    words = scene.words
    st.subheader(words("lab.aligned.heading"))
    if not scene.run.c:
        notices.say(words("lab.aligned.none", n=scene.run.n))
        st.button(words("lab.aligned.try", c=f"{TRY:g}"), key="align", on_click=_align)
        return
    notices.legend("", samples(scene), inline=True)
    with st.container(key="aligned"):
        st.vega_lite_chart(
            saturation_tables.lines(scene.run, "aligned", words.language, scene.settings.d),
            charts.lines_chart(words.language, "aligned"),
            key="aligned_chart",
            alt=words("lab.aligned.alt"),
        )
    values = {rule: float(outcome.figures["aligned"].mean[scene.at]) for rule, outcome in scene.outcomes.items()}
    common = {"c": f"{scene.run.c:g}", "d": scene.settings.d, "uniform": significant(1 / scene.run.n)}
    sentences = [words("lab.aligned.reading", **common, each=scene.each("lab.clause", values))]
    if {"sqrt", "linear"} <= set(values):
        sentences.append(words("lab.aligned.why" if scene.run.n >= MANY else "lab.aligned.why_few", **common))
    notices.say(*sentences)
    download(scene, "aligned")


def _align() -> None:
    state.put("saturation_c", TRY)
