"""Colours, text and the last step from an Altair chart to a plain spec, shared by all charts."""

from __future__ import annotations

from typing import Any

import altair as alt

from attention_ui.rules import RULES

# Dark enough for white text, apart for colour-blind readers; a second sign always goes with a colour.
PALETTE = {
    "plus": "#2f6fde",
    "minus": "#b85c00",
    "without": RULES["none"].look.color,
    "with": RULES["sqrt"].look.color,
    "masked": "#8a8f98",
    "gap": "#8a8f98",
}
SIDES = ["without", "with"]
INK = "currentColor"  # the page's text colour, in whatever theme the page is
ON_FILL = "white"
GRID = "#8a8f98"
DARK_SHADE = 0.82  # from here on a cell needs white text in the light theme too


def table() -> alt.Chart:
    """A chart on the table that it will be drawn with."""
    return alt.Chart(alt.NamedData("table"))


def shade(field: str) -> alt.FillOpacity:
    """0 to 1 as opacity; even an empty cell keeps a trace, so that it can be seen and clicked."""
    return alt.FillOpacity(f"{field}:Q", scale=alt.Scale(domain=[0, 1], range=[0.03, 1]), legend=None)


def side_color() -> alt.Color:
    """The colours of "without" and "with"."""
    return alt.Color("rule:N", scale=alt.Scale(domain=SIDES, range=[PALETTE[side] for side in SIDES]), legend=None)


def spec(chart: alt.LayerChart) -> dict[str, Any]:
    """The chart as a plain dict without data, drawn as SVG for screen readers and tests."""
    plain = chart.to_dict()
    for part in (plain, *plain.get("layer", ())):
        part.pop("data", None)
    for part in plain.get("layer", (plain,)):
        part["mark"].setdefault("tooltip", None)  # none but those a chart asks for
    plain["usermeta"] = {"embedOptions": {"renderer": "svg"}}
    return plain
