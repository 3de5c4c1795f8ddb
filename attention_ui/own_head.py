"""The session's uploaded head: taken from a file, looked up, given up; and a sentence when it has gone by itself."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from attention_core.head_files import HeadProblem
from attention_ui import collector, state
from attention_ui.head_settings import OWN, HeadSettings
from attention_ui.head_shelf import BUDGET, SHELF, OwnHead, read
from attention_ui.tokens import Problem

FIELDS = ("head_file", "head_file_again")  # the uploader in use, and the one in its place when its file is gone
MEGABYTE = 2**20


def own() -> OwnHead | None:
    """The uploaded head, None when there is none; one that has given way to others is missed once, and said."""
    session = st.session_state
    if session.own_head is None:
        return None
    found = SHELF.get(session.own_head)
    if found is None:
        lose("room", megabytes=BUDGET // MEGABYTE)
    return found


def take(data: bytes) -> None:
    """The head in a file, or what is wrong with it; then what was there before stays."""
    session = st.session_state
    session.head_gone = None
    try:
        session.own_head, session.head_problem = SHELF.put(read(data)), None
    except HeadProblem as problem:
        session.head_problem = Problem(f"head.problems.{problem.code}", problem.values)  # without the file behind it
        return
    finally:
        collector.soon()
    state.put("head_head", OWN)
    state.put("head_token", None)
    state.put("head_components", None)


def drop() -> None:
    """The file was taken away: its head and what was wrong with it go too."""
    session = st.session_state
    session.head_problem, session.own_head, session.head_gone = None, None, None
    _leave()


def lose(why: str, **values: object) -> None:
    """The head has gone without the learner's doing: the page says why, and an empty field takes the old one's place,
    which would go on showing the file."""
    session = st.session_state
    session.own_head, session.head_problem = None, None
    session.head_gone = Problem(f"head.gone.{why}", values)
    session.head_field = 1 - session.head_field
    _leave()


def _leave() -> None:
    """From the uploaded head to a recorded one; rule and temperature stay."""
    now, first = state.head(), HeadSettings()
    if now.head == OWN:
        st.session_state[state.HEAD] = replace(
            now, head=first.head, ending=first.ending, token=None, components=None
        )  # fmt: skip
