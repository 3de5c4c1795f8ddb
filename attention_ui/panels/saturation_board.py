"""The board: one measure against d, with the scores and the top keys' weights at the d under the pointer."""

from __future__ import annotations

from math import pi, sqrt

import streamlit as st

from attention_core.saturation import DEAD
from attention_core.theory import onset
from attention_ui import charts, controls, notices, saturation_tables, state
from attention_ui.numbers import counted, fixed, measure, significant
from attention_ui.panels.downloads import download
from attention_ui.rules import RULES
from attention_ui.saturation_frames import curve
from attention_ui.saturation_results import BAND, WITH_THEORY, freezes
from attention_ui.saturation_scene import SaturationScene
from attention_ui.saturation_settings import D_VALUES, MEASURES

FEW_TERMS = 16  # below that d a sum is not yet nearly normal


def draw_controls() -> None:
    """The measure and d, which move the board and what depends on d, but need no new sweep."""
    words = state.words()
    measures = {name: words(f"lab.measures.{name}") for name in MEASURES}
    d, choice = st.columns([2, 3], gap="medium", vertical_alignment="bottom")
    with d:
        controls.choose(
            st.select_slider, "saturation_d", words("lab.bar.d"), {value: str(value) for value in D_VALUES},
            lambda: state.redraw("saturation_board", "saturation_rest", "saturation_address", "saturation_pictures"),
        )  # fmt: skip
    with choice:
        controls.choose(
            st.segmented_control, "saturation_measure", words("growth.measure"), measures,
            lambda: state.redraw("saturation_board", "saturation_address", "saturation_pictures"),
            required=True, wrap=True,
        )  # fmt: skip


def draw(scene: SaturationScene) -> None:
    """What the scores do, the board, and what the curve shows."""
    words, name = scene.words, scene.settings.measure
    notices.say(_story(scene))
    notices.legend(words("lab.board.lead"), samples(scene), inline=True)
    lines = len(scene.outcomes)
    with st.container(key=f"board_{name}_{lines}"):
        st.vega_lite_chart(
            saturation_tables.board(scene.run, name, words.language, scene.settings.d),
            charts.board_chart(words.language, name, lines),
            key=f"board_chart_{name}_{lines}",
            alt=words("lab.board.alt", measure=words(f"lab.measures.{name}")),
        )
    notices.say(_scores(scene), _reading(scene), note=_theory_note(scene))
    download(scene, "scores", "weights", "curves")


def samples(scene: SaturationScene) -> list[str]:
    """The legend's entries, each rule with its formula."""
    return [
        notices.curve_sample(RULES[rule].look.color, RULES[rule].look.sign, RULES[rule].look.dash, scene.formula(rule))
        for rule in scene.outcomes
    ]


def _story(scene: SaturationScene) -> str:
    """The measure under each rule at the chosen d, in one sentence."""
    name, d = scene.settings.measure, scene.settings.d
    clauses = [
        scene.words("lab.clause", rule=scene.label(rule), value=_number(name, curve(outcome, name)[d]["mean"]))
        for rule, outcome in scene.outcomes.items()
    ]
    key = "lab.board.story_dead" if name == "dead" else "lab.board.story"
    return scene.words(
        key, measure=scene.words(f"lab.measures.{name}"), d=d, n=scene.run.n, each=scene.join(clauses)
    )  # fmt: skip


def _scores(scene: SaturationScene) -> str:
    """The typical size of a score against that of N(0, d), and of the aligned key's."""
    words, d, spread = scene.words, scene.settings.d, scene.summary.spread
    few = [words("lab.board.few_terms")] if d < FEW_TERMS else []
    sentence = words(
        "lab.board.scores", d=d, size=fixed(float(spread.size[scene.at]), 1), law=fixed(sqrt(2 * d / pi), 1),
        root=fixed(sqrt(d), 1),
    )  # fmt: skip
    sentences = [sentence, *few]
    if not scene.run.c:
        return words("page.between").join(sentences)
    values = {"c": f"{scene.run.c:g}", "mean": fixed(float(spread.aligned[scene.at]), 1)}
    values |= {"law": fixed(scene.run.c * d, 1), "ratio": fixed(scene.run.c * sqrt(d), 1)}
    return words("page.between").join([*sentences, words("lab.board.aligned", **values)])


def _reading(scene: SaturationScene) -> str:
    """The measure from the smallest to the largest d for each rule, and where freezing starts."""
    words, name = scene.words, scene.settings.measure
    shown = sorted({D_VALUES[0], scene.settings.d, D_VALUES[-1]})
    clauses = []
    for rule, outcome in scene.outcomes.items():
        means = curve(outcome, name)
        numbers = words("lab.arrow").join(_number(name, means[d]["mean"]) for d in shown)
        clauses.append(words("lab.clause", rule=scene.label(rule), value=numbers))
    at = words("lab.arrow").join(map(str, shown))
    key = "lab.board.reading_dead" if name == "dead" else "lab.board.reading"
    reading = words(key, measure=words(f"lab.measures.{name}"), at=at, each=scene.join(clauses))
    if not freezes(scene.run):
        return reading
    values = {"onset": fixed(onset(scene.run.n), 1), "n": scene.run.n}
    return words("page.between").join([reading, words("lab.board.onset", **values)])


def _number(name: str, value: float) -> str:
    return counted(value) if name == "dead" else significant(value)


def _theory_note(scene: SaturationScene) -> str:
    """What line, band and marks are, and where there is no theory, why."""
    words, name = scene.words, scene.settings.measure
    if name == "dead":
        return words("lab.board.dead_note", limit=measure(DEAD))
    parts = [words("lab.board.marks", low=BAND[0], high=BAND[1], rows=scene.run.rows)]
    if name not in WITH_THEORY:
        key = "no_theory_effective" if name == "effective_keys" else "no_theory_measure"
        parts.append(words(f"lab.board.{key}"))
    else:
        drawn = [scene.label(rule) for rule, outcome in scene.outcomes.items() if outcome.theory]
        if drawn:
            parts.append(words("lab.board.theory", rules=words("lab.comma").join(drawn)))
        if len(drawn) < len(scene.outcomes):
            parts.append(words(f"lab.board.no_theory_{_why_none(scene)}"))
    return words("page.between").join(parts)


def _why_none(scene: SaturationScene) -> str:
    if scene.run.c:
        return "aligned"
    if scene.run.entries != "normal":
        return "entries"
    return "format" if scene.run.format == "float16" else "rule"
