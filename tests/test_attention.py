"""Attention: the laws it obeys, PyTorch's recorded answers, printed worked examples, and its refusals.

Every call runs with numpy told to raise on overflow, underflow and invalid operations, and pytest turns each
warning into an error, so "never warns" is part of every test here.
"""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.special
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attention_core import SCALINGS, get_example, get_scaling, scaled_dot_product_attention, self_attention, softmax

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases" / "worked_examples.json").read_text())
TORCH = json.loads((HERE / "oracles" / "sdpa_torch.json").read_text())["cases"]
a_dozen = settings(max_examples=12)  # for each rule
EPS = {np.float16: 2**-10, np.float32: 2**-23, np.float64: 2**-52}
STAGES = ("Q", "K", "V", "scores", "scaled", "masked", "weights", "output")


@pytest.fixture(autouse=True, scope="module")
def _raise_on_any_floating_point_trouble():
    with np.errstate(all="raise"):
        yield


def assert_close(actual, expected, **tolerances):
    with np.errstate(under="ignore"):  # the comparison multiplies tiny weights by its tolerance
        np.testing.assert_allclose(actual, expected, **tolerances)


def score_arrays(size, dtype=np.float64):
    bound = float(dtype(size))
    numbers = st.floats(-bound, bound, width=np.dtype(dtype).itemsize * 8)
    return arrays(dtype, array_shapes(min_dims=1, max_dims=3, max_side=6), elements=numbers)


def random_parts(seed, n=5, d_emb=4, d_k=3, d_v=2, dtype=np.float64):
    rng = np.random.default_rng(seed)
    shapes = ((n, d_emb), (d_emb, d_k), (d_emb, d_k), (d_emb, d_v))
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


# --- softmax ---


@given(score_arrays(1e5))
@example(np.array([0.0, -745.0, -1e5]))  # weights that are subnormal and zero
@example(np.array([1.7e308, -1.7e308]))  # a gap that overflows
def test_softmax_rows_are_weights(scores):
    weights = softmax(scores)
    assert weights.shape == scores.shape
    assert (weights >= 0).all()
    assert_close(weights.sum(axis=-1), 1, rtol=1e-14)


@given(score_arrays(1e5), st.floats(-1e5, 1e5))
def test_softmax_forgets_a_shift(scores, shift):
    # Adding the shift rounds each score by at most 2e5 · 2⁻⁵³ = 2.2e-11; a weight moves by at most twice that share.
    assert_close(softmax(scores + shift), softmax(scores), rtol=1e-10, atol=1e-300)


@given(score_arrays(1e3), st.sampled_from(["first", "last"]))
def test_softmax_agrees_with_scipy(scores, which):
    axis = 0 if which == "first" else -1
    with np.errstate(under="ignore"):  # scipy's own
        expected = scipy.special.softmax(scores, axis=axis)
    assert_close(softmax(scores, axis=axis), expected, rtol=1e-12, atol=1e-300)


@given(score_arrays(60, np.float32))
def test_softmax_float32_is_the_rounded_float64(scores):
    # Each float32 weight carries the rounding of the shifted score (up to 120 · 2⁻²⁴) and of a few operations.
    assert_close(softmax(scores), softmax(scores.astype(np.float64)), rtol=2e-5, atol=1e-37)


@given(score_arrays(50), st.randoms(use_true_random=False))
def test_softmax_keeps_the_order_of_scores_and_moves_with_them(scores, random):
    order = list(range(scores.shape[-1]))
    random.shuffle(order)
    weights = softmax(scores)
    assert_close(softmax(scores[..., order]), weights[..., order], rtol=1e-14)
    by_score = np.take_along_axis(weights, np.argsort(scores, axis=-1), axis=-1)
    assert (np.diff(by_score, axis=-1) >= 0).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_softmax_keeps_a_floating_type(dtype):
    weights = softmax(np.array([1, 2, 3], dtype))
    assert weights.dtype == dtype
    assert_close(weights, [0.09003057, 0.24472847, 0.66524096], rtol=4 * EPS[dtype] + 1e-7)


@pytest.mark.parametrize("scores", [[1, 2], [True, False], np.array([1, 2], np.int8), np.array([1, 2], np.uint64)])
def test_softmax_turns_whole_numbers_into_float64(scores):
    weights = softmax(scores)
    assert weights.dtype == np.float64
    low, high = sorted(float(s) for s in scores)
    assert_close(np.sort(weights), [1 / (1 + math.e ** (high - low)), 1 / (1 + math.e ** (low - high))])


def test_softmax_of_a_masked_row_is_zero_and_only_that_row():
    scores = np.array([[-np.inf, -np.inf], [0.0, -np.inf], [0.0, 0.0]])
    np.testing.assert_array_equal(softmax(scores), [[0, 0], [1, 0], [0.5, 0.5]])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_softmax_nan_and_infinity_stay_in_their_row(bad):
    weights = softmax([[bad, 0.0], [0.0, 0.0]])
    assert np.isnan(weights[0]).all()
    np.testing.assert_array_equal(weights[1], [0.5, 0.5])


def test_softmax_leaves_its_argument_alone():
    scores = np.array([[1.0, 2.0], [3.0, 5.0]])
    kept = scores.copy()
    softmax(scores)
    np.testing.assert_array_equal(scores, kept)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (2, 0, 3)])
def test_softmax_of_nothing_is_nothing(shape):
    assert softmax(np.zeros(shape)).shape == shape


def test_softmax_wants_an_axis():
    with pytest.raises(ValueError, match=r"scores is a single number, shape \(\); expected at least one axis"):
        softmax(3.0)
    with pytest.raises(ValueError, match="axis 2 is out of bounds"):
        softmax([[1.0, 2.0]], axis=2)
    with pytest.raises(ValueError, match="scores must hold real numbers"):
        softmax(["a", "b"])


# --- scaled_dot_product_attention ---


def read(entry):
    array = np.array(entry["values"], dtype={"f": float, "b": bool, "i": np.int64}[entry["kind"]])
    return array.reshape(entry["shape"])


def from_torch(case):
    """The case's positional and keyword arguments, with floating arrays in its type."""

    def typed(array):
        return array.astype(case["dtype"]) if array.dtype.kind == "f" else array

    arrays_in = [typed(read(entry)) for entry in case["arrays"].values()]
    arguments = case["arguments"].items()
    return arrays_in, {name: typed(read(value)) if isinstance(value, dict) else value for name, value in arguments}


def case_name(case):
    return f"{case['name']}, {case['dtype']}" if "dtype" in case else case["name"]


@pytest.mark.parametrize("case", [case for case in TORCH if "output" in case], ids=case_name)
def test_attention_is_torchs(case):
    positional, named = from_torch(case)
    output = scaled_dot_product_attention(*positional, **named)
    expected = read(case["output"])
    assert output.dtype == case["dtype"]
    assert output.shape == expected.shape
    # a few roundings apart; float32 scores near 50 ("large scores") lose another factor 50
    tolerance = {"float64": 1e-13, "float32": 2e-6}[case["dtype"]] * (50 if case["name"] == "large scores" else 1)
    size = float(np.abs(positional[2]).max(initial=1))
    assert_close(output, expected, rtol=tolerance, atol=tolerance * size)


@pytest.mark.parametrize("case", [case for case in TORCH if "error" in case], ids=case_name)
def test_attention_refuses_what_torch_refuses(case):
    positional, named = from_torch(case)
    with pytest.raises(ValueError, match=r"expected|broadcast"):
        scaled_dot_product_attention(*positional, **named)


def test_the_recorded_cases_are_all_there():
    """The oracle file was not cut short: it holds each edge that FACTS section 8 names."""
    names = {case["name"] for case in TORCH}
    assert {"scale 0", "causal, L < S", "causal, L > S", "no keys", "row of finite -1e4", "mask and is_causal"} <= names
    assert {"row masked everywhere by a boolean", "row masked everywhere by -inf", "leading axes broadcast"} <= names


def test_scale_zero_gives_the_mean_of_the_values():
    X, W_Q, W_K, W_V = random_parts(1)
    output = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, scale=0)
    assert_close(output, np.broadcast_to((X @ W_V).mean(axis=0), output.shape), rtol=1e-14)


def test_an_unmasked_row_of_minus_1e4_is_still_a_weighted_mean():
    values = np.array([[1.0], [3.0]])
    shifted = scaled_dot_product_attention([[0.0]], [[1.0], [1.0]], values, attn_mask=[[-1e4, -1e4]])
    masked = scaled_dot_product_attention([[0.0]], [[1.0], [1.0]], values, attn_mask=[[-np.inf, -np.inf]])
    assert (shifted.item(), masked.item()) == (2, 0)


def test_attention_takes_lists_of_whole_numbers():
    output = scaled_dot_product_attention([[1, 0]], [[0, 1], [1, 0]], [[0], [1]], scale=1)
    assert output.dtype == np.float64
    assert_close(output, [[math.e / (1 + math.e)]], rtol=1e-15)


def test_attention_promotes_mixed_types():
    single, double = np.ones((2, 2), np.float32), np.ones((2, 2))
    assert scaled_dot_product_attention(single, single, double).dtype == np.float64
    assert scaled_dot_product_attention(single, single, single, attn_mask=double).dtype == np.float32


@pytest.mark.parametrize("sign", [1, -1])
def test_attention_overflow_gives_what_torch_gives_without_a_warning(sign):
    """Scores of +∞ are NaN and scores of −∞ in every place zeros, as torch 2.13 answers for the same call."""
    output = scaled_dot_product_attention([[sign * 1e200]], [[1e200]], [[1.0]])
    np.testing.assert_array_equal(output, [[np.nan if sign > 0 else 0]])


ATTENTION_REFUSALS = {
    "1-D query": ({"query": np.ones(2)}, "query has shape (2,); expected at least two axes"),
    "1-D key": ({"key": np.ones(2)}, "key has shape (2,); expected at least two axes"),
    "1-D value": ({"value": np.ones(4)}, "value has shape (4,); expected at least two axes"),
    "text": ({"query": [["a", "b"]]}, "query must hold real numbers"),
    "ragged": ({"key": [[1, 2], [3]]}, "key must hold real numbers in rows of equal length"),
    "complex": ({"value": np.ones((4, 3)) * 1j}, "value must hold real numbers"),
    "d_k": (
        {"key": np.ones((4, 5))},
        "key has shape (4, 5); expected 2 columns, as query of shape (3, 2) has",
    ),
    "no columns": ({"query": np.ones((3, 0)), "key": np.ones((4, 0))}, "query is empty, shape (3, 0); expected"),
    "rows of value": (
        {"value": np.ones((5, 3))},
        "value has shape (5, 3); expected 4 rows, as key of shape (4, 2) has",
    ),
    "leading axes": (
        {"query": np.ones((2, 3, 2)), "key": np.ones((3, 4, 2))},
        "query (2, 3, 2), key (3, 4, 2) and value (4, 3) have leading axes that do not broadcast",
    ),
    "mask shape": (
        {"attn_mask": np.ones((3, 3), bool)},
        "attn_mask has shape (3, 3); expected one that broadcasts to the scores' (3, 4)",
    ),
    "mask type": ({"attn_mask": np.ones((3, 4), int)}, "attn_mask has type int64; expected booleans"),
    "mask and causal": (
        {"attn_mask": np.ones((3, 4), bool), "is_causal": True},
        "attn_mask and is_causal=True were both given; expected at most one",
    ),
}


@pytest.mark.parametrize("name", ATTENTION_REFUSALS)
def test_attention_refusal_names_the_matrix_its_shape_and_what_was_expected(name):
    changes, message = ATTENTION_REFUSALS[name]
    arguments = {"query": np.ones((3, 2)), "key": np.ones((4, 2)), "value": np.ones((4, 3))} | changes
    with pytest.raises(ValueError, match=re.escape(message)):
        scaled_dot_product_attention(**arguments)


# --- self_attention ---


@pytest.mark.parametrize("rule", SCALINGS)
@a_dozen
@given(seed=st.integers(0, 10**6), size=st.sampled_from([1e-200, 1e-3, 1.0, 50.0]), is_causal=st.booleans())
def test_rows_of_weights_sum_to_one(rule, seed, size, is_causal):
    X, *weights = random_parts(seed)
    trace = self_attention(size * X, *weights, scaling=rule, is_causal=is_causal)
    assert (trace.weights >= 0).all()
    assert_close(trace.weights.sum(axis=1), 1, rtol=1e-14)


@pytest.mark.parametrize("rule", SCALINGS)
@a_dozen
@given(seed=st.integers(0, 10**6), order=st.permutations(range(5)))
def test_reordered_tokens_reorder_every_stage(rule, seed, order):
    X, *weights = random_parts(seed)
    before, after = self_attention(X, *weights, scaling=rule), self_attention(X[order], *weights, scaling=rule)
    for stage in ("Q", "K", "V", "output"):
        assert_close(getattr(after, stage), getattr(before, stage)[order], rtol=1e-12, atol=1e-12)
    for stage in ("scores", "scaled", "masked", "weights"):
        expected = getattr(before, stage)[np.ix_(order, order)]
        assert_close(getattr(after, stage), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("rule", SCALINGS)
@a_dozen
@given(seed=st.integers(0, 10**6), seen=st.integers(1, 4))
def test_a_causal_row_ignores_later_tokens(rule, seed, seen):
    """Rows up to `seen` are the same whatever the later tokens are, and whether or not they exist."""
    X, *weights = random_parts(seed)
    other = X.copy()
    other[seen:] = 100 * np.random.default_rng(seed + 1).standard_normal(other[seen:].shape)
    causal = {"scaling": rule, "is_causal": True}
    here, there = self_attention(X, *weights, **causal), self_attention(other, *weights, **causal)
    alone = self_attention(X[:seen], *weights, **causal)
    assert_close(there.output[:seen], here.output[:seen], rtol=1e-12, atol=1e-13)
    assert_close(alone.output, here.output[:seen], rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(here.weights[np.triu_indices(5, 1)], 0)


def test_the_mask_of_a_causal_trace():
    trace = self_attention(*random_parts(2), is_causal=True)
    later = np.triu(np.ones((5, 5), bool), 1)
    assert np.isneginf(trace.masked[later]).all()
    np.testing.assert_array_equal(trace.masked[~later], trace.scaled[~later])
    assert np.isfinite(trace.scaled).all()
    np.testing.assert_array_equal(trace.weights[0], [1, 0, 0, 0, 0])


@given(seed=st.integers(0, 10**6), is_causal=st.booleans())
def test_self_attention_is_attention_of_its_projections(seed, is_causal):
    trace = self_attention(*random_parts(seed), is_causal=is_causal)
    output = scaled_dot_product_attention(trace.Q, trace.K, trace.V, is_causal=is_causal)
    assert_close(trace.output, output, rtol=1e-12, atol=1e-13)


@given(seed=st.integers(0, 10**6))
def test_output_lies_between_the_smallest_and_largest_value(seed):
    trace = self_attention(*random_parts(seed))
    assert (trace.output <= trace.V.max(axis=0) + 1e-13).all()
    assert (trace.output >= trace.V.min(axis=0) - 1e-13).all()


@pytest.mark.parametrize("rule", SCALINGS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_every_stage_keeps_the_type(rule, dtype):
    trace = self_attention(*random_parts(3, dtype=dtype), scaling=rule, is_causal=True)
    assert {getattr(trace, stage).dtype for stage in STAGES} == {np.dtype(dtype)}


def test_whole_numbers_become_float64_at_every_stage():
    trace = self_attention([[1, 0], [0, 1]], [[1], [2]], np.array([[3], [1]], np.int8), [[True], [False]])
    assert {getattr(trace, stage).dtype for stage in ("X", *STAGES)} == {np.dtype(float)}
    np.testing.assert_array_equal(trace.scores, [[3, 1], [6, 2]])


def test_one_token_attends_to_itself():
    trace = self_attention([[3.0]], [[2.0]], [[-1.0]], [[5.0]])
    assert (trace.scores.item(), trace.weights.item(), trace.output.item()) == (-18, 1, 15)


SELF_ATTENTION_REFUSALS = {
    "X 1-D": ({"X": np.ones(4)}, "X has shape (4,); expected two axes (rows, columns)"),
    "W_V 3-D": ({"W_V": np.ones((1, 4, 2))}, "W_V has shape (1, 4, 2); expected two axes (rows, columns)"),
    "X without rows": ({"X": np.ones((0, 4))}, "X is empty, shape (0, 4); expected at least one row and column"),
    "W_Q without columns": ({"W_Q": np.ones((4, 0))}, "W_Q is empty, shape (4, 0); expected at least one row"),
    "None": ({"X": None}, "X has shape (); expected two axes"),
    "empty cell": ({"X": [[1, 2, 3, None]]}, "X of shape (1, 4) has nan at row 0, column 3; expected finite numbers"),
    "NaN": (
        {"W_K": np.where(np.arange(12).reshape(4, 3) == 7, np.nan, 1.0)},
        "W_K of shape (4, 3) has nan at row 2, column 1; expected finite numbers",
    ),
    "infinity": ({"W_V": np.full((4, 2), -np.inf)}, "W_V of shape (4, 2) has -inf at row 0, column 0; expected finite"),
    "text": ({"X": [["a", "b", "c", "d"]]}, "X must hold real numbers"),
    "ragged": ({"W_Q": [[1, 2], [3]]}, "W_Q must hold real numbers in rows of equal length"),
    "complex": ({"W_K": np.ones((4, 3)) * 1j}, "W_K must hold real numbers"),
    "too long an integer": ({"X": [[10**400, 1, 1, 1]]}, "X must hold real numbers"),
    "W_Q rows": (
        {"W_Q": np.ones((3, 3))},
        "W_Q has shape (3, 3); expected 4 rows, one for each column of X of shape (5, 4)",
    ),
    "W_K rows": ({"W_K": np.ones((5, 3))}, "W_K has shape (5, 3); expected 4 rows, one for each column of X"),
    "W_V rows": ({"W_V": np.ones((1, 2))}, "W_V has shape (1, 2); expected 4 rows, one for each column of X"),
    "W_K columns": (
        {"W_K": np.ones((4, 2))},
        "W_K has shape (4, 2); expected 3 columns, as W_Q of shape (4, 3) has",
    ),
    "rule": ({"scaling": "unheard"}, "unknown scaling 'unheard'; expected one of none, sqrt"),
    "Q overflows": (
        {"X": np.full((5, 4), 1e200), "W_Q": np.full((4, 3), 1e200)},
        "Q of shape (5, 3) overflows float64; expected smaller entries",
    ),
    "scores overflow": ({"X": np.full((5, 4), 1e200)}, "scores of shape (5, 5) overflows float64"),
    "scores cancel after an overflow": (
        {
            "X": np.array([[1e200, 1e200]]),
            "W_Q": np.eye(2),
            "W_K": np.array([[1e200, 0], [0, -1e200]]),
            "W_V": np.eye(2),
        },
        "K of shape (1, 2) overflows",
    ),
    "scaled overflow": (
        {"X": np.full((5, 4), 1e154 / 2), "W_Q": np.eye(4), "W_K": np.eye(4), "scaling": get_scaling("ssmax", c=4)},
        "scaled of shape (5, 5) overflows float64",
    ),
    "float32 overflow": (
        {name: np.full(shape, 1e15, np.float32) for name, shape in (("X", (5, 4)), ("W_Q", (4, 3)), ("W_K", (4, 3)))}
        | {"W_V": np.ones((4, 2), np.float32)},
        "scores of shape (5, 5) overflows float32",
    ),
}


@pytest.mark.parametrize("name", SELF_ATTENTION_REFUSALS)
def test_self_attention_refusal_names_the_matrix_its_shape_and_what_was_expected(name):
    changes, message = SELF_ATTENTION_REFUSALS[name]
    parts = {"X": np.ones((5, 4)), "W_Q": np.ones((4, 3)), "W_K": np.ones((4, 3)), "W_V": np.ones((4, 2))}
    with pytest.raises(ValueError, match=re.escape(message)):
        self_attention(**(parts | changes))


@pytest.mark.parametrize("rule", SCALINGS)
@pytest.mark.parametrize("size", [1e-300, 1e-170, 1e-160, 1e160, 1e200])
def test_extreme_lengths_do_not_warn_while_the_scores_fit(rule, size):
    """|q|² would overflow or underflow here, q·k does not: only scores that overflow may be refused."""
    trace = self_attention([[1.0], [-1.0]], [[size]], [[1 / size]], [[1.0]], scaling=rule)
    plain = self_attention([[1.0], [-1.0]], [[1.0]], [[1.0]], [[1.0]], scaling=rule)
    assert_close(trace.weights, plain.weights, rtol=1e-13)


# --- worked examples ---


def by_loops(X, W_Q, W_K, W_V):
    """Self-attention in plain Python numbers, with nothing of numpy's: an independent oracle."""

    def times(A, B):
        return [
            [math.fsum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A
        ]

    Q, K, V = times(X, W_Q), times(X, W_K), times(X, W_V)
    scores = times(Q, list(zip(*K, strict=True)))
    scaled = [[s / math.sqrt(len(Q[0])) for s in row] for row in scores]
    weights = []
    for row in scaled:
        powers = [math.exp(s) for s in row]
        weights.append([p / math.fsum(powers) for p in powers])
    return {"Q": Q, "K": K, "V": V, "scores": scores, "scaled": scaled, "weights": weights, "output": times(weights, V)}


@pytest.mark.parametrize("name", ["love", "one_matrix", "arrows", "random_8"])
def test_every_stage_equals_plain_python_loops(name):
    chosen = get_example(name)
    parts = [getattr(chosen, part) for part in ("X", "W_Q", "W_K", "W_V")]
    trace = self_attention(*parts)
    for stage, expected in by_loops(*(part.tolist() for part in parts)).items():
        assert_close(getattr(trace, stage), expected, rtol=1e-14, atol=1e-15, err_msg=stage)


LOVE = {
    "Q": [[2, 0, 1], [0, 2, 1], [1, 1, 1]],
    "K": [[0, 1, 1], [2, 1, 1], [1, 1, 1]],
    "V": [[1, 0, 1], [1, 2, 0], [1, 1, 0]],
    "scores": [[1, 5, 3], [3, 3, 3], [2, 4, 3]],
    "scaled": [[0.577, 2.887, 1.732], [1.732, 1.732, 1.732], [1.155, 2.309, 1.732]],
    "weights": [[0.070, 0.707, 0.223], [0.333, 0.333, 0.333], [0.168, 0.533, 0.299]],
    "output": [[1.000, 1.637, 0.070], [1.000, 1.000, 0.333], [1.000, 1.365, 0.168]],
}


@pytest.mark.parametrize("stage", LOVE)
def test_i_love_ai_to_three_decimals(stage):
    """Source: Amit Shekhar, "Math behind Attention: Q, K and V", 2026-04-03."""
    chosen = get_example("love")
    trace = self_attention(chosen.X, chosen.W_Q, chosen.W_K, chosen.W_V)
    np.testing.assert_array_equal(np.round(getattr(trace, stage), 3), LOVE[stage])


def computed(case):
    """All stages of a printed example, through whichever public function its inputs fit."""
    scale = case["scale"]
    if "X" in case:
        d_k = len(case["W_Q"][0])
        rule = {1.0: "none", d_k**-0.5: "sqrt"}[scale]
        trace = self_attention(*(case[part] for part in ("X", "W_Q", "W_K", "W_V")), scaling=rule)
        return {stage: getattr(trace, stage) for stage in STAGES}
    if "Q" in case:
        parts = [np.array(case[part]) for part in ("Q", "K", "V")]
        output = scaled_dot_product_attention(*parts, scale=scale)
        identity = np.eye(len(parts[2]))  # with the identity as value, attention returns its weights
        return {"output": output, "weights": scaled_dot_product_attention(*parts[:2], identity, scale=scale)}
    return {"weights": softmax(scale * np.array(case["scores"]))}


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_printed_examples(case):
    stages = computed(case)
    assert set(case["expected"]) - {"scores"} <= set(stages)
    for stage in stages.keys() & (case["expected"].keys() | case.keys()):
        expected = case["expected"].get(stage, case.get(stage))
        assert_close(stages[stage], expected, rtol=0, atol=case["tolerance"], err_msg=stage)


def test_the_printed_examples_are_all_there():
    assert len(CASES) == 7
    assert len({case["name"] for case in CASES}) == 7


@pytest.mark.parametrize("case", [case for case in CASES if "Q" in case], ids=case_name)
def test_attention_of_printed_queries_keys_and_values(case):
    output = scaled_dot_product_attention(case["Q"], case["K"], case["V"], scale=case["scale"])
    assert_close(output, case["expected"]["output"], rtol=0, atol=case["tolerance"])
    np.testing.assert_array_equal(np.array(case["Q"]) @ np.array(case["K"]).T, case["scores"])
