"""Draws of one row's scores: the short road has the long road's law.

Statistical tests use fixed seeds and state their tolerance: z standard errors, where the standard error is exact
or comes from the sample. With at most a few hundred comparisons a test, z = 4.5 (two-sided 7e-6) leaves room for a
different random stream without hiding a wrong law.
"""

import math

import numpy as np
import pytest
from scipy.stats import ks_2samp

from attention_core import row_score_draws, score_sweep
from tests.core.growth_cases import Z, parts


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
    """Unit tokens at cosine c under one matrix give entries with correlation c; W is ±1 typed."""
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
