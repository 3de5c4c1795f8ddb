"""One measure of a row against d, with that row's weights at the d under the pointer above it.

All in one view, so that it takes the page's width: the weights are placed above the plot by expressions.
Without a pointer the current d is shown.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from attention_ui.charts.pointer import CELL, HERE, LEFT, TICKS, caption, over
from attention_ui.charts.style import DARK_SHADE, GRID, INK, ON_FILL, SIDES, shade, side_color, spec, table
from attention_ui.text import words_of

HEIGHT = 400  # pixels, weights included
LINE = 30  # pixels a line of weights
GAP = 12  # pixels between weights and plot
TOP = f"datum.line * {LINE} - {2 * LINE + GAP}"


@lru_cache
def growth_chart(language: str, measure: str) -> dict[str, Any]:
    """The chart of one measure: "largest", "effective" or "sensitivity". Table: frames.curve_table."""
    return spec(
        alt.layer(
            *_plot(language, measure), *_weights(), caption(words_of(language), -(2 * LINE + GAP + 32))
        ).properties(height=HEIGHT)
    )


def _plot(language: str, measure: str) -> list[alt.Chart]:
    """The band, both curves, and the points at the d that is shown."""
    words = words_of(language)
    axis = alt.Axis(values=TICKS, format="d", grid=False)
    scale = alt.Scale(type="log", base=2, nice=False)
    x = alt.X("d:Q", scale=scale, title=words("charts.d_axis"), axis=axis)
    title = words(f"charts.{measure}")
    share = {} if measure == "effective" else {"domain": [0, 1]}
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=True, nice=True, **share))
    dash = alt.StrokeDash("rule:N", scale=alt.Scale(domain=SIDES, range=[[6, 3], [1, 0]]), legend=None)
    shape = alt.Shape("rule:N", scale=alt.Scale(domain=SIDES, range=["circle", "square"]), legend=None)
    curve = table().transform_filter("datum.role == 'curve'")
    here = curve.transform_filter(HERE)
    band = curve.mark_area(opacity=0.14).encode(x=x, y=alt.Y("low:Q", title=title), y2="high:Q", color=side_color())
    line = curve.mark_line(strokeWidth=2.5).encode(x=x, y=y, color=side_color(), strokeDash=dash)
    ruler = here.transform_filter("datum.rule == 'with'").mark_rule(color=INK, strokeWidth=1.5, opacity=0.6)
    points = here.mark_point(filled=True, size=80, opacity=1).encode(x=x, y=y, color=side_color(), shape=shape)
    catcher = curve.mark_point(opacity=0, size=60).encode(x=x, y=y).add_params(over())
    return [band, line, ruler.encode(x=x), points, catcher]


def _weights() -> list[alt.Chart]:
    """Two lines of cells above the plot: the weights of every key, without scaling and with the rule."""
    weight = table().transform_filter("datum.role == 'weight'").transform_filter(HERE)
    cells = weight.mark_rect(
        x=alt.expr(f"{LEFT} + 1"), x2=alt.expr(f"{LEFT} + {CELL} - 1"),
        y=alt.expr(TOP), y2=alt.expr(f"{TOP} + {LINE - 2}"),
        stroke=GRID, strokeWidth=0.5, cornerRadius=2,
    ).encode(color=side_color(), fillOpacity=shade("value"))  # fmt: skip
    centre = alt.expr(f"{LEFT} + {CELL} / 2")
    size = alt.expr(f"clamp({CELL} / 3.4, 7, 13)")
    number = {"x": centre, "y": alt.expr(f"{TOP} + {LINE / 2}"), "fontSize": size}
    first = weight.transform_filter("datum.place == 0")
    return [
        cells,
        weight.transform_filter(f"datum.value < {DARK_SHADE}").mark_text(color=INK, **number).encode(text="text:N"),
        weight.transform_filter(f"datum.value >= {DARK_SHADE}")
        .mark_text(color=ON_FILL, **number)
        .encode(text="text:N"),
        weight.transform_filter("datum.line == 0")
        .mark_text(color=INK, x=centre, y=-(2 * LINE + GAP + 10), fontSize=size, limit=alt.expr(f"{CELL} - 4"))
        .encode(text="key:N"),
        first.mark_text(x=-10, y=alt.expr(f"{TOP} + {LINE / 2}"), align="right", fontSize=16)
        .transform_calculate(sign="datum.rule == 'without' ? '●' : '■'")
        .encode(text="sign:N", color=side_color()),
    ]
