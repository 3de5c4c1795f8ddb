"""The exact theory of Gaussian scores: published and derived values, two oracles that share no formula with it, laws.

The printed values are derived for this project. They hold to half their last digit; seeded samples within Z standard
errors, the standard error coming from the sample.
"""

import math
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.integrate import quad
from scipy.special import gammaincinv, ndtr
from scipy.stats import norm

from attention_core import concentration, entropy, get_scaling, softmax, theory
from attention_core.scaling import SCALINGS
from attention_core.theory import (
    LARGEST_SPREAD,
    MOST_KEYS,
    NARROW,
    expected_concentration,
    expected_entropy,
    expected_over_queries,
    expected_sensitivity,
    onset,
)

Z = 4.5
KEYS, SPREADS = st.integers(1, MOST_KEYS), st.floats(0, LARGEST_SPREAD)
MEANS = (expected_concentration, expected_entropy, expected_sensitivity)
MULTIPLIERS = [name for name in SCALINGS if get_scaling(name).only_multiplies]
HALF_CONCENTRATED = [(4, 2.4), (16, 10.1), (64, 19.4), (256, 29.2), (1024, 39.4)]


@pytest.fixture(autouse=True, scope="module")
def _raise_on_any_floating_point_trouble():
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        yield


@pytest.fixture
def fresh():
    """Nothing remembered from other settings of the quadrature, before or after."""
    caches = (theory._means, theory._smoothed, theory._polynomials)
    for each in caches:
        each.cache_clear()
    yield lambda: [each.cache_clear() for each in caches]
    for each in caches:
        each.cache_clear()


# --- values ---


@pytest.mark.parametrize(
    ("n", "s", "value"),
    [
        *((4, s, value) for s, value in ((0.1, 0.2519), (1, 0.3920), (4, 0.7560), (8, 0.8730), (64, 0.9839))),
        *((64, s, value) for s, value in ((0.1, 0.0158), (1, 0.0388), (4, 0.4582), (8, 0.7118), (64, 0.9634))),
        *((1024, s, value) for s, value in ((1, 0.0026), (8, 0.6017))),
    ],
)
def test_mean_concentration(n, s, value):
    assert expected_concentration(n, s) == pytest.approx(value, abs=0.5e-4)


@pytest.mark.parametrize(
    ("n", "s", "value", "digit"), [(64, 1, 3.685, 1e-3), (64, 8, 0.576, 1e-3), (1024, 64, 0.0864, 1e-4)]
)
def test_mean_entropy(n, s, value, digit):
    assert expected_entropy(n, s) == pytest.approx(value, abs=digit / 2)


@pytest.mark.parametrize(("n", "d"), HALF_CONCENTRATED)
def test_half_of_the_weight_is_concentrated_at_this_d(n, d):
    below, above = expected_concentration(n, np.sqrt([d - 0.05, d + 0.05]))
    assert below < 0.5 < above


@pytest.mark.parametrize(("n", "d"), [(4, 2.8), (16, 5.5), (64, 8.3), (256, 11.1), (1024, 13.9)])
def test_onset(n, d):
    assert onset(n) == pytest.approx(d, abs=0.05)
    assert onset(n) == pytest.approx(2 * math.log(n), rel=1e-15)


def test_the_onset_is_no_one_hot_row():
    for n, d in HALF_CONCENTRATED:
        assert expected_concentration(n, math.sqrt(onset(n))) < 0.55
        assert (onset(n) > d) == (n == 4)


def test_spread_one_is_far_from_saturated():
    """n E Σp² tends to e and H to ln n − ½, the values of a lognormal sum whose average is its mean."""
    numbers = [n * float(expected_concentration(n, 1)) for n in (64, 1024, MOST_KEYS)]
    assert numbers[:2] == pytest.approx([2.48, 2.70], abs=5e-3)
    assert numbers[2] == pytest.approx(math.e, rel=1e-3)
    assert expected_entropy(MOST_KEYS, 1) == pytest.approx(math.log(MOST_KEYS) - 0.5, abs=1e-3)


@pytest.mark.parametrize("n", [2, 4, 64, 1024, MOST_KEYS])
def test_deep_in_the_frozen_phase(n):
    """1 − E Σp² → M/s and E H → (π²/6) M/s, M the mean of the largest of n standard normals; the error falls with s."""
    largest = quad(lambda x: n * x * norm.pdf(x) * norm.cdf(x) ** (n - 1), -8, 10, limit=200)[0]
    s = np.array([75, 150, 300])
    for values, limit in ((expected_sensitivity(n, s), largest), (expected_entropy(n, s), math.pi**2 / 6 * largest)):
        errors = np.abs(s * values / limit - 1)
        assert errors[-1] < 0.01
        assert (errors[1:] < errors[:-1] / 1.8).all()


def test_the_frozen_limit_is_not_reached_at_spread_64():
    largest = quad(lambda x: 1024 * x * norm.pdf(x) * norm.cdf(x) ** 1023, -8, 10, limit=200)[0]
    assert math.pi**2 / 6 * largest / 64 == pytest.approx(0.0835, abs=1e-4)
    assert expected_entropy(1024, 64) > 1.03 * math.pi**2 / 6 * largest / 64


def test_the_exponential_of_the_mean_is_not_the_mean_of_the_exponential():
    """n = 64, s = 1: the mean of exp(H) is 40.2, exp of the mean of H only 39.8."""
    numbers = np.exp(entropy(gaussian_weights(64, 1, 10_000)))
    assert numbers.mean() == pytest.approx(40.2, abs=Z * numbers.std() / 100 + 0.05)
    assert np.exp(expected_entropy(64, 1)) == pytest.approx(39.8, abs=0.05)
    assert numbers.mean() - Z * numbers.std() / 100 > np.exp(expected_entropy(64, 1))


# --- oracles ---


def gaussian_weights(n, s, n_rows, seed=1):
    return softmax(s * np.random.default_rng(seed).standard_normal((n_rows, n)))


def nested_quadrature(n, s):
    """Mean concentration and entropy by scipy, both integrals adaptive. y = e^{s x}, φ(t) = E e^{−t y}, t = e^u.

    E Σp² = n ∫ t E[y² e^{−t y}] φ^{n−1} dt and E H = E ln Z − s² (1 − E Σp²), E ln Z = ∫ (e^{−t} − φ^n) du.
    """

    def mean(power, u):
        def inside(x):
            w = u + s * x
            return math.exp(power * w - math.exp(w) - x * x / 2) / math.sqrt(2 * math.pi)

        bend = min(max(-u / s, -9), 9)  # where e^{−t y} falls
        return quad(inside, -9.5, bend, epsabs=1e-12)[0] + quad(inside, bend, 9.5, epsabs=1e-12)[0]

    low, high = -9.5 * s - 30, 9.5 * s + 4
    outer = partial(quad, epsabs=1e-10, limit=200, points=[-s * math.sqrt(2 * math.log(n)), 0])
    squares = n * outer(lambda u: mean(2, u) * mean(0, u) ** (n - 1), low, high)[0]
    log_sum = outer(lambda u: math.exp(-math.exp(u)) - mean(0, u) ** n, low, high)[0]
    return squares, log_sum - s * s * (1 - squares)


@pytest.mark.parametrize(("n", "s"), [(2, 0.3), (4, 1), (64, 1), (1024, 1), (4, 3), (64, 3)])
def test_the_textbook_formulas_by_adaptive_quadrature(n, s):
    squares, H = nested_quadrature(n, s)
    assert expected_concentration(n, s) == pytest.approx(squares, rel=1e-7)
    assert expected_entropy(n, s) == pytest.approx(H, rel=1e-6)


@cache
def fine_steps(s):
    """For each u in small steps: φ, E[y² e^{−t y}] and E[ln y · y e^{−t y}] as plain sums."""
    u = np.arange(-9.5 * s - 40, 9.5 * s + 6, 0.2)[:, None]
    with np.errstate(over="ignore"):  # e^u beyond the largest number: e^{−e^u} is 0, which is right
        if s < 3:
            x = np.arange(-9.5, 9.5, 0.1)
            w, weight = u + s * x, 0.1 * norm.pdf(x)
            phi = np.exp(-np.exp(w)) @ weight
        else:
            w = np.arange(-40, 4.5, 0.2)
            weight = 0.2 / s * norm.pdf((w - u) / s)
            phi = (0.2 * np.exp(w - np.exp(w)) * ndtr((w - u) / s)).sum(axis=1)
        square = (np.exp(2 * w - np.exp(w)) * weight).sum(axis=1)
        score = ((w - u) * np.exp(w - np.exp(w)) * weight).sum(axis=1)
        return u[:, 0], np.clip(phi, 0, 1), square, score


def fine_sums(n, s):
    """The same means as plain sums over small steps: Σp² from t y² e^{−t y}, H as E ln Z − E Σ p ln y."""
    u, phi, square, score = fine_steps(s)
    with np.errstate(over="ignore"):
        log_sum = 0.2 * (np.exp(-np.exp(u)) - phi**n).sum()
    others = 0.2 * n * phi ** (n - 1)
    return 1 - (square * others).sum(), log_sum - (score * others).sum()


@pytest.mark.parametrize("n", [2, 3, 64, 1024, MOST_KEYS])
@pytest.mark.parametrize("s", [0.05, 0.5, 0.69, 0.71, 2, 4.5, 30, 120, 300])
def test_four_digits_of_both_means(n, s):
    sensitivity, H = fine_sums(n, s)
    assert expected_sensitivity(n, s) == pytest.approx(sensitivity, rel=2e-5)
    assert expected_entropy(n, s) == pytest.approx(H, rel=2e-5)


@pytest.mark.parametrize(
    "finer", [{"STEP": theory.STEP / 2, "FINE": theory.FINE / 2}, {"LOW": -50.0, "HIGH": 4.5, "TAIL": 12.0}]
)
def test_finer_steps_and_wider_limits_change_nothing(finer, monkeypatch, fresh):
    s = np.array([1e-3, 0.1, 0.6, 0.7, 1, 3, 11, 40, 300])
    cases = [(mean, n) for mean in (expected_sensitivity, expected_entropy) for n in (2, 64, MOST_KEYS)]
    before = [mean(n, s) for mean, n in cases]
    for name, value in finer.items():
        monkeypatch.setattr(theory, name, value)
    fresh()
    for (mean, n), values in zip(cases, before, strict=True):
        np.testing.assert_allclose(mean(n, s), values, rtol=1e-9)


@pytest.mark.parametrize("n", [2, 64, MOST_KEYS])
def test_the_two_methods_meet(n, monkeypatch, fresh):
    """Both the Gauss-Hermite sum and the grid are good on either side of the switch."""
    s = NARROW * np.array([0.6, 0.9, 0.999999, 1, 1.1])
    before = [mean(n, s) for mean in MEANS]
    for narrow in (0, 2 * NARROW):
        monkeypatch.setattr(theory, "NARROW", narrow)
        fresh()
        for mean, values in zip(MEANS, before, strict=True):
            np.testing.assert_allclose(mean(n, s), values, rtol=1e-8, atol=1e-11)


@pytest.mark.parametrize(("n", "s"), [(2, 0.2), (2, 50), (4, 1), (16, 3), (64, 8), (64, 64), (1024, 2), (1024, 12)])
def test_measured_means(n, s):
    p = gaussian_weights(n, s, 1000 if n > 64 else 20_000, seed=2)
    for measure, mean in ((concentration, expected_concentration), (entropy, expected_entropy)):
        values = measure(p)
        assert mean(n, s) == pytest.approx(values.mean(), abs=Z * values.std() / math.sqrt(values.size))


# --- laws ---


@given(KEYS, SPREADS, SPREADS)
@example(MOST_KEYS, NARROW, np.nextafter(NARROW, 0))
def test_more_spread_concentrates(n, a, b):
    low, high = sorted((a, b))
    assert expected_concentration(n, low) <= expected_concentration(n, high) + 1e-10
    assert expected_entropy(n, low) >= expected_entropy(n, high) - 1e-8
    assert expected_sensitivity(n, low) >= expected_sensitivity(n, high) - 1e-10


@given(KEYS, SPREADS)
def test_bounds(n, s):
    assert 1 / n - 1e-10 <= expected_concentration(n, s) <= 1
    assert 0 <= expected_entropy(n, s) <= math.log(n) + 1e-9
    assert expected_sensitivity(n, s) + expected_concentration(n, s) == pytest.approx(1, rel=1e-15)


@given(st.integers(2, MOST_KEYS - 1), SPREADS)
def test_one_more_key_spreads_the_weight(n, s):
    assert expected_concentration(n + 1, s) <= expected_concentration(n, s) + 1e-10
    assert expected_entropy(n + 1, s) >= expected_entropy(n, s) - 1e-8


@pytest.mark.parametrize("n", [1, 2, 3, 64, MOST_KEYS])
def test_no_spread_is_a_uniform_row(n):
    assert expected_concentration(n, 0) == pytest.approx(1 / n, abs=1e-10)
    assert expected_entropy(n, 0) == pytest.approx(math.log(n), abs=1e-9)


@given(SPREADS)
def test_one_key_has_all_the_weight(s):
    assert [float(mean(1, s)) for mean in MEANS] == [1, 0, 0]


@pytest.mark.parametrize("mean", MEANS)
@given(s=arrays(np.float64, array_shapes(min_dims=0, max_dims=3, max_side=3), elements=SPREADS))
def test_every_shape_of_s(mean, s):
    values = mean(64, s)
    assert values.shape == s.shape
    for place in np.ndindex(s.shape):
        assert values[place] == mean(64, float(s[place]))


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 3, 1)])
def test_no_spreads_at_all(mean, shape):
    assert mean(64, np.zeros(shape)).shape == shape


@pytest.mark.parametrize("mean", MEANS)
def test_whole_numbers_and_lists(mean):
    assert isinstance(mean(np.int64(4), 2), np.ndarray)
    np.testing.assert_array_equal(mean(4, [1, 2]), mean(4, np.array([1, 2], np.float32)))


# --- random queries ---


@pytest.mark.parametrize(("n", "d", "value", "fixed"), [(4, 4, 0.540, 0.574), (64, 64, 0.708, 0.712)])
def test_the_length_of_the_query_matters(n, d, value, fixed):
    """Without scaling; printed from samples, so the last digit may be off by one: .5407 and .7086 exactly."""
    assert expected_over_queries("concentration", n, [d], get_scaling("none")) == pytest.approx(value, abs=1e-3)
    assert expected_concentration(n, math.sqrt(d)) == pytest.approx(fixed, abs=5e-4)


@pytest.mark.parametrize(
    ("n", "rule"), [(1, "none"), (4, "none"), (4, "linear"), (64, "power"), (1024, "ssmax"), (MOST_KEYS, "none")]
)
def test_the_average_over_queries_by_adaptive_quadrature(n, rule):
    """Over the share of queries that are shorter, so that any law of their length becomes a uniform one.

    Of the concentration nothing is left to show: it is 1 − sensitivity, of each row and of the averages.
    """
    d_values, scaling = np.array([1, 5, 4096]), get_scaling(rule)
    factors = scaling.factor(d_values, n)
    for measure, mean in (("entropy", expected_entropy), ("sensitivity", expected_sensitivity)):

        def at(share, d, factor, mean=mean):
            return float(mean(n, factor * math.sqrt(2 * gammaincinv(d / 2, share))))  # the quantile of χ²_d

        averages = [quad(at, 0, 1, args=given, epsrel=1e-8)[0] for given in zip(d_values, factors, strict=True)]
        np.testing.assert_allclose(expected_over_queries(measure, n, d_values, scaling), averages, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("rule", MULTIPLIERS)
def test_long_queries_all_have_the_same_length(rule):
    """|q|/√d varies by 1/√(2d): nothing at d = 65,536 and scores of spread near 1."""
    d, scaling = 65_536, get_scaling(rule)
    s = math.sqrt(d) * scaling.factor(d, 64)
    np.testing.assert_allclose(expected_over_queries("entropy", 64, [d], scaling), expected_entropy(64, s), rtol=1e-4)


@pytest.mark.parametrize("rule", MULTIPLIERS)
def test_the_averages_add_up_to_one(rule):
    d_values = np.unique(np.rint(2.0 ** np.arange(0, 13)))
    parts = [expected_over_queries(name, 64, d_values, get_scaling(rule)) for name in ("concentration", "sensitivity")]
    np.testing.assert_allclose(sum(parts), 1, rtol=1e-15)


# --- refusals ---


@pytest.mark.parametrize("n", [0, -1, MOST_KEYS + 1, 2.0, "4", None, True, np.array(4)])
def test_a_wrong_number_of_keys(n):
    for call in (onset, *(partial(mean, s=1) for mean in MEANS)):
        with pytest.raises(ValueError, match=r"n is .*; expected a whole number of keys from 1 to 10000"):
            call(n)
    with pytest.raises(ValueError, match="n is "):
        expected_over_queries("entropy", n, [4], get_scaling("none"))


@pytest.mark.parametrize("s", [-1e-9, 300.0001, math.nan, math.inf, [1, -1]])
@pytest.mark.parametrize("mean", MEANS)
def test_a_wrong_spread(mean, s):
    with pytest.raises(ValueError, match=r"s of shape .* has entries outside 0 to 300; expected a spread"):
        mean(4, s)


@pytest.mark.parametrize("s", ["a", [[1], [1, 2]], 1j])
def test_a_spread_must_be_a_number(s):
    with pytest.raises(ValueError, match="s must hold real numbers"):
        expected_entropy(4, s)


@pytest.mark.parametrize("rule", sorted(set(SCALINGS) - set(MULTIPLIERS)))
def test_no_theory_for_rules_that_bend_scores(rule):
    with pytest.raises(ValueError, match=f"{rule} does not multiply every score by one number"):
        expected_over_queries("entropy", 4, [4], get_scaling(rule))


def test_underflow_is_silent():
    with np.errstate(all="raise"):
        for mean in MEANS:
            assert np.isfinite(mean(MOST_KEYS, [0, 1e-9, 0.5, 5, 299])).all()
        assert np.isfinite(expected_over_queries("entropy", 63, [1, 3, 4000], get_scaling("none"))).all()


def test_an_unknown_measure():
    with pytest.raises(ValueError, match="unknown measure 'largest'; expected concentration, entropy or sensitivity"):
        expected_over_queries("largest", 4, [4], get_scaling("none"))
