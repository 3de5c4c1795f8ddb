"""What the tests of the sweep share: the plotted d, rows and spreads by seed, means and medians of samples."""

import math

import numpy as np
import pytest

from attention_core.sweep import saturation_sweep, sweep_parts
from attention_core.sweep_records import join_spreads

Z = 4.5
GRID = [int(d) for d in np.unique(np.rint(2.0 ** (np.arange(25) / 2)))]


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
