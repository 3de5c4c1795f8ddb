"""The bar: example, sentence, ÷ √d, d, play, undo, and what is needed less often."""

from __future__ import annotations

import streamlit as st

from attention_core import EXAMPLES, SCALINGS
from attention_ui import controls, echoes, edits, notices, play, state
from attention_ui.address import D_CODES, LARGEST_SEED, MOST_DECIMALS, RULES, TYPED, parameter_of
from attention_ui.panels.stages import open_stages
from attention_ui.text import Words
from attention_ui.tokens import MOST_TOKENS


def draw() -> None:
    """The controls in one row, which wraps on a phone, and what is wrong with the sentence below it."""
    words = state.words()
    example, sentence, scale, d, buttons = st.columns([2, 2, 1.1, 2.9, 3], vertical_alignment="bottom")
    with example:
        names = {name: words(f"examples.{name}") for name in EXAMPLES}
        controls.choose(st.selectbox, "example", words("bar.example"), names, edits.open_example)
    with sentence:
        st.text_input(
            words("bar.sentence"), key="sentence", persist_state="session", on_change=_type_sentence,
            help=words("bar.sentence_help", most=MOST_TOKENS),
        )  # fmt: skip
    with scale:
        label = words("bar.scale") if state.settings().rule == "sqrt" else words("bar.scale_rule")
        controls.switch("scale", label, _follow_toggle, help=words("bar.scale_help"))
    with d:
        sizes = {code: code for code in D_CODES} | {TYPED: words("bar.typed", d=state.experiment().sizes["d_k"])}
        controls.choose(st.select_slider, "d", words("bar.d"), sizes, _follow_d, help=words("bar.d_help"))
    with buttons:
        _tools()
    if st.session_state.problem:
        problem = st.session_state.problem
        notices.warn(words(problem.key, **problem.values))


@st.fragment(key="tools")
def _tools() -> None:
    """Play, undo and more; a fragment, since an edit enables undo."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        _buttons()


def _buttons() -> None:
    words = state.words()
    play.declare_anew()
    _play_or_pause(words)
    st.button(
        words("bar.undo"), key="undo", icon=":material/undo:", on_click=_undo,
        disabled=not st.session_state.history,
    )  # fmt: skip
    with st.popover(words("bar.more"), key="more"):
        _more()


def _play_or_pause(words: Words) -> None:
    """Two buttons in one place, each with its own key: a click that Streamlit reports twice must mean the same."""
    if st.session_state.playing:
        st.button(words("bar.pause"), key="pause", icon=":material/pause:", on_click=play.pause)
    else:
        st.button(words("bar.play"), key="play", icon=":material/play_arrow:", on_click=play.start)


def _more() -> None:
    words = state.words()
    rules = {name: words(f"rules.{name}.name") for name in RULES}
    controls.choose(st.radio, "rule", words("bar.rule"), rules, _new_rule, horizontal=True)
    _parameter()
    controls.switch("causal", words("bar.causal"), _redraw_all, help=words("bar.causal_help"))
    controls.number(st.slider, "decimals", words("bar.decimals"), 0, MOST_DECIMALS, _redraw_all)
    controls.number(st.number_input, "seed", words("bar.seed"), 0, LARGEST_SEED, _redraw_all, step=1)
    st.button(words("bar.reset_all"), key="reset_all", icon=":material/restart_alt:", on_click=_reset_all)


def _parameter() -> None:
    """A slider for the chosen rule's parameter; it has a key of its own for each rule."""
    rule = state.settings().rule
    name = parameter_of(rule)
    if name is None:
        return
    bounds, label = SCALINGS[rule].bounds[name], state.words()(f"rules.{rule}.parameter")
    step = 0.01 if bounds.high <= 4 else 0.1
    key = f"param_{rule}"
    controls.number(st.slider, "param", label, bounds.low, bounds.high, _redraw_all, key=key, step=step)


def _follow_toggle() -> None:
    state.redraw("picture", *_stages())


def _follow_d() -> None:
    state.redraw("picture", *_stages(), "curve")


def _stages() -> tuple[str, ...]:
    """The stages' fragment, unless only X is open, which neither d nor the rule changes."""
    return () if open_stages() == ["X"] else ("stages",)


def _type_sentence() -> None:
    if not echoes.is_echo("sentence"):
        edits.type_sentence(st.session_state.sentence)


def _new_rule() -> None:
    """A new rule starts with its own parameter."""
    state.put("param", None)
    _redraw_all()


def _reset_all() -> None:
    edits.reset_all()
    _redraw_all()


def _undo() -> None:
    edits.undo()
    _redraw_all()


def _redraw_all() -> None:
    """What stands in the tools changes more than the tools."""
    state.redraw("playground")
