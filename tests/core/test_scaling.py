"""A scaling rule as an object: shapes, types, slopes, lengths, parameters, and what it refuses."""

import math
import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import SCALINGS, get_scaling
from attention_core.scaling import row_lengths
from tests.core.scaling_cases import SEEDS, scaled

PARAMETERS = [(name, parameter) for name, rule in SCALINGS.items() for parameter in rule.bounds]


# --- equivalences ---


@pytest.mark.parametrize("name", SCALINGS)
def test_many_values_of_d_in_one_call(name):
    """Each argument broadcasts, so a sweep (D, n, n) is scaled at once as each d alone would be."""
    rng = np.random.default_rng(8)
    d_values, rule = np.array([1, 4, 4096])[:, None, None], get_scaling(name)
    scores, q_norm, k_norm = (rng.uniform(1, 2, shape) for shape in ((3, 2, 2), (3, 2, 1), (3, 1, 2)))
    together = rule.apply(scores, d_k=d_values, n_keys=2, q_norm=q_norm, k_norm=k_norm)
    for i, d in enumerate((1, 4, 4096)):
        alone = rule.apply(scores[i], d_k=d, n_keys=2, q_norm=q_norm[i], k_norm=k_norm[i])
        np.testing.assert_allclose(together[i], alone, rtol=1e-14)


@pytest.mark.parametrize("name", SCALINGS)
def test_only_multiplies_says_whether_there_is_a_factor(name):
    rule, scores = get_scaling(name), np.array([[1.0, -2.0]])
    if rule.only_multiplies:
        np.testing.assert_allclose(rule.apply(scores, d_k=9, n_keys=7), rule.factor(9, 7) * scores, rtol=1e-15)
    else:
        with pytest.raises(ValueError, match=f"{name} does not multiply every score by one number"):
            rule.factor(9, 7)


@pytest.mark.parametrize("name", SCALINGS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32])
def test_a_rule_keeps_a_floating_type(name, dtype):
    result = scaled(np.array([[1, 2]], dtype), name, d_k=np.array(3), n_keys=np.array([[2]]))
    assert result.dtype == (np.float64 if dtype is np.int32 else dtype)


@pytest.mark.parametrize("name", SCALINGS)
def test_a_rule_leaves_the_raw_scores_alone(name):
    scores = np.array([[1.0, -2.0]])
    result = scaled(scores, name, d_k=1, n_keys=2)
    assert not np.shares_memory(result, scores)
    np.testing.assert_array_equal(scores, [[1, -2]])


@pytest.mark.parametrize("name", [*SCALINGS, "softcap that bends"])
@given(seed=SEEDS, d_k=st.integers(1, 4096), size=st.sampled_from([1e-3, 1.0, 30.0]))
def test_the_slope_is_the_central_difference_of_the_scaled_score(name, seed, d_k, size):
    """Of fourth order, at fixed lengths and numbers of keys; its error is about 1e-12 of the largest scaled score."""
    rule = get_scaling("softcap", c=0.5) if name == "softcap that bends" else get_scaling(name)
    rng = np.random.default_rng(seed)
    scores, h = size * math.sqrt(d_k) * rng.standard_normal((3, 4)), 1e-3 * math.sqrt(d_k)
    fixed = {"d_k": d_k, "n_keys": np.array([[1], [2], [4]])}
    fixed |= {"q_norm": rng.uniform(0.5, 2, (3, 1)), "k_norm": rng.uniform(0.5, 2, (1, 4))}
    near, far = (rule.apply(scores + k * h, **fixed) - rule.apply(scores - k * h, **fixed) for k in (1, 2))
    slope = rule.slope(scores, **fixed)
    assert slope.shape == scores.shape
    largest = np.abs(rule.apply(scores, **fixed)).max()
    np.testing.assert_allclose(slope, (8 * near - far) / (12 * h), rtol=1e-8, atol=1e-15 * (1 + largest) / h)


@pytest.mark.parametrize("name", SCALINGS)
def test_many_slopes_in_one_call(name):
    rng = np.random.default_rng(8)
    d_values, rule = np.array([1, 4, 4096])[:, None, None], get_scaling(name)
    scores, q_norm, k_norm = (rng.uniform(1, 2, shape) for shape in ((3, 2, 2), (3, 2, 1), (3, 1, 2)))
    together = rule.slope(scores, d_k=d_values, n_keys=2, q_norm=q_norm, k_norm=k_norm)
    for i, d in enumerate((1, 4, 4096)):
        alone = rule.slope(scores[i], d_k=d, n_keys=2, q_norm=q_norm[i], k_norm=k_norm[i])
        np.testing.assert_allclose(together[i], alone, rtol=1e-14)


@pytest.mark.parametrize("name", SCALINGS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32])
def test_a_slope_keeps_a_floating_type(name, dtype):
    result = get_scaling(name).slope(np.array([[1, 2]], dtype), d_k=np.array(3), n_keys=np.array([[2]]))
    assert result.dtype == (np.float64 if dtype is np.int32 else dtype)
    assert result.shape == (1, 2)


def test_the_slope_of_the_soft_cap_falls_to_zero_without_a_warning():
    rule = get_scaling("softcap", c=2)
    with np.errstate(all="raise"):
        slope = rule.slope([0.0, 8.0, -8.0, 400.0, 1e5, -1.7e308], d_k=4)
    expected = [0.5, 0.5 / math.cosh(2) ** 2, 0.5 / math.cosh(2) ** 2, 0.5 / math.cosh(100) ** 2, 0, 0]
    np.testing.assert_allclose(slope, expected, rtol=1e-13)


@pytest.mark.parametrize("name", SCALINGS)
def test_uses_lengths_says_whether_the_lengths_matter(name):
    rule = get_scaling(name)
    scores, longer = np.array([[1.0, -2.0]]), {"q_norm": np.array([[2.0]]), "k_norm": np.array([[3.0, 5.0]])}
    for result in (rule.apply, rule.slope):
        plain, given_lengths = result(scores, d_k=4, n_keys=2), result(scores, d_k=4, n_keys=2, **longer)
        shrink = [[6, 10]] if rule.uses_lengths else 1
        np.testing.assert_allclose(given_lengths * shrink, plain, rtol=1e-15)


def test_row_lengths_where_squares_overflow_or_underflow():
    lengths = row_lengths(np.array([[3e200, 4e200], [3e-200, 4e-200], [3, 4], [0, 0]]))
    np.testing.assert_allclose(lengths, [[5e200], [5e-200], [5], [0]], rtol=1e-15)


# --- objects and refusals ---


@pytest.mark.parametrize("name", SCALINGS)
def test_rules_are_frozen_and_hashable(name):
    rule = get_scaling(name)
    assert len({rule, get_scaling(name)}) == 1
    with pytest.raises(FrozenInstanceError):
        rule.a = 1.0
    assert rule.parameters == {parameter: getattr(rule, parameter) for parameter in rule.bounds}
    assert rule.latex
    assert rule.source


def test_the_one_parameter_of_a_rule():
    assert {name: get_scaling(name).parameter for name in SCALINGS} == {
        "none": 0, "sqrt": 0, "power": 0.25, "linear": 0, "ssmax": 0.43, "qknorm": 10, "softcap": 50,
    }  # fmt: skip
    assert get_scaling("power", a=0.5).parameter == 0.5


def test_rules_differ_by_their_parameters():
    assert get_scaling("power", a=0.1) != get_scaling("power", a=0.2)
    assert len({get_scaling(name) for name in SCALINGS}) == len(SCALINGS)


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_a_parameter_within_its_bounds(name, parameter):
    bounds = SCALINGS[name].bounds[parameter]
    for value in (bounds.low, bounds.high, np.float32(bounds.high), round(bounds.high)):
        assert get_scaling(name, **{parameter: value}).parameters == {parameter: value}
    for value in (np.nextafter(bounds.low, -1), np.nextafter(bounds.high, 1e9), math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match=re.escape(f"{name}: {parameter} is {value!r}; expected a number from")):
            get_scaling(name, **{parameter: value})


@pytest.mark.parametrize("value", ["0.5", None, [0.5], np.array(0.5), 0.5j])
@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_a_parameter_must_be_a_number(name, parameter, value):
    with pytest.raises(ValueError, match=f"{name}: {parameter} is .*; expected a number from"):
        get_scaling(name, **{parameter: value})


@pytest.mark.parametrize("unknown", ["", "Sqrt", "unheard", None, 3, ["sqrt"], SCALINGS["sqrt"]])
def test_an_unknown_rule_lists_the_known_ones(unknown):
    with pytest.raises(ValueError, match=r"unknown scaling .*; expected one of none, sqrt, power, linear"):
        get_scaling(unknown)


def test_an_unknown_parameter_is_named():
    with pytest.raises(ValueError, match=r"power has no parameter 'b'; expected \['a'\]"):
        get_scaling("power", b=1)
    with pytest.raises(ValueError, match="sqrt has no parameter 'a'; expected none"):
        get_scaling("sqrt", a=1)


def test_an_object_takes_no_second_parameters():
    with pytest.raises(ValueError, match="has its own parameters; expected no a beside it"):
        get_scaling(get_scaling("power", a=0.25), a=0.5)
