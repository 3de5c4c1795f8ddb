"""Rows of uniform and ±1 entries: their moments, the central limit, and gradients by central differences.

Distributions are compared by two-sample Kolmogorov-Smirnov tests at level 1e-4, means within Z standard errors.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from attention_core import ensembles as ensembles_module
from attention_core import get_scaling, softmax
from attention_core.ensembles import Ensemble, VectorRows
from attention_core.scaling import SCALINGS
from attention_core.sweep import sweep_parts
from attention_core.sweep_measures import measure_rows
from tests.core.ensembles_cases import DOUBLE, Z, assert_same_law, draw_rows, rule_of
from tests.floats import all_but_underflow_raises  # noqa: F401


@pytest.mark.parametrize(("entries", "fourth"), [("normal", 3), ("uniform", 9 / 5), ("signs", 1)])
def test_entries_have_mean_0_and_variance_1(entries, fourth):
    values = ensembles_module._entries(entries, np.random.default_rng(5), (201, 301))
    assert values.shape == (201, 301)
    for power, moment, square in ((1, 0, 1), (2, 1, fourth), (3, 0, 15)):
        error = math.sqrt(max(square - moment**2, 1e-20) / values.size)
        assert (values**power).mean() == pytest.approx(moment, abs=Z * error + 1e-12)
    assert (values**4).mean() == pytest.approx(fourth, abs=Z * 10 / math.sqrt(values.size))
    if entries == "uniform":
        assert np.abs(values).max() <= math.sqrt(3)
    if entries == "signs":
        assert set(values.ravel()) == {-1, 1}


@pytest.mark.parametrize(("entries", "fourth"), [("normal", 3), ("uniform", 9 / 5), ("signs", 1)])
@pytest.mark.parametrize("cosine", [0, 0.3, 1])
def test_mean_and_variance_of_scores(entries, fourth, cosine):
    """Independent keys: 0 and d. Key 0: c·d; a copied entry gives q², so each term has variance c E q⁴ + 1 − c − c²,
    and c q + √(1−c²) z gives 1 + c²."""
    d_values, n_rows = (1, 6, 64), 1000
    pieces = draw_rows(Ensemble(d_values, 3, cosine, entries), n_rows, np.random.default_rng(6))
    scores = np.concatenate([piece.scores for piece in pieces])
    one = 1 + cosine**2 if entries == "normal" else cosine * fourth + 1 - cosine - cosine**2
    for place, d in enumerate(d_values):
        for key, mean, variance in ((0, cosine * d, one * d), (1, 0, d), (2, 0, d)):
            values = scores[:, place, key]
            square = (values - mean) ** 2
            assert values.mean() == pytest.approx(mean, abs=Z * math.sqrt(max(variance, 0) / n_rows) + 1e-12)
            assert square.mean() == pytest.approx(variance, abs=Z * square.std() / math.sqrt(n_rows) + 1e-9)


@pytest.mark.parametrize("entries", ["uniform", "signs"])
def test_many_dimensions_forget_the_distribution_of_the_entries(entries):
    """The central limit: at d = 1024 rows of other entries are Gaussian to within these samples."""
    rules = ("none", "sqrt", "qknorm")
    other, normal = (list(sweep_parts([1024], 8, 400, np.random.default_rng(seed), rules, entries=kind))
                     for seed, kind in ((7, entries), (8, "normal")))  # fmt: skip
    for place in range(len(rules)):
        for name in ("largest", "entropy", "gradient"):
            a, b = (np.concatenate([getattr(part.sweeps[place], name) for part in parts]) for parts in (other, normal))
            assert_same_law(a[:, 0], b[:, 0])


def vector_row(cosine, entries, d_values, n_keys=5, seed=9):
    ensemble = Ensemble(d_values, n_keys, cosine, entries, lengths=True)
    row = next(draw_rows(ensemble, 1, np.random.default_rng(seed)))
    assert isinstance(row, VectorRows)
    return row


@pytest.mark.parametrize("entries", ["uniform", "signs"])
def test_a_row_of_vectors_is_what_its_vectors_say(entries):
    row = vector_row(0.5, entries, (1, 4, 33))
    for place, d in enumerate((1, 4, 33)):
        q, K = row.q[:d], row.K[:, :d]
        np.testing.assert_allclose(row.scores[0, place], K @ q, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(row.q_norm[0, place], np.linalg.norm(q), rtol=1e-13)
        np.testing.assert_allclose(row.k_norm[0, place], np.linalg.norm(K, axis=1), rtol=1e-13)
    copied = vector_row(1, entries, (33,))
    np.testing.assert_array_equal(copied.K[0], copied.q)


@pytest.mark.parametrize("name", [*SCALINGS, "softcap that bends"])
@pytest.mark.parametrize("entries", ["uniform", "signs"])
@pytest.mark.parametrize("cosine", [0, 0.4, 1])
def test_the_gradient_is_the_central_difference_of_the_loss(name, entries, cosine):
    """L(q) = g · softmax(rule(K q)) on the very vectors of the row."""
    d_values, rule = (1, 2, 9, 40), rule_of(name)
    row = vector_row(cosine, entries, d_values)
    gradient = measure_rows(row, [rule], DOUBLE)[0].gradient[0]
    for place, d in enumerate(d_values):
        K = row.K[:, :d]

        def loss(q, K=K, d=d):
            given = {"q_norm": np.linalg.norm(q), "k_norm": np.linalg.norm(K, axis=1)}
            return row.upstream[0] @ softmax(rule.apply(K @ q, d_k=d, n_keys=5, **given))

        step = 1e-5
        slopes = [(loss(row.q[:d] + e) - loss(row.q[:d] - e)) / (2 * step) for e in step * np.eye(d)]
        assert gradient[place] == pytest.approx(np.linalg.norm(slopes), rel=1e-5, abs=1e-8)


def test_without_lengths_the_gradient_is_the_same():
    row = vector_row(0.4, "uniform", (1, 9, 40))
    plain = next(draw_rows(replace(row.ensemble, lengths=False), 1, np.random.default_rng(9)))
    for rule in ("none", "sqrt", "softcap"):
        a, b = (measure_rows(rows, [get_scaling(rule)], DOUBLE)[0].gradient for rows in (row, plain))
        np.testing.assert_array_equal(a, b)
