"""The scaling rules: which of them are the same under which change of weights, and what each one ignores."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import SCALINGS, get_scaling, self_attention
from tests.core.scaling_cases import SEEDS, random_parts, scaled


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
    """A scale c equals no scale with W_Q and W_K times √c."""
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
