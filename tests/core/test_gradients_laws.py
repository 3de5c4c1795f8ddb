"""The laws that gradients obey: linear, moving with the tokens, causal, scaled, and never exactly zero by chance.

Every call runs with numpy told to raise on overflow, underflow and invalid operations.
"""

import math
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import SCALINGS, Gradients, get_scaling, self_attention, self_attention_backward, softmax
from attention_core.scaling import row_lengths
from tests.core.gradients_cases import (
    PARTS,
    SEEDS,
    a_dozen,
    backward,
    both_masks,
    by_name,
    central,
    every_rule,
    random_parts,
)
from tests.floats import assert_close, floating_trouble_raises  # noqa: F401


@every_rule
@both_masks
@a_dozen
@given(seed=SEEDS, a=st.floats(-3, 3), b=st.floats(-3, 3))
def test_gradients_are_linear_in_the_outputs(make_rule, is_causal, seed, a, b):
    *parts, one = random_parts(seed)
    other = random_parts(seed + 1)[-1]
    with np.errstate(under="ignore"):
        both = a * one + b * other
        trace = self_attention(*parts, scaling=make_rule(), is_causal=is_causal)
        of_one, of_other, of_both = (by_name(self_attention_backward(trace, d)) for d in (one, other, both))
        for name in PARTS:
            assert_close(of_both[name], a * of_one[name] + b * of_other[name], rtol=1e-9, atol=1e-11)


@every_rule
@a_dozen
@given(seed=SEEDS, order=st.permutations(range(5)))
def test_reordered_tokens_reorder_the_gradient_for_X_alone(make_rule, seed, order):
    X, *weights, d_output = random_parts(seed)
    rule = make_rule()
    before = backward([X, *weights], d_output, rule)
    after = backward([X[order], *weights], d_output[order], rule)
    assert_close(after.X, before.X[order], rtol=1e-9, atol=1e-11)
    for name in PARTS[1:]:
        assert_close(getattr(after, name), getattr(before, name), rtol=1e-9, atol=1e-11)


@every_rule
@both_masks
@a_dozen
@given(seed=SEEDS)
def test_what_scaling_a_matrix_does(make_rule, is_causal, seed):
    """Euler: the output is linear in W_V; t W_Q with W_K / t changes nothing; QK-norm forgets even t W_Q alone."""
    *parts, d_output = random_parts(seed)
    rule = make_rule()
    trace = self_attention(*parts, scaling=rule, is_causal=is_causal)
    gradients = self_attention_backward(trace, d_output)
    by_Q, by_K, by_V = ((getattr(gradients, f"W_{m}") * getattr(trace, f"W_{m}")).sum() for m in "QKV")
    assert by_V == pytest.approx((d_output * trace.output).sum(), rel=1e-11, abs=1e-11)
    assert by_Q == pytest.approx(by_K, rel=1e-10, abs=1e-11)
    if rule.uses_lengths:
        assert by_Q == pytest.approx(0, abs=1e-11)


@every_rule
@a_dozen
@given(seed=SEEDS, row=st.integers(0, 4))
def test_under_the_mask_a_row_gives_nothing_to_later_tokens(make_rule, seed, row):
    *parts, d_output = random_parts(seed)
    only = np.where(np.arange(5)[:, None] == row, d_output, 0)
    gradients = backward(parts, only, make_rule(), is_causal=True)
    np.testing.assert_array_equal(gradients.X[row + 1 :], 0)
    if row == 0:  # one key has all the weight whatever its score
        np.testing.assert_array_equal(gradients.W_Q, 0)
        np.testing.assert_array_equal(gradients.W_K, 0)


@pytest.mark.parametrize(("q_size", "k_size"), [(1e-150, 1e-150), (1e150, 1e150), (1e-200, 1e200), (1e3, 1.0)])
@both_masks
@a_dozen
@given(seed=SEEDS)
def test_qk_norms_gradient_grows_as_the_vectors_shrink(q_size, k_size, is_causal, seed):
    X, W_Q, W_K, W_V, d_output = random_parts(seed)
    usual = backward([X, W_Q, W_K, W_V], d_output, "qknorm", is_causal)
    sized = backward([X, q_size * W_Q, k_size * W_K, W_V], d_output, "qknorm", is_causal)
    assert_close(sized.X, usual.X, rtol=1e-8, atol=1e-10)
    assert_close(sized.W_Q * q_size, usual.W_Q, rtol=1e-8, atol=1e-10)
    assert_close(sized.W_K * k_size, usual.W_K, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("zero", ["W_Q", "W_K"])
@both_masks
def test_a_zero_query_or_key_under_qk_norm_has_its_length_held_at_1(zero, is_causal):
    """With X = 1 the rows of W_Q and W_K are the queries and keys themselves; the first of one of them is 0."""
    rng, rule = np.random.default_rng(10), get_scaling("qknorm", g=2)
    parts = {name: rng.standard_normal((3, 2)) for name in ("W_Q", "W_K", "W_V")}
    parts[zero][0] = 0
    d_output = rng.standard_normal((3, 2))

    def loss(vectors):
        moved = parts | {zero: vectors}
        lengths = {name: row_lengths(moved[name]) for name in ("W_Q", "W_K")}
        lengths[zero][0] = 1
        scaled = rule.apply(moved["W_Q"] @ moved["W_K"].T, d_k=2, q_norm=lengths["W_Q"], k_norm=lengths["W_K"].T)
        masked = np.where(np.tri(3, dtype=bool) | (not is_causal), scaled, -np.inf)
        return (d_output * (softmax(masked) @ parts["W_V"])).sum()

    gradients = backward([np.eye(3), *parts.values()], d_output, rule, is_causal)
    expected = central(loss, parts[zero])
    assert_close(getattr(gradients, zero), expected, rtol=1e-6, atol=1e-10)
    if zero == "W_K" or not is_causal:  # the first row of a causal mask has one key, whatever its query
        assert np.abs(expected[0]).max() > 0.01


def test_a_saturated_rows_gradient_is_tiny_and_not_zero():
    """Scores 70 and 0: the weights move by p₀ p₁ = e⁻⁷⁰, which 1 − p₀ in float64 would round to 0."""
    trace = self_attention(np.eye(2), [[70.0, 0], [0, 0]], np.eye(2), np.eye(2), scaling="none")
    gradients = self_attention_backward(trace, [[1, 0], [0, 0]])
    assert_close(gradients.W_Q, math.exp(-70) * np.array([[1, -1], [0, 0]]), rtol=1e-14)
    assert_close(gradients.W_K, math.exp(-70) * np.array([[70, 0], [-70, 0]]), rtol=1e-14)


@pytest.mark.parametrize("rule", SCALINGS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_gradients_keep_the_type(rule, dtype):
    *parts, d_output = random_parts(3, dtype=dtype)
    for given_as in (d_output, d_output.astype(np.float64)):
        gradients = by_name(backward(parts, given_as, rule, is_causal=True))
        assert {gradient.dtype for gradient in gradients.values()} == {np.dtype(dtype)}
    exact = by_name(backward([part.astype(float) for part in parts], d_output.astype(float), rule, is_causal=True))
    rough = {np.float16: 0.05, np.float32: 1e-5, np.float64: 1e-14}[dtype]
    for name in PARTS:
        assert_close(gradients[name], exact[name], rtol=rough, atol=rough * np.abs(exact[name]).max())


def test_gradients_leave_the_trace_and_the_argument_alone():
    *parts, d_output = random_parts(4)
    trace, kept = self_attention(*parts), d_output.copy()
    before = {field.name: np.copy(getattr(trace, field.name)) for field in fields(trace) if field.name != "rule"}
    gradients = self_attention_backward(trace, d_output)
    np.testing.assert_array_equal(d_output, kept)
    for name, array in before.items():
        np.testing.assert_array_equal(getattr(trace, name), array)
    with pytest.raises(FrozenInstanceError):
        gradients.X = kept
    assert [field.name for field in fields(Gradients)] == list(PARTS)
