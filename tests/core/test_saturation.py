"""How saturated a row is: bounds, exact small cases, and the numbers the lessons quote.

Statistical values hold within 4 standard errors of the sample plus half the last printed digit; seeds are fixed.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attention_core import concentration, effective_keys, entropy, sensitivity, softmax

MEASURES = (concentration, entropy, effective_keys, sensitivity)
ROWS = arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=8), elements=st.floats(-1e3, 1e3))


@pytest.fixture(autouse=True, scope="module")
def _raise_on_any_floating_point_trouble():
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        yield


def gaussian_weights(n, s, n_rows, seed=1):
    """Weights of rows with n independent scores N(0, s²); s may differ by row, shape (n_rows, 1)."""
    return softmax(s * np.random.default_rng(seed).standard_normal((n_rows, n)))


def assert_mean(samples, value, printed):
    """The mean of the samples is `value`, as printed with a last digit of that size."""
    error = samples.std() / math.sqrt(samples.size)
    assert samples.mean() == pytest.approx(value, abs=4 * error + printed / 2)


# --- laws ---


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


# --- numbers in popular tutorials (FACTS section 7) ---


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


# --- number formats (FACTS section 6) ---


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


# --- rows of Gaussian scores (FACTS section 2: the Random Energy Model, Derrida 1981) ---


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
    """FACTS section 3, with .556 for its .57: the share over 2,000,000 rows is .5556.

    The median's standard error is √n/2 ranks, taken 4 times.
    """
    n_rows = 20_000
    length = np.sqrt(np.random.default_rng(3).chisquare(d, (n_rows, 1)))
    trace = np.sort(sensitivity(gaussian_weights(64, scale * length, n_rows)))
    rank = 2 * math.isqrt(n_rows)
    assert trace[n_rows // 2 - rank] <= median * 1.02
    assert median * 0.98 <= trace[n_rows // 2 + rank]
    assert_mean((trace < 1e-3).astype(float), dead, 0.01)
