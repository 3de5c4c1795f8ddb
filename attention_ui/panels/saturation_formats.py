"""Number formats: where a weight becomes exactly 0, and what share of them does."""

from __future__ import annotations

import streamlit as st

from attention_core.formats import FORMATS, format_limits
from attention_ui import charts, notices, saturation_tables
from attention_ui.numbers import counted, fixed
from attention_ui.panels.downloads import download
from attention_ui.panels.saturation_board import samples
from attention_ui.saturation_scene import SaturationScene


def draw(scene: SaturationScene) -> None:
    """Share of weights that are exactly 0 against d, the gaps of each format, and the sentence."""
    words = scene.words
    st.subheader(words("lab.formats.heading", format=scene.run.format))
    notices.legend("", samples(scene), inline=True)
    chart, figures = st.columns([3, 2], gap="medium")
    with chart, st.container(key="zeros"):
        st.vega_lite_chart(
            saturation_tables.lines(scene.run, "zeros", words.language, scene.settings.d),
            charts.lines_chart(words.language, "zeros"),
            key="zeros_chart",
            alt=words("lab.formats.alt"),
        )
    with figures:
        _figures(scene)
        notices.say(words("lab.formats.gap"), kind="quiet")
    values = {rule: counted(float(outcome.zeros[scene.at])) for rule, outcome in scene.outcomes.items()}
    each = scene.join([words("lab.clause", rule=scene.label(rule), value=value) for rule, value in values.items()])
    some = any(outcome.zeros[scene.at] for outcome in scene.outcomes.values())
    reading = words("lab.formats.reading", format=scene.run.format, d=scene.settings.d, each=each)
    notices.say(words("page.between").join([reading, *([words("lab.formats.lost")] if some else [])]))
    download(scene, "zeros")


def _figures(scene: SaturationScene) -> None:
    """Formats by gap: subnormal from, exactly 0 from, and where exp without subtracting the maximum overflows."""
    limits = [format_limits(name) for name in FORMATS]
    notices.figures(
        [notices.Column(name, on=name == scene.run.format) for name in FORMATS],
        {
            scene.words(f"lab.formats.{key}"): [fixed(getattr(each, key), 2) for each in limits]
            for key in ("subnormal", "zero", "overflow")
        },
    )
