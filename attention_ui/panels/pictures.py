"""The labs' charts as pictures, behind a heading that opens; each with its title, legend and settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

import streamlit as st

from attention_ui import codes, notices, state
from attention_ui.rules import RULES
from attention_ui.take_along import Chart, picture_saver


def draw(page: str, found: Sequence[Chart]) -> None:
    """Nothing is drawn or sent before it is opened; `found` only names the charts."""
    words = state.words()
    key = f"pictures_{page}"
    expander = st.expander(words("take.pictures.heading"), key=key, icon=":material/image:", on_change="rerun")
    if expander.open:
        with expander:
            notices.say(words("take.pictures.lead"), kind="quiet")
            picture_saver(found, words.section("take.pictures"), key=f"save_{page}")


def note(settings: Any, rules: Iterable[tuple[str, str]] = ()) -> str:
    """The legend of rules, each a name and its words, and all settings under the names they have in the address."""
    legend = [f"{RULES[name].look.sign} {label}" for name, label in rules]
    pairs = [(item.name, getattr(settings, item.name)) for item in fields(settings) if item.name != "lang"]
    shown = [f"{name} = {codes.plain(name, value)}" for name, value in pairs if value is not None]
    return " · ".join([*legend, *shown])
