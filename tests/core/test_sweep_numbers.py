"""The sweep over random rows: the theory goes through it, and printed tables come out of it.

Printed values are derived for this project unless a source is named; they hold within Z standard errors of the sample
plus half their last digit. Seeds are fixed. With a few thousand comparisons a test, Z = 4.5 (two-sided 7e-6) leaves
room for a different random stream without hiding a wrong law.
"""

import math
from functools import cache

import numpy as np
import pytest

from attention_core import get_scaling, softmax
from attention_core.sweep import sweep_parts
from attention_core.theory import expected_over_queries
from tests.core.sweep_cases import GRID, Z, assert_mean, assert_median, rows_of, spread_of
from tests.floats import all_but_underflow_raises  # noqa: F401

DIVISORS = ("none", "sqrt", "linear", "power", "ssmax")


# --- the theory goes through the measured means ---


@pytest.mark.parametrize(("n", "n_rows"), [(4, 4000), (64, 2000), (1024, 300)])
def test_theory_goes_through_the_measured_means_at_every_d(n, n_rows):
    """Averaged over |q|² ~ χ²_d, for every rule that only multiplies, on the same rows.

    Where rows hardly differ rounding is all there is: 1e-10.
    """
    parts = list(sweep_parts(GRID, n, n_rows, np.random.default_rng(1), DIVISORS))
    for place, rule in enumerate(DIVISORS):
        for measure in ("concentration", "entropy"):
            values = np.concatenate([getattr(part.sweeps[place], measure) for part in parts])
            theory = expected_over_queries(measure, n, GRID, get_scaling(rule))
            error = values.std(axis=0) / math.sqrt(n_rows)
            assert (np.abs(values.mean(axis=0) - theory) <= Z * error + 1e-10).all(), (rule, measure)


def test_the_plotted_values_of_d():
    assert len(GRID) == 24
    assert GRID[:5] == [1, 2, 3, 4, 6]
    assert GRID[-1] == 4096


def test_the_largest_weight_deep_in_the_frozen_phase():
    """1 − E p_max → ln 2 · M/s, M = 2.344 the mean of the largest of 64 standard normals; s = 256, within 1 %."""
    missing = 1 - rows_of([65_536], 64, 10_000, scaling="none").largest
    limit = math.log(2) * 2.344 / 256
    assert_mean(missing, limit, 0.02 * limit)


# --- printed tables ---


@pytest.mark.parametrize(("d", "size", "printed"), [(64, 6.4, 0.1), (4096, 51, 1)])
def test_typical_size_of_a_score(d, size, printed):
    """Mean |q·k| is √(2d/π) for long vectors; the mean over |q| is lower by 1/(4d)."""
    spread = spread_of([d], 64, 2000)
    assert spread.size[0] == pytest.approx(size, abs=printed / 2 + Z * 0.75 * size / math.sqrt(2000))
    assert math.sqrt(2 * d / math.pi) == pytest.approx(size, abs=printed / 2)


def test_an_aligned_key_scores_c_times_d():
    """Mean c·d at every d; standard deviation √(d (1 + c²)). Source: moments of products of normals."""
    d_values = [1, 64, 4096]
    for c in (0.25, 0.5, 1):
        spread = spread_of(d_values, 2, 2000, cosine=c)
        error = np.sqrt(np.array(d_values) * (1 + c * c) / 2000)
        assert (np.abs(spread.aligned - c * np.array(d_values)) <= Z * error).all()


@cache
def table(d, rule):
    return rows_of([d], 64, 10_000, seed=3, scaling=rule)


@pytest.mark.parametrize(
    ("d", "rule", "trace", "rms", "median", "small"),
    [
        (64, "none", (0.251, 1e-3), (2.15, 1e-2), (0.82, 1e-2), 0.04),
        (64, "sqrt", (0.965, 1e-3), (0.185, 1e-3), (0.168, 1e-3), 0),
        (1024, "none", (0.00027, 1e-5), (4.86, 1e-2), (0.0044, 1e-4), 0.44),
        (1024, "sqrt", (0.965, 1e-3), (0.185, 1e-3), (0.167, 1e-3), 0),
        (1024, "linear", (0.984, 1e-3), (0.0039, 1e-4), (0.0039, 1e-4), 0),
    ],
)
def test_what_happens_to_the_gradient(d, rule, trace, rms, median, small):
    """64 keys: median of 1 − Σp², root mean square and median of |∂L/∂q|, and rows with less than 1e-3 of it."""
    rows = table(d, rule)
    assert_median(rows.sensitivity[:, 0], *trace)
    assert_median(rows.gradient[:, 0], *median)
    square = rows.gradient[:, 0] ** 2
    assert_mean(square, rms[0] ** 2, 2 * rms[0] * rms[1])
    assert_mean((rows.gradient[:, 0] < 1e-3).astype(float), small, 0.01)
    assert rows.dead("gradient")[0] == (rows.gradient[:, 0] < 1e-3).mean()


@pytest.mark.parametrize(
    ("d", "rule", "share", "printed"),
    [(64, "none", 0.06, 0.01), (1024, "none", 0.556, 0.001), (64, "sqrt", 0, 0), (1024, "sqrt", 0, 0)],
)
def test_share_of_dead_rows(d, rule, share, printed):
    dead = table(d, rule).sensitivity[:, 0] < 1e-3
    assert_mean(dead.astype(float), share, printed)
    assert table(d, rule).dead()[0] == dead.mean()


@pytest.mark.parametrize("d", [64, 1024])
def test_root_mean_square_of_the_gradient(d):
    """|Kᵀ J g|² = (x·J g)² + |J g|² χ²_{d−1} with x = scores/|q|, so its mean is E[|J x|² + (d − 1) |J|²].

    |J|² = Σp² − 2 Σp³ + (Σp²)²; the first term is small, and what is left is the usual rms = scale · √(d E|J|²).
    """
    rng = np.random.default_rng(4)
    x = rng.standard_normal((10_000, 64))
    p = softmax(np.sqrt(rng.chisquare(d, (10_000, 1))) * x)
    squares, along = (p**2).sum(axis=1), ((p * (x - (p * x).sum(axis=1, keepdims=True))) ** 2).sum(axis=1)
    expected = along + (d - 1) * (squares - 2 * (p**3).sum(axis=1) + squares**2)
    measured = table(d, "none").gradient[:, 0] ** 2
    error = math.hypot(expected.std(), measured.std()) / math.sqrt(10_000)
    assert measured.mean() == pytest.approx(expected.mean(), abs=Z * error)
    assert along.mean() < 0.05 * expected.mean()


def test_a_power_of_a_quarter_at_4096_spreads_like_none_at_64():
    power = rows_of([4096], 64, 5000, seed=5, scaling=get_scaling("power", a=0.25))
    none = rows_of([64], 64, 5000, seed=6, scaling="none")
    for measure in ("concentration", "entropy", "largest"):
        a, b = getattr(power, measure), getattr(none, measure)
        assert a.mean() == pytest.approx(b.mean(), abs=Z * math.hypot(a.std(), b.std()) / math.sqrt(5000) + 4e-3)


def test_qk_norm_with_g_1_gives_no_weight_above_105():
    """64 keys: at most e/(e + 63/e) = .105, whatever the alignment. Source: arXiv:2010.04245."""
    for cosine in (0, 1):
        rows = rows_of(GRID, 64, 200, scaling=get_scaling("qknorm", g=1), cosine=cosine)
        assert rows.largest.max() < math.e / (math.e + 63 / math.e) < 0.105


def test_scalable_softmax_keeps_its_largest_weight_as_keys_are_added():
    """With many keys 1/√d fades and c ln n / √d does not. Source: arXiv:2501.19399."""
    few, many = ({rule: rows_of([64], n, 300, scaling=rule, cosine=0.5).aligned.mean() for rule in ("sqrt", "ssmax")}
                 for n in (10, 1000))  # fmt: skip
    assert many["sqrt"] < 0.1 * few["sqrt"]
    assert many["ssmax"] > 0.5 * few["ssmax"]
