"""The Jacobian of softmax: its formula, its laws, central differences, and its refusals.

Every call runs with numpy told to raise on overflow, underflow and invalid operations.
"""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attention_core import sensitivity, softmax, softmax_jacobian
from tests.core.gradients_cases import central
from tests.floats import assert_close, floating_trouble_raises  # noqa: F401

ROWS = arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=6), elements=st.floats(-1e3, 1e3))


@given(ROWS)
def test_the_jacobian_is_its_formula(scores):
    p = softmax(scores)
    jacobian = softmax_jacobian(p)
    assert jacobian.shape == (*p.shape, p.shape[-1])
    with np.errstate(under="ignore"):
        expected = p[..., None] * np.eye(p.shape[-1]) - p[..., :, None] * p[..., None, :]
    assert_close(jacobian, expected, rtol=1e-12, atol=1e-15)


@given(ROWS)
def test_the_jacobians_laws(scores):
    p = softmax(scores)
    jacobian = softmax_jacobian(p)
    np.testing.assert_array_equal(jacobian, np.swapaxes(jacobian, -1, -2))
    assert_close(jacobian.sum(axis=-1), 0, atol=1e-15)
    assert_close(np.trace(jacobian, axis1=-2, axis2=-1), sensitivity(p), rtol=1e-12, atol=1e-307)
    with np.errstate(under="ignore"):
        assert (np.linalg.norm(jacobian, 2, axis=(-2, -1)) <= 0.5 + 1e-15).all()
        assert (np.linalg.eigvalsh(jacobian) >= -1e-15).all()


def test_two_even_weights_reach_the_bound_of_one_half():
    np.testing.assert_array_equal(softmax_jacobian([0.5, 0.5]), [[0.25, -0.25], [-0.25, 0.25]])
    assert np.linalg.norm(softmax_jacobian([0.5, 0.5]), 2) == pytest.approx(0.5, rel=1e-15)


@given(arrays(np.float64, st.integers(1, 6), elements=st.floats(-20, 20)))
def test_the_jacobian_is_the_slope_of_softmax(scores):
    assert_close(softmax_jacobian(softmax(scores)), central(softmax, scores).T, rtol=1e-6, atol=1e-11)


def test_the_jacobian_of_a_saturated_row_is_small_and_not_zero():
    jacobian = softmax_jacobian(softmax([70.0, 0.0]))
    assert_close(jacobian, math.exp(-70) * np.array([[1, -1], [-1, 1]]), rtol=1e-14)


def test_the_jacobian_where_nothing_can_move():
    np.testing.assert_array_equal(softmax_jacobian([1.0]), [[0]])
    np.testing.assert_array_equal(softmax_jacobian([0.0, 1.0]), np.zeros((2, 2)))
    np.testing.assert_array_equal(softmax_jacobian(softmax([-np.inf, -np.inf])), np.zeros((2, 2)))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_jacobian_keeps_a_floating_type(dtype):
    assert softmax_jacobian(np.array([0.25, 0.75], dtype)).dtype == dtype


@pytest.mark.parametrize(
    ("p", "message"),
    [
        (0.5, "p has shape (); expected rows of at least one key"),
        (np.ones((3, 0)), "p has shape (3, 0); expected rows of at least one key"),
        ([[0.5], [0.5, 0.5]], "p must hold real numbers in rows of equal length"),
    ],
)
def test_the_jacobian_refuses_what_has_no_rows(p, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        softmax_jacobian(p)
