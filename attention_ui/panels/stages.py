"""Every stage from X to the output: a stepper, the open stage's heat maps, and a cell's arithmetic."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_core import NoScaling, Scaling
from attention_ui import arithmetic, charts, frames, notices, results, state, tables
from attention_ui.numbers import fixed
from attention_ui.tokens import names

# The matrices of each stage, in the order in which a learner reads them.
STAGES = {
    "X": ("X",),
    "QKV": ("Q", "K", "V"),
    "scores": ("scores",),
    "scaled": ("scaled",),
    "masked": ("masked",),
    "weights": ("weights",),
    "output": ("output",),
}
SQUARE = ("scores", "scaled", "masked", "weights")
FORMULAS = {
    "X": r"X \in \mathbb{{R}}^{{{n} \times {d_emb}}}",
    "Q": r"Q = X W_Q",
    "K": r"K = X W_K",
    "V": r"V = X W_V",
    "scores": r"QK^\top",
    "masked": r"m_{{ij}} = \begin{{cases}} s_{{ij}} & j \le i \\ -\infty & j > i \end{{cases}}",
    "weights": r"a_{{ij}} = \dfrac{{e^{{{s}_{{ij}}}}}}{{\sum_l e^{{{s}_{{il}}}}}}",
    "output": r"O = A\,V",
}


def draw() -> None:
    """The stepper and either the open stage or all of them."""
    words = state.words()
    st.subheader(words("stages.heading"))
    open_stages = _visible_stages()
    if st.session_state.stage not in open_stages:
        st.session_state.stage = "scaled"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            words("stages.previous"),
            key="previous",
            icon=":material/chevron_left:",
            on_click=_step,
            args=(-1,),
            disabled=st.session_state.stage == open_stages[0] or st.session_state.show_all,
        )
        st.segmented_control(
            words("stages.stage"), open_stages, key="stage", required=True, persist_state="session",
            label_visibility="collapsed", format_func=lambda stage: words(f"stages.{stage}"), on_change=_close,
        )  # fmt: skip
        st.button(
            words("stages.next"),
            key="next",
            icon=":material/chevron_right:",
            on_click=_step,
            args=(1,),
            disabled=st.session_state.stage == open_stages[-1] or st.session_state.show_all,
        )
        st.toggle(words("stages.show_all"), key="show_all", persist_state="session")
    for stage in open_stages if st.session_state.show_all else [st.session_state.stage]:
        _stage(stage)


def _visible_stages() -> list[str]:
    return [stage for stage in STAGES if stage != "masked" or st.session_state.causal]


def _step(by: int) -> None:
    stages = _visible_stages()
    place = stages.index(st.session_state.stage) + by
    st.session_state.stage = stages[max(0, min(place, len(stages) - 1))]
    _close()


def _close() -> None:
    st.session_state.cell = None


def _rule() -> Scaling:
    settings = state.settings()
    return results.rule_of(settings) if settings.scale else NoScaling()


def _arguments() -> tuple:
    """What the trace in force depends on, after the experiment."""
    settings = state.settings()
    return _rule(), results.size_of(state.experiment(), settings), settings.seed, settings.how, settings.causal


def _stage(stage: str) -> None:
    """Its sentence, its heat maps with their formulas, and the arithmetic of the chosen cell."""
    words, rule = state.words(), _rule()
    if st.session_state.show_all:
        st.markdown(f"**{words(f'stages.{stage}')}**")
    key = f"stages.{stage}_text"
    if stage == "scaled":
        key += {"none": "_none", "qknorm": "_qknorm"}.get(rule.name, "")
    notices.say(words(key, rule=words(f"rules.{rule.name}")))
    matrices = STAGES[stage]
    columns = st.columns(3 if len(matrices) == 3 else [3, 2], gap="medium")
    for column, matrix in zip(columns, matrices, strict=False):
        with column:
            _matrix(matrix)
    chosen = st.session_state.cell
    if chosen and chosen[0] in matrices:
        with columns[1] if len(matrices) == 1 else st.container():
            _arithmetic(*chosen)
    elif not st.session_state.show_all or stage == "X":
        with columns[1] if len(matrices) == 1 else st.container():
            notices.say(words("stages.click"), "quiet")


def _matrix(name: str) -> None:
    words, experiment = state.words(), state.experiment()
    arguments = _arguments()
    matrix = getattr(results.trace(experiment, *arguments), name)
    st.latex(_formula(name))
    labels = names(experiment.tokens)
    key = f"cell_{name}"
    st.vega_lite_chart(
        tables.stage(experiment, name, *arguments, _selected(name), st.session_state.decimals),
        charts.matrix_chart(words.language, "pairs" if name in SQUARE else "dimensions", selectable=True),
        key=key,
        on_select=lambda: _choose(name, key),
        alt=words(
            "stages.alt", matrix=name, rows=matrix.shape[0], columns=matrix.shape[1], values=_listed(labels, matrix)
        ),
    )
    if matrix.shape[1] > frames.MOST_COLUMNS:
        notices.say(words("stages.wide", count=matrix.shape[1], first=frames.FIRST_COLUMNS), "quiet")


def _formula(name: str) -> str:
    if name == "scaled":
        return rf"S = {_rule().latex}"
    sizes = state.experiment().sizes
    return FORMULAS[name].format(n=sizes["tokens"], d_emb=sizes["d_emb"], s="m" if st.session_state.causal else "s")


def _listed(labels: tuple[str, ...], matrix: np.ndarray) -> str:
    """The numbers row by row, for those who cannot see the picture; long rows are cut as they are drawn."""
    shown = frames.shown_columns(matrix.shape[1])
    rows = (
        f"{label}: " + ", ".join("…" if j is None else fixed(float(values[j]), 3) for j in shown)
        for label, values in zip(labels, matrix, strict=True)
    )
    return "; ".join(rows)


def _selected(name: str) -> tuple[int, int] | None:
    cell = st.session_state.cell
    return (cell[1], cell[2]) if cell and cell[0] == name else None


def _choose(name: str, key: str) -> None:
    """A click: open the cell's arithmetic, or close it when it is the open one."""
    picked = st.session_state[key].selection.cell
    if not picked:
        return
    i, j = int(picked[-1]["i"]), int(picked[-1]["j"])
    st.session_state.cell = None if j < 0 or picked[-1]["selected"] else (name, i, j)


def _arithmetic(name: str, row: int, column: int) -> None:
    """The lines on the board, with the way to close them."""
    words, experiment = state.words(), state.experiment()
    rule, d, seed, how, causal = _arguments()
    trace = results.trace(experiment, rule, d, seed, how, causal)
    if row >= len(experiment.tokens) or column >= getattr(trace, name).shape[1]:
        return
    labels = names(experiment.tokens)
    decimals = st.session_state.decimals
    title = words(
        "stages.arithmetic",
        matrix=_spoken(name),
        row=labels[row],
        column=labels[column] if name in SQUARE else column + 1,
    )
    with st.container(border=True):
        notices.say(title)
        for line in arithmetic.lines(name, row, column, trace, results.grown(experiment, d, seed, how), rule, decimals):
            st.latex(line)
        note = "stages.entry" if name == "X" else "stages.unrounded"
        notices.say(words(note, decimals=decimals), "quiet")
        st.button(words("stages.close"), key="close_cell", on_click=_close)


def _spoken(name: str) -> str:
    """A matrix's name in a sentence: its letter, or its stage's name."""
    return name if len(name) == 1 else state.words()(f"stages.{name}")
