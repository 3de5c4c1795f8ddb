"""Widgets that show a setting and change it.

Streamlit's choosers send the label that was shown, so a label that has changed since (another language,
another sentence) comes back as a value that is none of the options. Settings are therefore our own: a widget
only mirrors its setting, and takes over nothing but a valid option.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from attention_ui import echoes, state

Then = Callable[[], object]
Widget = Callable[..., Any]


def choose(
    widget: Widget, name: str, label: str, options: dict[Any, str], then: Then, current: Any = None, **extra: Any
) -> None:  # fmt: skip
    """A selectbox, radio, segmented control or select slider over options, each with the label it shows.

    `current` is what a setting that was not chosen stands for.
    """
    _mirror(name, tuple(options.values()), current=current)
    widget(
        label, list(options), key=name, format_func=lambda option: options.get(option, ""), on_change=_take,
        args=(name, lambda value: value in list(options), then),
        **_first(widget, name, list(options), current), **extra,
    )  # fmt: skip


def _first(widget: Widget, name: str, options: list[Any], current: Any) -> dict[str, Any]:
    """The setting as the widget's own default too: a popover's widgets are made when it opens, in a run in which
    nothing told them of the setting."""
    value = state.value(name)
    value = current if value is None else value
    if value not in options:
        return {}
    if widget in (st.selectbox, st.radio):
        return {"index": options.index(value)}
    return {"value" if widget is st.select_slider else "default": value}


def switch(name: str, label: str, then: Then, **extra: Any) -> None:
    """A toggle."""
    _mirror(name)
    st.toggle(
        label, state.value(name), key=name, on_change=_take, args=(name, lambda value: isinstance(value, bool), then),
        **extra,
    )  # fmt: skip


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
        label, low, high, state.value(name), key=key or name, on_change=_take,
        args=(name, lambda value: value is not None and low <= value <= high, then, key), **extra,
    )  # fmt: skip


def several(
    widget: Widget, name: str, label: str, options: dict[str, str], most: int, order: Callable[[list[str]], object],
) -> None:  # fmt: skip
    """Pills of which one to `most` may be chosen; a choice outside that is refused, and `name:refused` says so."""
    _mirror(name, tuple(options.values()))
    widget(
        label, list(options), key=name, selection_mode="multi", default=list(state.value(name)),
        format_func=lambda option: options.get(option, ""),
        wrap=True,
        on_change=_take_several, args=(name, tuple(options), most, order),
    )  # fmt: skip


def _take_several(name: str, known: tuple[str, ...], most: int, order: Callable[[list[str]], object]) -> None:
    chosen = [value for value in st.session_state[name] or () if value in known]
    refused = not 1 <= len(chosen) <= most
    st.session_state[f"{name}:refused"] = refused
    if not refused and not echoes.is_echo(name):
        state.put(name, order(chosen))


def _mirror(name: str, labels: tuple[str, ...] = (), key: str = "", current: Any = None) -> None:
    """Before the widget is drawn: give it the setting, unless it shows that already under the same labels."""
    session, value, key = st.session_state, state.value(name), key or name
    value = current if value is None else value
    shown = list(value) if isinstance(value, tuple) else value
    if key not in session or session[key] != shown or session.get(f"{key}:labels", labels) != labels:
        echoes.replace(key, shown)
    session[f"{key}:labels"] = labels


def _take(name: str, valid: Callable[[Any], bool], then: Then, key: str = "") -> None:
    """A change by the learner: take a valid value over, then do what follows from it."""
    value = st.session_state[key or name]
    if valid(value) and not echoes.is_echo(key or name):
        state.put(name, round(value, 4) if isinstance(value, float) else value)  # as the address holds it
        then()
