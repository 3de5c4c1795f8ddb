"""Every stage from X to the output: a stepper, the open stage's heat maps, and a cell's arithmetic."""

from __future__ import annotations

import streamlit as st

from attention_ui import charts, frames, notices, state, tables
from attention_ui.numbers import fixed
from attention_ui.panels import board
from attention_ui.scene import Scene

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
    "scaled": r"s_{{ij}} = {rule}",
    "masked": r"m_{{ij}} = \begin{{cases}} s_{{ij}} & j \le i \\ -\infty & j > i \end{{cases}}",
    "weights": r"a_{{ij}} = \dfrac{{e^{{{s}_{{ij}}}}}}{{\sum_l e^{{{s}_{{il}}}}}}",
    "output": r"O = A\,V",
}


def open_stages() -> list[str]:
    """The stages that are drawn: the chosen one or all of them."""
    return visible() if st.session_state.show_all else [st.session_state.stage]


def visible() -> list[str]:
    """The stages there are: the mask is one of them only while it is on."""
    return [stage for stage in STAGES if stage != "masked" or st.session_state.causal]


def draw_stepper() -> None:
    """Heading and stepper."""
    words = state.words()
    st.subheader(words("stages.heading"))
    stages = visible()
    if st.session_state.stage not in stages:
        st.session_state.stage = "scaled"
    ends = [st.session_state.show_all or st.session_state.stage == end for end in (stages[0], stages[-1])]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            words("stages.previous"), key="previous", icon=":material/chevron_left:", disabled=ends[0],
            on_click=_step, args=(-1,),
        )  # fmt: skip
        st.segmented_control(
            words("stages.stage"), stages, key="stage", required=True, persist_state="session",
            label_visibility="collapsed", format_func=lambda stage: words(f"stages.{stage}"), on_change=board.close,
        )  # fmt: skip
        st.button(
            words("stages.next"), key="next", icon=":material/chevron_right:", disabled=ends[1],
            on_click=_step, args=(1,),
        )  # fmt: skip
        st.toggle(words("stages.show_all"), key="show_all", persist_state="session")


def draw(scene: Scene) -> None:
    """The open stages."""
    for stage in open_stages():
        _stage(scene, stage)


def _step(by: int) -> None:
    stages = visible()
    place = stages.index(st.session_state.stage) + by
    st.session_state.stage = stages[max(0, min(place, len(stages) - 1))]
    board.close()


def _stage(scene: Scene, stage: str) -> None:
    """Its sentence, its heat maps with their formulas, and the arithmetic of the chosen cell beside or below them."""
    if st.session_state.show_all:
        st.markdown(f"**{scene.words(f'stages.{stage}')}**")
    notices.say(_sentence(scene, stage))
    matrices = STAGES[stage]
    columns = st.columns(3 if len(matrices) == 3 else [3, 2], gap="medium")
    for column, matrix in zip(columns, matrices, strict=False):
        with column:
            _matrix(scene, matrix)
    with columns[1] if len(matrices) == 1 else st.container():
        board.draw(scene, matrices, SQUARE)


def _sentence(scene: Scene, stage: str) -> str:
    name = scene.rules[scene.force].name
    key = f"stages.{stage}_text"
    if stage == "scaled":
        key += {"none": "_none", "qknorm": "_qknorm"}.get(name, "")
    return scene.words(key, rule=scene.words(f"rules.{name}"))


def _matrix(scene: Scene, name: str) -> None:
    words = scene.words
    matrix = getattr(scene.trace(scene.force), name)
    st.latex(_formula(scene, name))
    st.vega_lite_chart(
        tables.stage(name, board.selected(name), scene.decimals, *scene.arguments(scene.force)),
        charts.matrix_chart(words.language, "pairs" if name in SQUARE else "dimensions", selectable=True),
        key=f"cell_{name}",
        on_select=lambda: board.choose(name),
        alt=words(
            "stages.alt", matrix=name, rows=matrix.shape[0], columns=matrix.shape[1], values=_listed(scene, matrix)
        ),
    )
    if matrix.shape[1] > frames.MOST_COLUMNS:
        notices.say(words("stages.wide", count=matrix.shape[1], first=frames.FIRST_COLUMNS), kind="quiet")


def _formula(scene: Scene, name: str) -> str:
    sizes = scene.experiment.sizes
    return FORMULAS[name].format(
        n=sizes["tokens"],
        d_emb=sizes["d_emb"],
        rule=scene.rules[scene.force].latex,
        s="m" if scene.settings.causal else "s",
    )


def _listed(scene: Scene, matrix) -> str:
    """The numbers row by row, for those who cannot see the picture; long rows are cut as they are drawn."""
    shown = frames.shown_columns(matrix.shape[1])
    rows = (
        f"{label}: " + ", ".join("…" if j is None else fixed(float(values[j]), 3) for j in shown)
        for label, values in zip(scene.labels, matrix, strict=True)
    )
    return "; ".join(rows)
