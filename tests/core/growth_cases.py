"""What the tests of growing d share: seeds, random matrices, and the tolerance of statistical tests."""

import numpy as np
from hypothesis import strategies as st

Z = 4.5
SEEDS = st.integers(0, 10**6)


def parts(seed, n=4, d_emb=3, d_k=2, tied=False, dtype=np.float64):
    rng = np.random.default_rng(seed)
    X, W_Q, W_K = (rng.standard_normal(shape).astype(dtype) for shape in ((n, d_emb), (d_emb, d_k), (d_emb, d_k)))
    return X, W_Q, (W_Q.copy() if tied else W_K)
