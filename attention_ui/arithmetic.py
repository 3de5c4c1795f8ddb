"""One cell's arithmetic as LaTeX lines with the real numbers, as a teacher writes it on the board.

Everything is computed unrounded and only shown rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from attention_core import Scaling, Trace
from attention_core.checks import FloatArray
from attention_core.scaling import row_lengths
from attention_ui.numbers import latex
from attention_ui.rules import RULES, Pair

MOST_TERMS = 6  # a longer sum shows its first terms, an ellipsis and the last
FIRST_TERMS = 2
LARGEST_EXPONENT = 20  # above it the row's maximum is subtracted first, so that e^x stays readable
FACTORS = {"Q": "W_Q", "K": "W_K", "V": "W_V"}


def lines(stage: str, row: int, column: int, trace: Trace, decimals: int) -> list[str]:
    """The lines for cell (row, column) of a stage, counted from 0, of a trace with its weight matrices.

    Errors: ValueError for a stage whose arithmetic is not known here, KeyError for such a rule.
    """
    if stage == "X":
        return [_equation(_entry("x", row, column), [latex(trace.X[row, column], decimals)])]
    if stage in FACTORS:
        W = getattr(trace, FACTORS[stage])
        name, total = _entry(stage.lower(), row, column), getattr(trace, stage)[row, column]
        return _dot(name, _symbols("x", "w", row, column, W.shape[0]), trace.X[row], W[:, column], total, decimals)
    if stage == "scores":
        name = rf"q_{{{row + 1}}} \cdot k_{{{column + 1}}}"
        symbols = _symbols("q", "k", row, column, trace.d_k, transposed=True)
        return _dot(name, symbols, trace.Q[row], trace.K[column], trace.scores[row, column], decimals)
    if stage == "scaled":
        return [_scaled(row, column, trace, decimals)]
    if stage == "masked":
        return [_masked(row, column, trace, decimals)]
    if stage == "weights":
        return _weight(row, column, trace, decimals)
    if stage == "output":
        name = _entry("o", row, column)
        symbols = _symbols("a", "v", row, column, len(trace.V))
        return _dot(name, symbols, trace.weights[row], trace.V[:, column], trace.output[row, column], decimals)
    raise ValueError(f"no arithmetic of the stage {stage!r}")


def _dot(name: str, symbols: str, left: FloatArray, right: FloatArray, total: float, decimals: int) -> list[str]:
    """name = Σ symbol = Σ left × right = total."""
    factors = [rf"{_factor(a, decimals)} \times {_factor(b, decimals)}" for a, b in _shown(left, right)]
    products = [_factor(a * b, decimals) for a, b in _shown(left, right)]
    count = len(left)
    sums = [_sum(factors, count), *([_sum(products, count)] if count > 1 else [])]
    return [_equation(name, [symbols]), *(_equation("", [each]) for each in (*sums, latex(total, decimals)))]


def pair(
    cell: tuple[int, int], trace: Trace, rule: Scaling, number: Callable[[float], str], factor: Callable[[float], str]
) -> Pair:
    """The query and the key of a cell under a rule, with a way to write numbers."""
    row, column = cell
    query, key = (float(row_lengths(vectors)[0, 0]) for vectors in (trace.Q[[row]], trace.K[[column]]))
    keys = int(np.isfinite(trace.masked[row]).sum())
    score = float(trace.scores[row, column])
    return Pair(score, trace.d_k, keys, (query, key), rule.parameters, number, factor)


def _scaled(row: int, column: int, trace: Trace, decimals: int) -> str:
    write = partial(latex, decimals=decimals)
    steps = RULES[trace.rule.name].board(pair((row, column), trace, trace.rule, write, write))
    return _equation(_entry("s", row, column), [*steps, latex(trace.scaled[row, column], decimals)])


def _masked(row: int, column: int, trace: Trace, decimals: int) -> str:
    value = latex(trace.masked[row, column], decimals)
    relation = rf"{column + 1} \le {row + 1}" if column <= row else rf"{column + 1} > {row + 1}"
    return rf"{relation} \;\Rightarrow\; {_entry('m', row, column)} = {value}"


def _weight(row: int, column: int, trace: Trace, decimals: int) -> list[str]:
    """e^x, the row's sum, the quotient; the maximum is taken off first when e^x would be unreadable."""
    values = trace.masked[row]
    symbol = "s" if np.isfinite(trace.masked).all() else "m"  # without a mask there is no masked stage
    shift = float(values.max()) if np.abs(values[np.isfinite(values)]).max() > LARGEST_EXPONENT else 0.0
    exponents = values - shift
    powers = np.exp(exponents)
    top = [rf"e^{{{latex(value, decimals)}}}" for value, _ in _shown(exponents, exponents)]
    single = latex(powers[column], decimals)
    total = latex(powers.sum(), decimals)
    head = []
    if shift:
        taken = rf"{latex(values[column], decimals)} - {_factor(shift, decimals)}"
        head = [rf"{_entry(symbol, row, column)} - \max = {taken} = {latex(exponents[column], decimals)}"]
    return [
        *head,
        rf"e^{{{latex(exponents[column], decimals)}}} = {single}",
        rf"\textstyle\sum = {_sum(top, len(values))} = {total}",
        _equation(
            _entry("a", row, column), [rf"\frac{{{single}}}{{{total}}}", latex(trace.weights[row, column], decimals)]
        ),
    ]


def _shown(left: FloatArray, right: FloatArray) -> Sequence[tuple[float, float]]:
    """The pairs of terms that are written out: all of a short sum, else the first ones and the last."""
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    return pairs if len(pairs) <= MOST_TERMS else [*pairs[:FIRST_TERMS], pairs[-1]]


def _symbols(left: str, right: str, row: int, column: int, count: int, transposed: bool = False) -> str:
    """The sum in symbols: x_{1,1} w_{1,2} + …, or with a Σ when it is long."""

    def term(m: int | str) -> str:
        return rf"{_entry(left, row, m)} {_entry(right, *((column, m) if transposed else (m, column)))}"

    if count > MOST_TERMS:
        return rf"\textstyle\sum_{{m=1}}^{{{count}}} {term('m')}"
    return " + ".join(term(m) for m in range(count))


def _sum(terms: Iterable[str], count: int) -> str:
    """Terms joined by plus signs, with an ellipsis before the last when some are left out."""
    terms = list(terms)
    if count > len(terms):
        terms.insert(-1, r"\cdots")
    return " + ".join(terms)


def _entry(symbol: str, *places: int | str) -> str:
    """x_{1,2}: places are counted from 0 and written from 1; a letter stands as it is."""
    return rf"{symbol}_{{{','.join(str(place + 1) if isinstance(place, int) else place for place in places)}}}"


def _factor(value: float, decimals: int) -> str:
    """A number inside a product or sum, in brackets when it is negative."""
    text = latex(value, decimals)
    return rf"({text})" if text.startswith("-") else text


def _equation(name: str, parts: list[str]) -> str:
    return f"{name} = " + " = ".join(parts)
