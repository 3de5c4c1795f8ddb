"""The scaling rules: published values.

Values come from the sources named in each rule's `source`, worked out again here where a closed form exists.
"""

import math

import numpy as np
import pytest
from hypothesis import given

from attention_core import get_scaling, self_attention, softmax
from tests.core.scaling_cases import SEEDS, random_parts, scaled


@pytest.mark.parametrize(
    ("n", "plain", "scalable"), [(10, 0.943, 0.940), (100, 0.600, 0.995), (1000, 0.129, 0.9996)], ids=str
)
def test_scalable_softmax_keeps_a_needle_visible(n, plain, scalable):
    """One key scores +3 and n − 1 score −2. Source: arXiv:2501.19399, c = 0.43."""
    row = np.r_[3.0, np.full(n - 1, -2.0)]
    assert softmax(scaled(row, "none", d_k=1))[0] == pytest.approx(plain, abs=5e-4)
    ssmax = get_scaling("ssmax", c=0.43)
    weight = softmax(ssmax.apply(row, d_k=1, n_keys=n))[0]
    assert weight == pytest.approx(scalable, abs=5e-5 if n == 1000 else 5e-4)
    assert weight == pytest.approx(1 / (1 + (n - 1) * n ** (-0.43 * 5)), rel=1e-12)  # the same in closed form


def test_qk_norm_with_g_1_and_64_keys_gives_no_weight_above_105():
    """The most that is possible is one key along q and 63 against it: 1 / (1 + 63 e⁻²) = .105."""
    X = np.where(np.arange(64)[:, None] == 0, 1.0, -1.0) * np.linspace(1, 9, 64)[:, None]
    extreme = self_attention(X, [[2.0]], [[3.0]], [[1.0]], scaling=get_scaling("qknorm", g=1)).weights
    assert extreme[0].max() == pytest.approx(1 / (1 + 63 * math.exp(-2)), rel=1e-12)
    assert 0.1045 < extreme.max() <= 0.105


@given(seed=SEEDS)
def test_qk_norm_with_g_1_stays_below_that_bound(seed):
    X, *weights = random_parts(seed, n=64)
    assert self_attention(100 * X, *weights, scaling=get_scaling("qknorm", g=1)).weights.max() <= 0.105


@pytest.mark.parametrize(("score", "capped"), [(10, 9.869), (50, 38.080), (100, 48.201), (-50, -38.080)])
@pytest.mark.parametrize("d_k", [1, 64])
def test_soft_cap_of_gemma_2(score, capped, d_k):
    """Source: arXiv:2408.00118, c = 50, the default; the scores are those after ÷ √d."""
    assert scaled(score * math.sqrt(d_k), "softcap", d_k=d_k) == pytest.approx(capped, abs=5e-4)


@pytest.mark.parametrize(
    ("rule", "d_k", "spread"),
    [
        ("none", 64, 8),
        ("none", 4096, 64),
        ("sqrt", 64, 1),
        ("sqrt", 4096, 1),
        ("linear", 4096, 1 / 64),
        ("power", 4096, 8),
    ],
)
def test_spread_of_unit_variance_scores(rule, d_k, spread):
    """√d · factor(d); a = ¼ (the default of power) at 4096 spreads like no scaling at 64."""
    assert math.sqrt(d_k) * get_scaling(rule).factor(d_k) == pytest.approx(spread, rel=1e-14)


def test_dividing_by_the_root_of_d_model_is_too_flat():
    """64 terms in the dot product, divided by √4096: spread 1/8."""
    assert math.sqrt(64) * get_scaling("sqrt").factor(4096) == pytest.approx(1 / 8, rel=1e-14)


@pytest.mark.parametrize(("rule", "largest"), [("none", 0.984), ("sqrt", 0.361), ("linear", 0.128)])
def test_mean_largest_weight_with_8_keys_at_4096(rule, largest):
    """20,000 rows of scores N(0, d), within 4 standard errors and the printed digit."""
    rows = 64 * np.random.default_rng(9).standard_normal((20_000, 8))
    top = softmax(scaled(rows, rule, d_k=4096)).max(axis=1)
    assert top.mean() == pytest.approx(largest, abs=4 * top.std() / math.sqrt(20_000) + 5e-4)


@pytest.mark.parametrize(("rule", "weight"), [("sqrt", 1.000), ("linear", 0.16)])
def test_a_key_correlated_by_3_tenths_at_4096(rule, weight):
    """Its score is about .3 · 4096, the other seven about 0 beside it."""
    row = np.r_[0.3 * 4096, np.zeros(7)]
    assert softmax(scaled(row, rule, d_k=4096))[0] == pytest.approx(weight, abs=5e-3)
