"""Trained heads: the recorded weights are the model's own, what is said of them is so, and what makes no head."""

import hashlib
import math
import re

import numpy as np
import pytest

from attention_core import (
    Head,
    entropy,
    head_scores,
    head_weights,
    load_head,
    sensitivity,
)
from attention_core.heads import FOLDER, RECORDED
from tests.core.head_cases import every_ending, every_head
from tests.floats import floating_trouble_raises  # noqa: F401


def looks_at(name, ending, query, key):
    head = load_head(name, ending)
    return head_weights(head)[1][head.tokens.index(query), head.tokens.index(key)]


# --- the recorded heads ---


@every_head
@every_ending
def test_the_recorded_weights_are_the_models_own(name, ending):
    head = load_head(name, ending)
    assert head.expected.shape == (16, 16)
    np.testing.assert_allclose(head_weights(head)[1], head.expected, rtol=0, atol=1e-6)


@every_head
@every_ending
def test_what_a_recorded_head_is(name, ending):
    head = load_head(name, ending)
    assert (head.d_model, head.d_k, len(head.tokens)) == (384, 32, 16)
    assert f"L{head.layer}H{head.head}" == name
    assert "it" in head.tokens
    assert ("wide" if ending == "wide" else "tired") in head.tokens
    assert (head.tokens.index("street") < head.tokens.index("animal")) == (ending == "swapped")
    assert {array.dtype for array in (head.X, head.W_Q, head.W_K, head.W_V, head.b_Q, head.b_V)} == {np.dtype(float)}
    assert load_head(name, ending) is load_head(name, ending=ending) is head
    with pytest.raises(ValueError, match="read-only"):
        head.X[0, 0] = 1


@pytest.mark.parametrize(
    ("ending", "animal", "street"), [("tired", 0.677, 0.050), ("wide", 0.281, 0.121), ("swapped", 0.137, 0.645)]
)
def test_head_3_1_looks_at_the_first_noun(ending, animal, street):
    assert looks_at("L3H1", ending, "it", "animal") == pytest.approx(animal, abs=5e-4)
    assert looks_at("L3H1", ending, "it", "street") == pytest.approx(street, abs=5e-4)


@every_ending
def test_head_0_2_looks_at_the_previous_token_and_is_saturated(ending):
    head = load_head("L0H2", ending)
    assert np.diag(head_weights(head)[1], -1).min() > 0.99
    if ending == "tired":
        spread = head_scores(head).std()
        assert spread == pytest.approx(64.6, abs=0.05)
        assert spread / math.sqrt(head.d_k) == pytest.approx(11.4, abs=0.05)


def test_head_4_5_is_a_sink():
    assert head_weights(load_head("L4H5"))[1][:, 0].mean() == pytest.approx(0.90, abs=0.005)


@pytest.mark.parametrize(
    ("name", "rule", "disorder", "largest", "reaction"),
    [
        ("L3H1", "sqrt", 1.306, 0.616, 0.537),
        ("L3H1", "none", 0.114, 0.968, 0.056),
        ("L3H1", "linear", 2.714, 0.125, 0.929),
        ("L0H2", "sqrt", 0.001, 1.000, 0.0003),
        ("L0H2", "none", 0.000, 1.000, 0.0),
        ("L0H2", "linear", 1.407, 0.627, 0.574),
        ("L4H5", "sqrt", 0.546, 0.901, 0.184),
        ("L4H5", "none", 0.000, 1.000, 0.0),
        ("L4H5", "linear", 2.718, 0.146, 0.929),
    ],
)
def test_the_means_over_a_sentences_rows(name, rule, disorder, largest, reaction):
    weights = head_weights(load_head(name), rule)[1]
    assert entropy(weights).mean() == pytest.approx(disorder, abs=5.1e-4)
    assert weights.max(axis=1).mean() == pytest.approx(largest, abs=5.1e-4)
    assert sensitivity(weights).mean() == pytest.approx(reaction, abs=5.1e-4 if reaction else 1e-4)


def test_the_files_are_those_that_their_readme_lists():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"`(minilm_\w+\.npz)` .* `([0-9a-f]{64})`", readme))
    assert listed == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.npz")}
    assert set(listed) == {f"minilm_{name}.npz" for name in RECORDED}
    assert "Apache License" in (FOLDER / "LICENSE-Apache-2.0.txt").read_text(encoding="utf-8")


def test_a_head_without_an_ending_is_the_first_one_itself():
    assert load_head("L0H2") is load_head("L0H2", "tired") is load_head(name="L0H2")


@pytest.mark.parametrize(
    ("arguments", "words"), [(("L3H2",), "L3H1, L0H2, L4H5"), (("L3H1", "old"), "tired, wide, swapped")]
)
def test_unknown_names_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        load_head(*arguments)


# --- a head's own checks ---


def test_biases_are_zeros_unless_given():
    head = Head(["a", "b"], [[1, 2], [3, 4]], [[1], [0]], [[0], [1]], W_V=[[1, 2, 3], [4, 5, 6]])
    np.testing.assert_array_equal(head.b_Q, [0])
    np.testing.assert_array_equal(head.b_V, [0, 0, 0])
    np.testing.assert_array_equal(head_scores(head), [[2, 4], [6, 12]])
    assert head.X.dtype == float


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"X": [[1.0]]}, "W_Q has shape"),
        ({"X": np.ones((2, 0))}, "X is empty"),
        ({"W_K": np.ones((3, 2))}, "W_K has shape"),
        ({"W_K": np.ones((2, 3))}, "W_K has shape"),
        ({"W_V": np.ones((3, 2))}, "W_V has shape"),
        ({"b_Q": np.ones(3)}, "b_Q has shape"),
        ({"b_K": [1.0, math.inf]}, "b_K"),
        ({"W_V": np.eye(2), "b_V": np.ones(3)}, "b_V has shape"),
        ({"expected": np.ones((2, 3))}, "expected has shape"),
        ({"tokens": ("a",)}, "1 tokens; expected 2"),
        ({"X": [[1.0, math.nan], [0.0, 1.0]]}, "X of shape"),
    ],
)
def test_what_does_not_fit_is_named(change, words):
    parts = {"tokens": ("a", "b"), "X": np.eye(2), "W_Q": np.eye(2), "W_K": np.eye(2)}
    with pytest.raises(ValueError, match=words):
        Head(**{**parts, **change})
