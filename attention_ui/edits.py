"""How the experiment in the session changes: example, sentence, drafts and buttons of the editor, undo.

Python raises `revision` whenever it changes the matrices itself, so that the editor in the browser takes
them over.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import streamlit as st

from attention_core import get_example
from attention_core.checks import FloatArray
from attention_ui import echoes, state, tokens
from attention_ui.address import Settings, completed
from attention_ui.exchange import tables
from attention_ui.exchange.checks import LARGEST_DRAW
from attention_ui.experiment import (
    LARGEST_SIZE,
    MATRICES,
    SIZES,
    Experiment,
    from_example,
    randomise,
    reset,
    resize,
    same,
    with_tokens,
    with_values,
)
from attention_ui.matrix_editor import waiting_draft
from attention_ui.matrix_editor.messages import read_command, read_draft, read_revision, read_touched
from attention_ui.tokens import Problem

MOST_UNDO = 50
EDITOR = "editor"  # the component's key


def change(new: Experiment, *, merge: object = None, taken_over: bool = False) -> None:
    """Put a new experiment in place and keep the old one for undo.

    Changes with an equal `merge` (the same cell typed again) undo as one; `taken_over` says that the
    browser already shows the new numbers.
    """
    session = st.session_state
    goes_on = merge is not None and merge == session.get("last_merge") and session.history
    if not goes_on and not same(new, session.experiment):  # after a double click undo would seem to do nothing
        _remember(whole=False)
    session.last_merge = merge
    _place(new, taken_over)


def undo() -> None:
    """Take the last change back; when it opened an example, also what that example set."""
    _take_waiting_draft()
    session = st.session_state
    if session.history:
        *earlier, (old, settings, whole) = session.history
        session.history, session.last_merge = tuple(earlier), None
        if whole:
            session.settings = replace(settings, lang=state.settings().lang)
        elif old.example != session.experiment.example:
            for name, value in (("example", old.example), ("how", settings.how), ("row", settings.row)):
                state.put(name, value)
        _place(old, taken_over=False)


def take_over(new: Experiment, settings: Settings) -> None:
    """Another experiment with all its settings but the language; both are undone together."""
    _take_waiting_draft()
    session = st.session_state
    settings = completed(settings, state.settings().lang, len(new.tokens))
    if not same(new, session.experiment) or settings != state.settings():
        _remember(whole=True)
    session.last_merge = None
    session.settings = settings
    session.playing, session.cell = False, None
    _place(new, taken_over=False)


def take_matrix(name: str, matrix: FloatArray) -> None:
    """A matrix from elsewhere in place of the present one; whatever else is there now stays, and undo leaves it.

    Errors: ExchangeProblem "csv_shape" when it is not, or no longer, of the present one's shape.
    """
    _take_waiting_draft()
    change(tables.fit(st.session_state.experiment, name, matrix))


def reset_all() -> None:
    """The playground as it was at first, all settings but the language and all matrices; undone as one."""
    first = Settings()
    take_over(from_example(first.example), first)


def _remember(whole: bool) -> None:
    """What undo brings back; `whole` when all settings belong to it."""
    session = st.session_state
    session.history = (*session.history, (session.experiment, state.settings(), whole))[-MOST_UNDO:]


def open_example() -> None:
    """Start over from the chosen example, with its own way to grow and row in focus; can be undone."""
    _take_waiting_draft()
    example = get_example(state.settings().example)
    change(from_example(example.name))
    state.put("how", example.how)
    state.put("row", example.row)


def type_sentence(sentence: str) -> None:
    """Take over a typed sentence, or say what is wrong with it and keep the last one."""
    _take_waiting_draft()
    session = st.session_state
    session.typed = sentence
    split = tokens.split(sentence)
    session.problem = split if isinstance(split, Problem) else None
    if not isinstance(split, Problem) and split != session.experiment.tokens:
        change(with_tokens(session.experiment, split, session.entry_seed))


def type_kept_sentence(sentence: str) -> None:
    """The same for a sentence that comes from elsewhere than its field, which then shows it."""
    type_sentence(sentence)
    if st.session_state.problem:
        echoes.replace("sentence", sentence)


def answered() -> dict[str, object]:
    """What was handed over last, whatever became of it: the numbers of the editor's draft and command, the sentence."""
    session = st.session_state
    return {
        "draft": session.get(f"{EDITOR}:delivered") or 0,
        "command": session.get(f"{EDITOR}:answered") or 0,
        "sentence": session.get("typed"),
    }


def _take_waiting_draft() -> None:
    raw = waiting_draft(EDITOR)
    if raw is not None:
        take_draft(raw)


def take_draft(raw: object) -> bool:
    """Take over what the editor sent, and say whether it fitted; one of an older revision is stale and dropped."""
    session = st.session_state
    if read_revision(raw) != session.revision:
        return False
    shapes = {name: session.experiment.matrices[name].shape for name in MATRICES}
    values, touched = read_draft(raw, shapes), read_touched(raw, shapes)
    session.draft_problem = values is None or touched is None
    if values is None or touched is None:
        return False
    new = with_values(session.experiment, values, touched)
    if new != session.experiment:
        change(new, merge=_only_change(session.experiment, new), taken_over=True)
    return True


def take_command(raw: object) -> None:
    """Carry out a button of the editor: a size, a reset or a random matrix."""
    session = st.session_state
    command = read_command(raw, MATRICES, dict.fromkeys(SIZES, (1, LARGEST_SIZE)))
    if command is None:
        session.draft_problem = True
    elif command.name == "reset":
        change(reset(session.experiment, command.matrix, session.entry_seed))
    elif command.name == "randomise":
        session.entry_seed = _next_seed()
        change(randomise(session.experiment, command.matrix, session.entry_seed))
    elif command.size is not None and command.to is not None:
        change(resize(session.experiment, command.size, command.to, session.entry_seed))


def _next_seed() -> int:
    """The seed after the last one with which none of the present matrices was drawn, so that a draw is always new:
    an experiment may have arrived with seeds of its own."""
    session = st.session_state
    seeds = (seed % (LARGEST_DRAW + 1) for seed in count(session.entry_seed + 1))
    return next(seed for seed in seeds if seed not in session.experiment.seeds.values())


def _only_change(old: Experiment, new: Experiment) -> object:
    """The cell in which two experiments differ when it is only one, so that typing on in it undoes as one."""
    cells = [
        (name, *cell) for name in MATRICES for cell in np.argwhere(old.matrices[name] != new.matrices[name]).tolist()
    ]
    return cells[0] if len(cells) == 1 else None


def _place(new: Experiment, taken_over: bool) -> None:
    session = st.session_state
    session.experiment = new
    state.put("row", min(state.settings().row or 0, len(new.tokens) - 1))
    if session.cell and session.cell[1] >= len(new.tokens):
        session.cell = None
    if not taken_over:
        session.revision += 1
        session.draft_problem = False
        session.problem = None
        echoes.replace("sentence", tokens.join(new.tokens))
