"""The formulas of every stage and rule as MathML, which browsers draw without any font or script of ours."""

from __future__ import annotations

from attention_ui.exchange.sheet import Html
from attention_ui.rules import RULES
from attention_ui.stages import PARTS


def rule(name: str) -> Html:
    """The scaled score of one pair under a rule."""
    return stage("scaled", name, causal=False)


def stage(name: str, rule_name: str, causal: bool) -> Html:
    """How a matrix comes from the ones before it."""
    formula = PARTS[name].in_mathml(rule=RULES[rule_name].mathml, s="m" if causal else "s")
    return Html(f'<math lang="en" displaystyle="true">{formula}</math>')
