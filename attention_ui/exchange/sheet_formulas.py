"""The formulas of every stage and rule as MathML, which browsers draw without any font or script of ours."""

from __future__ import annotations

from attention_ui.exchange.sheet import Html
from attention_ui.mathml import EQUALS, ident, number, over, power, sign, sub
from attention_ui.rules import RULES


def _math(*parts: str) -> Html:
    return Html(f'<math lang="en" displaystyle="true">{"".join(parts)}</math>')


_LESS, _MORE = (ident("j") + sign(each) + ident("i") for each in ("≤", "&gt;"))
_CASES = (
    f"<mrow>{sign('{')}<mtable>"
    f"<mtr><mtd>{sub('s', 'ij')}</mtd><mtd>{_LESS}</mtd></mtr>"
    f"<mtr><mtd>{sign('−')}{number('∞')}</mtd><mtd>{_MORE}</mtd></mtr></mtable></mrow>"
)
_STAGES = {
    "X": ident("X"),
    **{f"W_{name}": sub("W", name) for name in "QKV"},
    "Q": ident("X") + sub("W", "Q"),
    "K": ident("X") + sub("W", "K"),
    "V": ident("X") + sub("W", "V"),
    "scores": ident("Q") + power(ident("K"), sign("⊤")),
    "masked": sub("m", "ij") + EQUALS + _CASES,
    "output": ident("O") + EQUALS + ident("A") + ident("V"),
}


def rule(name: str) -> Html:
    """The scaled score of one pair under a rule."""
    return _math(sub("s", "ij"), EQUALS, RULES[name].mathml)


def stage(name: str, rule_name: str, causal: bool) -> Html:
    """How a stage comes from the one before it."""
    if name == "scaled":
        return rule(rule_name)
    if name == "weights":
        score = "m" if causal else "s"
        powers = (power(ident("e"), sub(score, places)) for places in ("ij", "il"))
        bottom = f"<msub>{sign('∑')}{ident('l')}</msub>"
        return _math(sub("a", "ij"), EQUALS, over(next(powers), bottom + next(powers)))
    return _math(*(ident(name), EQUALS) if name in "QKV" else (), _STAGES[name])
