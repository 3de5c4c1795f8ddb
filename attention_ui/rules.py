"""The scaling rules on the page, one row a rule: how each looks and how it is written, wherever it is written.

What a rule does is attention_core.scaling's; here it is only said, in text that knows no arrays. Its words stand in
content/<language>/rules.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt

from attention_ui.mathml import SPACE, TIMES, ident, over, row, sign, sub


@dataclass(frozen=True)
class Look:
    """How a rule is drawn: colour, sign in text and as Vega's shape, dashes and gaps of its line in pixels."""

    color: str
    sign: str
    shape: str
    dash: tuple[int, ...]


@dataclass(frozen=True)
class Pair:
    """One query and one key: their score, d_k, how many keys the query may look at, both lengths and the rule's
    parameters; and how a number is written, alone and as a factor."""

    score: float
    d: int
    keys: int
    lengths: tuple[float, float]
    parameters: Mapping[str, float]
    number: Callable[[float], str]
    factor: Callable[[float], str]

    @property
    def top(self) -> str:
        """The score as it is written."""
        return self.factor(self.score)

    def written(self, parameter: str) -> str:
        """One of the rule's parameters as it is written."""
        return self.number(self.parameters[parameter])

    def both_lengths(self, times: str) -> str:
        """Their product as it is written."""
        return times.join(map(self.number, self.lengths))


@dataclass(frozen=True)
class Form:
    """How one rule looks and is written.

    `board` gives LaTeX with a pair's numbers, step by step up to the result, and `exercise` the same in one line of
    HTML; `exact` is False where its numbers can only be worked out nearly, unless the score is 0. `numpy` and
    `torch` make `scaled` of `scores`, Q and K; their places are the parameters, and n_keys for the number of keys,
    in PyTorch for its logarithm. `mathml` is the scaled score of the query i and the key j.
    """

    look: Look
    board: Callable[[Pair], list[str]]
    numpy: str
    torch: str
    mathml: str
    exercise: Callable[[Pair], str]
    exact: bool = True

    @property
    def counts_keys(self) -> bool:
        """True where the number of keys that a query may look at matters."""
        return "{n_keys}" in self.numpy


_TIMES = r" \times "


def _fraction(top: str, bottom: str) -> str:
    return rf"\frac{{{top}}}{{{bottom}}}"


def _times(*factors: str) -> str:
    return _TIMES.join(factors)


def _root(pair: Pair) -> str:
    return rf"\sqrt{{{pair.d}}}"


def _cosine(pair: Pair) -> str:
    """A zero vector has no direction; the rule gives it the cosine 0."""
    return f"{pair.top} / ({pair.both_lengths(' × ')})" if all(pair.lengths) else "0"


def _length(letter: str, place: str) -> str:
    return sign("‖") + sub(letter, place) + sign("‖")


_D = sub("d", "k")
_ROOT = row(ident("√"), _D)  # a sign alone: without a font for mathematics a drawn root lies on its d
_DOT = sub("q", "i") + TIMES + sub("k", "j")
_NUMPY_COSINE = """\
def length(rows):
    largest = np.abs(rows).max(axis=1)
    largest[largest == 0] = 1
    return largest * np.linalg.norm(rows / largest[:, None], axis=1)


q_length, k_length = length(Q), length(K)
q_length[q_length == 0] = k_length[k_length == 0] = 1
scaled = {g!r} * (scores / q_length[:, None] / k_length)
"""
_TORCH_COSINE = """\
def length(rows):
    largest = rows.abs().amax(dim=1)
    largest[largest == 0] = 1
    return largest * torch.linalg.vector_norm(rows / largest[:, None], dim=1)


q_length, k_length = length(Q), length(K)
q_length[q_length == 0] = k_length[k_length == 0] = 1
scaled = {g!r} * (scores / q_length[:, None] / k_length)
"""

RULES = {
    "none": Form(
        Look("#c2417c", "●", "circle", (6, 3)),
        board=lambda pair: [],
        numpy="scaled = scores\n",
        torch="scaled = scores\n",
        mathml=_DOT,
        exercise=lambda pair: pair.top,
    ),
    "sqrt": Form(
        Look("#0b7c7e", "■", "square", (1, 0)),
        board=lambda pair: [_fraction(pair.top, _root(pair)), _fraction(pair.top, pair.number(sqrt(pair.d)))],
        numpy="scaled = scores / np.sqrt(Q.shape[1])\n",
        torch="scaled = scores / math.sqrt(Q.shape[1])\n",
        mathml=over(_DOT, _ROOT),
        exercise=lambda pair: f"{pair.top} / √{pair.d}",
    ),
    "power": Form(
        Look("#2f6fde", "◆", "diamond", (10, 3)),
        board=lambda pair: [
            _fraction(pair.top, f"{pair.d}^{{{pair.written('a')}}}"),
            _fraction(pair.top, pair.number(pair.d ** pair.parameters["a"])),
        ],
        numpy="scaled = scores / Q.shape[1] ** {a!r}\n",
        torch="scaled = scores / Q.shape[1] ** {a!r}\n",
        mathml=over(_DOT, f"<msubsup>{ident('d')}{ident('k')}{ident('a')}</msubsup>"),
        exercise=lambda pair: f"{pair.top} / {pair.d}<sup>{pair.written('a')}</sup>",
    ),
    "linear": Form(
        Look("#b85c00", "▲", "triangle-up", (3, 3)),
        board=lambda pair: [_fraction(pair.top, str(pair.d))],
        numpy="scaled = scores / Q.shape[1]\n",
        torch="scaled = scores / Q.shape[1]\n",
        mathml=over(_DOT, _D),
        exercise=lambda pair: f"{pair.top} / {pair.d}",
    ),
    "ssmax": Form(
        Look("#7a4fd0", "✚", "cross", (8, 3, 2, 3)),
        board=lambda pair: [_times(pair.written("c"), rf"\ln {pair.keys}", _fraction(pair.top, _root(pair)))],
        numpy="scaled = {c!r} * np.log({n_keys}) * scores / np.sqrt(Q.shape[1])\n",
        torch="scaled = {c!r} * {n_keys} * scores / math.sqrt(Q.shape[1])\n",
        mathml=ident("c") + TIMES + ident("ln") + SPACE + ident("n") + TIMES + over(_DOT, _ROOT),
        exercise=lambda pair: f"{pair.written('c')} × ln {pair.keys} × {pair.top} / √{pair.d}",
        exact=False,
    ),
    "qknorm": Form(
        Look("#5b7f1a", "▼", "triangle-down", (2, 4)),
        board=lambda pair: [_times(pair.written("g"), _fraction(pair.top, pair.both_lengths(_TIMES)))],
        numpy=_NUMPY_COSINE,
        torch=_TORCH_COSINE,
        mathml=ident("g") + TIMES + over(_DOT, _length("q", "i") + _length("k", "j")),
        exercise=lambda pair: f"{pair.written('g')} × {_cosine(pair)}",
    ),
    "softcap": Form(
        Look("#64748b", "▶", "triangle-right", (12, 4, 4, 4)),
        board=lambda pair: [
            _times(pair.written("c"), r"\tanh " + _fraction(pair.top, _times(pair.written("c"), _root(pair)))),
        ],
        numpy="scaled = {c!r} * np.tanh(scores / (np.sqrt(Q.shape[1]) * {c!r}))\n",
        torch="scaled = {c!r} * torch.tanh(scores / (math.sqrt(Q.shape[1]) * {c!r}))\n",
        mathml=ident("c") + TIMES + ident("tanh") + SPACE + over(_DOT, ident("c") + _ROOT),
        exercise=lambda pair: f"{pair.written('c')} × tanh({pair.top} / ({pair.written('c')} × √{pair.d}))",
        exact=False,
    ),
}
