"""What the tests of random rows share: rows a piece at a time, what is measured of them, one law for two samples."""

import numpy as np
from scipy.stats import ks_2samp

from attention_core import get_scaling
from attention_core.ensembles import pieces

Z, LEVEL = 4.5, 1e-4
PER_ROW = ("largest", "concentration", "entropy", "sensitivity", "gradient", "aligned", "zeros")
DOUBLE = np.dtype(np.float64)


def rule_of(name):
    return get_scaling("softcap", c=1.5) if name == "softcap that bends" else get_scaling(name)


def draw_rows(ensemble, n_rows, rng):
    """All rows, a piece at a time."""
    for piece in pieces(ensemble, n_rows, rng):
        yield piece()


def assert_same_law(a, b):
    assert ks_2samp(a, b).pvalue > LEVEL
