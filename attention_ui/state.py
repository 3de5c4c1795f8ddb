"""The session: which keys it holds, how they start, and how the experiment in it changes.

Widgets read and write the keys of Settings directly. The experiment, its history and what is wrong with
the last input are ours. Python raises `revision` whenever it changes the matrices itself, so that the
editor in the browser takes them over.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields

import numpy as np
import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from attention_core import Scaling, get_example
from attention_ui import address, tokens
from attention_ui.address import D_CODES, TYPED, Settings, parameter_of
from attention_ui.experiment import (
    LARGEST_SIZE,
    MATRICES,
    SIZES,
    Experiment,
    from_example,
    randomise,
    reset,
    resize,
    with_tokens,
    with_values,
)
from attention_ui.matrix_editor.messages import read_command, read_draft, read_revision, read_touched
from attention_ui.text import Words, language_of, words_of
from attention_ui.tokens import Problem

MOST_UNDO = 50
DEFAULTS = {
    "stage": "X",
    "show_all": False,
    "decimals": 3,
    "measure": "largest",
    "playing": False,
    "revision": 0,
    "entry_seed": 0,
    "cell": None,  # (matrix, row, column) whose arithmetic is open
    "problem": None,  # what is wrong with the sentence
    "draft_problem": False,
    "history": [],
}


def start(query: Mapping[str, str], locale: str | None) -> None:
    """Fill a new session from the address; an old one is left as it is."""
    session = st.session_state
    if "experiment" in session:
        return
    settings, problems = address.read(query)
    example = get_example(settings.example)
    for field in fields(settings):
        session[field.name] = getattr(settings, field.name)
    session.lang = settings.lang or language_of(locale)
    session.how = settings.how or example.how
    session.row = example.row if settings.row is None else settings.row
    session.address_problems = problems
    for key, value in DEFAULTS.items():
        session[key] = value.copy() if isinstance(value, list) else value
    session.experiment = from_example(settings.example)
    session.sentence = tokens.join(session.experiment.tokens)


def settings() -> Settings:
    """The settings as they now stand."""
    session = st.session_state
    return Settings(**{field.name: session[field.name] for field in fields(Settings)})


def shared() -> Settings:
    """The settings as they go into the address: what the example sets by itself is left out."""
    now = settings()
    example = get_example(now.example)
    values = {field.name: getattr(now, field.name) for field in fields(now)}
    values["how"] = None if now.how == example.how else now.how
    values["row"] = None if now.row == example.row else now.row
    return Settings(**values)


def words() -> Words:
    """The words of the chosen language."""
    return words_of(st.session_state.lang)


def rule_label(rule: Scaling) -> str:
    """A rule in the words of the picture: without scaling, with ÷ √d, with QK-norm, g = 10."""
    value = next(iter(rule.parameters.values()), 0.0)
    return words()(f"with.{rule.name}", value=f"{value:g}")


def experiment() -> Experiment:
    """The experiment as it now stands."""
    return st.session_state.experiment


def revision() -> int:
    """How often Python changed the matrices itself."""
    return st.session_state.revision


def draft_is_bad() -> bool:
    """True when the browser's last draft or command did not fit."""
    return st.session_state.draft_problem


def change(new: Experiment, *, merge: object = None, taken_over: bool = False) -> None:
    """Put a new experiment in place and keep the old one for undo.

    Changes with an equal `merge` (the same cell typed again) undo as one; `taken_over` says that the
    browser already shows the new numbers.
    """
    session = st.session_state
    if not (merge is not None and merge == session.get("last_merge") and session.history):
        session.history = [*session.history, (session.experiment, session.how, session.row)][-MOST_UNDO:]
    session.last_merge = merge
    _place(new, taken_over)


def undo() -> None:
    """Take the last change back."""
    session = st.session_state
    if session.history:
        *session.history, (old, session.how, session.row) = session.history
        session.last_merge = None
        session.example = old.example
        _place(old, taken_over=False)


def open_example(name: str) -> None:
    """Start over from an example, with its own way to grow and row in focus; can be undone."""
    session = st.session_state
    example = get_example(name)
    change(from_example(name))
    session.how, session.row = example.how, example.row


def type_sentence(sentence: str) -> None:
    """Take over a typed sentence, or say what is wrong with it and keep the last one."""
    session = st.session_state
    split = tokens.split(sentence)
    session.problem = split if isinstance(split, Problem) else None
    if not isinstance(split, Problem) and split != session.experiment.tokens:
        change(with_tokens(session.experiment, split, session.entry_seed))


def take_draft(raw: object) -> None:
    """Take over what the editor sent; a draft of an older revision is stale and dropped."""
    session = st.session_state
    if read_revision(raw) != session.revision:
        return
    shapes = {name: session.experiment.matrices[name].shape for name in MATRICES}
    values, touched = read_draft(raw, shapes), read_touched(raw, shapes)
    session.draft_problem = values is None or touched is None
    if values is None or touched is None:
        return
    new = with_values(session.experiment, values, touched)
    if new != session.experiment:
        change(new, merge=_only_change(session.experiment, new), taken_over=True)


def take_command(raw: object) -> None:
    """Carry out a button of the editor: a size, a reset or a random matrix."""
    session = st.session_state
    command = read_command(raw, MATRICES, dict.fromkeys(SIZES, (1, LARGEST_SIZE)))
    if command is None:
        session.draft_problem = True
    elif command.name == "reset":
        change(reset(session.experiment, command.matrix, session.entry_seed))
    elif command.name == "randomise":
        session.entry_seed += 1
        change(randomise(session.experiment, command.matrix, session.entry_seed))
    elif command.size is not None and command.to is not None:
        change(resize(session.experiment, command.size, command.to, session.entry_seed))


def _only_change(old: Experiment, new: Experiment) -> object:
    """The cell in which two experiments differ when it is only one, so that typing on in it undoes as one."""
    cells = [
        (name, *cell) for name in MATRICES for cell in np.argwhere(old.matrices[name] != new.matrices[name]).tolist()
    ]
    return cells[0] if len(cells) == 1 else None


def step_play() -> None:
    """The next d while playing; at the largest, stop."""
    session = st.session_state
    place = D_CODES.index(session.d)
    if place + 1 < len(D_CODES):
        session.d = D_CODES[place + 1]
    session.playing = session.d != D_CODES[-1]


def toggle_play() -> None:
    """Start from d = 64, or from the present d when it is on the way, or pause."""
    session = st.session_state
    session.playing = not session.playing
    if session.playing and session.d in (TYPED, D_CODES[-1]):
        session.d = D_CODES[1]


def parameter_name() -> str | None:
    """The parameter of the chosen rule, if it has one."""
    return parameter_of(st.session_state.rule)


def redraw(*fragments: str) -> None:
    """From a widget's callback: narrow the run of the page's fragment to these parts of it.

    A run of the whole script stays whole, and so does one before the parts were first drawn.
    """
    context = get_script_run_ctx()
    if context is None or not context.fragment_ids_this_run:
        return
    with suppress(StreamlitAPIException):
        st.rerun(list(fragments))


def _place(new: Experiment, taken_over: bool) -> None:
    session = st.session_state
    session.experiment = new
    session.row = min(session.row, len(new.tokens) - 1)
    session.cell = None if session.cell and not _exists(session.cell, new) else session.cell
    if not taken_over:
        session.revision += 1
        session.draft_problem = False
        session.problem = None
        session.sentence = tokens.join(new.tokens)


def _exists(cell: tuple[str, int, int], new: Experiment) -> bool:
    """False when the cell lies outside the new sizes; wide Q and K columns are checked when drawn."""
    _, row, _ = cell
    return row < len(new.tokens)
