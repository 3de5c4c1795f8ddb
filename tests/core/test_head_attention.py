"""What a head attends to and is made of: components, rules, temperature, and fresh weights, by their laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import (
    SCALINGS,
    Head,
    entropy,
    get_scaling,
    head_scores,
    head_weights,
    load_head,
    random_head,
    singular_values,
    softmax,
)
from attention_core.head_attention import energy, root_mean_square
from tests.core.head_cases import every_ending, every_head
from tests.floats import floating_trouble_raises  # noqa: F401

SEEDS = st.integers(0, 10**6)


def small_head(seed, n=5, d_model=6, d_k=3, biases=True):
    rng = np.random.default_rng(seed)
    b_Q, b_K = rng.standard_normal((2, d_k)) if biases else np.zeros((2, 0))
    X, W_Q, W_K = (rng.standard_normal(shape) for shape in ((n, d_model), (d_model, d_k), (d_model, d_k)))
    return Head(tuple("abcdefgh"[:n]), X, W_Q, W_K, b_Q=b_Q, b_K=b_K)


# --- a fresh head on the same hidden states ---


def test_fresh_weights_spread_the_scores_as_the_root_of_d_k():
    """E[score²] = d_k |x_i|² |x_j|² / d_model², whose mean is d_k: 5.69 was measured, √32 = 5.66."""
    head, rng = load_head("L3H1"), np.random.default_rng(0)
    squares = [np.mean(head_scores(random_head(head, rng)) ** 2) for _ in range(200)]
    assert math.sqrt(np.mean(squares)) == pytest.approx(math.sqrt(32), rel=0.03)
    assert np.mean(np.sqrt(squares)) == pytest.approx(5.69, abs=0.15)


def test_a_fresh_head():
    head = load_head("L3H1")
    fresh, same = (random_head(head, np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(fresh.W_Q, same.W_Q)
    assert fresh.tokens == head.tokens
    assert np.mean(fresh.X**2) == pytest.approx(1, rel=1e-12)
    assert np.linalg.matrix_rank(np.stack([fresh.X.ravel(), head.X.ravel()])) == 1
    assert fresh.W_K.var() == pytest.approx(1 / 384, rel=0.05)
    assert not fresh.b_Q.any()
    assert not fresh.b_K.any()
    assert fresh.W_V is fresh.expected is fresh.layer is None


@pytest.mark.parametrize(("size", "mean_square"), [(0.0, 0.0), (1e-300, 1.0), (1e300, 1.0)])
def test_a_fresh_head_of_extreme_hidden_states(size, mean_square):
    head = Head(("a", "b"), size * np.array([[1.0, -2.0], [0.0, 3.0]]), np.eye(2), np.eye(2))
    assert np.mean(random_head(head, np.random.default_rng(0)).X ** 2) == pytest.approx(mean_square)


# --- components ---


@every_head
@every_ending
def test_all_components_are_the_whole(name, ending):
    head = load_head(name, ending)
    np.testing.assert_allclose(head_scores(head, 32), head_scores(head), rtol=0, atol=1e-11)
    np.testing.assert_allclose(head_weights(head, components=32)[1], head.expected, rtol=0, atol=1e-6)


@given(SEEDS, st.integers(1, 7), st.integers(1, 7))
def test_singular_values_are_those_of_the_product(seed, d_model, d_k):
    head = small_head(seed, d_model=d_model, d_k=d_k)
    values = singular_values(head)
    expected = np.linalg.svd(head.W_Q @ head.W_K.T, compute_uv=False)
    padded = np.zeros(max(d_k, d_model))
    padded[:d_model] = expected
    assert values.shape == (d_k,)
    np.testing.assert_allclose(values, padded[:d_k], rtol=0, atol=1e-12 * (1 + values[0]))


@given(SEEDS, st.integers(0, 3))
def test_r_components_are_the_products_best_matrix_of_rank_r(seed, r):
    """With X = 1 the scores are the product itself, and Eckart and Young's error is what is left out."""
    d_model = 6
    head = small_head(seed, n=d_model, d_model=d_model)
    head = Head(head.tokens, np.eye(d_model), head.W_Q, head.W_K)
    kept = head_scores(head, r)
    assert np.linalg.matrix_rank(kept, tol=1e-9) == r
    error = np.linalg.norm(head_scores(head) - kept)
    assert error == pytest.approx(np.linalg.norm(singular_values(head)[r:]), abs=1e-12)


@given(SEEDS, st.integers(0, 3))
def test_the_terms_with_a_bias_stay_whole(seed, r):
    head = small_head(seed)
    bare = Head(head.tokens, head.X, head.W_Q, head.W_K)
    biases = head_scores(head) - head_scores(bare)
    np.testing.assert_allclose(head_scores(head, r), head_scores(bare, r) + biases, rtol=0, atol=1e-10)


def test_the_error_of_the_product_falls_with_every_component():
    """Measured on the product, which is small enough here to be formed, beside the singular values alone."""
    head = load_head("L3H1")
    values, whole = singular_values(head), head.W_Q @ head.W_K.T
    u, s, v = np.linalg.svd(whole)
    np.testing.assert_allclose(values, s[:32], rtol=1e-10)
    errors = [np.linalg.norm(whole - (u[:, :r] * s[:r]) @ v[:r]) for r in range(33)]
    assert (np.diff(errors) < 0).all()
    np.testing.assert_allclose(errors, [np.linalg.norm(values[r:]) for r in range(33)], rtol=0, atol=1e-10)


def graded(seed, smallest):
    """Weights whose components fall from 1 to `smallest`, a last column of W_K that repeats the first, and columns of
    very different sizes in W_Q, which W_K makes up for."""
    rng = np.random.default_rng(seed)
    (W_Q, _), (W_K, _) = (np.linalg.qr(rng.standard_normal((9, 6))) for _ in "QK")
    W_K[:, -1] = W_K[:, 0]
    sizes = np.geomspace(1e8, 1e-8, 6)
    W_Q, W_K = W_Q * np.geomspace(1, smallest, 6) * sizes, W_K / sizes
    return Head(tuple("abcdefg"), rng.standard_normal((7, 9)), W_Q, W_K)


@given(SEEDS, st.sampled_from([1.0, 1e-3, 1e-9, 1e-14, 1e-17]))
def test_weak_and_repeated_components_are_as_those_of_the_product(seed, smallest):
    head = graded(seed, smallest)
    u, s, v = np.linalg.svd(head.W_Q @ head.W_K.T)
    np.testing.assert_allclose(singular_values(head), s[:6], rtol=0, atol=1e-14)
    for r in range(7):
        if r in (0, 6) or s[r - 1] > 1.001 * s[r]:  # which of two equal ones comes first is anyone's choice
            expected = (head.X @ u[:, :r] * s[:r]) @ (head.X @ v[:r].T).T
            np.testing.assert_allclose(head_scores(head, r), expected, rtol=0, atol=3e-12)


def test_more_components_than_dimensions_are_the_whole():
    head = small_head(1, d_model=2, d_k=5)
    for r in (2, 3, 5):
        np.testing.assert_allclose(head_scores(head, r), head_scores(head), rtol=0, atol=1e-12)


@pytest.mark.parametrize("components", [-1, 4, 1.0, True, "1"])
def test_components_out_of_range_are_refused(components):
    with pytest.raises(ValueError, match="whole number from 0 to 3"):
        head_scores(small_head(0), components)


@pytest.mark.parametrize("size", [1.0, 1e-200, 1e200, 5e-324])
def test_the_energy_of_the_strongest_components(size):
    """Of 4, 2, 2, 0: 16, 20, 24 and 24 of 24."""
    values = size * np.array([4.0, 2.0, 2.0, 0.0])
    assert [energy(values, kept) for kept in range(5)] == pytest.approx([0, 16 / 24, 20 / 24, 1, 1], rel=1e-15)


def test_nothing_is_left_out_of_components_that_are_all_zero():
    assert energy(np.zeros(3), 1) == 1


@pytest.mark.parametrize("size", [0.0, 1.0, 1e-200, 1e200])
def test_the_root_of_the_mean_square(size):
    """Of 3, 4 and two zeros: 5/2, where the squares of the numbers would vanish or overflow too."""
    values = size * np.array([[3.0, -4.0], [0.0, 0.0]])
    assert root_mean_square(values) == pytest.approx(2.5 * size, rel=1e-15)


# --- rules and temperature ---


@pytest.mark.parametrize("rule", SCALINGS)
@pytest.mark.parametrize("components", [None, 2])
def test_every_rule_pair_by_pair(rule, components):
    head = small_head(4)
    scaled, weights = head_weights(head, rule, temperature=1.7, components=components)
    scores, Q, K = head_scores(head, components), head.X @ head.W_Q + head.b_Q, head.X @ head.W_K + head.b_K
    for i, j in np.ndindex(scores.shape):
        lengths = {"q_norm": np.linalg.norm(Q[i]), "k_norm": np.linalg.norm(K[j])}
        one = get_scaling(rule).apply(scores[i, j], d_k=3, n_keys=5, **lengths)
        assert scaled[i, j] == pytest.approx(one / 1.7, rel=1e-12, abs=1e-15)
    np.testing.assert_array_equal(weights, softmax(scaled))


@every_head
def test_taking_the_scale_away_is_a_temperature(name):
    """For trained weights: no scaling is 1/√d at temperature 1/√d_k, and 1/d is 1/√d at temperature √d_k."""
    head = load_head(name)
    for rule, temperature in (("none", 32**-0.5), ("linear", 32**0.5)):
        expected = head_weights(head, rule)
        actual = head_weights(head, "sqrt", temperature)
        np.testing.assert_allclose(actual[0], expected[0], rtol=1e-12)
        np.testing.assert_allclose(actual[1], expected[1], rtol=1e-9, atol=1e-300)


@given(SEEDS)
def test_a_higher_temperature_evens_the_weights_out(seed):
    head = small_head(seed)
    rows = [entropy(head_weights(head, temperature=t)[1]) for t in (0.1, 0.5, 1.0, 2.0, 10.0)]
    assert (np.diff(rows, axis=0) >= -1e-12).all()


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.inf, math.nan])
def test_a_temperature_must_be_positive(temperature):
    with pytest.raises(ValueError, match="positive"):
        head_weights(small_head(0), temperature=temperature)


def test_scores_that_overflow_are_named():
    head = Head(("a", "b"), 1e200 * np.eye(2), np.eye(2), np.eye(2))
    with pytest.raises(ValueError, match=r"scores of shape .* overflows"):
        head_weights(head)
    with pytest.raises(ValueError, match=r"scaled of shape .* overflows"):
        head_weights(Head(("a", "b"), 1e150 * np.eye(2), np.eye(2), np.eye(2)), temperature=1e-10)
