"""The training lab's controls: what the runs depend on."""

from __future__ import annotations

import streamlit as st

from attention_ui import controls, state
from attention_ui.address import LARGEST_SEED
from attention_ui.training_settings import D_VALUES, GAINS, RATES, RULES, STEPS, ordered


def draw() -> None:
    """One row, which wraps on a phone; a change begins the runs anew (see training_runs.live)."""
    words = state.words()
    rules, d, rate, gain, more = st.columns([2.6, 2.4, 3, 2.4, 1.2], vertical_alignment="bottom", gap="medium")
    with rules:
        names = {name: words(f"rules.{name}.name") for name in RULES}
        controls.several(st.pills, "training_rules", words("train.bar.rules"), names, len(RULES), ordered)
    with d:
        _slider("d", {value: str(value) for value in D_VALUES})
    with rate:
        _slider("rate", {value: f"{value:g}" for value in RATES})
    with gain:
        _slider("gain", {value: f"× {value:g}" for value in GAINS}, help=words("train.bar.gain_help"))
    with more, st.popover(words("bar.more"), key="training_more"):
        _more()
    if st.session_state.pop("training_rules:refused", False):
        st.toast(words("train.bar.rules_refused"))  # leaves everything where it is


def _slider(name: str, options: dict[float, str], **extra: str) -> None:
    controls.choose(
        st.select_slider, f"training_{name}", state.words()(f"train.bar.{name}"), options, _nothing, **extra
    )


def _more() -> None:
    words = state.words()
    steps = {value: str(value) for value in STEPS}
    controls.choose(
        st.segmented_control, "training_steps", words("train.bar.steps"), steps, _nothing, required=True
    )  # fmt: skip
    controls.number(st.number_input, "training_seed", words("bar.seed"), 0, LARGEST_SEED, _nothing, step=1)
    st.button(words("bar.reset_all"), key="training_reset", icon=":material/restart_alt:", on_click=_reset)


def _reset() -> None:
    state.reset_lab(state.TRAINING)


def _nothing() -> None:
    """The whole page follows."""
