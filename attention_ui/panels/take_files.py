"""Files out and back: the experiment as JSON and NPZ, one matrix as CSV, and what a file would change."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from attention_ui import arrived, controls, edits, notices, sharing, state
from attention_ui.address import TYPED, completed
from attention_ui.codes import SWITCH
from attention_ui.exchange import csv_file, exercise, json_file, npz_file, report, tables
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.changes import Changes, changes
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.exchange.tables import Table
from attention_ui.experiment import MATRICES
from attention_ui.scene import Scene
from attention_ui.stages import PARTS, SPOKEN, shown_parts
from attention_ui.text import Words

LARGEST = 8  # megabytes, the most that any reader looks at
SPOKEN_VALUES = {
    "example": "examples.{}",
    "rule": "rules.{}.name",
    "how": "growth.{}",
    "stage": "stages.{}",
    "measure": "picture.{}",
}
READERS = {"json": json_file.read, "npz": npz_file.read, "csv": csv_file.read}


def draw(scene: Scene) -> None:
    """A button for each file, which is written when it is asked for."""
    words, carried = scene.words, sharing.carried()
    notices.say(words("take.files.lead"), kind="quiet")
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        _button(words("take.files.json"), partial(json_file.write, carried), "experiment.json", "application/json")
        _button(words("take.files.npz"), partial(npz_file.write, carried), "experiment.npz", "application/octet-stream")
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        address = sharing.whole_address()
        _button(words("take.files.report"), partial(_report, carried, words, address), "report.html", "text/html")
        _button(words("take.files.exercise"), partial(_exercise, carried, words), "exercise.html", "text/html")
    notices.say(words("take.files.sheets"), kind="quiet")
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        names = sorted(shown_parts(scene.settings.causal), key=lambda name: PARTS[name].square)
        spoken = {name: words(f"sheets.matrices.{name}") if name in SPOKEN else name for name in names}
        if state.value("take_table") not in names:
            state.put("take_table", names[0])
        controls.choose(st.selectbox, "take_table", words("take.files.table"), spoken, lambda: None, width=260)
        name = state.value("take_table")
        table = tables.table(carried, name)
        _button(
            words("take.files.csv", name=spoken[name]), partial(csv_file.write, table, name), f"{name}.csv", "text/csv"
        )


def _button(label: str, write: object, file: str, mime: str) -> None:
    st.download_button(
        label, write, file_name=file, mime=mime, key=f"save_{file.replace('.', '_')}", icon=":material/download:",
        on_click="ignore",
    )  # fmt: skip


def _report(carried: Carried, words: Words, address: str | None) -> bytes:
    return report.write(carried, words, address).encode()


def _exercise(carried: Carried, words: Words) -> bytes:
    return exercise.write(carried, words).encode()


def bring(scene: Scene) -> None:
    """A field for a file, and what it would change or what is wrong with it."""
    words, session = scene.words, st.session_state
    notices.say(words("take.bring.lead"), kind="quiet")
    key = f"take_file_{session.files}"
    st.file_uploader(
        words("take.bring.file"), type=list(READERS), key=key, on_change=_read, args=(key,), max_upload_size=LARGEST
    )
    brought = session.brought
    take = partial(_take, brought)
    if isinstance(brought, Table):
        name = _matrix(words, brought)
        brought, take = _in_place(name, brought), partial(_take_matrix, name, brought)
    if isinstance(brought, ExchangeProblem):
        notices.warn(words(f"exchange.{brought.code}", **brought.values), [words("take.bring.stays")])
    elif brought is not None:
        _preview(words, brought, take)


def _read(key: str) -> None:
    """What the file holds, or what is wrong with it; nothing of the experiment changes yet."""
    if arrived.is_stray(key):
        return
    file = arrived.uploaded(key)
    if file is None:
        st.session_state.brought = None
        return
    try:
        st.session_state.brought = READERS[file.name.rpartition(".")[2].lower()](file.getvalue())
    except ExchangeProblem as problem:
        st.session_state.brought = problem


def _matrix(words: Words, table: Table) -> str:
    """Which matrix a table is: the chosen one, at first the one it names, or the first one of its shape."""
    matrices = state.experiment().matrices
    shapes = [matrices[name].shape == table.matrix.shape for name in MATRICES]
    likely = MATRICES.index(table.name) if table.name in MATRICES else shapes.index(True) if any(shapes) else 0
    return st.selectbox(
        words("take.bring.matrix"), MATRICES, index=likely,
        key=f"take_matrix_{st.session_state.files}", width=260,
    )  # fmt: skip


def _in_place(name: str, table: Table) -> Carried | ExchangeProblem:
    """What is there now, with the table as that matrix."""
    now = sharing.carried()
    try:
        return Carried(tables.fit(now.experiment, name, table.matrix, table.commas), now.settings)
    except ExchangeProblem as problem:
        return problem


def _preview(words: Words, brought: Carried, take: Callable[[], None]) -> None:
    found = changes(
        sharing.carried(), replace(brought, settings=completed(brought.settings, None, len(brought.experiment.tokens)))
    )
    if not found:
        notices.say(words("take.bring.nothing"))
        return
    notices.listed(words("take.bring.would"), _told(words, found))
    with st.container(horizontal=True, gap="small"):
        st.button(words("take.bring.take"), key="take_over", type="primary", on_click=take)
        st.button(words("take.bring.leave"), key="take_leave", on_click=_leave)


def _told(words: Words, found: Changes) -> list[str]:
    """A sentence for each change."""
    told = []
    if found.tokens:
        old, new = (" ".join(each) for each in found.tokens)
        told.append(words("take.bring.tokens", old=old, new=new))
    for matrix in found.matrices:
        if matrix.old == matrix.new:
            cells = {"cells": matrix.cells, "all": matrix.new[0] * matrix.new[1]}
            told.append(words("take.bring.cells", name=matrix.name, **cells))
        else:
            old, new = (f"{rows} × {columns}" for rows, columns in (matrix.old, matrix.new))
            told.append(words("take.bring.shape", name=matrix.name, old=old, new=new))
    return told + [
        words(
            "take.bring.setting", name=words(f"take.settings.{each.name}"),
            old=_value(words, each.name, each.old), new=_value(words, each.name, each.new),
        )
        for each in found.settings
    ]  # fmt: skip


def _value(words: Words, name: str, code: str | None) -> str:
    """A setting's value as the page says it; codes that are numbers stand for themselves."""
    if code is None:
        return words("take.values.own")
    if code in SWITCH:
        return words(f"take.values.{code}")
    if code == TYPED:
        return words("take.values.typed")
    return words(SPOKEN_VALUES[name].format(code)) if name in SPOKEN_VALUES else code


def _take(brought: Carried) -> None:
    edits.take_over(brought.experiment, brought.settings)
    _taken()


def _take_matrix(name: str, table: Table) -> None:
    """The table goes into what is there when it is taken, not into what was there when it was looked at; where it no
    longer fits, the page says so."""
    with suppress(ExchangeProblem):
        edits.take_matrix(name, table.matrix)
        _taken()


def _taken() -> None:
    st.session_state.taken = True
    _leave()


def _leave() -> None:
    """Done with the file: the next field is empty."""
    st.session_state.brought = None
    st.session_state.files += 1
    state.redraw("playground")
