"""The real head's controls: which head, which ending, the toggle, the temperature, the components."""

from __future__ import annotations

import streamlit as st

from attention_core import get_scaling
from attention_core.heads import ENDINGS, RECORDED
from attention_ui import controls, own_head, state
from attention_ui.address import RULES
from attention_ui.head_scene import HeadScene, chosen
from attention_ui.head_settings import OWN, TEMPERATURES


def draw(scene: HeadScene) -> None:
    """One row, which wraps on a phone."""
    words, settings = scene.words, scene.settings
    heads, ending, scale, temperature, kept = st.columns(
        [2.6, 3, 1.5, 2.1, 2.1], vertical_alignment="bottom", gap="medium"
    )
    with heads:
        names = {name: words(f"head.names.{name}") for name in RECORDED}
        if scene.own is not None:
            names[OWN] = words("head.names.own")
        controls.choose(st.selectbox, "head_head", words("head.bar.head"), names, _another)
    with ending:
        if settings.head != OWN:
            endings = {name: words(f"head.endings.{name}") for name in ENDINGS}
            controls.choose(
                st.segmented_control, "head_ending", words("head.bar.ending"), endings, _another,
                required=True, wrap=True,
            )  # fmt: skip
    with scale:
        _scale(scene)
    with temperature:
        options = {value: f"{value:g}" for value in TEMPERATURES}
        controls.choose(
            st.select_slider, "head_temperature", words("head.bar.temperature"), options, _nothing,
            help=words("head.bar.temperature_help"),
        )  # fmt: skip
    with kept:
        _components(scene)


def _scale(scene: HeadScene) -> None:
    words = scene.words
    controls.switch(
        "head_scale", words("bar.scale") if scene.settings.rule == "sqrt" else words("bar.scale_rule"), _nothing
    )
    with st.popover(words("bar.rule"), key="head_rule_choice"):
        rules = {name: scene.rule_label(get_scaling(name)) for name in RULES}
        controls.choose(st.radio, "head_rule", words("bar.rule"), rules, _nothing)


def _components(scene: HeadScene) -> None:
    """All components unless fewer are asked for."""
    most = scene.head.d_k
    if most > 1:
        options = {count: str(count) for count in range(1, most + 1)}
        controls.choose(
            st.select_slider, "head_components", scene.words("head.bar.components"), options, _fit, current=most,
            help=scene.words("head.bar.components_help"),
        )  # fmt: skip


def _another() -> None:
    """Another head or sentence starts with its own token; what is said of a head that has gone has been read."""
    st.session_state.head_gone = None
    state.put("head_token", None)
    _fit()


def _fit() -> None:
    """No more components than the head has, and all of them stand as the default."""
    own, now = own_head.own(), state.head()
    state.put("head_components", now.kept(chosen(now, own).d_k))


def _nothing() -> None:
    """The whole page follows."""
