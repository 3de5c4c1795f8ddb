"""The arithmetic on the board: its numbers add up to the cell it explains."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import SCALINGS, get_example, self_attention
from attention_ui import arithmetic

LOVE = get_example("love")


def board(stage: str, row: int, column: int, rule: str = "sqrt", decimals: int = 3, causal: bool = False) -> list[str]:
    trace = self_attention(LOVE.X, LOVE.W_Q, LOVE.W_K, LOVE.W_V, rule, causal)
    return arithmetic.lines(stage, row, column, trace, decimals)


def value_of(latex: str) -> float:
    """A formula of numbers, evaluated by Python."""
    text = latex.replace(r"\times", "*").replace("{", "(").replace("}", ")").replace("^", "**")
    assert re.fullmatch(r"[-+*(). 0-9]+", text), text
    return float(eval(text))  # only digits and signs, checked above


def test_the_score_of_i_and_love() -> None:
    assert board("scores", 0, 1) == [
        r"q_{1} \cdot k_{2} = q_{1,1} k_{2,1} + q_{1,2} k_{2,2} + q_{1,3} k_{2,3}",
        r" = 2 \times 2 + 0 \times 1 + 1 \times 1",
        " = 4 + 0 + 1",
        " = 5",
    ]


def test_the_scaled_score_and_the_weight() -> None:
    assert board("scaled", 0, 1) == [r"s_{1,2} = \frac{5}{\sqrt{3}} = \frac{5}{1.732} = 2.887"]
    assert board("weights", 0, 1) == [
        "e^{2.887} = 17.935",
        r"\textstyle\sum = e^{0.577} + e^{2.887} + e^{1.732} = 25.368",
        r"a_{1,2} = \frac{17.935}{25.368} = 0.707",
    ]


def test_a_masked_score() -> None:
    assert board("masked", 0, 1, causal=True) == [r"2 > 1 \;\Rightarrow\; m_{1,2} = -\infty"]
    assert board("masked", 1, 0, causal=True) == [r"1 \le 2 \;\Rightarrow\; m_{2,1} = 1.732"]
    assert board("weights", 0, 1, causal=True)[0] == r"e^{-\infty} = 0"


@pytest.mark.parametrize("stage", ["Q", "K", "V", "scores", "output"])
def test_sums_add_up(stage: str) -> None:
    trace = self_attention(LOVE.X, LOVE.W_Q, LOVE.W_K, LOVE.W_V)
    matrix = getattr(trace, stage)
    for row, column in np.ndindex(matrix.shape):
        _, factors, products, total = board(stage, row, column, decimals=6)
        for line in (factors, products, total):
            assert value_of(line.removeprefix(" = ")) == pytest.approx(matrix[row, column], abs=1e-5)


@pytest.mark.parametrize("rule", list(SCALINGS))
def test_every_rule_ends_in_its_value(rule: str) -> None:
    trace = self_attention(LOVE.X, LOVE.W_Q, LOVE.W_K, LOVE.W_V, rule)
    for row, column in np.ndindex(trace.scaled.shape):
        last = board("scaled", row, column, rule, decimals=6)[-1].split(" = ")[-1]
        assert value_of(last) == pytest.approx(trace.scaled[row, column], abs=1e-6)


def test_a_wide_row_shows_the_first_terms_an_ellipsis_and_the_last() -> None:
    rng = np.random.default_rng(0)
    X, W = rng.standard_normal((3, 4)), rng.standard_normal((4, 64))
    trace = self_attention(X, W, W, W)
    lines = arithmetic.lines("scores", 0, 1, trace, 3)
    assert lines[0] == r"q_{1} \cdot k_{2} = \textstyle\sum_{m=1}^{64} q_{1,m} k_{2,m}"
    for line in lines[1:3]:
        assert line.count(r"\cdots") == 1
        assert len(line.split(" + ")) == 4
    assert value_of(lines[3].removeprefix(" = ")) == pytest.approx(trace.scores[0, 1], abs=6e-4)


def test_huge_scores_are_shifted_so_that_every_power_can_be_read() -> None:
    example = get_example("scores_3000")
    trace = self_attention(example.X, example.W_Q, example.W_K, example.W_V)
    lines = arithmetic.lines("weights", 0, 1, trace, 3)
    assert lines[0] == r"s_{1,2} - \max = 2800 - 3000 = -200"
    assert lines[-1].endswith(r"\times 10^{-87}")


@given(st.integers(0, 2), st.integers(0, 2), st.floats(-50, 50))
def test_the_weight_is_the_quotient_of_the_numbers_shown(row: int, column: int, stretch: float) -> None:
    trace = self_attention(LOVE.X * stretch, LOVE.W_Q, LOVE.W_K, LOVE.W_V)
    lines = arithmetic.lines("weights", row, column, trace, 6)
    fraction, value = lines[-1].split(" = ")[1:]
    top, bottom = re.fullmatch(r"\\frac\{(.+)\}\{([^{}]+(?:\{[^{}]*\})?)\}", fraction).groups()
    shown = value_of(top) / value_of(bottom)
    assert shown == pytest.approx(trace.weights[row, column], rel=2e-3, abs=2e-6)
    assert value_of(value) == pytest.approx(trace.weights[row, column], rel=1e-3, abs=1e-6)
