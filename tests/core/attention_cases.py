"""What the tests of attention share: random matrices, the stages of a trace, printed cases by name."""

import numpy as np
from hypothesis import settings

a_dozen = settings(max_examples=12)  # for each rule
STAGES = ("Q", "K", "V", "scores", "scaled", "masked", "weights", "output")


def random_parts(seed, n=5, d_emb=4, d_k=3, d_v=2, dtype=np.float64):
    rng = np.random.default_rng(seed)
    shapes = ((n, d_emb), (d_emb, d_k), (d_emb, d_k), (d_emb, d_v))
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


def case_name(case):
    return f"{case['name']}, {case['dtype']}" if "dtype" in case else case["name"]
