"""How saturated a row is: the numbers of tutorials, of number formats, and those the lessons quote.

Statistical values hold within 4 standard errors of the sample plus half the last printed digit; seeds are fixed.
"""

import math

import numpy as np
import pytest

from attention_core import concentration, effective_keys, entropy, sensitivity, softmax
from tests.core.gaussian import gaussian_weights
from tests.floats import all_but_underflow_raises  # noqa: F401


def assert_mean(samples, value, printed):
    """The mean of the samples is `value`, as printed with a last digit of that size."""
    error = samples.std() / math.sqrt(samples.size)
    assert samples.mean() == pytest.approx(value, abs=4 * error + printed / 2)


# --- numbers in popular tutorials ---


def test_the_softmax_of_2_8_5():
    np.testing.assert_array_equal(np.round(softmax([2, 8, 5]), 4), [0.0024, 0.9503, 0.0473])


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_the_softmax_of_3000_2800_2500_is_one_hot_in_small_formats(dtype):
    np.testing.assert_array_equal(softmax(np.array([3000, 2800, 2500], dtype)), [1, 0, 0])


def test_the_softmax_of_3000_2800_2500_in_double():
    weights = softmax([3000.0, 2800.0, 2500.0])
    assert weights[0] == 1
    np.testing.assert_allclose(weights[1:], [1.4e-87, 7.1e-218], rtol=0.02)
    np.testing.assert_allclose(weights[1:], [math.exp(-200), math.exp(-500)], rtol=1e-12)


def test_the_softmax_of_3000_2800_2500_over_64_is_still_sharp():
    np.testing.assert_array_equal(np.round(softmax(np.array([3000, 2800, 2500]) / 64), 4), [0.9575, 0.0421, 0.0004])


def test_the_softmax_of_2_1_1_is_not_one_half():
    np.testing.assert_array_equal(np.round(softmax([2, 1, 1]), 3), [0.576, 0.212, 0.212])


# --- number formats ---


@pytest.mark.parametrize(
    ("dtype", "above", "below"),
    [(np.float32, 87.33, 87.35), (np.float16, 9.69, 9.72)],
    ids=["float32", "float16"],
)
def test_a_weight_is_subnormal_from_this_gap_on(dtype, above, below):
    tiny = np.finfo(dtype).tiny
    assert softmax(np.array([0, -above], dtype))[1] >= tiny
    assert 0 < softmax(np.array([0, -below], dtype))[1] < tiny


@pytest.mark.parametrize(
    ("dtype", "above", "below"),
    [(np.float32, 103.96, 103.98), (np.float16, 17.3125, 17.34375)],
    ids=["float32", "float16"],
)
def test_a_weight_is_exactly_zero_from_this_gap_on(dtype, above, below):
    """103.97 and 17.33: half the smallest subnormal, 2⁻¹⁵⁰ and 2⁻²⁵. (float16 steps by 1/64 here.)"""
    assert softmax(np.array([0, -above], dtype))[1] > 0
    assert softmax(np.array([0, -below], dtype))[1] == 0


@pytest.mark.parametrize(("dtype", "score"), [(np.float16, 11.1), (np.float32, 88.8), (np.float64, 710)])
def test_scores_at_which_a_naive_exponential_overflows(dtype, score):
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(dtype(score)))
    np.testing.assert_allclose(softmax(np.array([score, score], dtype)), [0.5, 0.5], rtol=1e-3)


@pytest.mark.parametrize(
    ("d", "dtype", "share", "printed"),
    [
        (64, np.float32, 0, 0.01),
        (64, np.float16, 0.85, 0.01),
        (4096, np.float32, 0.94, 0.01),
        (4096, np.float16, 0.998, 0.001),
    ],
)
def test_share_of_unscaled_weights_that_are_exactly_zero(d, dtype, share, printed):
    scores = math.sqrt(d) * np.random.default_rng(6).standard_normal((400, 1024))
    zeros = (softmax(scores.astype(dtype)) == 0).mean(axis=1)
    assert_mean(zeros, share, printed)


# --- rows of Gaussian scores (the Random Energy Model, Derrida 1981) ---


@pytest.mark.parametrize(
    ("n", "s", "value"),
    [
        *((4, s, value) for s, value in ((0.1, 0.2519), (1, 0.3920), (4, 0.7560), (8, 0.8730), (64, 0.9839))),
        *((64, s, value) for s, value in ((0.1, 0.0158), (1, 0.0388), (4, 0.4582), (8, 0.7118), (64, 0.9634))),
        *((1024, s, value) for s, value in ((1, 0.0026), (8, 0.6017))),
    ],
)
def test_mean_concentration_of_gaussian_rows(n, s, value):
    assert_mean(concentration(gaussian_weights(n, s, 2000 if n > 64 else 10_000)), value, 1e-4)


@pytest.mark.parametrize(("s", "value"), [(1, 3.685), (8, 0.576)])
def test_mean_entropy_of_64_gaussian_keys(s, value):
    assert_mean(entropy(gaussian_weights(64, s, 10_000)), value, 1e-3)


@pytest.mark.parametrize(("n", "d"), [(4, 2.4), (16, 10.1), (64, 19.4), (256, 29.2), (1024, 39.4)])
def test_unscaled_attention_is_half_concentrated_at_this_d(n, d):
    """d is printed to a tenth; the concentration moves by less than .1 a unit of d here."""
    assert_mean(concentration(gaussian_weights(n, math.sqrt(d), 3000)), 0.5, 0.01)


def test_three_effective_numbers_of_keys_differ():
    """n = 64 and s = 1: E exp(H) is the one the lab shows."""
    p = gaussian_weights(64, 1, 10_000)
    assert_mean(effective_keys(p), 40.2, 0.1)
    assert_mean(1 / concentration(p), 27.8, 0.1)
    assert 1 / concentration(p).mean() == pytest.approx(25.8, rel=0.01)


@pytest.mark.parametrize(("n", "d", "value"), [(4, 4, 0.540), (64, 64, 0.708)])
def test_mean_concentration_with_a_random_query(n, d, value):
    """Given q, the row is Gaussian with s = |q|, and |q|² ~ χ²(d)."""
    length = np.sqrt(np.random.default_rng(2).chisquare(d, (20_000, 1)))
    assert_mean(concentration(gaussian_weights(n, length, 20_000)), value, 1e-3)


@pytest.mark.parametrize(
    ("d", "scale", "median", "dead"),
    [(64, 1, 0.251, 0.06), (64, 1 / 8, 0.965, 0), (1024, 1, 0.00027, 0.556), (1024, 1 / 32, 0.965, 0)],
)
def test_sensitivity_of_64_keys_and_the_share_of_dead_rows(d, scale, median, dead):
    """The share over 2,000,000 rows is .5556.

    The median's standard error is √n/2 ranks, taken 4 times.
    """
    n_rows = 20_000
    length = np.sqrt(np.random.default_rng(3).chisquare(d, (n_rows, 1)))
    trace = np.sort(sensitivity(gaussian_weights(64, scale * length, n_rows)))
    rank = 2 * math.isqrt(n_rows)
    assert trace[n_rows // 2 - rank] <= median * 1.02
    assert median * 0.98 <= trace[n_rows // 2 + rank]
    assert_mean((trace < 1e-3).astype(float), dead, 0.01)
