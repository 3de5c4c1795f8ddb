"""The saturation lab's controls: the rules, the number of keys, the alignment, and what is needed less often."""

from __future__ import annotations

import streamlit as st

from attention_core.ensembles import ENTRIES
from attention_core.formats import FORMATS
from attention_ui import controls, notices, state
from attention_ui.address import LARGEST_SEED
from attention_ui.saturation_settings import KEYS, MOST_RULES, ROWS, RULES, allowed_rows, bounded, ordered


def draw() -> None:
    """All in one row, which wraps on a phone; the exponent's slider comes with its rule."""
    words = state.words()
    _bound_rows()
    rules, keys, cosine, exponent, buttons = st.columns(
        [4.6, 1.7, 2.1, 1.5, 2.4], vertical_alignment="bottom", gap="medium"
    )
    with rules:
        _rules()
    with keys:
        controls.choose(
            st.select_slider, "saturation_n", words("lab.bar.n"), {n: str(n) for n in KEYS}, _nothing
        )  # fmt: skip
    with cosine:
        controls.number(
            st.slider, "saturation_c", words("lab.bar.c"), 0.0, 1.0, _nothing, step=0.05, help=words("lab.bar.c_help")
        )
    if "power" in state.saturation().rules:
        with exponent:
            controls.number(st.slider, "saturation_a", words("lab.bar.a"), 0.0, 1.0, _nothing, step=0.05)
    with buttons, st.container(horizontal=True, gap="small"):
        st.button(words("growth.new_draw"), key="saturation_draw", icon=":material/casino:", on_click=_new_draw)
        with st.popover(words("bar.more"), key="saturation_more"):
            _more()


def _bound_rows() -> None:
    """Where another control has made the rows too much work, as many as are allowed; a toast says so."""
    words, now = state.words(), state.saturation()
    most = bounded(now).rows
    if most != now.rows:
        st.toast(words("lab.bar.rows_fewer", rows=now.rows, most=most))
        state.put("saturation_rows", most)


def _rules() -> None:
    words = state.words()
    names = {name: words(f"rules.{name}.short") for name in RULES}
    controls.several(st.pills, "saturation_rules", words("lab.bar.rules", most=MOST_RULES), names, MOST_RULES, ordered)
    if st.session_state.pop("saturation_rules:refused", False):
        st.toast(words("lab.bar.rules_refused", most=MOST_RULES))  # leaves everything where it is


def _more() -> None:
    words = state.words()
    _rows()
    entries = {name: words(f"lab.entries.{name}") for name in ENTRIES}
    controls.choose(st.radio, "saturation_entries", words("lab.bar.entries"), entries, _nothing, horizontal=True)
    formats = {name: name for name in FORMATS}
    controls.choose(st.radio, "saturation_format", words("lab.bar.format"), formats, _nothing, horizontal=True)
    controls.number(st.number_input, "saturation_seed", words("bar.seed"), 0, LARGEST_SEED, _nothing, step=1)
    st.button(words("bar.reset_all"), key="saturation_reset", icon=":material/restart_alt:", on_click=_reset)


def _rows() -> None:
    """As many rows as are allowed; a sentence says why there are no more."""
    words, allowed = state.words(), allowed_rows(state.saturation())
    rows = {number: str(number) for number in allowed}
    controls.choose(st.select_slider, "saturation_rows", words("lab.bar.rows"), rows, _nothing)
    if allowed != ROWS:
        notices.say(words("lab.bar.rows_most", most=allowed[-1]), kind="quiet")


def _new_draw() -> None:
    state.put("saturation_seed", (state.value("saturation_seed") + 1) % (LARGEST_SEED + 1))


def _reset() -> None:
    state.reset_lab(state.SATURATION)


def _nothing() -> None:
    """The whole page follows: every part of it shows the new sweep."""
