"""Tables for charts: one row a cell, nothing lost, nothing invented."""

import numpy as np
import pytest

from attention_core import get_example, self_attention
from attention_ui import frames

LOVE = get_example("love")
TRACE = self_attention(LOVE.X, LOVE.W_Q, LOVE.W_K, LOVE.W_V)


def test_every_weight_of_the_worked_example_is_in_the_table_to_three_decimals() -> None:
    table = frames.matrix_table(TRACE.weights, LOVE.tokens, LOVE.tokens, 3, full=1)
    shown = table.pivot(index="i", columns="j", values="text").to_numpy().tolist()
    assert shown == [["0.070", "0.707", "0.223"], ["0.333", "0.333", "0.333"], ["0.168", "0.533", "0.299"]]
    assert table["shade"].to_numpy() == pytest.approx(TRACE.weights.ravel(), abs=1e-6)


def test_signs_masks_and_gaps_have_tones_of_their_own() -> None:
    matrix = np.array([[1.0, -2.0, 0.0, -np.inf]])
    table = frames.matrix_table(matrix, ["a"], list("wxyz"), 1)
    assert table["tone"].tolist() == ["plus", "minus", "plus", "masked"]
    assert table["text"].tolist() == ["1.0", "−2.0", "0.0", "−∞"]
    assert table["shade"].tolist() == [0.5, 1.0, 0.0, 0.0]


def test_an_all_zero_matrix_has_no_shade() -> None:
    assert frames.matrix_table(np.zeros((2, 2)), list("ab"), list("cd"), 0)["shade"].tolist() == [0] * 4


def test_wide_matrices_show_the_first_columns_a_gap_and_the_last() -> None:
    table = frames.matrix_table(np.arange(40.0).reshape(1, 40), ["a"], [str(j) for j in range(40)], 0)
    assert table["column"].tolist() == ["0", "1", "2", "3", "4", "…", "39"]
    assert table["j"].tolist() == [0, 1, 2, 3, 4, -1, 39]
    assert table["tone"].tolist()[5] == "gap"


def test_the_row_in_focus_is_marked() -> None:
    table = frames.matrix_table(TRACE.scores, LOVE.tokens, LOVE.tokens, 0, marked_row=0)
    assert table.loc[table["marked"], "i"].tolist() == [0, 0, 0]


def test_typed_values_stand_without_needless_decimals() -> None:
    table = frames.matrix_table(np.array([[1.0, 0.5, -2.0]]), ["a"], list("xyz"), 3, typed=True)
    assert table["text"].tolist() == ["1", "0.500", "−2"]


def test_the_curve_table_holds_every_d() -> None:
    d = [3, 64, 128]
    weights = {side: np.full((3, 2), 0.5) for side in ("without", "with")}
    measures = {side: np.array([0.1, 0.2, 0.3]) for side in weights}
    table = frames.curve_table(d, measures, weights, ["a", "b"], 3)
    assert table.groupby(["role", "rule"]).size().to_dict() == {
        ("curve", "with"): 3, ("curve", "without"): 3, ("weight", "with"): 6, ("weight", "without"): 6
    }  # fmt: skip
    assert table.loc[table["role"] == "curve", "value"].tolist() == [0.1, 0.2, 0.3] * 2
