"""One sentence, the weights with and without scaling side by side, and three figures for both."""

from __future__ import annotations

from html import escape

import streamlit as st

from attention_ui import captions, charts, controls, notices, results, sharing, state, tables
from attention_ui.numbers import fixed, measure, plain
from attention_ui.results import WITH, WITHOUT
from attention_ui.scene import SIGNS, Scene

SMALL_D = 4  # up to here the toggle changes little
LARGE_D = "4096"


def draw(scene: Scene) -> None:
    """The sentence on top, then two heat maps and the figures of the row in focus."""
    note = scene.words("picture.edited") if sharing.too_long() else ""
    notices.say(captions.weights(scene), note=note)
    left, right, figures = st.columns([3, 3, 2.5], gap="medium")
    for column, side in ((left, WITHOUT), (right, WITH)):
        with column, st.container(key=f"weights_{side}"):
            _side(scene, side)
    with left:
        _offer(scene)
    with figures:
        _row_choice(scene)
        st.html(_figures(scene))


def draw_pair(scene: Scene) -> None:
    """The sentence and the two heat maps alone, for an embedded page."""
    notices.say(captions.weights(scene))
    for column, side in zip(st.columns(2, gap="medium"), (WITHOUT, WITH), strict=True):
        with column, st.container(key=f"weights_{side}"):
            _side(scene, side)


def _side(scene: Scene, side: str) -> None:
    words = scene.words
    force = f'<span class="force">{escape(words("picture.in_force"))}</span>' if side == scene.force else ""
    sign = f'<span style="color:{charts.PALETTE[side]}">{SIGNS[side]}</span>'
    shares = zip(scene.labels, scene.trace(side).weights[scene.row].tolist(), strict=True)
    numbers = words(
        "picture.numbers", n=len(scene.labels), d=scene.d, rule=scene.rule_label(side), row=scene.query,
        weights=", ".join(f"{key} {fixed(p, 3)}" for key, p in shares),
    )  # fmt: skip
    st.html(f'<p class="side">{sign} {escape(scene.rule_label(side))} {force}</p>{notices.unseen([numbers])}')
    st.vega_lite_chart(
        tables.weights(side, scene.row, scene.decimals, scene.grown(side)),
        charts.matrix_chart(words.language, "pairs", selectable=False),
        key=f"chart_{side}",
        alt=words(f"picture.alt_{side}"),
    )


def _row_choice(scene: Scene) -> None:
    rows = dict(enumerate(scene.labels))
    controls.choose(st.selectbox, "row", scene.words("picture.row"), rows, lambda: state.redraw("picture", "curve"))


def _figures(scene: Scene) -> str:
    """A small table: three measures, without and with the rule, the side in force in bold."""
    words = scene.words
    values = {side: results.figures(scene.trace(side).weights[scene.row]) for side in scene.rules}
    style = {side: "on" if side == scene.force else "" for side in scene.rules}
    head = "".join(
        f'<th scope="col" class="{style[side]}">{SIGNS[side]} {escape(scene.rule_label(side))}</th>' for side in values
    )
    body = ""
    for name in ("largest", "effective", "sensitivity"):
        cells = "".join(f'<td class="{style[side]}">{measure(getattr(values[side], name))}</td>' for side in values)
        note = escape(words(f"picture.{name}_help", n=scene.visible))
        body += f'<tr><th scope="row">{escape(words(f"picture.{name}"))}<small>{note}</small></th>{cells}</tr>'
    return f'<table class="figures"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>'


def _offer(scene: Scene) -> None:
    """That a small d shows little, with the offer to grow this very example."""
    if scene.d > SMALL_D or scene.settings.rule != "sqrt":
        return
    words = scene.words
    key = "picture.small_d_one" if scene.d == 1 else "picture.small_d"
    notices.say(words(key, d=scene.d, root=plain(scene.d**0.5, 2)), kind="quiet")
    st.button(words("picture.grow_it", d=LARGE_D), key="grow_it", on_click=_grow)


def _grow() -> None:
    state.put("d", LARGE_D)
    state.redraw("playground")
