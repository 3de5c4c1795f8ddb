"""The softmax: rows of weights whatever the scores, scipy's numbers, and its refusals.

Every call runs with numpy told to raise on overflow, underflow and invalid operations, and pytest turns each
warning into an error, so "never warns" is part of every test here.
"""

import math

import numpy as np
import pytest
import scipy.special
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attention_core import softmax
from tests.floats import assert_close, floating_trouble_raises  # noqa: F401

EPS = {np.float16: 2**-10, np.float32: 2**-23, np.float64: 2**-52}


def score_arrays(size, dtype=np.float64):
    bound = float(dtype(size))
    numbers = st.floats(-bound, bound, width=np.dtype(dtype).itemsize * 8)
    return arrays(dtype, array_shapes(min_dims=1, max_dims=3, max_side=6), elements=numbers)


@given(score_arrays(1e5))
@example(np.array([0.0, -745.0, -1e5]))  # weights that are subnormal and zero
@example(np.array([1.7e308, -1.7e308]))  # a gap that overflows
def test_softmax_rows_are_weights(scores):
    weights = softmax(scores)
    assert weights.shape == scores.shape
    assert (weights >= 0).all()
    assert_close(weights.sum(axis=-1), 1, rtol=1e-14)


@given(score_arrays(1e5), st.floats(-1e5, 1e5))
def test_softmax_forgets_a_shift(scores, shift):
    # Adding the shift rounds each score by at most 2e5 · 2⁻⁵³ = 2.2e-11; a weight moves by at most twice that share.
    assert_close(softmax(scores + shift), softmax(scores), rtol=1e-10, atol=1e-300)


@given(score_arrays(1e3), st.sampled_from(["first", "last"]))
def test_softmax_agrees_with_scipy(scores, which):
    axis = 0 if which == "first" else -1
    with np.errstate(under="ignore"):  # scipy's own
        expected = scipy.special.softmax(scores, axis=axis)
    assert_close(softmax(scores, axis=axis), expected, rtol=1e-12, atol=1e-300)


@given(score_arrays(60, np.float32))
def test_softmax_float32_is_the_rounded_float64(scores):
    # Each float32 weight carries the rounding of the shifted score (up to 120 · 2⁻²⁴) and of a few operations.
    assert_close(softmax(scores), softmax(scores.astype(np.float64)), rtol=2e-5, atol=1e-37)


@given(score_arrays(50), st.randoms(use_true_random=False))
def test_softmax_keeps_the_order_of_scores_and_moves_with_them(scores, random):
    order = list(range(scores.shape[-1]))
    random.shuffle(order)
    weights = softmax(scores)
    assert_close(softmax(scores[..., order]), weights[..., order], rtol=1e-14)
    by_score = np.take_along_axis(weights, np.argsort(scores, axis=-1), axis=-1)
    assert (np.diff(by_score, axis=-1) >= 0).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_softmax_keeps_a_floating_type(dtype):
    weights = softmax(np.array([1, 2, 3], dtype))
    assert weights.dtype == dtype
    assert_close(weights, [0.09003057, 0.24472847, 0.66524096], rtol=4 * EPS[dtype] + 1e-7)


@pytest.mark.parametrize("scores", [[1, 2], [True, False], np.array([1, 2], np.int8), np.array([1, 2], np.uint64)])
def test_softmax_turns_whole_numbers_into_float64(scores):
    weights = softmax(scores)
    assert weights.dtype == np.float64
    low, high = sorted(float(s) for s in scores)
    assert_close(np.sort(weights), [1 / (1 + math.e ** (high - low)), 1 / (1 + math.e ** (low - high))])


def test_softmax_of_a_masked_row_is_zero_and_only_that_row():
    scores = np.array([[-np.inf, -np.inf], [0.0, -np.inf], [0.0, 0.0]])
    np.testing.assert_array_equal(softmax(scores), [[0, 0], [1, 0], [0.5, 0.5]])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_softmax_nan_and_infinity_stay_in_their_row(bad):
    weights = softmax([[bad, 0.0], [0.0, 0.0]])
    assert np.isnan(weights[0]).all()
    np.testing.assert_array_equal(weights[1], [0.5, 0.5])


def test_softmax_leaves_its_argument_alone():
    scores = np.array([[1.0, 2.0], [3.0, 5.0]])
    kept = scores.copy()
    softmax(scores)
    np.testing.assert_array_equal(scores, kept)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (2, 0, 3)])
def test_softmax_of_nothing_is_nothing(shape):
    assert softmax(np.zeros(shape)).shape == shape


def test_softmax_wants_an_axis():
    with pytest.raises(ValueError, match=r"scores is a single number, shape \(\); expected at least one axis"):
        softmax(3.0)
    with pytest.raises(ValueError, match="axis 2 is out of bounds"):
        softmax([[1.0, 2.0]], axis=2)
    with pytest.raises(ValueError, match="scores must hold real numbers"):
        softmax(["a", "b"])
