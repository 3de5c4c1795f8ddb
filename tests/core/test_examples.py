"""The named starting points: shapes that fit, the scores and weights each one promises, and arrays of their own."""

import itertools

import numpy as np
import pytest

from attention_core import EXAMPLES, SCALINGS, get_example, score_sweep, self_attention
from attention_core.growth import HOWS

MATRICES = ("X", "W_Q", "W_K", "W_V")


def matrices(example):
    return [getattr(example, name) for name in MATRICES]


@pytest.mark.parametrize("name", EXAMPLES)
def test_shapes_fit(name):
    example = get_example(name)
    n, d_emb = example.X.shape
    assert len(example.tokens) == n
    assert example.W_Q.shape == example.W_K.shape
    assert {len(W) for W in matrices(example)[1:]} == {d_emb}
    assert 0 <= example.row < n
    assert example.how in HOWS
    assert {matrix.dtype for matrix in matrices(example)} == {np.dtype(float)}


@pytest.mark.parametrize("rule", SCALINGS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_runs_under_every_rule(name, rule):
    for is_causal in (False, True):
        trace = self_attention(*matrices(get_example(name)), scaling=rule, is_causal=is_causal)
        np.testing.assert_allclose(trace.weights.sum(axis=1), 1, rtol=1e-14)


def test_names_are_unique_and_equal_their_keys():
    assert [get_example(key).name for key in EXAMPLES] == list(EXAMPLES)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match="unknown example 'hate'; expected one of love, love_zh, one_matrix, meeting"):
        get_example("hate")


@pytest.mark.parametrize("name", EXAMPLES)
def test_editing_one_example_does_not_change_the_next(name):
    """Neither a second copy nor another matrix of the same example moves."""
    for edited in MATRICES:
        first, untouched = get_example(name), get_example(name)
        getattr(first, edited)[:] = 777
        for other in MATRICES:
            np.testing.assert_array_equal(getattr(get_example(name), other), getattr(untouched, other))
            if other != edited:
                np.testing.assert_array_equal(getattr(first, other), getattr(untouched, other))


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_two_matrices_share_memory(name):
    arrays = matrices(get_example(name)) + matrices(get_example(name))
    assert not any(np.shares_memory(a, b) for a, b in itertools.combinations(arrays, 2))


def test_the_meeting_listens_10_60_20_10_percent():
    example = get_example("meeting")
    trace = self_attention(*matrices(example))
    np.testing.assert_allclose(trace.weights[example.row], [0.1, 0.6, 0.2, 0.1], rtol=1e-14)
    # .1 (1, 0) + .6 (0, 1) + .2 (1, 1) + .1 (−1, 0)
    np.testing.assert_allclose(trace.output[example.row], [0.2, 0.8], rtol=1e-14)
    assert example.tokens[example.row] == "C"


@pytest.mark.parametrize(("name", "scores"), [("scores_285", [2, 8, 5]), ("scores_3000", [3000, 2800, 2500])])
def test_rows_with_given_scores_have_exactly_these(name, scores):
    example = get_example(name)
    trace = self_attention(*matrices(example))
    np.testing.assert_array_equal(trace.scores[example.row], scores)
    np.testing.assert_array_equal(trace.output, trace.weights)  # the values are the identity


@pytest.mark.parametrize("name", [name for name in EXAMPLES if get_example(name).how == "zeros"])
def test_given_scores_stay_while_d_grows(name):
    example = get_example(name)
    sweep = score_sweep(example.X, example.W_Q, example.W_K, [1, 64, 4096], 0, example.how)
    np.testing.assert_array_equal(sweep.scores[:, example.row], np.stack([sweep.scores[0, example.row]] * 3))
    others = np.delete(sweep.scores, example.row, axis=1)
    np.testing.assert_array_equal(others, 0)


def test_one_matrix_has_symmetric_scores_between_the_tokens_themselves():
    example = get_example("one_matrix")
    trace = self_attention(*matrices(example))
    np.testing.assert_array_equal(trace.scores, trace.scores.T)
    np.testing.assert_array_equal(trace.scores, example.X @ example.X.T)
    np.testing.assert_array_equal(trace.V, example.X)
    np.testing.assert_array_equal(example.X, get_example("love").X)


def test_the_chinese_sentence_has_the_same_matrices():
    english, chinese = get_example("love"), get_example("love_zh")
    for one, other in zip(matrices(english), matrices(chinese), strict=True):
        np.testing.assert_array_equal(one, other)
    assert (english.tokens, chinese.tokens) == (("I", "love", "AI"), ("我", "爱", "AI"))


def test_arrows_score_by_their_directions():
    """Orthogonal arrows score 0, opposite ones the negative, one twice as long the double."""
    trace = self_attention(*matrices(get_example("arrows")))
    np.testing.assert_array_equal(trace.scores, [[1, 0, -1, 2], [0, 1, 0, 0], [-1, 0, 1, -2], [2, 0, -2, 4]])


def test_random_8_has_two_decimals_and_the_stated_variances():
    example = get_example("random_8")
    for matrix in matrices(example):
        np.testing.assert_array_equal(matrix, np.round(matrix, 2))
        assert matrix.shape == (8, 8)
    # 64 entries each: the mean of squares has a relative standard error of √(2/64) = .18
    assert np.mean(example.X**2) == pytest.approx(1, abs=4 * 0.18)
    for W in matrices(example)[1:]:
        assert 8 * np.mean(W**2) == pytest.approx(1, abs=4 * 0.18)
