"""How saturated a row is: bounds, laws, and exact small cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attention_core import concentration, effective_keys, entropy, sensitivity, softmax
from tests.floats import all_but_underflow_raises  # noqa: F401

MEASURES = (concentration, entropy, effective_keys, sensitivity)
ROWS = arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=8), elements=st.floats(-1e3, 1e3))


@given(ROWS)
def test_bounds(scores):
    p, n = softmax(scores), scores.shape[-1]
    slack = 1e-13
    for measure, low, high in (
        (concentration, 1 / n, 1),
        (entropy, 0, math.log(n)),
        (effective_keys, 1, n),
        (sensitivity, 0, 1 - 1 / n),
    ):
        values = measure(p)
        assert values.shape == p.shape[:-1]
        assert (values >= low - slack * n).all()
        assert (values <= high + slack * n).all()


@given(ROWS)
def test_concentration_and_sensitivity_add_up_to_one(scores):
    p = softmax(scores)
    np.testing.assert_allclose(concentration(p) + sensitivity(p), 1, rtol=1e-14)


@given(ROWS)
def test_sensitivity_is_the_trace_of_the_jacobian(scores):
    p = softmax(scores)
    jacobian = p[..., None] * np.eye(p.shape[-1]) - p[..., :, None] * p[..., None, :]
    np.testing.assert_allclose(sensitivity(p), np.trace(jacobian, axis1=-2, axis2=-1), atol=1e-14)


@given(ROWS)
def test_effective_keys_lie_between_one_over_concentration_and_n(scores):
    """Hill numbers fall with their order: n ≥ exp(H) ≥ 1/Σp². Source: Hill, Ecology 54, 427 (1973)."""
    p = softmax(scores)
    assert (effective_keys(p) >= (1 - 1e-12) / concentration(p)).all()
    np.testing.assert_allclose(effective_keys(p), np.exp(entropy(p)), rtol=1e-14)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_the_keys_does_not_matter(scores, random):
    p = softmax(scores)
    order = list(range(p.shape[-1]))
    random.shuffle(order)
    for measure in MEASURES:
        np.testing.assert_allclose(measure(p[..., order]), measure(p), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("n", [1, 2, 3, 64, 1000])
def test_a_uniform_row(n):
    p = np.full((2, n), 1 / n)
    np.testing.assert_allclose(concentration(p), 1 / n, rtol=1e-13)
    np.testing.assert_allclose(entropy(p), math.log(n), rtol=1e-13)
    np.testing.assert_allclose(effective_keys(p), n, rtol=1e-12)
    np.testing.assert_allclose(sensitivity(p), 1 - 1 / n, rtol=1e-13)


def test_a_one_hot_row_is_exact():
    p = np.eye(3)
    assert [measure(p).tolist() for measure in MEASURES] == [[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]]


def test_a_row_masked_everywhere_reacts_to_nothing():
    """Its weights are all zero: neither spread nor concentrated, and no key's weight can move."""
    p = softmax([[-np.inf, -np.inf]])
    assert [measure(p).item() for measure in (concentration, entropy, sensitivity)] == [0, 0, 0]


def test_masked_keys_do_not_count():
    p = softmax([1.0, 2.0, 4.0])
    padded = np.r_[p, 0, 0]
    for measure in MEASURES:
        np.testing.assert_allclose(measure(padded), measure(p), rtol=1e-15)


def test_two_keys_by_hand():
    p = [0.25, 0.75]
    assert concentration(p) == 0.625
    assert sensitivity(p) == 0.375
    assert entropy(p) == pytest.approx(math.log(4) - 0.75 * math.log(3), rel=1e-15)
    assert effective_keys(p) == pytest.approx(4 / 3**0.75, rel=1e-14)


@pytest.mark.parametrize("gap", [1, 20, 40, 80, 300, 700])
def test_sensitivity_keeps_tiny_values(gap):
    """Two keys: p = 1/(1 + e^gap), tr J = 2 p (1 − p) = 2 e^−gap / (1 + e^−gap)². 1 − Σp² would be 0 from gap 37 on."""
    exact = 2 * math.exp(-gap) / (1 + math.exp(-gap)) ** 2
    assert sensitivity(softmax([0.0, -gap])) == pytest.approx(exact, rel=1e-12)
    assert sensitivity(softmax([-gap, 0.0])) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("gap", [1, 20, 80, 700])
def test_entropy_of_two_keys(gap):
    """H = ln(1 + e^−gap) + gap e^−gap / (1 + e^−gap), the second term being the smaller key's excess.

    The larger weight is rounded by up to 2⁻⁵³, and its term of H with it; the smaller key's share stays.
    """
    small = math.exp(-gap)
    excess = gap * small / (1 + small)
    H = entropy(softmax([0.0, -gap]))
    assert pytest.approx(math.log1p(small) + excess, rel=1e-12, abs=2**-52) == H
    assert excess * (1 - 1e-12) <= H


def test_underflow_is_silent():
    with np.errstate(all="raise"):
        for measure in MEASURES:
            assert np.isfinite(measure(np.array([1.0, 1e-200, 5e-324]))).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("measure", MEASURES)
def test_floating_types_are_kept(measure, dtype):
    result = measure(np.array([[0.25, 0.75], [1, 0]], dtype))
    assert result.dtype == dtype
    np.testing.assert_allclose(result, measure([[0.25, 0.75], [1, 0]]), rtol=2e-3)


@pytest.mark.parametrize("measure", MEASURES)
def test_leading_axes_and_refusals(measure):
    p = softmax(np.arange(24.0).reshape(2, 3, 4) ** 1.3)
    for i, j in np.ndindex(2, 3):
        assert measure(p)[i, j] == pytest.approx(float(measure(p[i, j])), rel=1e-14)
    kept = p.copy()
    measure(p)
    np.testing.assert_array_equal(p, kept)
    with pytest.raises(ValueError, match=r"weights has shape \(\); expected rows of at least one key"):
        measure(0.5)
    with pytest.raises(ValueError, match=r"weights has shape \(3, 0\); expected rows"):
        measure(np.zeros((3, 0)))
    with pytest.raises(ValueError, match="weights must hold real numbers"):
        measure([["a"]])
