"""As d grows: one measure of the row in focus against d, without scaling and with the rule."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_core.growth import HOWS
from attention_ui import charts, controls, notices, results, state, tables
from attention_ui.address import LARGEST_SEED, MEASURES
from attention_ui.numbers import fixed, measure
from attention_ui.results import WITH, WITHOUT
from attention_ui.scene import SIGNS, Scene

DASHES = {WITHOUT: (6, 3), WITH: (1, 0)}  # of the legend's lines, as in the chart


def draw_controls() -> None:
    """Heading, how the new columns come about, the measure, a new draw."""
    words = state.words()
    st.subheader(words("growth.heading"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        hows = {how: words(f"growth.{how}") for how in HOWS}
        controls.choose(st.segmented_control, "how", words("growth.how"), hows, lambda: None, required=True)
        measures = {name: words(f"picture.{name}") for name in MEASURES}
        controls.choose(
            st.segmented_control, "measure", words("growth.measure"), measures, lambda: state.redraw("curve"),
            required=True,
        )  # fmt: skip
        if state.settings().how == "independent":
            st.button(words("growth.new_draw"), key="new_draw", icon=":material/casino:", on_click=_new_draw)


def draw(scene: Scene) -> None:
    """The legend, the curve, and what it shows in words."""
    lead = scene.words("growth.lead", row=scene.query)
    samples = [
        notices.curve_sample(charts.PALETTE[side], SIGNS[side], DASHES[side], scene.rule_label(side))
        for side in (WITHOUT, WITH)
    ]
    notices.legend(lead, samples)
    name = scene.settings.measure
    with st.container(key=f"growth_{name}"):
        _chart(scene, name)
    notices.say(scene.words("page.between").join(_reading(scene)), spoken=[_ends(scene, name)])


def _chart(scene: Scene, name: str) -> None:
    words = scene.words
    st.vega_lite_chart(
        tables.growth(name, scene.decimals, scene.grown(WITH), scene.row),
        charts.growth_chart(words.language, name),
        key=f"curve_{name}",
        alt=words("growth.alt", measure=words(f"picture.{name}")),
    )


def _ends(scene: Scene, name: str) -> str:
    """The measure at both ends of the curves, for those who cannot see them."""
    words, curves = scene.words, scene.curves
    ends = {side: [measure(float(curves.measures[side][name][at])) for at in (0, -1)] for side in (WITHOUT, WITH)}
    return words(
        "growth.numbers", measure=words(f"picture.{name}"), row=scene.query, rule=scene.rule_label(WITH),
        low=curves.d_values[0], high=curves.d_values[-1],
        without_first=ends[WITHOUT][0], without_last=ends[WITHOUT][1],
        with_first=ends[WITH][0], with_last=ends[WITH][1],
    )  # fmt: skip


def _reading(scene: Scene) -> list[str]:
    """What the curve shows, with the numbers of this row."""
    words, how, scores = scene.words, scene.settings.how, scene.curves.scores
    if scene.visible == 1:
        return [words("picture.alone", query=scene.query)]
    if how != "zeros" and np.ptp(scores, axis=0).max() == 0:
        return [_why_nothing_grows(scene)]
    aligned = how == "copies" or (how == "independent" and scene.tied_matrices)
    always_tied = all(results.tied_keys(row) > 1 for row in scores)
    key = "tied" if how == "independent" and scene.tied_matrices else how
    sentences = [words(f"growth.{key}_text", **_numbers(scene, spread=key == "independent"))]
    if always_tied:
        sentences.append(words("growth.tied_row"))
    elif key == "independent":
        sentences.append(words("growth.winner"))
    elif scene.settings.rule == "sqrt":
        sentences.append(words("growth.root_fails" if aligned else "growth.root_flattens"))
    if scene.curves.bands:
        sentences.append(words("growth.band", draws=results.DRAWS))
    if aligned:
        sentences.append(words("growth.tutorials"))
    return sentences


def _numbers(scene: Scene, spread: bool) -> dict[str, object]:
    """The smallest and the largest d, and how large or how spread the scores are there."""
    scores, d = scene.curves.scores, scene.curves.d_values
    size = scores.std(axis=1) if spread else np.abs(scores).max(axis=1)
    return {
        "low": int(d[0]),
        "high": int(d[-1]),
        "first": fixed(size[0], 2),
        "last": fixed(size[-1], 1),
        "root_low": fixed(d[0] ** 0.5, 2),
        "root_high": fixed(d[-1] ** 0.5, 2),
    }


def _why_nothing_grows(scene: Scene) -> str:
    for name in ("W_Q", "W_K"):
        if not scene.experiment.matrices[name].any():
            return scene.words("growth.zero_matrix", matrix=name)
    return scene.words("growth.no_growth")


def _new_draw() -> None:
    state.put("seed", (state.settings().seed + 1) % (LARGEST_SEED + 1))
    state.redraw("tools", "picture", "stages", "curve")
