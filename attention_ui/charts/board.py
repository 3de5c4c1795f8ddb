"""The saturation lab's board: one measure against d, and above it the scores and the top keys' weights at one d.

All in one view, so that it takes the page's width and the pointer moves every part of it in the browser; what
stands above the plot is placed by expressions. Without a pointer the chosen d is shown.
Table: saturation_tables.board.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from attention_ui.charts.pointer import CELL, HERE, LEFT, TICKS, caption, over
from attention_ui.charts.rules import rule_color, rule_dash, rule_shape
from attention_ui.charts.style import DARK_SHADE, GRID, INK, ON_FILL, shade, spec, table
from attention_ui.text import Words, words_of

PLOT = 290  # pixels, with axis
LINE = 28  # pixels a line of weights
BARS = 68  # pixels of the histogram
STRIP_GAP, STRIP_HEAD, BARS_FOOT, BARS_HEAD, TOP = 12, 36, 40, 24, 8  # pixels
ALIGNED = "#b85c00"
PLACED = {"detail": "role:N"}  # Vega-Lite wants an encoding, also where expressions place a mark


@lru_cache
def board_chart(language: str, measure: str, lines: int) -> dict[str, Any]:
    """The board of one measure for that many rules."""
    words = words_of(language)
    strip = -(STRIP_GAP + LINE * lines)  # top of the weights
    floor = strip - STRIP_HEAD - BARS_FOOT  # foot of the histogram
    top = floor - BARS - BARS_HEAD
    layers = [
        *_plot(words, measure),
        *_weights(words, strip),
        *_bars(words, floor),
        caption(words, top, f" · {words('lab.charts.scores')}"),
    ]
    return spec(alt.layer(*layers).properties(height=PLOT - top + TOP))


def _plot(words: Words, measure: str) -> list[alt.Chart]:
    """Band, median, mean, theory, the onset, the current d, and what catches the pointer."""
    axis = alt.Axis(values=TICKS, format="d", grid=False)
    scale = alt.Scale(type="log", base=2, nice=False, domain=[1, 4096])
    x = alt.X("d:Q", scale=scale, title=words("lab.charts.d_axis"), axis=axis)
    title = words(f"lab.charts.{measure}")
    share = {} if measure in ("entropy", "effective_keys") else {"domain": [0, 1]}
    y_scale = alt.Scale(zero=True, nice=True, **share)

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title=title, scale=y_scale)

    curve = table().transform_filter("datum.role == 'curve'")
    here = curve.transform_filter(HERE)
    onset = table().transform_filter("datum.role == 'onset'")
    return [
        curve.mark_area(opacity=0.13).encode(x=x, y=y("low"), y2="high:Q", color=rule_color()),
        curve.mark_line(strokeWidth=2.5).encode(x=x, y=y("median"), color=rule_color(), strokeDash=rule_dash()),
        curve.transform_filter("isValid(datum.theory)")
        .mark_line(strokeWidth=1.2, color=INK, opacity=0.9)
        .encode(x=x, y=y("theory"), detail="rule:N"),
        curve.mark_point(filled=True, size=34, opacity=1, strokeWidth=0).encode(
            x=x, y=y("mean"), color=rule_color(), shape=rule_shape()
        ),
        onset.mark_rule(color=INK, strokeDash=[2, 3], opacity=0.8).encode(x=x),
        onset.mark_text(color=INK, align="left", dx=5, y=8, fontSize=11).encode(x=x, text="text:N"),
        here.transform_filter("datum.line == 0").mark_rule(color=INK, strokeWidth=1.5, opacity=0.6).encode(x=x),
        here.mark_point(filled=True, size=90, opacity=1, stroke=INK, strokeWidth=1).encode(
            x=x, y=y("mean"), color=rule_color(), shape=rule_shape()
        ),
        curve.mark_point(opacity=0, size=60).encode(x=x, y=y("mean")).add_params(over()),
    ]


def _weights(words: Words, top: int) -> list[alt.Chart]:
    """A line of cells for each rule: the mean weights of the top keys, with their ranks above."""
    weight = table().transform_filter("datum.role == 'weight'").transform_filter(HERE)
    line = f"datum.line * {LINE} + {top}"
    middle = alt.expr(f"{line} + {LINE / 2}")
    centre = alt.expr(f"{LEFT} + {CELL} / 2")
    number = {"x": centre, "y": middle, "fontSize": alt.expr(f"clamp({CELL} / 3.6, 8, 13)")}
    first = weight.transform_filter("datum.place == 0")
    return [
        weight.mark_rect(
            x=alt.expr(f"{LEFT} + 1"), x2=alt.expr(f"{LEFT} + {CELL} - 1"),
            y=alt.expr(line), y2=alt.expr(f"{line} + {LINE - 2}"),
            stroke=GRID, strokeWidth=0.5, cornerRadius=2,
        ).encode(color=rule_color(), fillOpacity=shade("value")),
        weight.transform_filter(f"datum.value < {DARK_SHADE}").mark_text(color=INK, **number).encode(text="text:N"),
        weight.transform_filter(f"datum.value >= {DARK_SHADE}")
        .mark_text(color=ON_FILL, **number)
        .encode(text="text:N"),
        weight.transform_filter("datum.line == 0")
        .mark_text(color=INK, x=centre, y=top - 9, fontSize=11)
        .encode(text="rank:N"),
        first.mark_text(x=-7, y=middle, align="right", fontSize=12, fontWeight="bold").encode(
            text="label:N", color=rule_color()
        ),
        _title(words("lab.charts.weights"), top - 25),
    ]  # fmt: skip


def _bars(words: Words, floor: int) -> list[alt.Chart]:
    """The histogram of raw scores, the share that N(0, d) gives each bin, ticks, and the aligned key's mean."""
    here = table().transform_filter(HERE)
    left, right = alt.expr("width * datum.x0"), alt.expr("width * datum.x1")
    high, law = f"{floor} - {BARS} * datum.height", f"{floor} - {BARS} * datum.normal"
    bars = here.transform_filter("datum.role == 'bar'")
    ticks = here.transform_filter("datum.role == 'tick'")
    aligned = here.transform_filter("datum.role == 'aligned'")
    return [
        bars.mark_rect(x=left, x2=right, y=alt.expr(high), y2=floor, color=GRID, opacity=0.7).encode(**PLACED),
        bars.mark_rect(x=left, x2=right, y=alt.expr(f"{law} - 1"), y2=alt.expr(f"{law} + 1"), color=INK)
        .encode(**PLACED),
        ticks.mark_rect(x=left, x2=alt.expr("width * datum.x0 + 1"), y=floor, y2=floor + 4, color=INK, opacity=0.5)
        .encode(**PLACED),
        ticks.mark_text(x=left, y=floor + 12, color=INK, fontSize=11).encode(text="text:N"),
        here.transform_filter("datum.role == 'peak'")
        .mark_text(x=-7, y=alt.expr(high), align="right", color=INK, fontSize=11)
        .encode(text="text:N"),
        aligned.mark_rect(x=alt.expr("width * datum.x0 - 1.5"), x2=alt.expr("width * datum.x0 + 1.5"), y=floor,
                          y2=floor - BARS, color=ALIGNED).encode(**PLACED),
        aligned.mark_text(x=left, y=floor - BARS + 4, align="right", dx=-5, color=INK, fontSize=11, fontWeight="bold")
        .encode(text="text:N"),
        _title(words("lab.charts.scores_axis"), floor + 27, size=11, weight="normal"),
    ]  # fmt: skip


def _title(text: str, y: int, size: int = 12, weight: str = "bold") -> alt.Chart:
    """A line of text above the plot."""
    one = table().transform_filter("datum.role == 'title'")
    return one.mark_text(text=text, color=INK, x=0, y=y, align="left", fontSize=size, fontWeight=weight).encode(
        **PLACED
    )
