"""The bar: example, sentence, ÷ √d, d, play, undo, and what is needed less often."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from attention_core import EXAMPLES, SCALINGS
from attention_ui import edits, notices, results, state
from attention_ui.address import D_CODES, LARGEST_SEED, RULES, TYPED
from attention_ui.panels.stages import open_stages
from attention_ui.tokens import MOST_TOKENS


def draw() -> None:
    """The controls in one row, which wraps on a phone, and what is wrong with the sentence below it."""
    words = state.words()
    example, sentence, scale, d, buttons = st.columns([2, 2, 1.1, 2.9, 3], vertical_alignment="bottom")
    with example:
        st.selectbox(
            words("bar.example"), list(EXAMPLES), key="example", persist_state="session",
            format_func=lambda name: words(f"examples.{name}"), on_change=_open_example,
        )  # fmt: skip
    with sentence:
        st.text_input(
            words("bar.sentence"), key="sentence", persist_state="session", on_change=_type_sentence,
            help=words("bar.sentence_help", most=MOST_TOKENS),
        )  # fmt: skip
    with scale:
        label = words("bar.scale") if st.session_state.rule == "sqrt" else words("bar.scale_rule")
        st.toggle(label, key="scale", persist_state="session", on_change=_follow_toggle, help=words("bar.scale_help"))
    with d:
        st.select_slider(
            words("bar.d"), D_CODES, key="d", persist_state="session", on_change=_follow_d,
            format_func=_size_label(), help=words("bar.d_help"),
        )  # fmt: skip
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
    playing = st.session_state.playing
    icon = ":material/pause:" if playing else ":material/play_arrow:"
    if st.button(words("bar.pause" if playing else "bar.play"), key="play", icon=icon, on_click=state.toggle_play):
        st.rerun()  # the page's fragment must be declared anew to run by itself, or to stop
    st.button(
        words("bar.undo"), key="undo", icon=":material/undo:", on_click=_undo,
        disabled=not st.session_state.history,
    )  # fmt: skip
    with st.popover(words("bar.more"), key="more"):
        _more()


def _more() -> None:
    words = state.words()
    st.radio(
        words("bar.rule"), RULES, key="rule", persist_state="session", on_change=_new_rule,
        format_func=lambda name: words(f"rules.{name}"), horizontal=True,
    )  # fmt: skip
    _parameter()
    st.toggle(
        words("bar.causal"), key="causal", persist_state="session", on_change=_redraw_all,
        help=words("bar.causal_help"),
    )  # fmt: skip
    st.slider(words("bar.decimals"), 0, 6, key="decimals", persist_state="session", on_change=_redraw_all)
    st.number_input(
        words("bar.seed"), 0, LARGEST_SEED, step=1, key="seed", persist_state="session", on_change=_redraw_all
    )
    st.button(words("bar.reset_all"), key="reset_all", icon=":material/restart_alt:", on_click=_reset_all)


def _parameter() -> None:
    """A slider for the chosen rule's parameter; it has a key of its own for each rule."""
    name = state.parameter_name()
    if name is None:
        return
    rule = st.session_state.rule
    bounds, key = SCALINGS[rule].bounds[name], f"param_{rule}"
    st.session_state.setdefault(key, results.rule_of(state.settings()).parameters[name])
    st.slider(
        state.words()(f"parameters.{name}"), bounds.low, bounds.high, key=key, persist_state="session",
        step=0.01 if bounds.high <= 4 else 0.1, on_change=_set_parameter, args=(key,),
    )  # fmt: skip


def _size_label() -> Callable[[str], str]:
    """Names each d; the typed one by its number."""
    typed = state.words()("bar.typed", d=state.experiment().sizes["d_k"])
    return lambda code: typed if code == TYPED else code


def _follow_toggle() -> None:
    state.redraw("picture", *_stages())


def _follow_d() -> None:
    state.redraw("picture", *_stages(), "curve")


def _stages() -> tuple[str, ...]:
    """The stages' fragment, unless only X is open, which neither d nor the rule changes."""
    return () if open_stages() == ["X"] else ("stages",)


def _open_example() -> None:
    edits.open_example(st.session_state.example)


def _reset_all() -> None:
    _open_example()
    _redraw_all()


def _undo() -> None:
    edits.undo()
    _redraw_all()


def _type_sentence() -> None:
    edits.type_sentence(st.session_state.sentence)


def _new_rule() -> None:
    st.session_state.param = st.session_state.get(f"param_{st.session_state.rule}")
    _redraw_all()


def _set_parameter(key: str) -> None:
    st.session_state.param = st.session_state[key]
    _redraw_all()


def _redraw_all() -> None:
    """What stands in the tools changes more than the tools."""
    state.redraw("playground")
