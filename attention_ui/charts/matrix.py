"""The heat map of a matrix with its numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from attention_ui.charts.style import DARK_SHADE, GRID, INK, ON_FILL, PALETTE, shade, spec, table
from attention_ui.text import words_of

CELL_HEIGHT = 40  # pixels
NARROW = "bandwidth('x') < 34"  # pixels; below it numbers are shortened
FONT_SIZE = f"clamp(bandwidth('x') / ({NARROW} ? 2.3 : 3.4), 7, 13)"
TURNED = "bandwidth('x') < 46"  # names above narrow cells are turned
CHOSEN = "#f2b705"


@lru_cache
def matrix_chart(language: str, kind: str, selectable: bool) -> dict[str, Any]:
    """Rows are tokens; `kind` is "pairs" (query × key) or "dimensions".

    Table: frames.matrix_table, and for a selectable one also selected and choices (tables.stage).
    Selection: `cell` with i, j and choices, a count that changes with every choice, so that the same cell can
    be clicked again.
    """
    base = table().encode(**_axes(language, kind))
    fill = _fill(base)
    if selectable:
        fill = fill.add_params(
            alt.selection_point(name="cell", fields=["i", "j", "choices"], on="click", clear=False, empty=False)
        )
    layers = [fill, *_numbers(base), _marked_row()]
    if selectable:
        layers.append(base.mark_rect(fillOpacity=0, stroke=CHOSEN, strokeWidth=3).transform_filter("datum.selected"))
    return spec(alt.layer(*layers).properties(height=alt.Step(CELL_HEIGHT)))


def _axes(language: str, kind: str) -> dict[str, Any]:
    words = words_of(language)
    column, row = ("column_token", "row_query") if kind == "pairs" else ("column_dimension", "row_token")
    names = alt.Axis(
        orient="top", domain=False, ticks=False, labelLimit=90, labelOverlap=False,
        labelAngle=alt.expr(f"{TURNED} ? -50 : 0"), labelAlign=alt.expr(f"{TURNED} ? 'left' : 'center'"),
    )  # fmt: skip
    return {
        "x": alt.X("column:N", sort=None, title=words(f"charts.{column}"), axis=names),
        "y": alt.Y(
            "row:N",
            sort=None,
            title=words(f"charts.{row}"),
            axis=alt.Axis(labelLimit=110, domain=False, ticks=False, labelFlush=False),
        ),
    }


def _fill(base: alt.Chart) -> alt.Chart:
    """The cells; where numbers are shortened the whole one is in the tooltip."""
    tones = alt.Scale(domain=list(PALETTE), range=list(PALETTE.values()))
    whole = alt.expr(f"{NARROW} ? datum.row + ' · ' + datum.column + ' : ' + datum.text : null")
    return base.mark_rect(stroke=GRID, strokeWidth=0.5, strokeOpacity=0.45, cornerRadius=2, tooltip=whole).encode(
        color=alt.Color("tone:N", scale=tones, legend=None), fillOpacity=shade("shade")
    )


def _numbers(base: alt.Chart) -> list[alt.Chart]:
    """The value in each cell, shortened in narrow ones, in the page's ink on light shades and white on dark ones."""
    style = {"fontSize": alt.expr(FONT_SIZE), "text": alt.expr(f"{NARROW} ? datum.short : datum.text")}
    return [
        base.mark_text(color=INK, **style).transform_filter(f"datum.shade < {DARK_SHADE}"),
        base.mark_text(color=ON_FILL, **style).transform_filter(f"datum.shade >= {DARK_SHADE}"),
    ]


def _marked_row() -> alt.Chart:
    """A frame around the row in focus."""
    frame = table().mark_rect(fillOpacity=0, stroke=INK, strokeOpacity=0.6, strokeWidth=2, cornerRadius=2)
    return frame.encode(y=alt.Y("row:N", sort=None)).transform_filter("datum.marked && datum.j == 0")
