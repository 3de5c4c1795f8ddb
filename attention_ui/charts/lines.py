"""One number for each rule against d. Table: saturation_tables.lines."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from attention_ui.charts.board import TICKS
from attention_ui.charts.rules import rule_color, rule_dash, rule_shape
from attention_ui.charts.style import INK, spec, table
from attention_ui.text import words_of

HEIGHT = 260  # pixels


@lru_cache
def lines_chart(language: str, name: str) -> dict[str, Any]:
    """Mean and, where there is one, a band, both shares of 1; the chosen d and a level are marked."""
    words = words_of(language)
    scale = alt.Scale(type="log", base=2, nice=False, domain=[1, 4096])
    axis = alt.Axis(values=TICKS, format="d", grid=False)
    x = alt.X("d:Q", scale=scale, title=words("lab.charts.d_axis"), axis=axis)
    title = words(f"lab.charts.{name}")

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title=title, scale=alt.Scale(domain=[0, 1]))

    line = table().transform_filter("datum.role == 'line'")
    level = table().transform_filter("datum.role == 'level'")
    layers = [
        line.mark_area(opacity=0.13).encode(x=x, y=y("low"), y2="high:Q", color=rule_color()),
        line.mark_line(strokeWidth=2.5).encode(x=x, y=y("value"), color=rule_color(), strokeDash=rule_dash()),
        line.mark_point(filled=True, size=40, opacity=1).encode(
            x=x, y=y("value"), color=rule_color(), shape=rule_shape(), tooltip=["label:N", "d:Q", "text:N"]
        ),
        table().transform_filter("datum.role == 'now'").mark_rule(color=INK, opacity=0.6, strokeWidth=1.5).encode(x=x),
        level.mark_rule(color=INK, strokeDash=[2, 3], opacity=0.8).encode(y=y("value")),
        level.mark_text(color=INK, align="left", x=6, dy=-8, fontSize=11).encode(y=y("value"), text="text:N"),
    ]
    return spec(alt.layer(*layers).properties(height=HEIGHT))
