"""What the tests of scaling rules share: seeds, random matrices, and a rule by its name."""

import numpy as np
from hypothesis import strategies as st

from attention_core import get_scaling

SEEDS = st.integers(0, 10**6)


def random_parts(seed, n=5, d_emb=4, d_k=3, d_v=2):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape) for shape in ((n, d_emb), (d_emb, d_k), (d_emb, d_k), (d_emb, d_v))]


def scaled(scores, rule, **given_values):
    return get_scaling(rule).apply(scores, **given_values)
