"""A colour, a sign and a dash for each scaling rule, the same in every chart."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from attention_ui.charts.style import PALETTE


@dataclass(frozen=True)
class Look:
    """How a rule is drawn: colour, sign in text and as Vega's shape, dashes and gaps of its line in pixels."""

    color: str
    sign: str
    shape: str
    dash: tuple[int, ...]


LOOKS = {
    "none": Look(PALETTE["without"], "●", "circle", (6, 3)),
    "sqrt": Look(PALETTE["with"], "■", "square", (1, 0)),
    "power": Look("#2f6fde", "◆", "diamond", (10, 3)),
    "linear": Look("#b85c00", "▲", "triangle-up", (3, 3)),
    "ssmax": Look("#7a4fd0", "✚", "cross", (8, 3, 2, 3)),
    "qknorm": Look("#5b7f1a", "▼", "triangle-down", (2, 4)),
    "softcap": Look("#64748b", "▶", "triangle-right", (12, 4, 4, 4)),
}


def rule_color() -> alt.Color:
    """The rules' colours."""
    return alt.Color("rule:N", scale=_scale([look.color for look in LOOKS.values()]), legend=None)


def rule_shape() -> alt.Shape:
    """The rules' signs."""
    return alt.Shape("rule:N", scale=_scale([look.shape for look in LOOKS.values()]), legend=None)


def rule_dash() -> alt.StrokeDash:
    """The rules' kinds of line."""
    return alt.StrokeDash("rule:N", scale=_scale([list(look.dash) for look in LOOKS.values()]), legend=None)


def _scale(values: list[object]) -> alt.Scale:
    return alt.Scale(domain=list(LOOKS), range=values)
