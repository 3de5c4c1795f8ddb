"""Widgets that show a setting and change it.

Streamlit's choosers send the label that was shown, so a label that has changed since (another language,
another sentence) comes back as a value that is none of the options. Settings are therefore our own: a widget
only mirrors its setting, and takes over nothing but a valid option.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from attention_ui import state

Then = Callable[[], object]
Widget = Callable[..., Any]


def choose(widget: Widget, name: str, label: str, options: dict[Any, str], then: Then, **extra: Any) -> None:
    """A selectbox, radio, segmented control or select slider over options, each with the label it shows."""
    _mirror(name, tuple(options.values()))
    widget(
        label, list(options), key=name, format_func=lambda option: options.get(option, ""), on_change=_take,
        args=(name, lambda value: value in list(options), then), **extra,
    )  # fmt: skip


def switch(name: str, label: str, then: Then, **extra: Any) -> None:
    """A toggle."""
    _mirror(name)
    st.toggle(label, key=name, on_change=_take, args=(name, lambda value: isinstance(value, bool), then), **extra)


def number(
    widget: Callable[..., Any],
    name: str,
    label: str,
    low: float,
    high: float,
    then: Then,
    *,
    key: str = "",
    **extra: Any,
) -> None:
    """A slider or number input between two bounds; `key` when one setting has several widgets."""
    _mirror(name, key=key)
    widget(
        label, low, high, key=key or name, on_change=_take,
        args=(name, lambda value: value is not None and low <= value <= high, then, key), **extra,
    )  # fmt: skip


def _mirror(name: str, labels: tuple[str, ...] = (), key: str = "") -> None:
    """Before the widget is drawn: give it the setting, unless it shows that already under the same labels."""
    session, value, key = st.session_state, state.value(name), key or name
    if key not in session or session[key] != value or session.get(f"{key}:labels", labels) != labels:
        session[key] = value
    session[f"{key}:labels"] = labels


def _take(name: str, valid: Callable[[Any], bool], then: Then, key: str = "") -> None:
    """A change by the learner: take a valid value over, then do what follows from it."""
    value = st.session_state[key or name]
    if valid(value):
        state.put(name, value)
        then()
