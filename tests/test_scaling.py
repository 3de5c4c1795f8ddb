"""The scaling rules: published values, equivalences between rules, and what a rule refuses.

Values come from the sources named in each rule's `source`, worked out again here where a closed form exists.
"""

import math
import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import SCALINGS, get_scaling, self_attention, softmax
from attention_core.scaling import row_lengths

SEEDS = st.integers(0, 10**6)
PARAMETERS = [(name, parameter) for name, rule in SCALINGS.items() for parameter in rule.bounds]


def random_parts(seed, n=5, d_emb=4, d_k=3, d_v=2):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape) for shape in ((n, d_emb), (d_emb, d_k), (d_emb, d_k), (d_emb, d_v))]


def scaled(scores, rule, **given_values):
    return get_scaling(rule).apply(scores, **given_values)


# --- values to reproduce ---


@pytest.mark.parametrize(
    ("n", "plain", "scalable"), [(10, 0.943, 0.940), (100, 0.600, 0.995), (1000, 0.129, 0.9996)], ids=str
)
def test_scalable_softmax_keeps_a_needle_visible(n, plain, scalable):
    """One key scores +3 and n − 1 score −2. Source: arXiv:2501.19399, c = 0.43."""
    row = np.r_[3.0, np.full(n - 1, -2.0)]
    assert softmax(scaled(row, "none", d_k=1))[0] == pytest.approx(plain, abs=5e-4)
    ssmax = get_scaling("ssmax", c=0.43)
    weight = softmax(ssmax.apply(row, d_k=1, n_keys=n))[0]
    assert weight == pytest.approx(scalable, abs=5e-5 if n == 1000 else 5e-4)
    assert weight == pytest.approx(1 / (1 + (n - 1) * n ** (-0.43 * 5)), rel=1e-12)  # the same in closed form


def test_qk_norm_with_g_1_and_64_keys_gives_no_weight_above_105():
    """The most that is possible is one key along q and 63 against it: 1 / (1 + 63 e⁻²) = .105."""
    X = np.where(np.arange(64)[:, None] == 0, 1.0, -1.0) * np.linspace(1, 9, 64)[:, None]
    extreme = self_attention(X, [[2.0]], [[3.0]], [[1.0]], scaling=get_scaling("qknorm", g=1)).weights
    assert extreme[0].max() == pytest.approx(1 / (1 + 63 * math.exp(-2)), rel=1e-12)
    assert 0.1045 < extreme.max() <= 0.105


@given(seed=SEEDS)
def test_qk_norm_with_g_1_stays_below_that_bound(seed):
    X, *weights = random_parts(seed, n=64)
    assert self_attention(100 * X, *weights, scaling=get_scaling("qknorm", g=1)).weights.max() <= 0.105


@pytest.mark.parametrize(("score", "capped"), [(10, 9.869), (50, 38.080), (100, 48.201), (-50, -38.080)])
@pytest.mark.parametrize("d_k", [1, 64])
def test_soft_cap_of_gemma_2(score, capped, d_k):
    """Source: arXiv:2408.00118, c = 50, the default; the scores are those after ÷ √d."""
    assert scaled(score * math.sqrt(d_k), "softcap", d_k=d_k) == pytest.approx(capped, abs=5e-4)


@pytest.mark.parametrize(
    ("rule", "d_k", "spread"),
    [
        ("none", 64, 8),
        ("none", 4096, 64),
        ("sqrt", 64, 1),
        ("sqrt", 4096, 1),
        ("linear", 4096, 1 / 64),
        ("power", 4096, 8),
    ],
)
def test_spread_of_unit_variance_scores(rule, d_k, spread):
    """√d · factor(d); a = ¼ (the default of power) at 4096 spreads like no scaling at 64."""
    assert math.sqrt(d_k) * get_scaling(rule).factor(d_k) == pytest.approx(spread, rel=1e-14)


def test_dividing_by_the_root_of_d_model_is_too_flat():
    """FACTS section 9: 64 terms in the dot product, divided by √4096: spread 1/8."""
    assert math.sqrt(64) * get_scaling("sqrt").factor(4096) == pytest.approx(1 / 8, rel=1e-14)


@pytest.mark.parametrize(("rule", "largest"), [("none", 0.984), ("sqrt", 0.361), ("linear", 0.128)])
def test_mean_largest_weight_with_8_keys_at_4096(rule, largest):
    """FACTS section 9; 20,000 rows of scores N(0, d), within 4 standard errors and the printed digit."""
    rows = 64 * np.random.default_rng(9).standard_normal((20_000, 8))
    top = softmax(scaled(rows, rule, d_k=4096)).max(axis=1)
    assert top.mean() == pytest.approx(largest, abs=4 * top.std() / math.sqrt(20_000) + 5e-4)


@pytest.mark.parametrize(("rule", "weight"), [("sqrt", 1.000), ("linear", 0.16)])
def test_a_key_correlated_by_3_tenths_at_4096(rule, weight):
    """FACTS section 9: its score is about .3 · 4096, the other seven about 0 beside it."""
    row = np.r_[0.3 * 4096, np.zeros(7)]
    assert softmax(scaled(row, rule, d_k=4096))[0] == pytest.approx(weight, abs=5e-3)


# --- equivalences ---


@pytest.mark.parametrize(("a", "name"), [(0, "none"), (0.5, "sqrt"), (1, "linear")])
@given(seed=SEEDS, d_k=st.integers(1, 4096))
def test_power_contains_the_other_divisors(a, name, seed, d_k):
    scores = np.random.default_rng(seed).standard_normal((3, 3))
    power = get_scaling("power", a=a).apply(scores, d_k=d_k)
    np.testing.assert_allclose(power, scaled(scores, name, d_k=d_k), rtol=1e-14)


@given(seed=SEEDS, d_k=st.integers(1, 64))
def test_scaling_q_and_k_by_the_fourth_root_is_the_square_root_rule(seed, d_k):
    X, W_Q, W_K, W_V = random_parts(seed, d_k=d_k)
    root = d_k**-0.25
    halves = self_attention(X, W_Q * root, W_K * root, W_V, scaling="none")
    usual = self_attention(X, W_Q, W_K, W_V)
    np.testing.assert_allclose(halves.scaled, usual.scaled, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(halves.output, usual.output, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("size", [1e-3, 10.0, 1e5, 1.7e308])
@pytest.mark.parametrize("c", [0.1, 7.0, 50.0, 100.0])
def test_soft_cap_is_bounded_odd_and_keeps_the_order(size, c):
    rule, scores = get_scaling("softcap", c=c), size * np.linspace(-1, 1, 21)
    capped = rule.apply(scores, d_k=1)
    assert (np.abs(capped) <= c).all()
    assert (np.diff(capped) >= 0).all()
    np.testing.assert_allclose(rule.apply(-scores, d_k=1), -capped, rtol=1e-14)


def test_soft_cap_of_small_scores_is_nearly_the_square_root_rule():
    """c tanh(x/c) = x − x³/3c² + …, so scores below 1 move by less than 1/(3 · 50²)."""
    scores = np.linspace(-8, 8, 33)
    difference = scaled(scores, "softcap", d_k=64) - scaled(scores, "sqrt", d_k=64)
    assert 0 < np.abs(difference).max() < 1 / (3 * 50**2)


@given(seed=SEEDS, q_size=st.floats(1e-3, 1e3), k_size=st.floats(1e-3, 1e3))
def test_qk_norm_forgets_the_lengths_of_q_and_k(seed, q_size, k_size):
    X, W_Q, W_K, W_V = random_parts(seed)
    before = self_attention(X, W_Q, W_K, W_V, scaling="qknorm")
    after = self_attention(X, q_size * W_Q, k_size * W_K, W_V, scaling="qknorm")
    np.testing.assert_allclose(after.scaled, before.scaled, rtol=1e-11, atol=1e-12)
    assert (np.abs(before.scaled) <= 10 * (1 + 1e-14)).all()


def test_qk_norm_is_g_times_the_cosine():
    trace = self_attention(np.eye(2), [[3.0, 4.0], [0, 2]], [[1.0, 0], [-1, 1]], np.eye(2), get_scaling("qknorm", g=5))
    half = 5 / math.sqrt(2)
    np.testing.assert_allclose(trace.scaled, [[3, half * 0.2], [0, half]], rtol=1e-14)


@pytest.mark.parametrize("zero", ["W_Q", "W_K"])
def test_a_zero_query_or_key_scores_zero_under_qk_norm(zero):
    X = np.array([[0.0, 1], [1, 1], [2, 0]])
    parts = {"W_Q": np.eye(2), "W_K": np.eye(2), "W_V": np.eye(2)} | {zero: np.array([[1.0, 0], [0, 0]])}
    trace = self_attention(X, **parts, scaling="qknorm")  # the first token's query or key is the zero vector
    empty = trace.scaled[0] if zero == "W_Q" else trace.scaled[:, 0]
    np.testing.assert_array_equal(empty, 0)
    assert np.isfinite(trace.weights).all()
    if zero == "W_Q":
        np.testing.assert_allclose(trace.weights[0], 1 / 3)


def test_scalable_softmax_counts_the_keys_each_row_may_see():
    parts = random_parts(4)
    causal = self_attention(*parts, scaling="ssmax", is_causal=True)
    full = self_attention(*parts, scaling="ssmax")
    per_row = 0.43 * np.log([1, 2, 3, 4, 5])[:, None] / math.sqrt(3)
    np.testing.assert_allclose(causal.scaled, per_row * causal.scores, rtol=1e-13)
    np.testing.assert_allclose(full.scaled, per_row[-1] * full.scores, rtol=1e-13)
    np.testing.assert_array_equal(causal.weights[0], [1, 0, 0, 0, 0])


def test_smaller_weights_at_the_start_do_what_the_rule_does():
    """FACTS section 9: a scale c equals no scale with W_Q and W_K times √c."""
    X, W_Q, W_K, W_V = random_parts(5)
    root = math.sqrt(1 / math.sqrt(3))
    small = self_attention(X, root * W_Q, root * W_K, W_V, "none")
    np.testing.assert_allclose(small.output, self_attention(X, W_Q, W_K, W_V).output, rtol=1e-13)


def test_the_default_rule_is_the_square_root():
    parts = random_parts(6)
    np.testing.assert_array_equal(self_attention(*parts).scaled, self_attention(*parts, scaling="sqrt").scaled)


@pytest.mark.parametrize("name", SCALINGS)
def test_a_name_and_its_object_are_the_same_rule(name):
    parts = random_parts(7)
    by_name, by_object = self_attention(*parts, scaling=name), self_attention(*parts, scaling=get_scaling(name))
    np.testing.assert_array_equal(by_name.scaled, by_object.scaled)
    assert get_scaling(name) == SCALINGS[name]()
    assert get_scaling(name).name == name


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
