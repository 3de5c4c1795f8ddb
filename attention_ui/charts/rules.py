"""The rules' colours, signs and dashes, the same in every chart."""

from __future__ import annotations

import altair as alt

from attention_ui.rules import RULES


def rule_color() -> alt.Color:
    """The rules' colours."""
    return alt.Color("rule:N", scale=_scale([form.look.color for form in RULES.values()]), legend=None)


def rule_shape() -> alt.Shape:
    """The rules' signs."""
    return alt.Shape("rule:N", scale=_scale([form.look.shape for form in RULES.values()]), legend=None)


def rule_dash() -> alt.StrokeDash:
    """The rules' kinds of line."""
    return alt.StrokeDash("rule:N", scale=_scale([list(form.look.dash) for form in RULES.values()]), legend=None)


def _scale(values: list[object]) -> alt.Scale:
    return alt.Scale(domain=list(RULES), range=values)
