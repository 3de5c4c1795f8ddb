"""The sweep over random rows: the theory goes through it, printed tables come out of it, its sums add up.

Printed values are derived for this project unless a source is named; they hold within Z standard errors of the sample
plus half their last digit. Seeds are fixed. With a few thousand comparisons a test, Z = 4.5 (two-sided 7e-6) leaves
room for a different random stream without hiding a wrong law.
"""

import math
import re
import time
from functools import cache

import numpy as np
import pytest
from scipy.stats import chisquare, norm

from attention_core import ensembles as ensembles_module
from attention_core import get_scaling, softmax
from attention_core import sweep as sweep_module
from attention_core.ensembles import BLOCK
from attention_core.sweep import saturation_sweep, sweep_parts
from attention_core.sweep_checks import LARGEST_HALF_D
from attention_core.sweep_measures import BINS, TOP, measure_rows, weights
from attention_core.sweep_records import join_spreads
from attention_core.theory import expected_over_queries

Z = 4.5
GRID = [int(d) for d in np.unique(np.rint(2.0 ** (np.arange(25) / 2)))]
DIVISORS = ("none", "sqrt", "linear", "power", "ssmax")
MEASURES = ("largest", "concentration", "entropy", "sensitivity", "gradient", "aligned", "zeros")


@pytest.fixture(autouse=True, scope="module")
def _raise_on_any_floating_point_trouble():
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        yield


def rows_of(d_values, n_keys, n_rows, seed=1, **options):
    return saturation_sweep(d_values, n_keys, n_rows, np.random.default_rng(seed), **options)


def spread_of(d_values, n_keys, n_rows, seed=1, **options):
    parts = list(sweep_parts(d_values, n_keys, n_rows, np.random.default_rng(seed), ["sqrt"], **options))
    sizes = [part.sweeps[0].largest.shape[0] for part in parts]
    assert [part.done for part in parts] == np.cumsum(sizes).tolist()
    assert {part.rows for part in parts} == {n_rows}
    return join_spreads([part.spread for part in parts], sizes)


def assert_mean(samples, value, printed=0.0):
    """The mean of the samples is `value`, as printed with a last digit of that size."""
    error = samples.std() / math.sqrt(samples.size)
    assert samples.mean() == pytest.approx(value, abs=Z * error + printed / 2)


def assert_median(samples, value, printed):
    """The same for the median, whose standard error is √R/2 ranks."""
    ordered, rank = np.sort(samples), math.ceil(Z * math.sqrt(samples.size) / 2)
    middle = samples.size // 2
    assert ordered[middle - rank] - printed / 2 <= value <= ordered[middle + rank] + printed / 2


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


# --- refusals ---


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        *(({"d_values": d}, "d_values is") for d in ([], [0, 1], [2, 2], [4, 1], [1.5], [[1]], [1 << 17], ["a"])),
        *(({"n_keys": n}, "n_keys is") for n in (0, -1, 10_001, 2.0, "4", True, None)),
        *(({"n_rows": n}, "n_rows is") for n in (0, -1, 100_001, 2.0, "4", True, None)),
        *(({"cosine": c}, "cosine is") for c in (-0.1, 1.1, math.nan)),
        ({"entries": "cauchy"}, "unknown entries 'cauchy'; expected one of normal, uniform, signs"),
        *(({"dtype": kind}, "dtype is") for kind in ("int64", np.longdouble, "complex64")),
        ({"scaling": "unheard"}, "unknown scaling 'unheard'; expected one of none"),
    ],
)
def test_what_is_refused_is_named(changed, message):
    arguments = {"d_values": [1, 4], "n_keys": 4, "n_rows": 8} | changed
    with pytest.raises(ValueError, match=re.escape(message)):
        saturation_sweep(rng=np.random.default_rng(0), **arguments)


@pytest.mark.parametrize("d_values", [(1, 4), np.array([1, 4]), range(1, 3), [1], [65_536]])
def test_every_kind_of_sequence_of_d(d_values):
    rows = rows_of(d_values, 2, 3)
    np.testing.assert_array_equal(rows.d_values, list(d_values))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("entries", ["normal", "signs"])
def test_rows_do_not_depend_on_the_number_of_threads(monkeypatch, threads, entries):
    arguments = ((1, 64, 100), 6, 40)
    wanted = saturation_sweep(*arguments, np.random.default_rng(4), entries=entries)
    monkeypatch.setattr(sweep_module, "THREADS", threads)
    monkeypatch.setattr(ensembles_module, "CHUNK", 1)
    found = saturation_sweep(*arguments, np.random.default_rng(4), entries=entries)
    for field in ("largest", "entropy", "gradient", "aligned"):
        np.testing.assert_array_equal(getattr(found, field), getattr(wanted, field))


def test_a_caller_that_stops_leaves_no_work_running(monkeypatch):
    """What has not begun is dropped: far fewer pieces are measured than there are."""
    begun = []
    monkeypatch.setattr(sweep_module, "measure_rows", lambda *given: begun.append(1) or measure_rows(*given))
    monkeypatch.setattr(sweep_module, "THREADS", 1)
    parts = sweep_parts((1, 4096), 64, 80, np.random.default_rng(0), ["sqrt"], entries="uniform")
    next(parts)
    parts.close()
    count = len(begun)
    time.sleep(0.5)
    assert count <= len(begun) < 40


@pytest.mark.parametrize(
    ("named", "change"),
    [
        ("cosine", {"cosine": "3"}),
        ("cosine", {"cosine": None}),
        ("cosine", {"cosine": True}),
        ("cosine", {"cosine": np.array([0.1, 0.2])}),
        ("dtype", {"dtype": "abc"}),
        ("dtype", {"dtype": 5}),
        ("dtype", {"dtype": None}),
        ("dtype", {"dtype": "longdouble"}),
        ("entries", {"entries": np.array(["normal", "signs"])}),
        ("rng", {"rng": None}),
        ("rng", {"rng": 0}),
        ("scalings", {"scalings": []}),
        ("scalings", {"scalings": None}),
        ("n_keys", {"n_keys": 10_000, "d_values": [16_384], "entries": "uniform"}),
        ("d_values", {"d_values": [1 << 15], "dtype": "float16"}),
        ("d_values", {"d_values": [1 << 17]}),
    ],
)
def test_what_does_not_fit_is_named_at_once(named, change):
    """By the call itself, not by the first part that is asked for."""
    good = {"d_values": [1, 4], "n_keys": 2, "n_rows": 1, "rng": np.random.default_rng(0), "scalings": ["sqrt"]}
    with pytest.raises(ValueError, match=named):
        sweep_parts(**{**good, **change})


def test_float16_holds_every_score_that_can_be_asked_for():
    """The largest d with a key that equals the query: no overflow, no warning."""
    for rule in ("none", "sqrt", "softcap", "qknorm"):
        found = saturation_sweep([1, LARGEST_HALF_D], 3, 2, np.random.default_rng(0), rule, 1.0, dtype="float16")
        assert np.isfinite(found.gradient).all()
        np.testing.assert_allclose(found.largest[:, -1] if rule == "none" else 1, 1)
