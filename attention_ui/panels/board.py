"""The board: the arithmetic of the cell that was clicked, and the way to close it."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from attention_ui import arithmetic, arrived, notices, state
from attention_ui.scene import Scene
from attention_ui.stages import PARTS, SPOKEN


def selected(matrix: str) -> tuple[int, int] | None:
    """The chosen cell of this matrix."""
    cell = st.session_state.cell
    return (cell[1], cell[2]) if cell and cell[0] == matrix else None


def choose(matrix: str) -> None:
    """A click: open the cell's arithmetic, or close it when it is the open one."""
    scene = state.scene()
    rows, columns = getattr(scene.trace(scene.force), matrix).shape
    picked = arrived.picked(f"cell_{matrix}", "cell", i=range(rows), j=range(-1, columns))
    if picked is None:
        return
    i, j = picked
    _set(None if j < 0 or st.session_state.cell == (matrix, i, j) else (matrix, i, j))


def close() -> None:
    """No cell is chosen."""
    _set(None)


def _set(cell: tuple[str, int, int] | None) -> None:
    """Choose a cell. The count of choices goes into the chart, so that the same cell can be clicked again."""
    st.session_state.cell = cell
    st.session_state.choices += 1


def draw(scene: Scene, matrices: Collection[str]) -> None:
    """The arithmetic, if the chosen cell is in one of these matrices; else how to choose one."""
    cell = st.session_state.cell
    if not cell or cell[0] not in matrices or not _exists(scene, *cell):
        notices.say(scene.words("stages.click"), kind="quiet")
        return
    name, row, column = cell
    words = scene.words
    column_name = scene.labels[column] if PARTS[name].square else str(column + 1)
    with st.container(border=True):
        notices.say(words("stages.arithmetic", matrix=_spoken(scene, name), row=scene.labels[row], column=column_name))
        for line in arithmetic.lines(name, row, column, scene.trace(scene.force), scene.decimals):
            st.latex(line)
        note = "stages.entry" if name == "X" else "stages.unrounded"
        notices.say(words(note, decimals=scene.decimals), kind="quiet")
        st.button(words("stages.close"), key="close_cell", on_click=close)


def _exists(scene: Scene, name: str, row: int, column: int) -> bool:
    """False after the sizes have shrunk."""
    rows, columns = getattr(scene.trace(scene.force), name).shape
    return row < rows and column < columns


def _spoken(scene: Scene, name: str) -> str:
    """A matrix's name in a sentence: its letter, or its stage's name."""
    return scene.words(f"stages.{name}") if name in SPOKEN else name
