"""What the sweep measures of rows: number formats give out where they should, and its sums add up.

Printed values are derived for this project unless a source is named; they hold within Z standard errors of the sample
plus half their last digit. Seeds are fixed. With a few thousand comparisons a test, Z = 4.5 (two-sided 7e-6) leaves
room for a different random stream without hiding a wrong law.
"""

import math

import numpy as np
import pytest
from scipy.stats import chisquare, norm

from attention_core.ensembles import BLOCK
from attention_core.sweep import sweep_parts
from attention_core.sweep_measures import BINS, TOP, weights
from tests.core.sweep_cases import Z, assert_mean, rows_of, spread_of
from tests.floats import all_but_underflow_raises  # noqa: F401

MEASURES = ("largest", "concentration", "entropy", "sensitivity", "gradient", "aligned", "zeros")


# --- number formats ---


@pytest.mark.parametrize(
    ("d", "dtype", "share", "printed"),
    [(64, "float32", 0, 0), (64, "float16", 0.85, 0.01), (4096, "float32", 0.94, 0.01), (4096, "float16", 0.998, 1e-3)],
)
def test_share_of_unscaled_weights_that_are_exactly_zero(d, dtype, share, printed):
    assert_mean(rows_of([d], 1024, 400, scaling="none", dtype=dtype).zeros, share, printed)


@pytest.mark.parametrize(
    ("dtype", "subnormal", "zero", "overflow"), [(np.float32, 87.34, 103.97, 88.72), (np.float16, 9.70, 17.33, 11.09)]
)
def test_gaps_at_which_a_format_gives_out(dtype, subnormal, zero, overflow):
    """Two keys; the printed hundredths within one, or within the format's own step there."""
    step = max(0.011, float(np.spacing(dtype(zero))))
    tiny = np.finfo(dtype).tiny

    def smaller(gap):
        return weights(np.array([0, -gap], dtype))[0][1]

    assert smaller(subnormal - step) >= tiny > smaller(subnormal + step) > 0
    assert smaller(zero - step) > 0 == smaller(zero + step)
    with np.errstate(over="ignore"):
        assert np.isfinite(np.exp(dtype(overflow - step)))
        assert np.isinf(np.exp(dtype(overflow + step)))
    np.testing.assert_allclose(weights(np.zeros(2, dtype))[0], 0.5)


def test_half_precision_sums_in_single():
    """Exponentials are rounded to half, their total to single, and each share to half again."""
    gaps = -np.random.default_rng(13).exponential(2, (20, 1000)).astype(np.float16)
    powers = np.exp(gaps.astype(np.float32)).astype(np.float16).astype(np.float32)
    shares = (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float16)
    np.testing.assert_array_equal(weights(gaps)[0], shares)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_small_formats_measure_what_double_measures(dtype):
    coarse, fine = (rows_of([1, 64, 4096], 64, 200, scaling="sqrt", dtype=name) for name in (dtype, "float64"))
    for measure in ("largest", "concentration", "entropy", "sensitivity", "gradient", "top"):
        assert getattr(coarse, measure).dtype == np.float64
        tolerance = 64 * float(np.finfo(dtype).eps)
        np.testing.assert_allclose(getattr(coarse, measure), getattr(fine, measure), rtol=tolerance, atol=tolerance)


# --- sums ---


@pytest.mark.parametrize(("n_keys", "cosine"), [(1, 0), (5, 0), (64, 0), (64, 0.5), (2, 1)])
@pytest.mark.parametrize("entries", ["normal", "uniform"])
def test_every_independent_score_is_counted(n_keys, cosine, entries):
    spread = spread_of([1, 7, 300], n_keys, 50, cosine=cosine, entries=entries)
    assert spread.counts.shape == (3, len(BINS) - 1)
    np.testing.assert_array_equal(spread.counts.sum(axis=1) + spread.outside, 50 * (n_keys - (cosine > 0)))


def test_the_histogram_is_that_of_a_normal_with_variance_d():
    """One key a row, so that scores are independent; d so large that |q| does not matter. Chi-square at level 1e-4."""
    spread = spread_of([4096, 65_536], 1, 4000, seed=8)
    for counts, outside in zip(spread.counts, spread.outside, strict=True):
        expected = 4000 * np.diff(norm.cdf(BINS))
        seen, wanted = counts[8:24], expected[8:24]  # from −2 to 2, where every bin has dozens
        seen, wanted = np.r_[seen, 4000 - seen.sum()], np.r_[wanted, 4000 - wanted.sum()]
        assert chisquare(seen, wanted).pvalue > 1e-4
        assert outside < 10


def test_the_histogram_at_d_1_is_that_of_a_product_of_two_normals():
    """Its density at 0 is infinite: within ±¼ lies far more than a normal's 20 %."""
    spread = spread_of([1], 1, 4000, seed=9)
    draws = np.random.default_rng(10).standard_normal((2, 100_000)).prod(axis=0)
    share = (np.abs(draws) < 0.25).mean()
    assert spread.counts[0, 15:17].sum() / 4000 == pytest.approx(share, abs=Z * 0.5 / math.sqrt(4000))
    assert share > 0.3


@pytest.mark.parametrize("rule", ["none", "sqrt", "qknorm", "softcap"])
@pytest.mark.parametrize("n_keys", [1, 2, 7, TOP, 9, 64])
def test_rows_add_up(rule, n_keys):
    rows, n_rows = rows_of([1, 5, 4096], n_keys, 40, scaling=rule, cosine=0.3), 40
    assert {getattr(rows, measure).shape for measure in MEASURES} == {(n_rows, 3)}
    assert rows.top.shape == (3, min(TOP, n_keys))
    np.testing.assert_allclose(rows.top[:, 0], rows.largest.mean(axis=0), rtol=1e-13)
    assert (np.diff(rows.top, axis=1) <= 0).all()
    assert (rows.top.sum(axis=1) <= 1 + 1e-13).all()
    if n_keys <= TOP:
        np.testing.assert_allclose(rows.top.sum(axis=1), 1, rtol=1e-13)
    np.testing.assert_allclose(rows.concentration + rows.sensitivity, 1, rtol=1e-13)
    np.testing.assert_allclose(rows.effective_keys, np.exp(rows.entropy))
    assert (rows.aligned <= rows.largest).all()
    assert (rows.largest >= 1 / n_keys - 1e-15).all()
    assert (rows.entropy <= math.log(n_keys) + 1e-12).all()
    assert (rows.effective_keys >= (1 - 1e-12) / rows.concentration).all()
    if n_keys == 1:
        assert not rows.gradient.any()
        assert not rows.sensitivity.any()


def test_one_aligned_key_alone_leaves_no_score_to_count():
    spread = spread_of([1, 64], 1, 20, cosine=1)
    assert not spread.counts.any()
    assert not spread.outside.any()
    assert spread.size.tolist() == [0, 0]


def test_an_aligned_key_wins_without_scaling_and_drowns_under_1_over_d():
    rows = {rule: rows_of([64, 4096], 64, 200, scaling=rule, cosine=1).aligned for rule in ("none", "sqrt", "linear")}
    assert rows["none"].min() > 0.999
    assert rows["sqrt"][:, 1].min() > 0.999
    assert_mean(rows["linear"][:, 1], math.e / (math.e + 63), 1e-3)


def test_tiny_sensitivities_keep_their_digits():
    """Two keys a gap apart: 1 − Σp² = 2 e^−gap / (1 + e^−gap)², far below the rounding of 1 at d = 4096."""
    part = next(sweep_parts([64, 4096], 2, BLOCK, np.random.default_rng(11), ["none"]))
    rows = part.sweeps[0]
    assert (rows.sensitivity[rows.sensitivity > 0] < 1e-16).any()
    # the smaller weight gives the gap: p = 1/(1 + e^gap), and H = ln(1 + e^−gap) + gap p
    seen = (rows.aligned < 0.5) & (rows.aligned > 1e-300)
    p = rows.aligned[seen]
    gap = np.log1p(-p) - np.log(p)
    np.testing.assert_allclose(rows.sensitivity[seen], 2 * p * (1 - p), rtol=1e-12)
    np.testing.assert_allclose(rows.entropy[seen], gap * p - np.log1p(-p), rtol=1e-10)
    assert seen.sum() >= 4
