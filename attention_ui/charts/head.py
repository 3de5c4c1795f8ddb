"""The real head: the sentence as a graph from one token to all, and the singular values of W_Q W_Kᵀ."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from attention_ui.charts.style import DARK_SHADE, GRID, INK, ON_FILL, PALETTE, shade, spec, table
from attention_ui.text import words_of

LINE = 26  # pixels a token
WIDEST = 14  # pixels of an arrow that carries all the attention
CHOSEN = "#f2b705"


@lru_cache
def graph_chart(language: str, n: int) -> dict[str, Any]:
    """Tokens as queries on the left and as keys on the right; lines from the chosen query, as wide as its weights.

    Table: head_frames.graph. Selection: `word` with i and choices, a count that changes with every choice.
    """
    words = words_of(language)
    x = alt.X("x:Q", scale=alt.Scale(domain=[-0.55, 1.7], nice=False), title=words("head.charts.sides"),
              axis=alt.Axis(labels=False, ticks=False, grid=False, domain=False))  # fmt: skip
    y = alt.Y("y:Q", scale=alt.Scale(domain=[max(n, 6) - 0.4, -0.6], nice=False), title=words("head.charts.order"),
              axis=alt.Axis(labels=False, ticks=False, grid=False, domain=False))  # fmt: skip
    edge, query, key = (table().transform_filter(f"datum.role == '{role}'") for role in ("edge", "query", "key"))
    width = alt.StrokeWidth("value:Q", scale=alt.Scale(domain=[0, 1], range=[0.3, WIDEST]), legend=None)
    opacity = alt.StrokeOpacity("value:Q", scale=alt.Scale(domain=[0, 1], range=[0.15, 0.95]), legend=None)
    pick = alt.selection_point(name="word", fields=["i", "choices"], on="click", clear=False, empty=False)
    side = PALETTE["with"]
    left = {"x": alt.expr("scale('x', -0.5)"), "x2": alt.expr("scale('x', 0)")}
    right = {"x": alt.expr("scale('x', 1)"), "x2": alt.expr("scale('x', 1.5)")}
    tall = {
        "y": alt.expr(f"scale('y', datum.y) - {LINE / 2 - 2}"),
        "y2": alt.expr(f"scale('y', datum.y) + {LINE / 2 - 2}"),
    }
    layers = [
        edge.mark_rule(color=side, strokeCap="round").encode(
            x=x, y=y, x2="x2:Q", y2="y2:Q", strokeWidth=width, strokeOpacity=opacity
        ),
        key.mark_rect(color=side, cornerRadius=4, **right, **tall).encode(fillOpacity=shade("value")),
        query.mark_rect(color=GRID, cornerRadius=4, fillOpacity=0.14, **left, **tall)
        .encode(detail="text:N")
        .add_params(pick),
        query.transform_filter("datum.chosen")
        .mark_rect(fillOpacity=0, stroke=CHOSEN, strokeWidth=3, cornerRadius=4, **left, **tall)
        .encode(detail="text:N"),
        query.mark_text(color=INK, align="right", dx=-8, fontSize=13).encode(x=x, y=y, text="text:N"),
        key.transform_filter(f"datum.value < {DARK_SHADE}")
        .mark_text(color=INK, align="left", dx=8, fontSize=13)
        .encode(x=x, y=y, text="text:N"),
        key.transform_filter(f"datum.value >= {DARK_SHADE}")
        .mark_text(color=ON_FILL, align="left", dx=8, fontSize=13)
        .encode(x=x, y=y, text="text:N"),
        key.mark_text(color=INK, align="left", x=alt.expr("scale('x', 1.5) + 5"), fontSize=12).encode(
            y=y, text="number:N"
        ),
    ]
    return spec(alt.layer(*layers).properties(height=LINE * max(n, 6) + 40))


@lru_cache
def spectrum_chart(language: str) -> dict[str, Any]:
    """The singular values, those that are kept in colour. Table: head_frames.spectrum."""
    words = words_of(language)
    x = alt.X("rank:O", title=words("head.charts.rank"), axis=alt.Axis(labelAngle=0, labelOverlap=True))
    y = alt.Y("value:Q", title=words("head.charts.singular"), scale=alt.Scale(zero=True))
    base = table().encode(x=x, y=y)
    return spec(
        alt.layer(
            base.transform_filter("!datum.kept").mark_bar(color=GRID, opacity=0.45),
            base.transform_filter("datum.kept").mark_bar(color=PALETTE["with"]),
        ).properties(height=180)
    )
