"""As d grows: one measure of the row in focus against d, without scaling and with the rule."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_core.growth import HOWS
from attention_ui import charts, notices, results, state, tables
from attention_ui.address import LARGEST_SEED
from attention_ui.numbers import fixed, measure
from attention_ui.results import WITH, WITHOUT
from attention_ui.scene import SIGNS, Scene

MEASURES = ("largest", "effective", "sensitivity")


def draw_controls() -> None:
    """Heading, how the new columns come about, the measure, a new draw."""
    words = state.words()
    st.subheader(words("growth.heading"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            words("growth.how"), HOWS, key="how", required=True, persist_state="session",
            format_func=lambda how: words(f"growth.{how}"),
        )  # fmt: skip
        st.segmented_control(
            words("growth.measure"), MEASURES, key="measure", required=True, persist_state="session",
            format_func=lambda name: words(f"picture.{name}"), on_change=lambda: state.redraw("curve"),
        )  # fmt: skip
        if st.session_state.how == "independent":
            st.button(words("growth.new_draw"), key="new_draw", icon=":material/casino:", on_click=_new_draw)


def draw(scene: Scene) -> None:
    """The legend, the curve, and what it shows in words."""
    lead = scene.words("growth.lead", row=scene.query)
    samples = [
        notices.curve_sample(charts.PALETTE[side], SIGNS[side], side == WITHOUT, scene.rule_label(side))
        for side in (WITHOUT, WITH)
    ]
    notices.legend(lead, samples)
    name = st.session_state.measure
    with st.container(key=f"growth_{name}"):
        _chart(scene, name)
    notices.say(*_reading(scene))


def _chart(scene: Scene, name: str) -> None:
    words, curves = scene.words, scene.curves
    label = scene.rule_label(WITH)
    ends = {side: [measure(float(curves.measures[side][name][at])) for at in (0, -1)] for side in (WITHOUT, WITH)}
    st.vega_lite_chart(
        tables.growth(name, scene.d, scene.decimals, (words("with.none"), label), *scene.curve_arguments),
        charts.growth_chart(words.language, name),
        key=f"curve_{name}",
        alt=words(
            "growth.alt", measure=words(f"picture.{name}"), row=scene.query, rule=label,
            low=curves.d_values[0], high=curves.d_values[-1],
            without_first=ends[WITHOUT][0], without_last=ends[WITHOUT][1],
            with_first=ends[WITH][0], with_last=ends[WITH][1],
        ),
    )  # fmt: skip


def _reading(scene: Scene) -> list[str]:
    """What the curve shows, with the numbers of this row."""
    words, how, scores = scene.words, scene.settings.how, scene.curves.scores
    if scene.visible == 1:
        return [words("picture.alone", query=scene.query)]
    if how != "zeros" and (zero := _what_is_zero(scene)):
        return [zero]
    always_tied = all(results.tied_keys(row) > 1 for row in scores)
    # What is said of √d holds for that rule only, and of saturation only where no tie prevents it.
    by_root = scene.settings.rule == "sqrt"
    holds = {"independent": True, "copies": by_root and not always_tied, "zeros": by_root}
    sentences = [words(f"growth.{how}_text{'' if holds[how] else '_other'}", **_numbers(scene))]
    if always_tied:
        sentences.append(words("growth.tied_row"))
    if how == "copies":
        sentences.append(words("growth.tutorials"))
    return sentences


def _numbers(scene: Scene) -> dict[str, object]:
    """The smallest and the largest d, and how large or how spread the scores are there."""
    scores, d = scene.curves.scores, scene.curves.d_values
    size = scores.std(axis=1) if scene.settings.how == "independent" else np.abs(scores).max(axis=1)
    return {
        "low": int(d[0]),
        "high": int(d[-1]),
        "first": fixed(size[0], 2),
        "last": fixed(size[-1], 1),
        "root_low": fixed(d[0] ** 0.5, 2),
        "root_high": fixed(d[-1] ** 0.5, 2),
        "draws": results.DRAWS,
    }


def _what_is_zero(scene: Scene) -> str | None:
    """Why nothing grows, when nothing does."""
    for name in ("W_Q", "W_K"):
        if not scene.experiment.matrices[name].any():
            return scene.words("growth.zero_matrix", matrix=name)
    if np.ptp(scene.curves.scores, axis=0).max() == 0:
        return scene.words("growth.zero_row")
    return None


def _new_draw() -> None:
    st.session_state.seed = (st.session_state.seed + 1) % (LARGEST_SEED + 1)
    state.redraw("tools", "picture", "stages", "curve")
