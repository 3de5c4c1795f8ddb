"""The session: the settings, the experiment, and which parts of the page run again.

Settings are kept as one value that widgets only mirror (attention_ui.controls); attention_ui.edits changes
the experiment.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from attention_core import get_example
from attention_ui import (
    results,
)
from attention_ui.address import Settings
from attention_ui.experiment import Experiment
from attention_ui.head_settings import HeadSettings
from attention_ui.lesson_settings import LessonSettings
from attention_ui.saturation_settings import SaturationSettings
from attention_ui.scene import Scene
from attention_ui.text import LANGUAGES, Words, language_of, words_of
from attention_ui.training_settings import TrainingSettings

PLAYGROUND, LESSONS, SATURATION, TRAINING, HEAD = "", "lessons", "saturation", "training", "head"  # pages' addresses
LABS = {
    LESSONS: LessonSettings,
    SATURATION: SaturationSettings,
    TRAINING: TrainingSettings,
    HEAD: HeadSettings,
}
MYTH_PREFIX = "myth_"  # of guesses and switches at the myths, which the address does not hold
TAKE_PREFIX = "take_"  # of choices in “take it with you”, kept beside those


def settings() -> Settings:
    """The playground's settings as they now stand; none of their parts is None but `param`."""
    return st.session_state.settings


def saturation() -> SaturationSettings:
    """The saturation lab's settings as they now stand; the language is the session's."""
    return replace(st.session_state[SATURATION], lang=settings().lang)


def training() -> TrainingSettings:
    """The training lab's settings as they now stand; the language is the session's."""
    return replace(st.session_state[TRAINING], lang=settings().lang)


def head() -> HeadSettings:
    """The real head's settings as they now stand; the language is the session's."""
    return replace(st.session_state[HEAD], lang=settings().lang)


def value(name: str) -> Any:
    """One setting; those of a lab have its name in front. A parameter that was not chosen is the rule's own."""
    page, own = _home(name)
    if page == MYTH_PREFIX:
        return st.session_state.myths.get(name)
    if page == "settings" and name == "param" and settings().param is None:
        return next(iter(results.rule_of(settings()).parameters.values()), None)
    return getattr(st.session_state[page], own)


def put(name: str, value: object) -> None:
    """Change one setting."""
    page, own = _home(name)
    session = st.session_state
    if page == MYTH_PREFIX:
        session.myths = {**session.myths, name: value}
    else:
        session[page] = replace(session[page], **{own: value})


def _home(name: str) -> tuple[str, str]:
    """Where in the session a setting is kept, and its name there: saturation_d is d of the saturation lab."""
    if name.startswith((MYTH_PREFIX, TAKE_PREFIX)):
        return MYTH_PREFIX, name
    lab, _, own = name.partition("_")
    return (lab, own) if lab in LABS and own else ("settings", name)


def lessons() -> LessonSettings:
    """The lessons' progress; the language is the session's."""
    return replace(st.session_state[LESSONS], lang=settings().lang)


def reset_lab(page: str) -> None:
    """A lab as it was at first."""
    st.session_state[page] = LABS[page]()


def shared() -> Settings:
    """The settings as they go into the address: what the example sets by itself is left out."""
    now = settings()
    example = get_example(now.example)
    own = {"how": example.how, "row": example.row}
    kept = {name: None if getattr(now, name) == default else getattr(now, name) for name, default in own.items()}
    if (now.row or 0) >= len(example.tokens):  # a row that only the edited sentence has
        kept["row"] = None
    return replace(now, **kept)


def words(query: Mapping[str, str] | None = None, locale: str | None = None) -> Words:
    """The words of the chosen language; before the session has started, of the one the address or browser asks for."""
    if "settings" in st.session_state:
        return words_of(settings().lang or "")
    asked = (query or {}).get("lang")
    return words_of(asked if asked in LANGUAGES else language_of(locale))


def scene() -> Scene:
    """What a run of the page shows, read from the session once."""
    return Scene(words(), settings(), experiment())


def experiment() -> Experiment:
    """The experiment as it now stands."""
    return st.session_state.experiment


def revision() -> int:
    """How often Python changed the matrices itself."""
    return st.session_state.revision


def draft_is_bad() -> bool:
    """True when the browser's last draft or command did not fit."""
    return st.session_state.draft_problem


def whole_run(begins: bool) -> None:
    """A run of the whole script begins or has come to its end, in the language that the page now speaks."""
    st.session_state.whole_run = begins
    st.session_state.spoken = settings().lang


def was_cut_short() -> bool:
    """True in a run of fragments that took the place of one of the whole script: that never came to its end, or
    what it was asked for, another language, came along with a message about a part."""
    context, session = get_script_run_ctx(), st.session_state
    return bool(context and context.fragment_ids_this_run and (session.whole_run or session.spoken != settings().lang))


def redraw(*fragments: str) -> None:
    """From a widget's callback: narrow the run of the page's fragment to these parts of it.

    A run of the whole script stays whole, and so does one before the parts were first drawn. On the playground the
    address, and what is taken along while that is open, follow every part.
    """
    context = get_script_run_ctx()
    if context is None or not context.fragment_ids_this_run:
        return
    followers = () if st.session_state.page != PLAYGROUND or "playground" in fragments else ("address",)
    if followers and st.session_state.get("take"):
        followers += ("take_along",)
    with suppress(StreamlitAPIException):
        st.rerun([*fragments, *followers])
