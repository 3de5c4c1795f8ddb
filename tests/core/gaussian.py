"""Rows of weights from independent Gaussian scores."""

import numpy as np

from attention_core import softmax


def gaussian_weights(n, s, n_rows, seed=1):
    """Weights of rows with n independent scores N(0, s²); s may differ by row, shape (n_rows, 1)."""
    return softmax(s * np.random.default_rng(seed).standard_normal((n_rows, n)))
