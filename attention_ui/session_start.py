"""How a session starts: everything in it, filled from the address of its first page."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from copy import copy

import streamlit as st

from attention_ui import address, head_settings, lesson_settings, saturation_settings, tokens, training_settings
from attention_ui.address import VIEWS, WHOLE
from attention_ui.exchange import link
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.experiment import from_example
from attention_ui.lessons.markdown import name_at
from attention_ui.myths import MYTHS
from attention_ui.state import HEAD, LESSONS, MYTH_PREFIX, PLAYGROUND, SATURATION, TRAINING
from attention_ui.text import LANGUAGES, language_of
from attention_ui.tokens import Problem

READERS = {
    LESSONS: lesson_settings.read,
    SATURATION: saturation_settings.read,
    TRAINING: training_settings.read,
    HEAD: head_settings.read,
}
DEFAULTS = {
    "playing": False,
    "stepped": 0.0,  # when play last changed d
    "revision": 0,
    "entry_seed": 0,
    "cell": None,  # (matrix, row, column) whose arithmetic is open
    "choices": 0,  # how often a cell was chosen or closed
    "problem": None,  # what is wrong with the sentence
    "draft_problem": False,
    "own_head": None,  # the ticket of the head that was uploaded
    "head_problem": None,  # what is wrong with the last file
    "head_gone": None,  # why an uploaded head is not there any more
    "head_field": 0,  # which of two fields takes a head's file
    "head_fields_known": False,  # what the browser shows in them was looked at
    "history": (),
    "guesses": {},  # (lesson, place of the guess) -> the option that was chosen, None for no guess
    "brought": None,  # an experiment, a table or a problem from a file, before it is taken over
    "taken": False,  # it was just taken over
    "take_language": None,  # of the labels with which “take it with you” was drawn last
    "take_open": False,
    "take_tab": "link",
    "take_first": "link",  # the tab with which its tabs were opened; another one would be other tabs
    "files": 0,  # how many files were brought, so that the next field for one is empty
    "came_from": None,  # the lesson whose link led here
}


def start(page: str, query: Mapping[str, str], locale: str | None) -> None:
    """Fill a new session from the address of its first page; an old one is left as it is."""
    session = st.session_state
    if "visit" in session:
        return
    carried, problems = _linked(query if page == PLAYGROUND else {})
    asked, session.address_problems = address.read(query if page == PLAYGROUND and carried is None else {})
    session.view, wrong = _view(query if page == PLAYGROUND else {})
    session.address_problems += problems + wrong
    lang = query["lang"] if query.get("lang") in LANGUAGES else None
    own = LESSONS if name_at(page) else page
    progress = {key: query[key] for key in ("done",) if key in query}  # which links carry to every page
    for name, read in READERS.items():
        session[name], problems = read(query if name == own else progress if name == LESSONS else {})
        session.address_problems += problems
    settings, session.experiment = (asked, from_example(asked.example)) if carried is None else (
        carried.settings, carried.experiment)  # fmt: skip
    session.settings = address.completed(settings, lang or language_of(locale), len(session.experiment.tokens))
    for key, default in DEFAULTS.items():
        session[key] = copy(default)
    session.myths = {f"{MYTH_PREFIX}try_{name}": myth.options[0] for name, myth in MYTHS.items()}
    session.sentence = tokens.join(session.experiment.tokens)
    session.visit = secrets.token_hex(8)  # which tells this session from one that came before it in the same tab


def _view(query: Mapping[str, str]) -> tuple[str | None, list[Problem]]:
    """The figure that an embedded page shows alone, None for the whole page."""
    view = query.get("view")
    if view is None or view in VIEWS:
        return view, []
    return None, [Problem("address.view", {"raw": tokens.shorten(view), "expected": ", ".join(VIEWS)})]


def _linked(query: Mapping[str, str]) -> tuple[Carried | None, list[Problem]]:
    """The experiment that an address carries whole, or what is wrong with it."""
    if WHOLE not in query:
        return None, []
    try:
        return link.read(query[WHOLE]), []
    except ExchangeProblem as problem:
        return None, [Problem(f"exchange.{problem.code}", problem.values)]
