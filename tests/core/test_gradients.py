"""Gradients: central differences, PyTorch's recorded answers, and their refusals.

Every call runs with numpy told to raise on overflow, underflow and invalid operations.
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention_core import SCALINGS, get_scaling, self_attention, self_attention_backward, softmax_jacobian
from attention_core.attention import attend
from attention_core.scaling import row_lengths
from tests.core.gradients_cases import PARTS, a_dozen, backward, both_masks, by_name, central, every_rule, random_parts
from tests.floats import assert_close, floating_trouble_raises  # noqa: F401

TORCH = json.loads((Path(__file__).parent / "oracles" / "backward_torch.json").read_text())["cases"]


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
    """Each rule with its default parameters, with and without the mask, and the zero vectors."""
    plain = {(case["rule"], case["is_causal"]) for case in TORCH if not case["parameters"]}
    assert plain == {(rule, is_causal) for rule in SCALINGS for is_causal in (False, True)}
    assert {"qknorm, zero query, no mask", "qknorm, zero key, causal"} <= {case["name"] for case in TORCH}


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
