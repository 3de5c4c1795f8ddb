"""Every stage from X to the output: a stepper, the open stage's heat maps, and a cell's arithmetic."""

from __future__ import annotations

import streamlit as st

from attention_ui import charts, controls, notices, state, tables
from attention_ui.columns import FIRST_COLUMNS, MOST_COLUMNS, shown_columns
from attention_ui.numbers import fixed
from attention_ui.panels import board
from attention_ui.scene import Scene
from attention_ui.stages import PARTS, STAGES, shown_stages


def open_stages() -> list[str]:
    """The stages that are drawn: the chosen one or all of them."""
    settings = state.settings()
    return visible() if settings.show_all else [chosen_stage()]


def visible() -> list[str]:
    """The stages there are: the mask is one of them only while it is on."""
    return shown_stages(state.settings().causal)


def chosen_stage() -> str:
    """The chosen stage; of a mask that has gone, the one before it."""
    chosen = state.settings().stage
    return chosen if chosen in visible() else "scaled"


def draw_stepper() -> None:
    """Heading and stepper."""
    words = state.words()
    st.subheader(words("stages.heading"))
    stages = visible()
    state.put("stage", chosen_stage())
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _step_button("previous", ":material/chevron_left:", -1, stages[0])
        _step_button("next", ":material/chevron_right:", 1, stages[-1])
        names = {name: words(f"stages.{name}") for name in stages}
        controls.choose(
            st.segmented_control, "stage", words("stages.stage"), names, _changed,
            required=True, label_visibility="collapsed", wrap=True,
        )  # fmt: skip
        controls.switch("show_all", words("stages.show_all"), _changed)


def _step_button(name: str, icon: str, by: int, end: str) -> None:
    settings = state.settings()
    at_end = settings.show_all or chosen_stage() == end
    st.button(state.words()(f"stages.{name}"), key=name, icon=icon, disabled=at_end, on_click=_step, args=(by,))


def draw(scene: Scene) -> None:
    """The open stages."""
    for name in open_stages():
        _stage(scene, name)


def _step(by: int) -> None:
    stages = visible()
    place = stages.index(chosen_stage()) + by
    state.put("stage", stages[max(0, min(place, len(stages) - 1))])
    _changed()


def _changed() -> None:
    """Another stage: no cell is chosen, and the address follows."""
    board.close()
    state.redraw("stages")


def _stage(scene: Scene, stage: str) -> None:
    """Its sentence, its heat maps with their formulas, and the arithmetic of the chosen cell beside or below them."""
    if scene.settings.show_all:
        st.markdown(f"**{scene.words(f'stages.{stage}')}**")
    matrices = STAGES[stage].matrices
    notices.say(_sentence(scene, stage), spoken=[_numbers(scene, name) for name in matrices])
    columns = st.columns(3 if len(matrices) == 3 else [3, 2], gap="medium")
    for column, matrix in zip(columns, matrices, strict=False):
        with column:
            _matrix(scene, matrix)
    with columns[1] if len(matrices) == 1 else st.container():
        board.draw(scene, matrices)


def _sentence(scene: Scene, stage: str) -> str:
    rule = scene.rules[scene.force]
    key = f"stages.{stage}_text"
    if stage == "scaled" and (rule.name == "none" or not rule.only_multiplies):
        key = f"rules.{rule.name}.scaled"  # a rule that does more than multiply has a sentence of its own
    return scene.words(key, rule=scene.words(f"rules.{rule.name}.name"))


def _matrix(scene: Scene, name: str) -> None:
    words = scene.words
    chosen, choices = board.selected(name), st.session_state.choices
    matrix = getattr(scene.trace(scene.force), name)
    st.latex(_formula(scene, name))
    st.vega_lite_chart(
        tables.stage(name, chosen, choices, scene.decimals, scene.grown(scene.force)),
        charts.matrix_chart(words.language, "pairs" if PARTS[name].square else "dimensions", selectable=True),
        key=f"cell_{name}",
        on_select=lambda: board.choose(name),
        alt=words("stages.alt", matrix=name),
    )
    if matrix.shape[1] > MOST_COLUMNS:
        notices.say(words("stages.wide", count=matrix.shape[1], first=FIRST_COLUMNS), kind="quiet")


def _formula(scene: Scene, name: str) -> str:
    sizes = scene.experiment.sizes
    return PARTS[name].in_latex(
        n=sizes["tokens"],
        d_emb=sizes["d_emb"],
        rule=scene.rules[scene.force].latex,
        s="m" if scene.settings.causal else "s",
    )


def _numbers(scene: Scene, name: str) -> str:
    """The numbers row by row, for those who cannot see the picture; long rows are cut as they are drawn."""
    matrix = getattr(scene.trace(scene.force), name)
    shown = shown_columns(matrix.shape[1])
    rows = (
        f"{label}: " + ", ".join("…" if j is None else fixed(float(values[j]), 3) for j in shown)
        for label, values in zip(scene.labels, matrix, strict=True)
    )
    rows_columns = {"rows": matrix.shape[0], "columns": matrix.shape[1]}
    return scene.words("stages.numbers", matrix=name, values="; ".join(rows), **rows_columns)
