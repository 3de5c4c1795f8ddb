"""The exact theory of Gaussian scores: its laws, its shapes, and its refusals."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attention_core import get_scaling
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
from tests.core.theory_cases import MEANS, MULTIPLIERS
from tests.floats import all_but_underflow_raises  # noqa: F401

KEYS, SPREADS = st.integers(1, MOST_KEYS), st.floats(0, LARGEST_SPREAD)


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
