"""Self-attention: the laws that every stage obeys, the types it keeps, and its refusals.

Every call runs with numpy told to raise on overflow, underflow and invalid operations, and pytest turns each
warning into an error, so "never warns" is part of every test here.
"""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import SCALINGS, get_scaling, scaled_dot_product_attention, self_attention
from tests.core.attention_cases import STAGES, a_dozen, random_parts
from tests.floats import assert_close, floating_trouble_raises  # noqa: F401


@pytest.mark.parametrize("rule", SCALINGS)
@a_dozen
@given(seed=st.integers(0, 10**6), size=st.sampled_from([1e-200, 1e-3, 1.0, 50.0]), is_causal=st.booleans())
def test_rows_of_weights_sum_to_one(rule, seed, size, is_causal):
    X, *weights = random_parts(seed)
    trace = self_attention(size * X, *weights, scaling=rule, is_causal=is_causal)
    assert (trace.weights >= 0).all()
    assert_close(trace.weights.sum(axis=1), 1, rtol=1e-14)


@pytest.mark.parametrize("rule", SCALINGS)
@a_dozen
@given(seed=st.integers(0, 10**6), order=st.permutations(range(5)))
def test_reordered_tokens_reorder_every_stage(rule, seed, order):
    X, *weights = random_parts(seed)
    before, after = self_attention(X, *weights, scaling=rule), self_attention(X[order], *weights, scaling=rule)
    for stage in ("Q", "K", "V", "output"):
        assert_close(getattr(after, stage), getattr(before, stage)[order], rtol=1e-12, atol=1e-12)
    for stage in ("scores", "scaled", "masked", "weights"):
        expected = getattr(before, stage)[np.ix_(order, order)]
        assert_close(getattr(after, stage), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("rule", SCALINGS)
@a_dozen
@given(seed=st.integers(0, 10**6), seen=st.integers(1, 4))
def test_a_causal_row_ignores_later_tokens(rule, seed, seen):
    """Rows up to `seen` are the same whatever the later tokens are, and whether or not they exist."""
    X, *weights = random_parts(seed)
    other = X.copy()
    other[seen:] = 100 * np.random.default_rng(seed + 1).standard_normal(other[seen:].shape)
    causal = {"scaling": rule, "is_causal": True}
    here, there = self_attention(X, *weights, **causal), self_attention(other, *weights, **causal)
    alone = self_attention(X[:seen], *weights, **causal)
    assert_close(there.output[:seen], here.output[:seen], rtol=1e-12, atol=1e-13)
    assert_close(alone.output, here.output[:seen], rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(here.weights[np.triu_indices(5, 1)], 0)


def test_the_mask_of_a_causal_trace():
    trace = self_attention(*random_parts(2), is_causal=True)
    later = np.triu(np.ones((5, 5), bool), 1)
    assert np.isneginf(trace.masked[later]).all()
    np.testing.assert_array_equal(trace.masked[~later], trace.scaled[~later])
    assert np.isfinite(trace.scaled).all()
    np.testing.assert_array_equal(trace.weights[0], [1, 0, 0, 0, 0])


@given(seed=st.integers(0, 10**6), is_causal=st.booleans())
def test_self_attention_is_attention_of_its_projections(seed, is_causal):
    trace = self_attention(*random_parts(seed), is_causal=is_causal)
    output = scaled_dot_product_attention(trace.Q, trace.K, trace.V, is_causal=is_causal)
    assert_close(trace.output, output, rtol=1e-12, atol=1e-13)


@given(seed=st.integers(0, 10**6))
def test_output_lies_between_the_smallest_and_largest_value(seed):
    trace = self_attention(*random_parts(seed))
    assert (trace.output <= trace.V.max(axis=0) + 1e-13).all()
    assert (trace.output >= trace.V.min(axis=0) - 1e-13).all()


@pytest.mark.parametrize("rule", SCALINGS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_every_stage_keeps_the_type(rule, dtype):
    trace = self_attention(*random_parts(3, dtype=dtype), scaling=rule, is_causal=True)
    assert {getattr(trace, stage).dtype for stage in STAGES} == {np.dtype(dtype)}


def test_whole_numbers_become_float64_at_every_stage():
    trace = self_attention([[1, 0], [0, 1]], [[1], [2]], np.array([[3], [1]], np.int8), [[True], [False]])
    assert {getattr(trace, stage).dtype for stage in ("X", *STAGES)} == {np.dtype(float)}
    np.testing.assert_array_equal(trace.scores, [[3, 1], [6, 2]])


def test_one_token_attends_to_itself():
    trace = self_attention([[3.0]], [[2.0]], [[-1.0]], [[5.0]])
    assert (trace.scores.item(), trace.weights.item(), trace.output.item()) == (-18, 1, 15)


SELF_ATTENTION_REFUSALS = {
    "X 1-D": ({"X": np.ones(4)}, "X has shape (4,); expected two axes (rows, columns)"),
    "W_V 3-D": ({"W_V": np.ones((1, 4, 2))}, "W_V has shape (1, 4, 2); expected two axes (rows, columns)"),
    "X without rows": ({"X": np.ones((0, 4))}, "X is empty, shape (0, 4); expected at least one row and column"),
    "W_Q without columns": ({"W_Q": np.ones((4, 0))}, "W_Q is empty, shape (4, 0); expected at least one row"),
    "None": ({"X": None}, "X has shape (); expected two axes"),
    "empty cell": ({"X": [[1, 2, 3, None]]}, "X of shape (1, 4) has nan at row 0, column 3; expected finite numbers"),
    "NaN": (
        {"W_K": np.where(np.arange(12).reshape(4, 3) == 7, np.nan, 1.0)},
        "W_K of shape (4, 3) has nan at row 2, column 1; expected finite numbers",
    ),
    "infinity": ({"W_V": np.full((4, 2), -np.inf)}, "W_V of shape (4, 2) has -inf at row 0, column 0; expected finite"),
    "text": ({"X": [["a", "b", "c", "d"]]}, "X must hold real numbers"),
    "ragged": ({"W_Q": [[1, 2], [3]]}, "W_Q must hold real numbers in rows of equal length"),
    "complex": ({"W_K": np.ones((4, 3)) * 1j}, "W_K must hold real numbers"),
    "too long an integer": ({"X": [[10**400, 1, 1, 1]]}, "X must hold real numbers"),
    "W_Q rows": (
        {"W_Q": np.ones((3, 3))},
        "W_Q has shape (3, 3); expected 4 rows, one for each column of X of shape (5, 4)",
    ),
    "W_K rows": ({"W_K": np.ones((5, 3))}, "W_K has shape (5, 3); expected 4 rows, one for each column of X"),
    "W_V rows": ({"W_V": np.ones((1, 2))}, "W_V has shape (1, 2); expected 4 rows, one for each column of X"),
    "W_K columns": (
        {"W_K": np.ones((4, 2))},
        "W_K has shape (4, 2); expected 3 columns, as W_Q of shape (4, 3) has",
    ),
    "rule": ({"scaling": "unheard"}, "unknown scaling 'unheard'; expected one of none, sqrt"),
    "Q overflows": (
        {"X": np.full((5, 4), 1e200), "W_Q": np.full((4, 3), 1e200)},
        "Q of shape (5, 3) overflows float64; expected smaller entries",
    ),
    "scores overflow": ({"X": np.full((5, 4), 1e200)}, "scores of shape (5, 5) overflows float64"),
    "scores cancel after an overflow": (
        {
            "X": np.array([[1e200, 1e200]]),
            "W_Q": np.eye(2),
            "W_K": np.array([[1e200, 0], [0, -1e200]]),
            "W_V": np.eye(2),
        },
        "K of shape (1, 2) overflows",
    ),
    "scaled overflow": (
        {"X": np.full((5, 4), 1e154 / 2), "W_Q": np.eye(4), "W_K": np.eye(4), "scaling": get_scaling("ssmax", c=4)},
        "scaled of shape (5, 5) overflows float64",
    ),
    "float32 overflow": (
        {name: np.full(shape, 1e15, np.float32) for name, shape in (("X", (5, 4)), ("W_Q", (4, 3)), ("W_K", (4, 3)))}
        | {"W_V": np.ones((4, 2), np.float32)},
        "scores of shape (5, 5) overflows float32",
    ),
}


@pytest.mark.parametrize("name", SELF_ATTENTION_REFUSALS)
def test_self_attention_refusal_names_the_matrix_its_shape_and_what_was_expected(name):
    changes, message = SELF_ATTENTION_REFUSALS[name]
    parts = {"X": np.ones((5, 4)), "W_Q": np.ones((4, 3)), "W_K": np.ones((4, 3)), "W_V": np.ones((4, 2))}
    with pytest.raises(ValueError, match=re.escape(message)):
        self_attention(**(parts | changes))


@pytest.mark.parametrize("rule", SCALINGS)
@pytest.mark.parametrize("size", [1e-300, 1e-170, 1e-160, 1e160, 1e200])
def test_extreme_lengths_do_not_warn_while_the_scores_fit(rule, size):
    """|q|² would overflow or underflow here, q·k does not: only scores that overflow may be refused."""
    trace = self_attention([[1.0], [-1.0]], [[size]], [[1 / size]], [[1.0]], scaling=rule)
    plain = self_attention([[1.0], [-1.0]], [[1.0]], [[1.0]], [[1.0]], scaling=rule)
    assert_close(trace.weights, plain.weights, rtol=1e-13)
