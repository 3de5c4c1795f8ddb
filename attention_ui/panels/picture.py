"""The weights with and without scaling side by side, three figures for both, and one sentence."""

from __future__ import annotations

from html import escape

import streamlit as st

from attention_core import NoScaling, Scaling
from attention_ui import charts, notices, results, state, tables
from attention_ui.numbers import fixed, measure, percent, plain
from attention_ui.results import WITH, WITHOUT
from attention_ui.tokens import names

SMALL_D = 4  # up to here the toggle changes little
LARGE_D = "4096"


def draw() -> None:
    """Two heat maps and the figures of the row in focus."""
    settings = state.settings()
    sides = {WITHOUT: NoScaling(), WITH: results.rule_of(settings)}
    main, figures = st.columns([6, 2.5], gap="medium")
    with main:
        for column, side in zip(st.columns(2, gap="medium"), sides, strict=True):
            with column, st.container(key=f"weights_{side}"):
                _side(side, sides[side], in_force=settings.scale == (side == WITH))
        notices.say(_caption(sides))
        _notes()
    with figures:
        _row_choice()
        _figures(sides)


def _side(side: str, rule: Scaling, in_force: bool) -> None:
    words, settings, experiment = state.words(), state.settings(), state.experiment()
    mark = "●" if side == WITHOUT else "■"
    force = f'<span class="force">{escape(words("picture.in_force"))}</span>' if in_force else ""
    color = charts.PALETTE[side]
    st.html(f'<p class="side"><span style="color:{color}">{mark}</span> {escape(state.rule_label(rule))} {force}</p>')
    d = results.size_of(experiment, settings)
    arguments = (rule, d, settings.seed, settings.how, settings.causal)
    row = min(settings.row, len(experiment.tokens) - 1)
    trace = results.trace(experiment, *arguments)
    labels = names(experiment.tokens)
    shares = zip(labels, trace.weights[row].tolist(), strict=True)
    st.vega_lite_chart(
        tables.weights(experiment, side, *arguments, row, st.session_state.decimals),
        charts.matrix_chart(words.language, "pairs", selectable=False),
        key=f"chart_{side}",
        alt=words(
            "picture.alt", n=len(labels), d=d, rule=state.rule_label(rule), row=labels[row],
            weights=", ".join(f"{key} {fixed(p, 3)}" for key, p in shares),
        ),
    )  # fmt: skip


def _row_choice() -> None:
    labels = names(state.experiment().tokens)
    st.selectbox(
        state.words()("picture.row"), range(len(labels)), key="row", persist_state="session",
        format_func=lambda row: labels[row] if row < len(labels) else "", on_change=_redraw,
    )  # fmt: skip


def _redraw() -> None:
    state.redraw("picture", "growth")


def _weights(rule: Scaling):
    settings, experiment = state.settings(), state.experiment()
    d = results.size_of(experiment, settings)
    return results.trace(experiment, rule, d, settings.seed, settings.how, settings.causal).weights[settings.row]


def _figures(sides: dict[str, Scaling]) -> None:
    """A small table: three measures, without and with the rule, the side in force in bold."""
    words, settings = state.words(), state.settings()
    values = {side: results.figures(_weights(rule)) for side, rule in sides.items()}
    force = WITH if settings.scale else WITHOUT
    visible = settings.row + 1 if settings.causal else len(state.experiment().tokens)
    helps = {"effective": {"n": visible}}
    head = "".join(
        f'<th scope="col" class="{"on" if side == force else ""}">{"●" if side == WITHOUT else "■"} '
        f"{escape(state.rule_label(rule))}</th>"
        for side, rule in sides.items()
    )
    body = ""
    for name in ("largest", "effective", "sensitivity"):
        cells = "".join(
            f'<td class="{"on" if side == force else ""}">{measure(getattr(values[side], name))}</td>' for side in sides
        )
        note = words(f"picture.{name}_help", **helps.get(name, {}))
        body += f'<tr><th scope="row">{escape(words(f"picture.{name}"))}<small>{escape(note)}</small></th>{cells}</tr>'
    st.html(f'<table class="figures"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>')


def _caption(sides: dict[str, Scaling]) -> str:
    """What the picture says, for the key that wins without scaling."""
    words, settings, experiment = state.words(), state.settings(), state.experiment()
    labels = names(experiment.tokens)
    d = results.size_of(experiment, settings)
    trace = results.trace(experiment, sides[WITHOUT], d, settings.seed, settings.how, settings.causal)
    visible = settings.row + 1 if settings.causal else len(labels)
    if visible == 1:
        return words("picture.alone", query=labels[settings.row])
    key = int(trace.weights[settings.row].argmax())
    without, scaled = (percent(float(_weights(rule)[key])) for rule in sides.values())
    values = {"d": d, "query": labels[settings.row], "without": without}
    count = results.tied_keys(trace.masked[settings.row])
    if count > 1:
        return words("picture.tied", count=count, **values)
    return words("picture.caption", key=labels[key], scaled=scaled, rule=state.rule_label(sides[WITH]), **values)


def _notes() -> None:
    """That a small d shows little, with the offer to grow; that edits are not in the address."""
    words, settings, experiment = state.words(), state.settings(), state.experiment()
    d = results.size_of(experiment, settings)
    if d <= SMALL_D and settings.rule == "sqrt":
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            key = "picture.small_d_one" if d == 1 else "picture.small_d"
            notices.say(words(key, d=d, root=plain(d**0.5, 2)), "quiet")
            st.button(words("picture.grow_it", d=LARGE_D), key="grow_it", on_click=_grow)
    if experiment.edited:
        notices.say(words("picture.edited"), "quiet")


def _grow() -> None:
    st.session_state.d = LARGE_D
