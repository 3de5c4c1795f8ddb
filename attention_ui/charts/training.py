"""The training lab: a measure against the step, watched weights, the matrix M, and the map of final losses."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from attention_ui.charts.rules import rule_color, rule_dash, rule_shape
from attention_ui.charts.style import DARK_SHADE, GRID, INK, ON_FILL, PALETTE, shade, spec, table
from attention_ui.rules import RULES
from attention_ui.text import words_of

HEIGHT = 300  # pixels
CHOSEN = "#f2b705"


@lru_cache
def course_chart(language: str, name: str, steps: int) -> dict[str, Any]:
    """Loss, accuracy or gradient of every rule's run. Table: training_frames.course."""
    words = words_of(language)
    x = alt.X("step:Q", title=words("train.charts.step"), scale=alt.Scale(domain=[1, steps], nice=False),
              axis=alt.Axis(format="d", grid=False, tickCount=5))  # fmt: skip
    scales = {"loss": alt.Scale(domain=[0, 2]), "accuracy": alt.Scale(domain=[0, 1]), "gradient": alt.Scale(type="log")}
    y = alt.Y("value:Q", title=words(f"train.charts.{name}"), scale=scales[name])
    line, end = (table().transform_filter(f"datum.role == '{role}'") for role in ("line", "end"))
    level = table().transform_filter("datum.role == 'level'")
    return spec(
        alt.layer(
            level.mark_rule(color=INK, strokeDash=[2, 3], opacity=0.8).encode(y=y),
            level.mark_text(color=INK, align="right", x=alt.expr("width - 4"), dy=9, fontSize=11).encode(
                y=y, text="text:N"
            ),
            line.mark_line(strokeWidth=2).encode(x=x, y=y, color=rule_color(), strokeDash=rule_dash()),
            end.mark_point(filled=True, size=80, opacity=1).encode(x=x, y=y, color=rule_color(), shape=rule_shape()),
        ).properties(height=HEIGHT)
    )  # fmt: skip


@lru_cache
def watched_chart(language: str, rule: str) -> dict[str, Any]:
    """Weights of the watched queries, in the rule's colour, the right key framed. Table: training_frames.attention."""
    words = words_of(language)
    x = alt.X("key:N", sort=None, title=words("train.charts.key"), axis=_names())
    y = alt.Y(
        "query:N",
        sort=None,
        title=words("train.charts.query"),
        axis=alt.Axis(domain=False, ticks=False, labelFlush=False),
    )
    base = table().encode(x=x, y=y)
    size = alt.expr("clamp(bandwidth('x') / 2.4, 7, 12)")
    fill = {"stroke": GRID, "strokeWidth": 0.5, "strokeOpacity": 0.45, "cornerRadius": 2}
    return spec(
        alt.layer(
            base.mark_rect(color=RULES[rule].look.color, **fill).encode(fillOpacity=shade("value")),
            base.transform_filter(f"datum.value < {DARK_SHADE}")
            .mark_text(color=INK, fontSize=size)
            .encode(text="text:N"),
            base.transform_filter(f"datum.value >= {DARK_SHADE}")
            .mark_text(color=ON_FILL, fontSize=size)
            .encode(text="text:N"),
            base.transform_filter("datum.right").mark_rect(fillOpacity=0, stroke=CHOSEN, strokeWidth=3),
        ).properties(height=alt.Step(34))
    )


@lru_cache
def identity_chart(language: str) -> dict[str, Any]:
    """M as a picture. Table: training_frames.matrix."""
    words = words_of(language)
    axis = alt.Axis(values=[1, 8, 16, 24, 32], domain=False, ticks=False, labelAngle=0)
    tones = alt.Scale(domain=["plus", "minus"], range=[PALETTE["plus"], PALETTE["minus"]])
    return spec(
        alt.layer(
            table()
            .mark_rect()
            .encode(
                x=alt.X("j:O", title=words("train.charts.entry_key"), axis=axis),
                y=alt.Y("i:O", title=words("train.charts.entry_query"), axis=axis),
                color=alt.Color("tone:N", scale=tones, legend=None),
                fillOpacity=alt.FillOpacity("shade:Q", scale=alt.Scale(domain=[0, 1], range=[0, 1]), legend=None),
            )
        ).properties(height=HEIGHT)
    )


@lru_cache
def map_chart(language: str) -> dict[str, Any]:
    """Final loss by rule, d and learning rate; good runs are framed. Table: training_frames.grid."""
    words = words_of(language)
    x = alt.X("rate:N", sort=None, title=words("train.charts.rate"), axis=_names())
    y = alt.Y(
        "line:N",
        sort=None,
        title=words("train.charts.line"),
        axis=alt.Axis(domain=False, ticks=False, labelFlush=False),
    )
    base = table().encode(x=x, y=y)
    number = {"fontSize": 11}
    return spec(
        alt.layer(
            base.mark_rect(stroke=GRID, strokeWidth=0.5, cornerRadius=2).encode(
                color=rule_color(), fillOpacity=shade("value")
            ),
            base.transform_filter(f"datum.value < {DARK_SHADE}")
            .mark_text(color=INK, **number)
            .encode(text="text:N"),
            base.transform_filter(f"datum.value >= {DARK_SHADE}")
            .mark_text(color=ON_FILL, **number)
            .encode(text="text:N"),
            base.transform_filter("datum.good").mark_rect(fillOpacity=0, stroke=CHOSEN, strokeWidth=3, cornerRadius=2),
        ).properties(height=alt.Step(28))
    )  # fmt: skip


def _names() -> alt.Axis:
    return alt.Axis(orient="top", domain=False, ticks=False, labelAngle=0, labelOverlap=False)
