"""Altair specs without data, built once for each language; one palette.

A spec never changes with the data: layers filter on columns of the one table they are drawn with.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from attention_ui.text import words_of

# Readable on light and dark, and apart for colour-blind readers; a second sign always goes with a colour.
PALETTE = {
    "plus": "#2f6fde",
    "minus": "#b85c00",
    "without": "#c2417c",
    "with": "#0b7c7e",
    "masked": "#8a8f98",
    "gap": "#8a8f98",
}
DARK_SHADE = 0.9  # from here on a cell is dark enough for white text
CELL_HEIGHT = 34  # pixels
FONT_SIZE = "clamp(bandwidth('x') / 3.4, 8, 13)"
NARROW_CELL = 21  # pixels; below it a number does not fit and only its tooltip shows it
PREVIEW_LINE = 30  # pixels a line of the weights above the growth curve


@lru_cache
def matrix_chart(language: str, kind: str, selectable: bool) -> dict[str, Any]:
    """A heat map with its numbers: rows are tokens; `kind` is "pairs" (query × key) or "dimensions".

    Table: row, column, text, tone, shade, selected, marked (frames.matrix_table).
    Selection: `cell` with i, j and selected, so that a second click on a selected cell is told apart.
    """
    words = words_of(language)
    base = alt.Chart(alt.NamedData("table")).encode(
        x=alt.X(
            "column:N",
            sort=None,
            title=words("charts.column_token" if kind == "pairs" else "charts.column_dimension"),
            axis=_column_axis(),
        ),
        y=alt.Y(
            "row:N",
            sort=None,
            title=words("charts.row_query" if kind == "pairs" else "charts.row_token"),
            axis=alt.Axis(labelLimit=110, domain=False, ticks=False),
        ),
    )
    tooltip = [
        alt.Tooltip("row:N", title=words("charts.row")),
        alt.Tooltip("column:N", title=words("charts.column")),
        alt.Tooltip("text:N", title=words("charts.value")),
    ]
    fill = base.mark_rect(stroke="#8a8f98", strokeWidth=0.5, strokeOpacity=0.45, cornerRadius=2).encode(
        color=alt.Color("tone:N", scale=alt.Scale(domain=list(PALETTE), range=list(PALETTE.values())), legend=None),
        fillOpacity=alt.FillOpacity("shade:Q", scale=alt.Scale(domain=[0, 1], range=[0.03, 1]), legend=None),
        tooltip=tooltip,
    )
    if selectable:
        fill = fill.add_params(
            alt.selection_point(name="cell", fields=["i", "j", "selected"], on="click", clear=False, empty=False)
        )
    text = {"fontSize": alt.expr(FONT_SIZE), "opacity": alt.expr(f"bandwidth('x') < {NARROW_CELL} ? 0 : 1")}
    number = base.encode(text="text:N", tooltip=tooltip)
    light = number.mark_text(**text).transform_filter(f"datum.shade < {DARK_SHADE}")
    dark = number.mark_text(color="white", **text).transform_filter(f"datum.shade >= {DARK_SHADE}")
    chosen = base.mark_rect(fillOpacity=0, stroke="#f2b705", strokeWidth=3).transform_filter("datum.selected")
    row = (
        alt.Chart(alt.NamedData("table"))
        .mark_rect(fillOpacity=0, stroke=PALETTE["gap"], strokeWidth=2, cornerRadius=2)
        .encode(y=alt.Y("row:N", sort=None))
        .transform_filter("datum.marked && datum.j == 0")
    )
    return _spec(alt.layer(fill, light, dark, chosen, row).properties(height=alt.Step(CELL_HEIGHT)))


@lru_cache
def growth_chart(language: str, measure: str) -> dict[str, Any]:
    """A measure of one row against d for both rules, and that row's weights at the d under the pointer.

    Table: frames.curve_table. One view, so that it takes the page's width: the weights stand above the
    plot, placed by expressions. Without a pointer the current d is shown.
    """
    words = words_of(language)
    here = "isValid(hover.d) ? datum.d == hover.d[0] : datum.current"
    table = alt.Chart(alt.NamedData("table"))
    hover = alt.selection_point(
        name="hover", fields=["d"], on="pointermove", nearest=True, clear="pointerout", empty=False
    )
    color = alt.Color(
        "rule:N", scale=alt.Scale(domain=["without", "with"], range=[PALETTE["without"], PALETTE["with"]]), legend=None
    )
    dash = alt.StrokeDash("rule:N", scale=alt.Scale(domain=["without", "with"], range=[[6, 3], [1, 0]]), legend=None)
    x = alt.X(
        "d:Q",
        scale=alt.Scale(type="log", base=2, nice=False),
        title=words("charts.d_axis"),
        axis=alt.Axis(values=[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096], format="d", grid=False),
    )
    y = alt.Y("value:Q", title=words(f"charts.{measure}"), scale=alt.Scale(zero=True, nice=True))
    curve = table.transform_filter("datum.role == 'curve'")
    band = curve.mark_area(opacity=0.14).encode(
        x=x, y=alt.Y("low:Q", title=words(f"charts.{measure}")), y2="high:Q", color=color
    )
    line = curve.mark_line(strokeWidth=2.5).encode(x=x, y=y, color=color, strokeDash=dash)
    catcher = curve.mark_point(opacity=0, size=60).encode(x=x, y=y).add_params(hover)
    rule = curve.transform_filter(here).transform_filter("datum.rule == 'with'")
    ruler = rule.mark_rule(strokeWidth=1.5, opacity=0.7).encode(x=x)
    point = (
        curve.transform_filter(here)
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=x,
            y=y,
            color=color,
            shape=alt.Shape(
                "rule:N", scale=alt.Scale(domain=["without", "with"], range=["circle", "square"]), legend=None
            ),
            tooltip=[
                alt.Tooltip("d:Q"),
                alt.Tooltip("label:N", title=words("charts.rule")),
                alt.Tooltip("text:N", title=words("charts.value")),
            ],
        )
    )
    end = (
        curve.transform_filter("datum.end")
        .mark_text(align="right", dx=-4, dy=-9, fontWeight="bold", fontSize=12)
        .encode(x=x, y=y, text="label:N")
    )
    weight = table.transform_filter("datum.role == 'weight'").transform_filter(here)
    left = "width * datum.place / datum.count"
    top = f"-{2 * PREVIEW_LINE + 10} + datum.line * {PREVIEW_LINE}"
    cell = weight.mark_rect(
        x=alt.expr(f"{left} + 1"),
        x2=alt.expr(f"{left} + width / datum.count - 1"),
        y=alt.expr(top),
        y2=alt.expr(f"{top} + {PREVIEW_LINE - 2}"),
        stroke="#8a8f98",
        strokeWidth=0.5,
        cornerRadius=2,
    ).encode(
        color=color,
        fillOpacity=alt.FillOpacity("value:Q", scale=alt.Scale(domain=[0, 1], range=[0.03, 1]), legend=None),
    )
    middle = {
        "x": alt.expr(f"{left} + width / datum.count / 2"),
        "y": alt.expr(f"{top} + {PREVIEW_LINE / 2}"),
        "fontSize": alt.expr("clamp(width / datum.count / 3.4, 7, 13)"),
    }
    low = weight.transform_filter(f"datum.value < {DARK_SHADE}").mark_text(**middle).encode(text="text:N")
    high = (
        weight.transform_filter(f"datum.value >= {DARK_SHADE}").mark_text(color="white", **middle).encode(text="text:N")
    )
    keys = (
        weight.transform_filter("datum.line == 0")
        .mark_text(
            x=middle["x"],
            y=-(2 * PREVIEW_LINE + 20),
            fontSize=middle["fontSize"],
            limit=alt.expr("width / datum.count - 4"),
            fontWeight="bold",
        )
        .encode(text="key:N")
    )
    caption = (
        weight.transform_filter("datum.line == 0 && datum.place == 0")
        .transform_calculate(
            caption=f"(isValid(hover.d) ? {words('charts.preview')!r} : {words('charts.now')!r}) + datum.d"
        )
        .mark_text(x=0, y=-(2 * PREVIEW_LINE + 42), align="left", fontSize=13, fontWeight="bold")
        .encode(text="caption:N")
    )
    chart = alt.layer(band, line, ruler, point, end, cell, low, high, keys, caption, catcher)
    return _spec(chart.properties(height=400))


def _column_axis() -> alt.Axis:
    """Names above the columns, turned when the cells are narrower than they are."""
    turned = "bandwidth('x') < 46"
    return alt.Axis(
        orient="top",
        domain=False,
        ticks=False,
        labelLimit=90,
        labelOverlap=False,
        labelAngle=alt.expr(f"{turned} ? -50 : 0"),
        labelAlign=alt.expr(f"{turned} ? 'left' : 'center'"),
    )


def _spec(chart: alt.LayerChart) -> dict[str, Any]:
    """The chart as a plain dict without data, drawn as SVG for screen readers and tests."""
    spec = chart.to_dict()
    for part in (spec, *spec.get("layer", ())):
        part.pop("data", None)
    spec["usermeta"] = {"embedOptions": {"renderer": "svg"}}
    return spec
