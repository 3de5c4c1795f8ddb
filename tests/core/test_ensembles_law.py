"""Rows of random vectors: the short road, which draws no vectors, has the law of whole ones.

Distributions are compared by two-sample Kolmogorov-Smirnov tests at level 1e-4, means within Z standard errors.
"""

import math
from functools import cache

import numpy as np
import pytest

from attention_core import softmax
from attention_core.ensembles import Ensemble
from attention_core.sweep_measures import measure_rows
from tests.core.ensembles_cases import DOUBLE, PER_ROW, Z, assert_same_law, draw_rows, rule_of
from tests.floats import all_but_underflow_raises  # noqa: F401

D_VALUES, N_KEYS, N_ROWS = (1, 2, 3, 16, 256), 4, 1500
RULES = ("none", "sqrt", "qknorm", "softcap that bends")
COSINES = (0.0, 0.3, 1.0)


def measured(ensemble, n_rows, rules, seed=1):
    """Every row's measures under each rule, and the rows' own arrays."""
    pieces = list(draw_rows(ensemble, n_rows, np.random.default_rng(seed)))
    sweeps = [[measure_rows(piece, [rule_of(rule)], DOUBLE)[0] for piece in pieces] for rule in rules]
    joined = [{name: np.concatenate([getattr(part, name) for part in parts]) for name in PER_ROW} for parts in sweeps]
    return pieces, dict(zip(rules, joined, strict=True))


@cache
def long_road(cosine):
    """Whole vectors of normal entries: scores, lengths, and the gradient from its definition, by rule."""
    rng = np.random.default_rng(2)
    q, K = rng.standard_normal((N_ROWS, D_VALUES[-1])), rng.standard_normal((N_ROWS, N_KEYS, D_VALUES[-1]))
    K[:, 0] = cosine * q + math.sqrt(1 - cosine**2) * K[:, 0]
    upstream = rng.standard_normal((N_ROWS, N_KEYS))
    found = []
    for d in D_VALUES:
        a, B = q[:, :d], K[..., :d]
        scores, q_norm, k_norm = (
            (B @ a[..., None])[..., 0],
            np.linalg.norm(a, axis=1)[:, None],
            np.linalg.norm(B, axis=2),
        )
        here = {"scores": scores, "q_norm": q_norm, "k_norm": k_norm}
        for name in RULES:
            rule = rule_of(name)
            scaled = rule.apply(scores, d_k=d, n_keys=N_KEYS, q_norm=q_norm, k_norm=k_norm)
            p = softmax(scaled)
            pull = p * (upstream - (p * upstream).sum(axis=1, keepdims=True))
            if rule.uses_lengths:  # ∂ g cos/∂q = g k/(|q| |k|) − g cos q/|q|²
                into = rule.g * B / (q_norm * k_norm)[..., None] - (scaled / q_norm**2)[..., None] * a[:, None]
            else:
                into = B * rule.slope(scores, d_k=d, n_keys=N_KEYS)[..., None]
            here[name] = {"largest": p.max(axis=1), "gradient": np.linalg.norm((pull[:, None] @ into)[:, 0], axis=1)}
        found.append(here)
    return found


@cache
def short_road(cosine):
    pieces, sweeps = measured(Ensemble(D_VALUES, N_KEYS, cosine, lengths=True), N_ROWS, RULES)
    drawn = {
        name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in ("scores", "q_norm", "k_norm")
    }
    return drawn, sweeps


@pytest.mark.parametrize("cosine", COSINES)
@pytest.mark.parametrize("place", range(len(D_VALUES)))
def test_scores_and_lengths_have_the_law_of_whole_vectors(place, cosine):
    drawn, found = short_road(cosine)[0], long_road(cosine)[place]
    short = {name: values[:, place] for name, values in drawn.items()}
    for values in (
        lambda of: of["scores"][:, 0],
        lambda of: of["scores"][:, 1],
        lambda of: of["scores"].max(axis=1),
        lambda of: of["scores"][:, 1] * of["scores"][:, 2],  # keys share the query's length
        lambda of: of["scores"][:, 0] * of["scores"][:, 1],
        lambda of: of["q_norm"][:, 0],
        lambda of: of["k_norm"][:, 0],
        lambda of: of["k_norm"][:, 1],
        lambda of: (of["scores"][:, 0] / (of["q_norm"][:, 0] * of["k_norm"][:, 0])).round(12),
        lambda of: of["scores"][:, 1] - of["k_norm"][:, 1] * of["q_norm"][:, 0],
    ):
        assert_same_law(values(short), values(found))


@pytest.mark.parametrize("cosine", COSINES)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("place", range(len(D_VALUES)))
def test_weights_and_gradients_have_the_law_of_whole_vectors(place, rule, cosine):
    short, found = short_road(cosine)[1][rule], long_road(cosine)[place][rule]
    for name in ("largest", "gradient"):
        # at d = 1 a cosine is ±1, so that many rows tie up to rounding
        assert_same_law(short[name][:, place].round(12), found[name].round(12))


@pytest.mark.parametrize("cosine", COSINES)
def test_different_d_are_joint_as_for_whole_vectors(cosine):
    drawn, found = short_road(cosine)[0], long_road(cosine)
    for early, late in ((0, 1), (1, 2), (2, 3), (0, 4), (3, 4)):
        for name, key in (("scores", 0), ("scores", 1), ("q_norm", 0), ("k_norm", 0), ("k_norm", 1)):
            a, b = drawn[name][:, early, key], drawn[name][:, late, key]
            x, y = found[early][name][:, key], found[late][name][:, key]
            for combine in (np.subtract, np.multiply):
                assert_same_law(combine(b, a), combine(y, x))


def test_the_correlation_of_scores_at_two_d():
    """A sum of D terms and its first d: √(d/D). The error of a correlation r is (1 − r²)/√R for normal scores."""
    drawn = short_road(0.0)[0]["scores"]
    for early, late in ((0, 1), (1, 2), (2, 3), (3, 4)):
        expected = math.sqrt(D_VALUES[early] / D_VALUES[late])
        seen = np.corrcoef(drawn[:, early, 1], drawn[:, late, 1])[0, 1]
        assert seen == pytest.approx(expected, abs=Z * 2 / math.sqrt(N_ROWS))  # 2 for the heavy tails of small d


@pytest.mark.parametrize("n_keys", [2, 3, 8, 13])
def test_squares_of_independent_directions_add_up_on_average(n_keys):
    """Whatever the keys' lengths, what lies across the query points anywhere: E|Σ k|² = Σ |k|². (d = 2: by sign.)"""
    pieces = draw_rows(Ensemble((2, 3, 50), n_keys, lengths=True), 4000, np.random.default_rng(12))
    differences = []
    for rows in pieces:
        steps = np.maximum(rows.k_norm**2 - (rows.scores / rows.q_norm) ** 2, 0)
        differences.append(rows.across(np.ones_like(steps), by_length=True) ** 2 - steps.sum(axis=-1))
    differences = np.concatenate(differences)
    error = differences.std(axis=0) / math.sqrt(len(differences))
    assert (np.abs(differences.mean(axis=0)) <= Z * error).all()


def test_in_one_dimension_no_gradient_passes_the_lengths():
    """The cosine of two numbers is ±1 wherever q is, so under QK-norm ∂L/∂q is exactly 0."""
    for cosine in COSINES:
        assert not short_road(cosine)[1]["qknorm"]["gradient"][:, 0].any()


def test_scores_differ_by_key_and_row():
    drawn = short_road(0.0)[0]["scores"]
    assert len(np.unique(drawn)) == drawn.size
