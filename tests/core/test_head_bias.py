"""A position bias, the weights that a model expects, and a head that has let its hidden states and weights go."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import (
    SCALINGS,
    Head,
    get_scaling,
    head_scores,
    head_weights,
    load_head,
    random_head,
    singular_values,
    softmax,
)
from attention_core.head_agreement import Agreement, agreement, best_agreement
from attention_core.head_kept import KeptHead
from tests.core.head_cases import every_ending, every_head
from tests.floats import floating_trouble_raises  # noqa: F401

SEEDS = st.integers(0, 10**6)


def biased(seed=0, n=5, d_model=6, d_k=3, expected=None):
    rng = np.random.default_rng(seed)
    X, W_Q, W_K = (rng.standard_normal(shape) for shape in ((n, d_model), (d_model, d_k), (d_model, d_k)))
    b_Q, b_K = rng.standard_normal((2, d_k))
    bias = 2 * rng.standard_normal((n, n))
    return Head(tuple("abcdefgh"[:n]), X, W_Q, W_K, b_Q=b_Q, b_K=b_K, pos_bias=bias, expected=expected)


def with_expected(head, expected):
    return Head(head.tokens, head.X, head.W_Q, head.W_K, b_Q=head.b_Q, b_K=head.b_K, pos_bias=head.pos_bias,
                expected=expected)  # fmt: skip


# --- the bias ---


@pytest.mark.parametrize("rule", SCALINGS)
@pytest.mark.parametrize("components", [None, 2])
def test_the_bias_is_added_after_every_rule_and_divided_by_the_temperature(rule, components):
    head = biased(3)
    scaled, weights = head_weights(head, rule, temperature=1.7, components=components)
    scores = head_scores(head, components)
    for i, j in np.ndindex(scores.shape):
        lengths = {"q_norm": np.linalg.norm(head.Q[i]), "k_norm": np.linalg.norm(head.K[j])}
        one = get_scaling(rule).apply(scores[i, j], d_k=3, n_keys=5, **lengths)
        assert scaled[i, j] == pytest.approx((one + head.pos_bias[i, j]) / 1.7, rel=1e-12, abs=1e-14)
    np.testing.assert_array_equal(weights, softmax(scaled))


def test_scores_and_fresh_weights_have_no_position_bias():
    head = biased()
    np.testing.assert_allclose(head_scores(head), head.Q @ head.K.T, rtol=1e-14)
    assert random_head(head, np.random.default_rng(0)).pos_bias is None


@given(SEEDS)
def test_the_same_bias_for_every_key_changes_no_weight(seed):
    head = biased(seed)
    level = Head(head.tokens, head.X, head.W_Q, head.W_K, b_Q=head.b_Q, b_K=head.b_K, pos_bias=np.full((5, 5), 3.0))
    bare = Head(head.tokens, head.X, head.W_Q, head.W_K, b_Q=head.b_Q, b_K=head.b_K)
    np.testing.assert_allclose(head_weights(level)[1], head_weights(bare)[1], rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("name", ["pos_bias", "expected"])
def test_a_square_that_does_not_fit_is_named(name):
    for shape in ((2, 3), (3, 2)):
        with pytest.raises(ValueError, match=f"{name} has shape"):
            Head(("a", "b"), np.eye(2), np.eye(2), np.eye(2), **{name: np.zeros(shape)})


# --- what the model expects ---


@every_head
@every_ending
def test_a_recorded_head_agrees_under_the_root(name, ending):
    found = best_agreement(load_head(name, ending))
    assert (found.rule, found.agrees, found.decimals, found.other_top) == ("sqrt", True, 5, 0)


@given(SEEDS)
def test_a_head_that_divides_by_nothing_is_recognised(seed):
    head = biased(seed, d_k=3)
    expected = softmax(head.Q @ head.K.T + head.pos_bias)
    found = best_agreement(with_expected(head, expected))
    if agreement(with_expected(head, expected), "sqrt").agrees:  # rows so sharp that both rules give the same
        assert found.rule == "sqrt"
    else:
        assert (found.rule, found.decimals) == ("none", 5)


def test_a_bias_that_is_left_out_is_found():
    """The row whose key gets the bias of 5 differs most, by e⁵/(e⁵ + 1) − 1/2, and another key comes first there."""
    zero = np.zeros((2, 1))
    expected = softmax(np.array([[0.0, 0.0], [0.0, 5.0]]))
    head = Head(("a", "b"), np.eye(2), zero, zero, expected=expected)
    found = best_agreement(head)
    assert (found.row, found.rows, found.agrees) == (1, 2, False)
    assert found.largest == pytest.approx(math.exp(5) / (math.exp(5) + 1) - 0.5, rel=1e-12)
    assert {found.computed, found.computed + found.largest} >= {0.5}
    assert found.other_top == 0  # the computed row is a tie, in which the expected key is among the first


def test_rows_with_another_top_key_are_counted():
    X = np.eye(3)
    head = Head(("a", "b", "c"), X, 9 * X, X, expected=np.array([[0, 1, 0], [0, 1, 0], [1, 0, 0]]))
    found = agreement(head)
    assert (found.other_top, found.rows) == (2, 3)
    with pytest.raises(ValueError, match="no expected weights"):
        agreement(Head(("a", "b", "c"), X, X, X))


@pytest.mark.parametrize(
    ("largest", "agrees", "decimals"),
    [(0.0, True, 5), (4e-6, True, 5), (6e-6, True, 4), (4e-4, True, 3), (0.004, True, 2), (0.006, False, 1),
     (0.9, False, 0)],
)  # fmt: skip
def test_to_how_many_decimals(largest, agrees, decimals):
    found = Agreement("sqrt", largest, 0, 0, 0.0, 0.0, 0, 1)
    assert (found.agrees, found.decimals) == (agrees, decimals)


# --- what is kept ---


@given(SEEDS, st.integers(1, 8), st.integers(1, 7), st.integers(1, 7))
def test_a_kept_head_gives_what_the_head_gave(seed, n, d_model, d_k):
    head = biased(seed, n, d_model, d_k)
    kept = KeptHead.of(head)
    assert (kept.tokens, kept.d_model, kept.d_k) == (head.tokens, d_model, d_k)
    np.testing.assert_array_equal(singular_values(kept), singular_values(head))
    for components in (None, *range(d_k + 1)):
        np.testing.assert_array_equal(head_scores(kept, components), head_scores(head, components))
        np.testing.assert_array_equal(head_weights(kept, "qknorm", 2.0, components)[1],
                                      head_weights(head, "qknorm", 2.0, components)[1])  # fmt: skip


def test_what_is_kept_does_not_grow_with_d_model():
    n, d_k = 5, 3
    kept = KeptHead.of(biased(n=n, d_model=2000, d_k=d_k))
    assert kept.nbytes == 8 * n * (4 * d_k + n + 2) + 8 * d_k
    with pytest.raises(ValueError, match="read-only"):
        kept.Q[0, 0] = 1
