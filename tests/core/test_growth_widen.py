"""Growing d: the typed columns stay in front, new ones have their size, and the grid of d.

Statistical tests use fixed seeds and state their tolerance: z standard errors, where the standard error is exact
or comes from the sample. With at most a few hundred comparisons a test, z = 4.5 (two-sided 7e-6) leaves room for a
different random stream without hiding a wrong law.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ks_1samp, norm

from attention_core import d_grid, score_sweep, widen, widen_pair
from attention_core.growth import HOWS, root_mean_square
from tests.core.growth_cases import SEEDS, Z

SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 5))
MATRICES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.floats(-1e3, 1e3)))


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
