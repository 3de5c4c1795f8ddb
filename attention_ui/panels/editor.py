"""The editor's place on the page: the experiment's matrices in, drafts and commands out."""

from __future__ import annotations

import numpy as np

from attention_ui import edits, notices, state, tokens
from attention_ui.experiment import AXES, LARGEST_SIZE, MATRICES, Experiment
from attention_ui.matrix_editor import matrix_editor

# Each size is changed at the matrix where it shows first; W_K takes its width from W_Q.
SIZE_AT = {"X": "d_emb", "W_Q": "d_k", "W_V": "d_v"}


def draw() -> None:
    """The four matrices, and a sentence when the browser sent something that does not fit."""
    words = state.words()
    experiment = state.experiment()
    matrix_editor(
        [_matrix(experiment, name) for name in MATRICES],
        words=words.section("editor"),
        revision=state.revision(),
        key=edits.EDITOR,
        on_draft=_take_draft,
        on_command=edits.take_command,
    )
    if state.draft_is_bad():
        notices.warn(words("draft.bad"))


def _take_draft(raw: object) -> None:
    """A good edit is already in the editor, so only what follows from it is drawn; a stale or bad one is not."""
    drawn = state.revision()
    taken = edits.take_draft(raw)
    if taken and drawn == state.revision():
        state.redraw("tools", "picture", "stages", "curve")


def _matrix(experiment: Experiment, name: str) -> dict[str, object]:
    matrix = experiment.matrices[name]
    rows, columns = matrix.shape
    letter, _, subscript = name.partition("_")
    size = SIZE_AT.get(name)
    return {
        "name": name,
        "letter": letter,
        "subscript": subscript,
        "rows": tokens.names(experiment.tokens) if AXES[name][0] == "tokens" else _numbers(rows),
        "columns": _numbers(columns),
        "values": matrix,
        "fresh": experiment.fresh.get(name, np.zeros(matrix.shape, bool)),
        "note": _note(experiment, name),
        "size": _size(size, experiment.sizes[size]) if size else None,
    }


def _size(name: str, value: int) -> dict[str, object]:
    letter, _, subscript = name.partition("_")
    return {"name": name, "letter": letter, "subscript": subscript, "value": value, "min": 1, "max": LARGEST_SIZE}


def _note(experiment: Experiment, name: str) -> str:
    seed = experiment.seeds.get(name)
    return "" if seed is None else state.words()("editor_note.seed", seed=seed)


def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]
