"""The exact theory of Gaussian scores beside two oracles that share no formula with it, and beside samples.

The printed values are derived for this project. They hold to half their last digit; seeded samples within Z standard
errors, the standard error coming from the sample.
"""

import math
from functools import cache, partial

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm

from attention_core import concentration, entropy, theory
from attention_core.theory import MOST_KEYS, NARROW, expected_concentration, expected_entropy, expected_sensitivity
from tests.core.gaussian import gaussian_weights
from tests.core.theory_cases import MEANS, Z
from tests.floats import all_but_underflow_raises  # noqa: F401


@pytest.fixture
def fresh():
    """Nothing remembered from other settings of the quadrature, before or after."""
    caches = (theory._means, theory._smoothed, theory._polynomials)
    for each in caches:
        each.cache_clear()
    yield lambda: [each.cache_clear() for each in caches]
    for each in caches:
        each.cache_clear()


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
