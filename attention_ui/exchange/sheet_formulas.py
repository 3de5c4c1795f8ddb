"""The formulas of every stage and rule as MathML, which browsers draw without any font or script of ours."""

from __future__ import annotations

from attention_ui.exchange.sheet import Html


def _i(name: str) -> str:
    return f"<mi>{name}</mi>"


def _o(sign: str) -> str:
    return f"<mo>{sign}</mo>"


def _n(number: str) -> str:
    return f"<mn>{number}</mn>"


def _sub(name: str, places: str) -> str:
    return f"<msub><mi>{name}</mi><mrow>{''.join(map(_i, places))}</mrow></msub>"


def _over(top: str, bottom: str) -> str:
    return f"<mfrac><mrow>{top}</mrow><mrow>{bottom}</mrow></mfrac>"


def _power(base: str, exponent: str) -> str:
    return f"<msup>{base}<mrow>{exponent}</mrow></msup>"


def _length(name: str, place: str) -> str:
    return _o("‖") + _sub(name, place) + _o("‖")


def _math(*parts: str) -> Html:
    return Html(f'<math lang="en" displaystyle="true">{"".join(parts)}</math>')


_EQUALS, _TIMES = _o("="), _o("·")
_SPACE = '<mspace width="0.2em"></mspace>'
_D = _sub("d", "k")
_ROOT = f"<mrow>{_i('√')}{_D}</mrow>"  # a sign alone: without a font for mathematics a drawn root lies on its d
_DOT = _sub("q", "i") + _TIMES + _sub("k", "j")
_RULES = {
    "none": _DOT,
    "sqrt": _over(_DOT, _ROOT),
    "power": _over(_DOT, f"<msubsup>{_i('d')}{_i('k')}{_i('a')}</msubsup>"),
    "linear": _over(_DOT, _D),
    "ssmax": _i("c") + _TIMES + _i("ln") + _SPACE + _i("n") + _TIMES + _over(_DOT, _ROOT),
    "qknorm": _i("g") + _TIMES + _over(_DOT, _length("q", "i") + _length("k", "j")),
    "softcap": _i("c") + _TIMES + _i("tanh") + _SPACE + _over(_DOT, _i("c") + _ROOT),
}
_LESS, _MORE = (_i("j") + _o(sign) + _i("i") for sign in ("≤", "&gt;"))
_CASES = (
    f"<mrow>{_o('{')}<mtable>"
    f"<mtr><mtd>{_sub('s', 'ij')}</mtd><mtd>{_LESS}</mtd></mtr>"
    f"<mtr><mtd>{_o('−')}{_n('∞')}</mtd><mtd>{_MORE}</mtd></mtr></mtable></mrow>"
)
_STAGES = {
    "X": _i("X"),
    **{f"W_{name}": _sub("W", name) for name in "QKV"},
    "Q": _i("X") + _sub("W", "Q"),
    "K": _i("X") + _sub("W", "K"),
    "V": _i("X") + _sub("W", "V"),
    "scores": _i("Q") + _power(_i("K"), _o("⊤")),
    "masked": _sub("m", "ij") + _EQUALS + _CASES,
    "output": _i("O") + _EQUALS + _i("A") + _i("V"),
}


def rule(name: str) -> Html:
    """The scaled score of one pair under a rule."""
    return _math(_sub("s", "ij"), _EQUALS, _RULES[name])


def stage(name: str, rule_name: str, causal: bool) -> Html:
    """How a stage comes from the one before it."""
    if name == "scaled":
        return rule(rule_name)
    if name == "weights":
        score = "m" if causal else "s"
        powers = (_power(_i("e"), _sub(score, places)) for places in ("ij", "il"))
        bottom = f"<msub>{_o('∑')}{_i('l')}</msub>"
        return _math(_sub("a", "ij"), _EQUALS, _over(next(powers), bottom + next(powers)))
    return _math(*(_i(name), _EQUALS) if name in "QKV" else (), _STAGES[name])
