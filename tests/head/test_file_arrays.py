"""Arrays in a stranger's file that make no head: each fault by its code."""

import math
import tracemalloc

import numpy as np
import pytest

from attention_core import HeadProblem, head_weights, read_head
from attention_core.head_files import MOST_ENTRIES
from tests.head.archives import npz, parts, problem

STRUCTURED = np.zeros((4, 6), dtype=[("a", "f4"), ("b", "f4")])
BAD_ARRAYS = {
    "X missing": ({"X": None}, "missing", {"name": "X"}),
    "W_K missing": ({"W_K": None}, "missing", {"name": "W_K"}),
    "X of one axis": ({"X": np.ones(6)}, "shape", {"name": "X", "shape": "(6,)", "expected": "(n, d_model)"}),
    "X of three axes": (
        {"X": np.ones((1, 4, 6))},
        "shape",
        {"name": "X", "shape": "(1, 4, 6)", "expected": "(n, d_model)"},
    ),
    "X a number": ({"X": np.float64(3)}, "shape", {"name": "X", "shape": "()", "expected": "(n, d_model)"}),
    "no tokens at all": (
        {"X": np.ones((0, 6))},
        "shape",
        {"name": "X", "shape": "(0, 6)", "expected": "(n, d_model)"},
    ),
    "W_Q of other rows": (
        {"W_Q": np.ones((5, 3))},
        "shape",
        {"name": "W_Q", "shape": "(5, 3)", "expected": "(6, d_k)"},
    ),
    "W_Q transposed": (
        {"W_Q": np.ones((3, 6))},
        "transposed",
        {"name": "W_Q", "shape": "(3, 6)", "expected": "(6, d_k)"},
    ),
    "W_K transposed": (
        {"W_K": np.ones((3, 6))},
        "transposed",
        {"name": "W_K", "shape": "(3, 6)", "expected": "(6, 3)"},
    ),
    "W_K of other columns": (
        {"W_K": np.ones((6, 4))},
        "shape",
        {"name": "W_K", "shape": "(6, 4)", "expected": "(6, 3)"},
    ),
    "W_V of other rows": (
        {"W_V": np.ones((5, 3))},
        "shape",
        {"name": "W_V", "shape": "(5, 3)", "expected": "(6, d_v)"},
    ),
    "b_Q too long": ({"b_Q": np.ones(4)}, "shape", {"name": "b_Q", "shape": "(4,)", "expected": "(3,)"}),
    "b_V too long": (
        {"W_V": np.ones((6, 2)), "b_V": np.ones(3)},
        "shape",
        {"name": "b_V", "shape": "(3,)", "expected": "(2,)"},
    ),
    "a token too few": ({"tokens": np.array(["a"])}, "shape", {"name": "tokens", "shape": "(1,)", "expected": "(4,)"}),
    "513 tokens": ({"X": np.ones((513, 6))}, "too_many_tokens", {"count": 513, "most": 512}),
    "d_model 4097": ({"X": np.ones((4, 4097))}, "too_wide", {"name": "d_model", "size": 4097, "most": 4096}),
    "d_k 513": ({"W_Q": np.ones((6, 513))}, "too_wide", {"name": "d_k", "size": 513, "most": 512}),
    "d_v 513": ({"W_V": np.ones((6, 513))}, "too_wide", {"name": "d_v", "size": 513, "most": 512}),
    "complex": ({"X": np.ones((4, 6), complex)}, "dtype", {"name": "X", "dtype": "complex128"}),
    "structured": ({"X": STRUCTURED}, "dtype", {"name": "X", "dtype": "void64"}),
    "dates": ({"W_Q": np.ones((6, 3), "M8[s]")}, "dtype", {"name": "W_Q", "dtype": "datetime64[s]"}),
    "text": ({"X": np.full((4, 6), "1")}, "dtype", {"name": "X", "dtype": "str32"}),
    "tokens as bytes": ({"tokens": np.array([b"a"] * 4)}, "dtype", {"name": "tokens", "dtype": "bytes8"}),
    "tokens as numbers": ({"tokens": np.arange(4)}, "dtype", {"name": "tokens", "dtype": "int64"}),
    "pickled X": ({"X": np.full((4, 6), 1.0, dtype=object)}, "pickled", {"name": "X"}),
    "pickled tokens": ({"tokens": np.array(["a", "b", "c", None])}, "pickled", {"name": "tokens"}),
    "a pickle in a field": ({"X": np.zeros((4, 6), dtype=[("a", "O")])}, "pickled", {"name": "X"}),
    "pos_bias of other rows": (
        {"pos_bias": np.zeros((3, 4))},
        "shape",
        {"name": "pos_bias", "shape": "(3, 4)", "expected": "(4, 4)"},
    ),
    "pos_bias of every head": (
        {"pos_bias": np.zeros((1, 12, 4, 4))},
        "shape",
        {"name": "pos_bias", "shape": "(1, 12, 4, 4)", "expected": "(4, 4)"},
    ),
    "expected weights of other columns": (
        {"expected_weights": np.full((4, 5), 0.2)},
        "shape",
        {"name": "expected_weights", "shape": "(4, 5)", "expected": "(4, 4)"},
    ),
    "a mask in pos_bias": (
        {"pos_bias": np.triu(np.full((4, 4), -np.inf), 1)},
        "not_finite",
        {"name": "pos_bias", "index": "[0, 1]"},
    ),
    "text in pos_bias": ({"pos_bias": np.full((4, 4), "0")}, "dtype", {"name": "pos_bias", "dtype": "str32"}),
    "scores as expected weights": (
        {"expected_weights": np.array([[0.5, 0.5, 0, 0]] * 3 + [[0.5, 0.75, -0.25, 0]])},
        "no_share",
        {"name": "expected_weights", "index": "[3, 2]", "value": "-0.25"},
    ),
    "weights beyond 1": (
        {"expected_weights": 2 * np.eye(4)},
        "no_share",
        {"name": "expected_weights", "index": "[0, 0]", "value": "2"},
    ),
    "weights after dropout": (
        {"expected_weights": np.array([[0.25] * 4, [0.25] * 4, [0.5, 0, 0, 0.25], [1, 0, 0, 0]])},
        "no_row_of_shares",
        {"row": 3, "name": "expected_weights", "total": "0.75"},
    ),
    "a long token": (
        {"tokens": np.array(["a", "b", "c", "d" * 25])},
        "long_token",
        {"length": 25, "most": 24},
    ),
    "a very long token": (
        {"tokens": np.array(["a", "b", "c", "d" * 5000])},
        "long_token",
        {"length": 5000, "most": 24},
    ),
    "an empty token": ({"tokens": np.array(["a", "", "c", "d"])}, "token_text", {"position": 2}),
    "a blank token": ({"tokens": np.array(["a", "b", "\u3000 ", "d"])}, "token_text", {"position": 3}),
    "a control character": ({"tokens": np.array(["a\x07", "b", "c", "d"])}, "token_text", {"position": 1}),
    "a direction override": ({"tokens": np.array(["a", "b", "c", "\u202ed"])}, "token_text", {"position": 4}),
    "half a surrogate pair": ({"tokens": np.array(["a", "b", "c", "\ud800"])}, "token_text", {"position": 4}),
}


@pytest.mark.parametrize(("changes", "code", "values"), BAD_ARRAYS.values(), ids=BAD_ARRAYS)
@pytest.mark.parametrize("compressed", [False, True])
def test_arrays_that_do_not_fit(changes, code, values, compressed):
    found = problem(npz(compressed, **parts(**changes)))
    assert (found.code, found.values) == (code, values)


@pytest.mark.parametrize("name", ["X", "W_Q", "W_K", "W_V"])
@pytest.mark.parametrize(
    ("value", "code"), [(math.nan, "not_finite"), (-math.inf, "not_finite"), (1e31, "too_extreme")]
)
def test_entries_that_no_score_can_be_made_of(name, value, code):
    array = np.ones((4, 6) if name == "X" else (6, 3))
    array[2, 1] = value
    found = problem(npz(**parts(**{name: array})))
    assert (found.code, found.values["name"], found.values["index"]) == (code, name, "[2, 1]")


def test_a_bias_that_is_no_number():
    assert problem(npz(**parts(b_Q=np.array([0, math.nan, 0])))).values == {"name": "b_Q", "index": "[1]"}


def test_a_longer_float_than_64_bits_is_refused():
    if np.dtype(np.longdouble).itemsize > 8:
        assert problem(npz(**parts(X=np.ones((4, 6), np.longdouble)))).code == "dtype"


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("number", [0x110000, 2**32 - 1, 0xDC00])
def test_a_number_that_is_no_character(order, number):
    tokens = np.array([97, 98, number, 99], f"{order}u4").view(f"{order}U1")
    found = problem(npz(**parts(tokens=tokens)))
    assert (found.code, found.values) == ("token_text", {"position": 3})


def test_entries_at_the_limit_give_scores():
    big = {name: np.full(shape, 1e30) for name, shape in (("X", (4, 6)), ("W_Q", (6, 3)), ("W_K", (6, 3)))}
    head = read_head(npz(**parts(**big)))
    for components in (None, 2):
        assert np.isfinite(head_weights(head, "none", components=components)[1]).all()


@pytest.mark.parametrize("compressed", [False, True])
def test_more_entries_than_fit_are_refused_before_any_is_inflated(compressed):
    """50 MB of even numbers, which are a few kB compressed, or a quarter of that as they lie in the file."""
    arrays = {"X": np.ones((512, 4096), "f2"), "W_Q": np.ones((4096, 512), "f2"), "W_K": np.ones((4096, 512), "f2")}
    data = npz(compressed, **arrays)
    tracemalloc.start()
    try:
        with pytest.raises(HeadProblem) as caught:
            read_head(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.value.code == "too_many_entries"
    assert caught.value.values == {"count": "6,291,456", "most": "5,000,000"}
    assert peak < len(data) + 10**6


def test_tokens_are_no_entries():
    W_Q, W_K = np.zeros((2, 4096, 512), "i1")
    X = np.zeros(((MOST_ENTRIES - W_Q.size - W_K.size) // 4096, 4096), "i1")
    assert MOST_ENTRIES - (X.size + W_Q.size + W_K.size) < 4096
    tokens = np.array(["word"] * len(X))
    assert len(read_head(npz(True, X=X, W_Q=W_Q, W_K=W_K, tokens=tokens)).tokens) == len(X)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_weights_of_few_bits_are_weights(dtype):
    rng = np.random.default_rng(8)
    weights = rng.dirichlet(np.ones(300), 300).astype(dtype)
    head = read_head(npz(**parts(n=300, expected_weights=weights)))
    np.testing.assert_array_equal(head.expected, weights.astype(float))
