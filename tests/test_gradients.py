"""Gradients: central differences, PyTorch's recorded answers, the laws they obey, and their refusals.

Every call runs with numpy told to raise on overflow, underflow and invalid operations.
"""

import json
import math
import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attention_core import (
    SCALINGS,
    Gradients,
    get_scaling,
    self_attention,
    self_attention_backward,
    sensitivity,
    softmax,
    softmax_jacobian,
)
from attention_core.attention import attend
from attention_core.scaling import row_lengths

TORCH = json.loads((Path(__file__).parent / "oracles" / "backward_torch.json").read_text())["cases"]
ROWS = arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=6), elements=st.floats(-1e3, 1e3))
SEEDS = st.integers(0, 10**6)
PARTS = ("X", "W_Q", "W_K", "W_V")
RULES = [*SCALINGS.values(), lambda: get_scaling("softcap", c=0.5), lambda: get_scaling("power", a=0.8)]
RULE_NAMES = [*SCALINGS, "softcap that bends", "power 0.8"]
every_rule = pytest.mark.parametrize("make_rule", RULES, ids=RULE_NAMES)
a_dozen = settings(max_examples=12)  # for each rule, or each rule and mask: more than 100 in all
both_masks = pytest.mark.parametrize("is_causal", [False, True], ids=["no mask", "causal"])


@pytest.fixture(autouse=True, scope="module")
def _raise_on_any_floating_point_trouble():
    with np.errstate(all="raise"):
        yield


def assert_close(actual, expected, **tolerances):
    with np.errstate(under="ignore"):  # the comparison multiplies tiny numbers by its tolerance
        np.testing.assert_allclose(actual, expected, **tolerances)


def central(function, at):
    """∂ function / ∂ each entry by central differences of fourth order, shape: the entry's, then the result's.

    The error is about h⁴ f⁽⁵⁾ / 30 from the formula and 1e-16 |f| / h from rounding.
    """
    h, result = 2.0**-13, []
    for index in np.ndindex(at.shape):

        def moved(step, index=index):
            there = at.copy()
            there[index] += step
            return np.asarray(function(there))

        result.append((8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h))
    return np.reshape(result, (*at.shape, *np.shape(result[0])))


def random_parts(seed, n=5, d_emb=4, d_k=3, d_v=2, dtype=np.float64):
    """X, W_Q, W_K, W_V and d_output."""
    rng = np.random.default_rng(seed)
    shapes = ((n, d_emb), (d_emb, d_k), (d_emb, d_k), (d_emb, d_v), (n, d_v))
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


def backward(parts, d_output, scaling="sqrt", is_causal=False):
    return self_attention_backward(self_attention(*parts, scaling=scaling, is_causal=is_causal), d_output)


def by_name(gradients):
    return {name: getattr(gradients, name) for name in PARTS}


# --- the softmax Jacobian ---


@given(ROWS)
def test_the_jacobian_is_its_formula(scores):
    p = softmax(scores)
    jacobian = softmax_jacobian(p)
    assert jacobian.shape == (*p.shape, p.shape[-1])
    with np.errstate(under="ignore"):
        expected = p[..., None] * np.eye(p.shape[-1]) - p[..., :, None] * p[..., None, :]
    assert_close(jacobian, expected, rtol=1e-12, atol=1e-15)


@given(ROWS)
def test_the_jacobians_laws(scores):
    p = softmax(scores)
    jacobian = softmax_jacobian(p)
    np.testing.assert_array_equal(jacobian, np.swapaxes(jacobian, -1, -2))
    assert_close(jacobian.sum(axis=-1), 0, atol=1e-15)
    assert_close(np.trace(jacobian, axis1=-2, axis2=-1), sensitivity(p), rtol=1e-12, atol=1e-307)
    with np.errstate(under="ignore"):
        assert (np.linalg.norm(jacobian, 2, axis=(-2, -1)) <= 0.5 + 1e-15).all()
        assert (np.linalg.eigvalsh(jacobian) >= -1e-15).all()


def test_two_even_weights_reach_the_bound_of_one_half():
    np.testing.assert_array_equal(softmax_jacobian([0.5, 0.5]), [[0.25, -0.25], [-0.25, 0.25]])
    assert np.linalg.norm(softmax_jacobian([0.5, 0.5]), 2) == pytest.approx(0.5, rel=1e-15)


@given(arrays(np.float64, st.integers(1, 6), elements=st.floats(-20, 20)))
def test_the_jacobian_is_the_slope_of_softmax(scores):
    assert_close(softmax_jacobian(softmax(scores)), central(softmax, scores).T, rtol=1e-6, atol=1e-11)


def test_the_jacobian_of_a_saturated_row_is_small_and_not_zero():
    jacobian = softmax_jacobian(softmax([70.0, 0.0]))
    assert_close(jacobian, math.exp(-70) * np.array([[1, -1], [-1, 1]]), rtol=1e-14)


def test_the_jacobian_where_nothing_can_move():
    np.testing.assert_array_equal(softmax_jacobian([1.0]), [[0]])
    np.testing.assert_array_equal(softmax_jacobian([0.0, 1.0]), np.zeros((2, 2)))
    np.testing.assert_array_equal(softmax_jacobian(softmax([-np.inf, -np.inf])), np.zeros((2, 2)))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_jacobian_keeps_a_floating_type(dtype):
    assert softmax_jacobian(np.array([0.25, 0.75], dtype)).dtype == dtype


@pytest.mark.parametrize(
    ("p", "message"),
    [
        (0.5, "p has shape (); expected rows of at least one key"),
        (np.ones((3, 0)), "p has shape (3, 0); expected rows of at least one key"),
        ([[0.5], [0.5, 0.5]], "p must hold real numbers in rows of equal length"),
    ],
)
def test_the_jacobian_refuses_what_has_no_rows(p, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        softmax_jacobian(p)


# --- central differences ---


@st.composite
def small_cases(draw):
    """X, W_Q, W_K, W_V and d_output of up to three rows and columns; halves, so that no length is tiny but not 0."""
    n, d_emb, d_k, d_v = (draw(st.integers(1, 3)) for _ in range(4))
    halves = st.sampled_from([1.0, -1.0, 0.5, -0.5, 2.0, -1.5, 0.0])
    shapes = ((n, d_emb), (d_emb, d_k), (d_emb, d_k), (d_emb, d_v), (n, d_v))
    return [draw(arrays(np.float64, shape, elements=halves, fill=st.nothing())) for shape in shapes]


@every_rule
@both_masks
@a_dozen
@given(case=small_cases())
def test_gradients_are_central_differences(make_rule, is_causal, case):
    *parts, d_output = case
    rule = make_rule()
    trace = self_attention(*parts, scaling=rule, is_causal=is_causal)
    if rule.uses_lengths:  # the cosine jumps at a zero vector
        assume(row_lengths(trace.Q).all() and row_lengths(trace.K).all())
    exact = self_attention_backward(trace, d_output)
    size = max(1.0, float(np.abs(d_output).sum() * np.abs(trace.V).max()))
    for i, name in enumerate(PARTS):

        def loss(part, i=i):
            moved = self_attention(*parts[:i], part, *parts[i + 1 :], scaling=rule, is_causal=is_causal)
            return (d_output * moved.output).sum()

        with np.errstate(under="ignore"):
            numeric = central(loss, parts[i])
        assert getattr(exact, name).shape == parts[i].shape
        assert_close(getattr(exact, name), numeric, rtol=1e-6, atol=1e-9 * size, err_msg=name)


# --- PyTorch ---


def read(entry):
    return np.array(entry["values"], dtype=float).reshape(entry["shape"])


@pytest.mark.parametrize("case", TORCH, ids=lambda case: case["name"])
def test_gradients_are_torchs(case):
    *parts, d_output = (read(entry) for entry in case["arrays"].values())
    rule = get_scaling(case["rule"], **case["parameters"])
    trace = self_attention(*parts, scaling=rule, is_causal=case["is_causal"])
    assert_close(trace.output, read(case["output"]), rtol=1e-12, atol=1e-13)
    gradients = by_name(self_attention_backward(trace, d_output))
    assert set(gradients) == set(case["gradients"])
    for name, gradient in gradients.items():
        assert_close(gradient, read(case["gradients"][name]), rtol=1e-10, atol=1e-12, err_msg=name)


def test_the_recorded_gradients_are_all_there():
    """Each of these rules, and each that bends the scores, with its default parameters, with and without the mask; and
    the zero vectors. A new rule that only multiplies has no gradient but its factor, which the differences check."""
    plain = {(case["rule"], case["is_causal"]) for case in TORCH if not case["parameters"]}
    bend = {name for name, rule in SCALINGS.items() if not rule.only_multiplies}
    wanted = {"none", "sqrt", "power", "linear", "ssmax", "qknorm", "softcap"} | bend
    assert plain == {(rule, is_causal) for rule in wanted for is_causal in (False, True)}
    assert {"qknorm, zero query, no mask", "qknorm, zero key, causal"} <= {case["name"] for case in TORCH}


# --- laws ---


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


# --- refusals ---

D_OUTPUT_REFUSALS = {
    "rows": (np.ones((4, 2)), "d_output has shape (4, 2); expected (5, 2), the output's"),
    "turned": (np.ones((2, 5)), "d_output has shape (2, 5); expected (5, 2), the output's"),
    "one axis": (np.ones(10), "d_output has shape (10,); expected two axes (rows, columns)"),
    "number": (1.0, "d_output has shape (); expected two axes (rows, columns)"),
    "empty": (np.ones((0, 2)), "d_output is empty, shape (0, 2); expected at least one row and column"),
    "NaN": (
        np.where(np.arange(10).reshape(5, 2) == 5, np.nan, 1.0),
        "d_output of shape (5, 2) has nan at row 2, column 1; expected finite numbers",
    ),
    "infinity": (np.full((5, 2), np.inf), "d_output of shape (5, 2) has inf at row 0, column 0; expected finite"),
    "text": ([["a", "b"]] * 5, "d_output must hold real numbers"),
    "so large that a product overflows": (np.full((5, 2), 1e308), "d_weights of shape (5, 5) overflows float64"),
}


@pytest.mark.parametrize("name", D_OUTPUT_REFUSALS)
def test_a_refusal_names_d_output_its_shape_and_what_was_expected(name):
    d_output, message = D_OUTPUT_REFUSALS[name]
    trace = self_attention(np.ones((5, 4)), np.ones((4, 3)), np.ones((4, 3)), np.ones((4, 2)))
    with pytest.raises(ValueError, match=re.escape(message)):
        self_attention_backward(trace, d_output)


def test_a_d_output_too_large_for_the_traces_type_is_refused():
    *parts, d_output = random_parts(5, dtype=np.float32)
    with pytest.raises(ValueError, match=r"d_output of shape \(5, 2\) overflows float32; expected smaller entries"):
        backward(parts, d_output.astype(float) * 1e300)


def test_a_gradient_that_overflows_is_refused():
    *parts, d_output = random_parts(6)
    parts[1] = parts[1] * 1e-300
    with pytest.raises(ValueError, match=r"d_Q of shape \(5, 3\) overflows float64; expected smaller entries"):
        backward(parts, 1e10 * d_output, "qknorm")


def test_a_trace_without_the_matrices_is_refused():
    X, W_Q, W_K, W_V, d_output = random_parts(7)
    trace = attend(X, X @ W_Q, X @ W_K, X @ W_V, get_scaling("sqrt"))
    with pytest.raises(ValueError, match="the trace has no W_Q, W_K and W_V; expected one from self_attention"):
        self_attention_backward(trace, d_output)


@pytest.mark.parametrize(
    "p", [[np.nan], [np.inf, 0], [2, 3], [-1, 2], [0.2, 0.2], [[0.5, 0.5], [np.nan, 1]], [1e200, 1e200]]
)
def test_what_is_no_row_of_weights_has_no_jacobian(p):
    with pytest.raises(ValueError, match="p of shape"):
        softmax_jacobian(p)


@pytest.mark.parametrize("trace", [None, 1, "x", np.eye(2)])
def test_what_is_no_trace_is_named(trace):
    with pytest.raises(ValueError, match="trace is a"):
        self_attention_backward(trace, np.eye(2))
