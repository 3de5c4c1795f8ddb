"""The heat map of a matrix with its numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from attention_ui.charts.style import DARK_SHADE, GRID, INK, ON_FILL, PALETTE, shade, spec, table
from attention_ui.text import words_of

CELL_HEIGHT = 40  # pixels
FONT_SIZE = "clamp(bandwidth('x') / 3.4, 8, 13)"
NARROW_CELL = 21  # pixels; below it a number does not fit and only its tooltip shows it
TURNED = "bandwidth('x') < 46"  # names above narrow cells are turned
CHOSEN = "#f2b705"


@lru_cache
def matrix_chart(language: str, kind: str, selectable: bool) -> dict[str, Any]:
    """Rows are tokens; `kind` is "pairs" (query × key) or "dimensions".

    Table: row, column, text, tone, shade, selected, marked (frames.matrix_table).
    Selection: `cell` with i, j and selected, so that a second click on a selected cell is told apart.
    """
    base = table().encode(**_axes(language, kind))
    fill = _fill(base, language)
    if selectable:
        fill = fill.add_params(
            alt.selection_point(name="cell", fields=["i", "j", "selected"], on="click", clear=False, empty=False)
        )
    chosen = base.mark_rect(fillOpacity=0, stroke=CHOSEN, strokeWidth=3).transform_filter("datum.selected")
    layers = [fill, *_numbers(base, language), chosen, _marked_row()]
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
            "row:N", sort=None, title=words(f"charts.{row}"), axis=alt.Axis(labelLimit=110, domain=False, ticks=False)
        ),
    }


def _tooltip(language: str) -> list[alt.Tooltip]:
    words = words_of(language)
    fields = {"row": "row", "column": "column", "text": "value"}
    return [alt.Tooltip(f"{field}:N", title=words(f"charts.{title}")) for field, title in fields.items()]


def _fill(base: alt.Chart, language: str) -> alt.Chart:
    tones = alt.Scale(domain=list(PALETTE), range=list(PALETTE.values()))
    return base.mark_rect(stroke=GRID, strokeWidth=0.5, strokeOpacity=0.45, cornerRadius=2).encode(
        color=alt.Color("tone:N", scale=tones, legend=None), fillOpacity=shade("shade"), tooltip=_tooltip(language)
    )


def _numbers(base: alt.Chart, language: str) -> list[alt.Chart]:
    """The value in each cell, in the page's ink on light shades and white on dark ones."""
    style = {"fontSize": alt.expr(FONT_SIZE), "opacity": alt.expr(f"bandwidth('x') < {NARROW_CELL} ? 0 : 1")}
    number = base.encode(text="text:N", tooltip=_tooltip(language))
    return [
        number.mark_text(color=INK, **style).transform_filter(f"datum.shade < {DARK_SHADE}"),
        number.mark_text(color=ON_FILL, **style).transform_filter(f"datum.shade >= {DARK_SHADE}"),
    ]


def _marked_row() -> alt.Chart:
    """A frame around the row in focus."""
    frame = table().mark_rect(fillOpacity=0, stroke=INK, strokeOpacity=0.6, strokeWidth=2, cornerRadius=2)
    return frame.encode(y=alt.Y("row:N", sort=None)).transform_filter("datum.marked && datum.j == 0")
