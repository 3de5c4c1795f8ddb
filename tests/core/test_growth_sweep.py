"""Scores at every d: one pass equals many, and what both roads to them refuse.

Statistical tests use fixed seeds and state their tolerance: z standard errors, where the standard error is exact
or comes from the sample. With at most a few hundred comparisons a test, z = 4.5 (two-sided 7e-6) leaves room for a
different random stream without hiding a wrong law.
"""

import math
import re
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core import d_grid, get_example, row_score_draws, score_sweep, self_attention, widen_pair
from attention_core.growth import HOWS
from tests.core.growth_cases import SEEDS, Z, parts

# --- score_sweep ---


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("tied", [True, False])
@settings(max_examples=15)
@given(seed=SEEDS, d_values=st.sets(st.integers(2, 60), min_size=1, max_size=6).map(sorted))
def test_one_pass_equals_self_attention_at_every_d(how, tied, seed, d_values):
    X, W_Q, W_K = parts(seed, tied=tied)
    sweep = score_sweep(X, W_Q, W_K, d_values, seed, how)
    np.testing.assert_array_equal(sweep.d_values, d_values)
    assert (sweep.scores.shape, sweep.q_norm.shape, sweep.k_norm.shape) == (
        (len(d_values), 4, 4),
        (len(d_values), 4, 1),
        (len(d_values), 1, 4),
    )
    for d, scores, q_norm, k_norm in zip(d_values, sweep.scores, sweep.q_norm, sweep.k_norm, strict=True):
        wide_Q, wide_K = widen_pair(W_Q, W_K, d, seed, how)
        trace = self_attention(X, wide_Q, wide_K, np.eye(3), scaling="none")
        np.testing.assert_allclose(scores, trace.scores, rtol=1e-12, atol=1e-11)
        np.testing.assert_allclose(q_norm[:, 0], np.linalg.norm(trace.Q, axis=1), rtol=1e-13)
        np.testing.assert_allclose(k_norm[0], np.linalg.norm(trace.K, axis=1), rtol=1e-13)


@given(seed=SEEDS)
def test_tied_scores_are_symmetric_with_squared_lengths_on_the_diagonal(seed):
    sweep = score_sweep(*parts(seed, tied=True), [2, 7, 30], seed)
    np.testing.assert_allclose(sweep.scores, sweep.scores.swapaxes(1, 2), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(np.diagonal(sweep.scores, 0, 1, 2), sweep.q_norm[..., 0] ** 2, rtol=1e-12)


def test_the_sweep_keeps_single_precision():
    sweep = score_sweep(*parts(5, dtype=np.float32), [2, 16], 0)
    assert {sweep.scores.dtype, sweep.q_norm.dtype, sweep.k_norm.dtype} == {np.dtype(np.float32)}


def test_copies_multiply_the_scores_exactly():
    """At m · d_k columns each score is m times the typed one; whole numbers leave no rounding."""
    love = get_example("love")
    sweep = score_sweep(love.X, love.W_Q, love.W_K, [3, 6, 9, 384, 4095], 0, "copies")
    typed = np.array([[1, 5, 3], [3, 3, 3], [2, 4, 3]])
    for d, scores in zip(sweep.d_values, sweep.scores, strict=True):
        np.testing.assert_array_equal(scores, typed * (d // 3))


def test_zeros_keep_the_scores_exactly():
    love = get_example("love")
    sweep = score_sweep(love.X, love.W_Q, love.W_K, d_grid(3), 0, "zeros")
    np.testing.assert_array_equal(sweep.scores, np.broadcast_to(sweep.scores[0], sweep.scores.shape))
    np.testing.assert_array_equal(sweep.scores[0], [[1, 5, 3], [3, 3, 3], [2, 4, 3]])


@pytest.mark.parametrize("d", [1, 4, 64, 256])
def test_the_variance_of_q_dot_k_is_d(d):
    """X = I makes each row of W a query or a key with independent entries of size 1 (the first one ±1).

    1000 independent pairs lie on the diagonal. E (q·k)⁴ ≤ 3d² + 6d, so the mean of (q·k)² has a standard error of at
    most √((2d² + 6d)/1000), 4.5 to 9 % of d; E q·k = 0 has √(d/1000).
    """
    n = 1000
    signs = np.random.default_rng(11).choice([-1.0, 1.0], (2, n, 1))
    scores = np.diagonal(score_sweep(np.eye(n), *signs, [d], 12).scores[0])
    assert np.mean(scores**2) == pytest.approx(d, abs=Z * math.sqrt((2 * d * d + 6 * d) / n))
    assert np.mean(scores) == pytest.approx(0, abs=Z * math.sqrt(d / n))


@pytest.mark.parametrize(("d", "typical"), [(64, 6.4), (4096, 51)])
def test_typical_independent_scores(d, typical):
    """E|q·k| ≈ √(2d/π). 40 × 40 keys and queries with few independent pairs: within 10 %."""
    signs = np.random.default_rng(13).choice([-1.0, 1.0], (2, 40, 1))
    scores = np.abs(score_sweep(np.eye(40), *signs, [d], 14).scores[0])
    assert typical == pytest.approx(math.sqrt(2 * d / math.pi), rel=0.01)
    assert scores.mean() == pytest.approx(typical, rel=0.1)


def test_the_variance_of_one_small_sample_varies():
    """The four scores of one 2 × 2 sample with d_k = 2 have a variance of .10 to 3.7 (10-90 %)."""
    many, variances = 100, []  # samples at once: the 2 × 2 blocks along the diagonal
    for W_Q, W_K in np.random.default_rng(15).standard_normal((25, 2, 2 * many, 2)):
        scores = self_attention(np.eye(2 * many), W_Q, W_K, np.eye(2 * many), "none").scores.reshape(many, 2, many, 2)
        variances += [scores[i, :, i].var() for i in range(many)]
    low, high = np.quantile(variances, [0.1, 0.9])
    assert low == pytest.approx(0.10, abs=0.02)
    assert high == pytest.approx(3.7, abs=0.4)


# --- refusals of both roads ---
REFUSALS = {
    "no d": ({"d_values": []}, "d_values is []; expected rising whole numbers from at least d_k = 2"),
    "d below d_k": ({"d_values": [1, 4]}, "d_values is [1, 4]; expected rising"),
    "falling d": ({"d_values": [4, 2]}, "d_values is [4, 2]; expected rising"),
    "falling unsigned d": ({"d_values": np.array([4, 2], np.uint64)}, "d_values is [4, 2]; expected rising"),
    "equal d": ({"d_values": [4, 4]}, "d_values is [4, 4]; expected rising"),
    "broken d": ({"d_values": [2.5, 4]}, "d_values is [2.5, 4.0]; expected rising whole numbers"),
    "NaN d": ({"d_values": [2, math.nan]}, "d_values is [2.0, nan]; expected rising"),
    "one number": ({"d_values": 4}, "d_values is 4; expected rising"),
    "W_Q rows": ({"W_Q": np.ones((4, 2))}, "W_Q has shape (4, 2); expected 3 rows, one for each column of X"),
    "W_K columns": ({"W_K": np.ones((3, 1))}, "W_K has shape (3, 1); expected 2 columns, as W_Q of shape (3, 2) has"),
    "X 1-D": ({"X": np.ones(3)}, "X has shape (3,); expected two axes"),
    "NaN": ({"W_K": np.full((3, 2), math.nan)}, "W_K of shape (3, 2) has nan at row 0, column 0"),
    "overflow": ({"X": np.full((4, 3), 1e200)}, "scores of shape"),
    "overflow of q": ({"X": np.full((4, 3), 1e200), "W_Q": np.full((3, 2), 1e200)}, "overflows float64"),
}


@pytest.mark.parametrize("name", REFUSALS)
@pytest.mark.parametrize("road", ["short", "long"])
def test_refusals_of_both_roads(road, name):
    changes, message = REFUSALS[name]
    arguments = {"X": np.ones((4, 3)), "W_Q": np.ones((3, 2)), "W_K": np.ones((3, 2)), "d_values": [2, 4]} | changes
    if road == "short":
        call = partial(row_score_draws, row=0, n_draws=2, rng=np.random.default_rng(0))
    else:
        call = partial(score_sweep, seed=0)
    with pytest.raises(ValueError, match=re.escape(message)):
        call(**arguments)


@pytest.mark.parametrize("row", [-1, 4])
def test_a_row_that_x_does_not_have(row):
    with pytest.raises(ValueError, match=re.escape(f"row is {row}; expected 0 to 3, as X has shape (4, 3)")):
        row_score_draws(*parts(0), row, [2, 4], 1, np.random.default_rng(0))


def test_an_unknown_way_to_grow_is_refused_by_the_sweep():
    with pytest.raises(ValueError, match="unknown way to grow 'mirror'"):
        score_sweep(*parts(0), [2, 4], 0, "mirror")
