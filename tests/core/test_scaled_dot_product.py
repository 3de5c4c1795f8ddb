"""Attention of queries, keys and values: PyTorch's recorded answers, masks, types, and its refusals.

Every call runs with numpy told to raise on overflow, underflow and invalid operations, and pytest turns each
warning into an error, so "never warns" is part of every test here.
"""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from attention_core import scaled_dot_product_attention
from tests.core.attention_cases import case_name, random_parts
from tests.floats import assert_close, floating_trouble_raises  # noqa: F401

TORCH = json.loads((Path(__file__).parent / "oracles" / "sdpa_torch.json").read_text())["cases"]


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
    """The oracle file was not cut short: it holds each edge."""
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
