"""The session: which keys it holds, how they start, and which parts of the page run again.

Widgets read and write the keys of Settings directly. The experiment, its history and what is wrong with
the last input are ours; attention_ui.edits changes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from attention_core import get_example
from attention_ui import address, tokens
from attention_ui.address import D_CODES, TYPED, Settings, parameter_of
from attention_ui.experiment import Experiment, from_example
from attention_ui.scene import Scene
from attention_ui.text import Words, language_of, words_of

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


def scene() -> Scene:
    """What a run of the page shows, read from the session once."""
    return Scene(words(), settings(), experiment(), st.session_state.decimals)


def experiment() -> Experiment:
    """The experiment as it now stands."""
    return st.session_state.experiment


def revision() -> int:
    """How often Python changed the matrices itself."""
    return st.session_state.revision


def draft_is_bad() -> bool:
    """True when the browser's last draft or command did not fit."""
    return st.session_state.draft_problem


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
