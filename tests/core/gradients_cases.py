"""What the tests of gradients share: central differences, random matrices with the slope of a loss, every rule."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from attention_core import SCALINGS, get_scaling, self_attention, self_attention_backward

SEEDS = st.integers(0, 10**6)
PARTS = ("X", "W_Q", "W_K", "W_V")
RULES = [*SCALINGS.values(), lambda: get_scaling("softcap", c=0.5), lambda: get_scaling("power", a=0.8)]
RULE_NAMES = [*SCALINGS, "softcap that bends", "power 0.8"]
every_rule = pytest.mark.parametrize("make_rule", RULES, ids=RULE_NAMES)
a_dozen = settings(max_examples=12)  # for each rule, or each rule and mask: more than 100 in all
both_masks = pytest.mark.parametrize("is_causal", [False, True], ids=["no mask", "causal"])


def central(function, at):
    """∂ function / ∂ each entry by central differences of fourth order, shape: the entry's, then the result's.

    The error is about h⁴ f⁽⁵⁾ / 30 from the formula and 1e-16 |f| / h from rounding.
    """
    h, result = 2.0**-13, []
    for index in np.ndindex(at.shape):

        def moved(step, index=index):
            there = at.copy()
            there[index] += step
            return np.asarray(function(there))

        result.append((8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h))
    return np.reshape(result, (*at.shape, *np.shape(result[0])))


def random_parts(seed, n=5, d_emb=4, d_k=3, d_v=2, dtype=np.float64):
    """X, W_Q, W_K, W_V and d_output."""
    rng = np.random.default_rng(seed)
    shapes = ((n, d_emb), (d_emb, d_k), (d_emb, d_k), (d_emb, d_v), (n, d_v))
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


def backward(parts, d_output, scaling="sqrt", is_causal=False):
    return self_attention_backward(self_attention(*parts, scaling=scaling, is_causal=is_causal), d_output)


def by_name(gradients):
    return {name: getattr(gradients, name) for name in PARTS}
