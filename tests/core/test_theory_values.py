"""The exact theory of Gaussian scores: published and derived values.

The printed values are derived for this project. They hold to half their last digit; seeded samples within Z standard
errors, the standard error coming from the sample.
"""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaincinv
from scipy.stats import norm

from attention_core import entropy, get_scaling
from attention_core.theory import (
    MOST_KEYS,
    expected_concentration,
    expected_entropy,
    expected_over_queries,
    expected_sensitivity,
    onset,
)
from tests.core.gaussian import gaussian_weights
from tests.core.theory_cases import MULTIPLIERS, Z
from tests.floats import all_but_underflow_raises  # noqa: F401

HALF_CONCENTRATED = [(4, 2.4), (16, 10.1), (64, 19.4), (256, 29.2), (1024, 39.4)]


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
