"""The head's figures beside those without scaling and of fresh random weights, and the head taken apart."""

from __future__ import annotations

import streamlit as st

from attention_core import get_scaling
from attention_core.head_attention import energy
from attention_ui import charts, head_results, head_tables, notices
from attention_ui.head_scene import HeadScene
from attention_ui.head_settings import OWN
from attention_ui.numbers import counted, fixed, significant

AS_TRAINED = 1.0  # temperature
NAMES = ("entropy", "effective", "largest", "sensitivity", "dead", "spread")


def draw(scene: HeadScene) -> None:
    """The table and what it says of trained and random weights."""
    words, settings = scene.words, scene.settings
    st.subheader(words("head.figures.heading"))
    columns = {
        "now": head_results.figures(scene.head, scene.rule, settings.temperature, scene.components),
        "none": head_results.figures(scene.head, get_scaling("none"), AS_TRAINED, None),
        "sqrt": head_results.figures(scene.head, get_scaling("sqrt"), AS_TRAINED, None),
        "linear": head_results.figures(scene.head, get_scaling("linear"), AS_TRAINED, None),
        "fresh": scene.fresh,
    }
    notices.figures(
        [notices.Column(words(f"head.figures.{name}")) for name in columns],
        {
            words(f"head.figures.{name}"): [_number(name, getattr(each, name)) for each in columns.values()]
            for name in NAMES
        },
    )
    reading = _reading(scene, columns["fresh"].spread, columns["sqrt"].spread)
    notes = [words("head.figures.note", temperature=f"{AS_TRAINED:g}")]
    if scene.head.pos_bias is not None:
        notes.append(words("head.figures.bias"))
    notices.say(reading, note=words("page.between").join(notes))


def _reading(scene: HeadScene, fresh: float, trained: float) -> str:
    """Random weights beside trained ones; of an own head only the sizes, since what made it is not known."""
    values = {"draws": head_results.draws(scene.head), "fresh": fixed(fresh, 2)}
    key = "reading_own" if scene.settings.head == OWN else "reading"
    return scene.words(f"head.figures.{key}", trained=significant(trained), **values)


def _number(name: str, value: float) -> str:
    return counted(value) if name == "dead" else significant(value)


def apart(scene: HeadScene) -> None:
    """The singular values, and how much of the pattern the kept components make."""
    words, most = scene.words, scene.head.d_k
    kept = scene.components or most
    st.subheader(words("head.apart.heading"))
    with st.container(key="spectrum"):
        st.vega_lite_chart(
            head_tables.spectrum(scene), charts.spectrum_chart(words.language), key="spectrum_chart",
            alt=words("head.apart.alt"),
        )  # fmt: skip
    values = head_results.spectrum(scene.head)
    if not values.any():
        notices.say(words("head.apart.nothing"))
    elif kept == most:
        notices.say(words("head.apart.whole", most=most))
    else:
        found = {"energy": counted(energy(values, kept)), "missed": significant(head_results.missed(scene.head, kept))}
        notices.say(words("head.apart.reading", kept=kept, most=most, **found))
