"""The stages of attention, one row a stage: its matrices, and of each matrix the axes and the formula.

The formulas are templates: $rule is the scaled score, $s the letter of what goes into the softmax, $n and $d_emb are
the sizes of X. How a stage is called stands in content/<language>.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Template

from attention_ui.mathml import EQUALS, ident, number, over, power, row, sign, sub


@dataclass(frozen=True)
class Matrix:
    """What a row and a column of it stand for, and how it comes from what was there before."""

    axes: tuple[str, str]
    latex: str
    mathml: str

    @property
    def square(self) -> bool:
        """True with a row and a column for each token."""
        return self.axes == ("tokens", "tokens")

    def in_latex(self, **values: object) -> str:
        """The formula for the page. Errors: KeyError without a value that it needs."""
        return Template(self.latex).substitute(values)

    def in_mathml(self, **values: object) -> str:
        """The formula for paper. Errors: KeyError without a value that it needs."""
        return Template(self.mathml).substitute(values)


@dataclass(frozen=True)
class Stage:
    """Its matrices by name, in the order in which a learner reads them; `masks` when there is none without a mask."""

    matrices: Mapping[str, Matrix]
    masks: bool = False


def _weights(letter: str, columns: str) -> Matrix:
    return Matrix(("d_emb", columns), f"W_{letter}", sub("W", letter))


def _projection(letter: str, columns: str) -> Matrix:
    formula = ident(letter) + EQUALS + ident("X") + sub("W", letter)
    return Matrix(("tokens", columns), f"{letter} = X W_{letter}", formula)


def _pairs(latex: str, *mathml: str) -> Matrix:
    return Matrix(("tokens", "tokens"), latex, "".join(mathml))


def _case(value: str, relation: str) -> str:
    return f"<mtr><mtd>{value}</mtd><mtd>{ident('j')}{sign(relation)}{ident('i')}</mtd></mtr>"


_S = sub("s", "ij")
_LOWER, _UPPER = _case(_S, "≤"), _case(sign("−") + number("∞"), "&gt;")
_POWER, _POWERS = (power(ident("e"), sub("$s", places)) for places in ("ij", "il"))
_SUM = f"<msub>{sign('∑')}{ident('l')}</msub>"

STAGES = {
    "X": Stage({"X": Matrix(("tokens", "d_emb"), r"X \in \mathbb{R}^{$n \times $d_emb}", ident("X"))}),
    "QKV": Stage(
        {"Q": _projection("Q", "d_k"), "K": _projection("K", "d_k"), "V": _projection("V", "d_v")},
    ),
    "scores": Stage({"scores": _pairs(r"QK^\top", ident("Q"), power(ident("K"), sign("⊤")))}),
    "scaled": Stage({"scaled": _pairs("s_{ij} = $rule", _S, EQUALS, "$rule")}),
    "masked": Stage(
        {
            "masked": _pairs(
                r"m_{ij} = \begin{cases} s_{ij} & j \le i \\ -\infty & j > i \end{cases}",
                *(sub("m", "ij"), EQUALS, row(sign("{"), f"<mtable>{_LOWER}{_UPPER}</mtable>")),
            )
        },
        masks=True,
    ),
    "weights": Stage(
        {
            "weights": _pairs(
                r"a_{ij} = \dfrac{e^{${s}_{ij}}}{\sum_l e^{${s}_{il}}}",
                *(sub("a", "ij"), EQUALS, over(_POWER, _SUM + _POWERS)),
            )
        }
    ),
    "output": Stage(
        {"output": Matrix(("tokens", "d_v"), r"O = A\,V", ident("O") + EQUALS + ident("A") + ident("V"))},
    ),
}
WEIGHTS = {"W_Q": _weights("Q", "d_k"), "W_K": _weights("K", "d_k"), "W_V": _weights("V", "d_v")}
GIVEN = {**STAGES["X"].matrices, **WEIGHTS}
# Every matrix of a trace, in the order in which they are computed.
PARTS = GIVEN | {name: matrix for stage in STAGES.values() for name, matrix in stage.matrices.items()}
SPOKEN = tuple(name for name in PARTS if name.islower())  # have a name in words; the others are letters


def shown_stages(causal: bool) -> list[str]:
    """The stages with a mask or without one."""
    return [name for name, stage in STAGES.items() if causal or not stage.masks]


def shown_parts(causal: bool) -> list[str]:
    """The matrices with a mask or without one, in the order in which they are computed."""
    return [*GIVEN, *(name for stage in shown_stages(causal) for name in STAGES[stage].matrices if name not in GIVEN)]
