"""Myths to test: a claim, a guess, a switch to try it with, and the answer with numbers."""

from __future__ import annotations

import streamlit as st

from attention_ui import controls, notices, state
from attention_ui.myths import MYTHS, ROWS, VERDICTS, values
from attention_ui.saturation_scene import SaturationScene


def draw(scene: SaturationScene) -> None:
    """The claims to choose from, and the chosen one beside them."""
    words, myth = scene.words, scene.settings.myth
    st.subheader(words("lab.myths.heading"))
    claims, chosen = st.columns([2, 3], gap="large")
    with claims:
        names = {name: words(f"myths.{name}.claim") for name in MYTHS}
        controls.choose(st.radio, "saturation_myth", words("lab.myths.claims"), names, _redraw)
    with chosen:
        _claim(scene, myth)


def _claim(scene: SaturationScene, myth: str) -> None:
    words = scene.words
    notices.say(words("lab.myths.quote", claim=words(f"myths.{myth}.claim")), kind="claim")
    verdicts = {verdict: words(f"lab.verdicts.{verdict}") for verdict in VERDICTS}
    controls.choose(st.segmented_control, f"myth_guess_{myth}", words("lab.myths.guess"), verdicts, _redraw)
    guess = state.value(f"myth_guess_{myth}")
    if guess is None or not state.value(f"myth_checked_{myth}"):
        st.button(words("lesson.guess.check"), key=f"myth_check_{myth}", on_click=_check, args=(myth,), type="primary")
        notices.say(words("lab.myths.first"), kind="quiet")
        return
    right = MYTHS[myth].verdict
    key = "lab.myths.right" if guess == right else "lab.myths.wrong"
    notices.say(words(key, verdict=words(f"lab.verdicts.{right}")))
    options = {option: words(f"myths.{myth}.options.{option}") for option in MYTHS[myth].options}
    controls.choose(
        st.segmented_control, f"myth_try_{myth}", words(f"myths.{myth}.try"), options, _redraw, required=True
    )
    filled = values(myth, scene.run.n, scene.run.seed, state.value(f"myth_try_{myth}"))
    note = words("lab.myths.setting", n=scene.run.n, rows=ROWS, seed=scene.run.seed)
    notices.say(words(f"myths.{myth}.result", **filled), words(f"myths.{myth}.answer", **filled), note=note)


def _check(myth: str) -> None:
    """A guess can be changed, by arrow keys too, until it is checked; a press without one leaves it to be made."""
    if state.value(f"myth_guess_{myth}") is not None:
        state.put(f"myth_checked_{myth}", True)
    _redraw()


def _redraw() -> None:
    state.redraw("saturation_rest", "saturation_address")
