"""The gradient that reaches the query: rows by its size, a strip for each rule. Table: saturation_tables.gradient."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from attention_ui.charts.rules import rule_color
from attention_ui.charts.style import INK, spec, table
from attention_ui.text import words_of

STRIP = 84  # pixels a rule
FOOT = 60  # pixels for the axis
TICKS = [10.0**power for power in range(-12, 4, 3)]


@lru_cache
def gradient_chart(language: str, lines: int) -> dict[str, Any]:
    """A strip of bars for each rule; its median and root mean square are marked below the bars."""
    words = words_of(language)
    scale = alt.Scale(type="log", domain=[1e-13, 1e4], nice=False)
    x = alt.X("low:Q", scale=scale, title=words("lab.charts.gradient"),
              axis=alt.Axis(values=TICKS, grid=True, gridOpacity=0.4, labelExpr=_powers()))  # fmt: skip
    place = {"scale": alt.Scale(domain=[-0.12, lines], nice=False), "title": words("lab.charts.share")}
    place["axis"] = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    y = alt.Y("base:Q", **place)
    rows = table()
    bars = rows.transform_filter("datum.role == 'bar'")
    layers = [
        rows.transform_filter("datum.role == 'dead'")
        .mark_rule(color=INK, strokeDash=[2, 3], opacity=0.8)
        .encode(x=x),
        bars.mark_rect(opacity=0.8).encode(x=x, x2="high:Q", y=y, y2="top:Q", color=rule_color(), tooltip=["text:N"]),
        rows.transform_filter("datum.role == 'name'")
        .mark_rule(color=INK, opacity=0.4)
        .encode(y=y),
        rows.transform_filter("datum.role == 'name'")
        .mark_text(align="right", baseline="top", x=alt.expr("width - 4"), fontWeight="bold", fontSize=13)
        .encode(y=alt.Y("top:Q", **place), text="text:N", color=rule_color()),
        rows.transform_filter("datum.role == 'median'")
        .mark_point(shape="triangle-up", filled=True, size=110, opacity=1, color=INK, yOffset=5)
        .encode(x=x, y=y),
        rows.transform_filter("datum.role == 'rms'")
        .mark_point(shape="diamond", filled=False, size=90, strokeWidth=2, opacity=1, color=INK, yOffset=5)
        .encode(x=x, y=y),
    ]  # fmt: skip
    return spec(alt.layer(*layers).properties(height=STRIP * lines + FOOT))


def _powers() -> str:
    """Labels as 10 with a raised exponent, a real minus sign in front of it."""
    digits = {"-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "9": "⁹"}
    names = [f"10{''.join(digits[sign] for sign in str(power))}" for power in range(-12, 4, 3)]
    return f"{names}[round((log(datum.value) / LN10 + 12) / 3)]"
