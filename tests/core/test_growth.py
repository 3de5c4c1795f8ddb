"""Growing d: the typed columns stay, one pass equals many, and the short road has the long road's law.

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
from hypothesis.extra.numpy import arrays
from scipy.stats import ks_1samp, ks_2samp, norm

from attention_core import d_grid, get_example, row_score_draws, score_sweep, self_attention, widen, widen_pair
from attention_core.growth import HOWS, root_mean_square

Z = 4.5
SEEDS = st.integers(0, 10**6)
SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 5))
MATRICES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.floats(-1e3, 1e3)))


def parts(seed, n=4, d_emb=3, d_k=2, tied=False, dtype=np.float64):
    rng = np.random.default_rng(seed)
    X, W_Q, W_K = (rng.standard_normal(shape).astype(dtype) for shape in ((n, d_emb), (d_emb, d_k), (d_emb, d_k)))
    return X, W_Q, (W_Q.copy() if tied else W_K)


# --- widen ---


@pytest.mark.parametrize("how", HOWS)
@given(W=MATRICES, more=st.tuples(st.integers(0, 20), st.integers(0, 20)), seed=SEEDS)
def test_a_narrower_matrix_is_the_front_of_a_wider_one(how, W, more, seed):
    a, b = sorted(W.shape[1] + extra for extra in more)
    narrow, wide = (widen(W, d, np.random.default_rng(seed), how) for d in (a, b))
    assert (narrow.shape, wide.shape) == ((len(W), a), (len(W), b))
    np.testing.assert_array_equal(narrow, wide[:, :a])
    np.testing.assert_array_equal(wide[:, : W.shape[1]], W)


@given(W=MATRICES, d=st.integers(5, 40))
def test_copies_repeat_the_typed_columns_in_turn(W, d):
    wide = widen(W, d, np.random.default_rng(0), "copies")
    for j in range(d):
        np.testing.assert_array_equal(wide[:, j], W[:, j % W.shape[1]])


@given(W=MATRICES, d=st.integers(5, 40))
def test_zeros_add_nothing(W, d):
    assert not widen(W, d, np.random.default_rng(0), "zeros")[:, W.shape[1] :].any()


def test_new_columns_are_independent_normals_of_the_typed_size():
    """Kolmogorov-Smirnov against N(0, rms²) at level 1e-3, and no correlation between rows or neighbouring columns."""
    W = np.array([[3.0, 0.0], [0.0, -4.0]])  # root mean square 2.5
    new = widen(W, 200_002, np.random.default_rng(1))[:, 2:] / 2.5
    assert ks_1samp(new.ravel(), norm.cdf).pvalue > 1e-3
    assert np.mean(new**2) == pytest.approx(1, abs=Z * math.sqrt(2 / new.size))
    for left, right in ((new[0], new[1]), (new[0, 1:], new[0, :-1]), (new[1, 1:], new[1, :-1])):
        assert abs(np.mean(left * right)) < Z / math.sqrt(left.size)


@given(W=MATRICES)
def test_root_mean_square_is_the_mean_of_the_squares(W):
    assert root_mean_square(W) == pytest.approx(
        math.sqrt(sum(x * x for x in W.ravel()) / W.size), rel=1e-13, abs=1e-160
    )


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_growth_follows_the_size_of_the_entries(size):
    """|entry|² overflows at 1e200 and underflows at 1e-200; the columns must still be that large or small."""
    usual = widen(np.array([[1.0, 2.0]]), 9, np.random.default_rng(2))
    np.testing.assert_allclose(widen([[size, 2 * size]], 9, np.random.default_rng(2)), size * usual, rtol=1e-14)


@pytest.mark.parametrize("how", HOWS)
def test_a_zero_matrix_grows_nothing(how):
    assert not widen(np.zeros((3, 2)), 64, np.random.default_rng(0), how).any()
    sweep = score_sweep(np.ones((2, 3)), np.zeros((3, 2)), np.ones((3, 2)), [2, 64], 0, how)
    assert not sweep.scores.any()
    assert not sweep.q_norm.any()


@pytest.mark.parametrize("how", HOWS)
def test_widen_keeps_the_type_and_the_typed_matrix(how):
    W = np.ones((2, 2), np.float32)
    wide = widen(W, 5, np.random.default_rng(0), how)
    assert wide.dtype == np.float32
    wide[:] = 7
    widen(W, 2, np.random.default_rng(0), how)[:] = 7
    np.testing.assert_array_equal(W, 1)
    assert widen([[1, 2]], 3, np.random.default_rng(0), how).dtype == np.float64


def test_widen_refusals():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"W has shape \(1, 3\); expected at most d = 2 columns"):
        widen(np.ones((1, 3)), 2, rng)
    with pytest.raises(ValueError, match="unknown way to grow 'mirror'; expected one of independent, copies, zeros"):
        widen(np.ones((1, 3)), 4, rng, "mirror")
    with pytest.raises(ValueError, match=r"W has shape \(3,\); expected two axes"):
        widen(np.ones(3), 4, rng)
    with pytest.raises(ValueError, match=r"W of shape \(1, 1\) has nan at row 0, column 0"):
        widen([[math.nan]], 4, rng)
    with pytest.raises(ValueError, match=r"W of shape \(1, 40\) overflows float64; expected smaller entries"):
        widen([[1.7e308]], 40, rng)


@given(seed=SEEDS)
def test_tied_matrices_stay_tied_and_others_grow_apart(seed):
    W = np.random.default_rng(seed).standard_normal((3, 2))
    tied_Q, tied_K = widen_pair(W, W.copy(), 9, seed)
    np.testing.assert_array_equal(tied_Q, tied_K)
    apart_Q, apart_K = widen_pair(W, -W, 9, seed)
    assert (np.abs(apart_Q[:, 2:]) != np.abs(apart_K[:, 2:])).all()
    np.testing.assert_array_equal(apart_Q, tied_Q)


def test_new_columns_of_w_q_and_w_k_are_uncorrelated():
    W_Q, W_K = widen_pair([[1.0]], [[-1.0]], 20_001, 3)
    assert abs(np.mean(W_Q[0, 1:] * W_K[0, 1:])) < Z / math.sqrt(20_000)


# --- d_grid ---


@pytest.mark.parametrize("d_k", [1, 2, 3, 5, 64, 100, 4095, 4096])
@pytest.mark.parametrize("largest", [4096, 5000, 128])
def test_the_grid_has_the_typed_d_and_every_power_of_two_above(d_k, largest):
    grid = d_grid(d_k, largest)
    assert grid[0] == d_k
    assert (np.diff(grid) > 0).all()
    assert {2**i for i in range(13) if d_k < 2**i <= largest} <= set(grid.tolist())
    assert grid[-1] <= max(d_k, largest)
    assert np.issubdtype(grid.dtype, np.integer)


def test_the_grid_ends_at_4096_with_four_values_an_octave():
    grid = d_grid(64)
    assert grid[-1] == 4096
    assert len(grid) == 6 * 4 + 1
    np.testing.assert_allclose(grid[1:] / grid[:-1], 2**0.25, rtol=0.01)


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
    """FACTS section 1: E|q·k| ≈ √(2d/π). 40 × 40 keys and queries with few independent pairs: within 10 %."""
    signs = np.random.default_rng(13).choice([-1.0, 1.0], (2, 40, 1))
    scores = np.abs(score_sweep(np.eye(40), *signs, [d], 14).scores[0])
    assert typical == pytest.approx(math.sqrt(2 * d / math.pi), rel=0.01)
    assert scores.mean() == pytest.approx(typical, rel=0.1)


def test_the_variance_of_one_small_sample_varies():
    """FACTS section 9: the four scores of one 2 × 2 sample with d_k = 2 have a variance of .10 to 3.7 (10-90 %)."""
    many, variances = 100, []  # samples at once: the 2 × 2 blocks along the diagonal
    for W_Q, W_K in np.random.default_rng(15).standard_normal((25, 2, 2 * many, 2)):
        scores = self_attention(np.eye(2 * many), W_Q, W_K, np.eye(2 * many), "none").scores.reshape(many, 2, many, 2)
        variances += [scores[i, :, i].var() for i in range(many)]
    low, high = np.quantile(variances, [0.1, 0.9])
    assert low == pytest.approx(0.10, abs=0.02)
    assert high == pytest.approx(3.7, abs=0.4)


# --- row_score_draws ---


def exact_moments(X, W_Q, W_K, row, d_values):
    """Mean and covariance over (d, key) of one row's scores, derived by hand from the columns being independent.

    One new column adds q κ with q = rms_Q x·z and κ_i = rms_K X_i·z'; z' = z when tied. Then E = [tied] rms² x·X_i and
    Cov_ij = rms_Q² rms_K² (|x|² X_i·X_j + [tied] (x·X_i)(x·X_j)); columns add up.
    """
    x, tied = X[row], float(np.array_equal(W_Q, W_K))
    size_Q, size_K = (np.mean(W**2) for W in (W_Q, W_K))
    new = np.array(d_values) - W_Q.shape[1]
    mean = (X @ W_K) @ (x @ W_Q) + tied * size_Q * new[:, None] * (X @ x)
    one = size_Q * size_K * ((x @ x) * X @ X.T + tied * np.outer(X @ x, X @ x))
    covariance = np.minimum.outer(new, new)[:, None, :, None] * one[None, :, None, :]
    return mean, covariance


def standard_error_of_mean(samples):
    return samples.std(axis=0) / math.sqrt(len(samples))


ROW, D_VALUES, N_DRAWS = 2, [2, 3, 5, 12], 2000


@pytest.fixture(scope="module", params=[False, True], ids=["apart", "tied"])
def roads(request):
    """The matrices, and draws (2000, D, n) of one row by each road: row_score_draws, and score_sweep seed by seed."""
    X, W_Q, W_K = parts(30, n=3, tied=request.param)
    short = row_score_draws(X, W_Q, W_K, ROW, D_VALUES, N_DRAWS, np.random.default_rng(31))
    long = np.stack([score_sweep(X, W_Q, W_K, D_VALUES, seed).scores[:, ROW] for seed in range(N_DRAWS)])
    return (X, W_Q, W_K), short, long


@pytest.mark.parametrize("road", ["short", "long", "short, ten times the draws"])
def test_moments_of_both_roads_are_the_derived_ones(roads, road):
    matrices, short, long = roads
    many = row_score_draws(*matrices, ROW, D_VALUES, 10 * N_DRAWS, np.random.default_rng(22))
    draws = {"short": short, "long": long}.get(road, many)
    mean, covariance = exact_moments(*matrices, ROW, D_VALUES)
    centred = draws - mean
    assert (np.abs(centred.mean(axis=0)) <= Z * standard_error_of_mean(draws) + 1e-12).all()
    products = centred[:, :, :, None, None] * centred[:, None, None, :, :]
    difference = np.abs(products.mean(axis=0) - covariance)
    assert (difference <= Z * standard_error_of_mean(products) + 1e-12).all()


def test_both_roads_start_from_the_typed_scores(roads):
    _, short, long = roads
    np.testing.assert_allclose(short[:, 0], np.broadcast_to(long[0, 0], short[:, 0].shape), rtol=1e-13)


def differ(left, right):
    """Largest difference between two sample means, in standard errors."""
    error = np.hypot(standard_error_of_mean(left), standard_error_of_mean(right))
    return np.max(np.abs(left.mean(axis=0) - right.mean(axis=0)) / error)


def test_both_roads_agree_in_means_and_cross_covariances(roads):
    short, long = (road[:, 1:].reshape(N_DRAWS, -1) for road in roads[1:])
    centre = long.mean(axis=0)
    assert differ(short, long) < Z
    left, right = (road - centre for road in (short, long))
    pairs = np.triu_indices(left.shape[1])  # keys × keys, d × d and every mix
    assert differ(left[:, pairs[0]] * left[:, pairs[1]], right[:, pairs[0]] * right[:, pairs[1]]) < Z


def test_both_roads_have_the_same_distribution(roads):
    """Two-sample Kolmogorov-Smirnov, each at level 1e-4, for every (d, key), for steps between neighbouring d, for
    differences between keys, and for the size of a row's step, which shows that its keys share one |q_new|."""
    _, short, long = roads
    for statistic in (
        lambda road: road[:, 1:].reshape(N_DRAWS, -1),
        lambda road: np.diff(road, axis=1).reshape(N_DRAWS, -1),
        lambda road: np.diff(road[:, 1:], axis=2).reshape(N_DRAWS, -1),
        lambda road: np.linalg.norm(np.diff(road, axis=1), axis=2),
        lambda road: np.linalg.norm(road[:, 1:], axis=(1, 2))[:, None],
    ):
        left, right = statistic(short), statistic(long)
        for j in range(left.shape[1]):
            assert ks_2samp(left[:, j], right[:, j]).pvalue > 1e-4


def test_the_keys_of_a_row_share_the_length_of_the_query():
    """Untied with orthonormal tokens, one new column: step_i = q z_i, so E step_i² step_j² = E q⁴ = 3, not 1."""
    steps = np.diff(
        row_score_draws(np.eye(3), np.ones((3, 1)), -np.ones((3, 1)), 0, [1, 2], 20_000, np.random.default_rng(32)),
        axis=1,
    )
    squares = (steps[:, 0, 1] * steps[:, 0, 2]) ** 2
    assert squares.mean() == pytest.approx(3, abs=Z * squares.std() / math.sqrt(20_000))
    assert Z * squares.std() / math.sqrt(20_000) < 1


@pytest.mark.parametrize("d", [64, 4096])
@pytest.mark.parametrize("c", [0.0, 0.25, 1.0, -0.6])
def test_correlated_vectors_have_mean_c_d_and_variance_d_one_plus_c_squared(c, d):
    """FACTS section 1. Unit tokens at cosine c under one matrix give entries with correlation c; W is ±1 typed."""
    X = np.array([[1.0, 0.0], [c, math.sqrt(1 - c * c)]])
    W = np.array([[1.0], [-1.0]])
    draws = row_score_draws(X, W, W, 0, [1, d], 20_000, np.random.default_rng(33))
    scores = draws[:, 1, 1] - draws[:, 0, 1]
    assert scores.mean() == pytest.approx(c * (d - 1), abs=Z * math.sqrt((d - 1) * (1 + c * c) / 20_000))
    spread = (scores - c * (d - 1)) ** 2
    assert spread.mean() == pytest.approx((d - 1) * (1 + c * c), abs=Z * spread.std() / math.sqrt(20_000))


def test_the_query_scores_itself_by_chi_square_when_tied():
    """|q|² of the new columns is rms² |x|² χ²(m) exactly; Kolmogorov-Smirnov against it at level 1e-3."""
    X, W, _ = parts(34)
    draws = row_score_draws(X, W, W, 3, [2, 9], 5000, np.random.default_rng(35))
    size = np.mean(W**2) * (X[3] @ X[3])
    chi_square = np.random.default_rng(36).chisquare(7, 5000)
    assert ks_2samp((draws[:, 1, 3] - draws[:, 0, 3]) / size, chi_square).pvalue > 1e-3


@pytest.mark.parametrize("tied", [False, True])
def test_a_zero_token_scores_zero_at_every_d(tied):
    X, W_Q, W_K = parts(37, tied=tied)
    X[1] = 0
    asked = row_score_draws(X, W_Q, W_K, 1, [2, 8], 5, np.random.default_rng(0))
    np.testing.assert_array_equal(asked, 0)
    np.testing.assert_array_equal(row_score_draws(X, W_Q, W_K, 0, [2, 8], 5, np.random.default_rng(0))[..., 1], 0)


def test_equal_generators_give_equal_draws():
    first, again, other = (row_score_draws(*parts(38), 0, [2, 8], 3, np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first[:, 1] != other[:, 1]).all()
    assert row_score_draws(*parts(38), 0, [2, 8], 0, np.random.default_rng(0)).shape == (0, 2, 4)


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
