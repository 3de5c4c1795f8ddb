"""Rows of random vectors: the short road has the law of whole vectors, and a row does not depend on what is beside it.

Distributions are compared by two-sample Kolmogorov-Smirnov tests at level 1e-4, means within Z standard errors.
"""

import math
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ks_2samp

from attention_core import ensembles as ensembles_module
from attention_core import get_scaling, softmax
from attention_core.ensembles import BLOCK, Ensemble, VectorRows, pieces
from attention_core.scaling import SCALINGS
from attention_core.sweep import sweep_parts
from attention_core.sweep_measures import measure_rows

ROOT = Path(__file__).parents[2]
Z, LEVEL = 4.5, 1e-4
D_VALUES, N_KEYS, N_ROWS = (1, 2, 3, 16, 256), 4, 1500
RULES = ("none", "sqrt", "qknorm", "softcap that bends")
COSINES = (0.0, 0.3, 1.0)
PER_ROW = ("largest", "concentration", "entropy", "sensitivity", "gradient", "aligned", "zeros")
DOUBLE = np.dtype(np.float64)


@pytest.fixture(autouse=True, scope="module")
def _raise_on_any_floating_point_trouble():
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        yield


def rule_of(name):
    return get_scaling("softcap", c=1.5) if name == "softcap that bends" else get_scaling(name)


def draw_rows(ensemble, n_rows, rng):
    """All rows, a piece at a time."""
    for piece in pieces(ensemble, n_rows, rng):
        yield piece()


def measured(ensemble, n_rows, rules, seed=1):
    """Every row's measures under each rule, and the rows' own arrays."""
    pieces = list(draw_rows(ensemble, n_rows, np.random.default_rng(seed)))
    sweeps = [[measure_rows(piece, [rule_of(rule)], DOUBLE)[0] for piece in pieces] for rule in rules]
    joined = [{name: np.concatenate([getattr(part, name) for part in parts]) for name in PER_ROW} for parts in sweeps]
    return pieces, dict(zip(rules, joined, strict=True))


# --- both roads have one law ---


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


def assert_same_law(a, b):
    assert ks_2samp(a, b).pvalue > LEVEL


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


# --- a row does not depend on what is beside it ---


def sweep(n_rows=21, rules=("sqrt",), seed=3, **options):
    parts = list(sweep_parts([1, 5, 64], 7, n_rows, np.random.default_rng(seed), rules, **options))
    return {name: np.concatenate([getattr(part.sweeps[0], name) for part in parts]) for name in PER_ROW}


def assert_equal_rows(a, b):
    for name in PER_ROW:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@pytest.mark.parametrize("entries", ["normal", "uniform", "signs"])
@pytest.mark.parametrize("rule", ["none", "qknorm", "softcap"])
@pytest.mark.parametrize("cosine", [0, 0.4])
def test_chunks_do_not_change_rows(entries, rule, cosine, monkeypatch):
    whole = sweep(rules=(rule,), entries=entries, cosine=cosine)
    for chunk in (1, BLOCK * 3 * 7 * 2):
        monkeypatch.setattr(ensembles_module, "CHUNK", chunk)
        assert_equal_rows(sweep(rules=(rule,), entries=entries, cosine=cosine), whole)


def test_chunks_hold_whole_blocks(monkeypatch):
    monkeypatch.setattr(ensembles_module, "CHUNK", BLOCK * 3 * 7 * 2)
    parts = list(sweep_parts([1, 5, 64], 7, 40, np.random.default_rng(0), ["sqrt"]))
    assert [part.done for part in parts] == [2 * BLOCK, 4 * BLOCK, 40]


@pytest.mark.parametrize("entries", ["normal", "uniform", "signs"])
@pytest.mark.parametrize("n_rows", [1, BLOCK - 1, BLOCK, BLOCK + 1, 20])
def test_a_shorter_run_is_the_front_of_a_longer_one(entries, n_rows):
    long = sweep(n_rows=33, entries=entries)
    assert_equal_rows(sweep(n_rows=n_rows, entries=entries), {name: values[:n_rows] for name, values in long.items()})


@pytest.mark.parametrize("entries", ["normal", "uniform", "signs"])
@pytest.mark.parametrize("rule", ["none", "linear", "softcap"])
def test_other_rules_do_not_change_rows(entries, rule):
    alone = sweep(rules=(rule,), entries=entries)
    assert_equal_rows(sweep(rules=(rule, "qknorm", "ssmax"), entries=entries), alone)


def test_the_same_seed_gives_the_same_rows_and_another_does_not():
    assert_equal_rows(sweep(), sweep())
    assert (sweep()["largest"] != sweep(seed=4)["largest"]).all()


def in_a_process(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_number_of_threads_does_not_change_rows():
    """Not by a bit for normal entries; sums of real vectors may be added up in another order."""
    code = """
import numpy as np
from attention_core.sweep import saturation_sweep
for entries in ("normal", "uniform"):
    rows = saturation_sweep([1, 64, 2048], 128, 3, np.random.default_rng(0), "qknorm", 0.2, entries)
    print(*np.concatenate([rows.largest, rows.entropy, rows.gradient, rows.concentration]).ravel().tolist())
"""
    one, two = (
        [np.array(line.split(), float) for line in in_a_process(code, OPENBLAS_NUM_THREADS=count).splitlines()]
        for count in "12"
    )
    np.testing.assert_array_equal(one[0], two[0])
    np.testing.assert_allclose(one[1], two[1], rtol=1e-10, atol=1e-10)


# --- uniform and ±1 entries ---


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


# --- memory ---


@pytest.mark.parametrize(
    ("entries", "n_rows", "megabytes"),
    [("uniform", 2, 300), ("signs", 2, 300), ("normal", 600, 120)],
    ids=["uniform", "signs", "normal"],
)
def test_memory_stays_bounded(entries, n_rows, megabytes):
    """1024 keys and every plotted d up to 4096, parts dropped as they come; python and numpy themselves included.

    A row of real vectors has 4 million entries, 34 MB; 600 rows of normal ones have 15 million scores, 118 MB.
    """
    rules = '"none"' if entries == "normal" else '"none", "qknorm"'
    code = f"""
import resource
from pathlib import Path
import numpy as np
from attention_core.sweep import sweep_parts
d_values = [int(d) for d in np.unique(np.rint(2.0 ** (np.arange(25) / 2)))]
for part in sweep_parts(d_values, 1024, {n_rows}, np.random.default_rng(0), [{rules}], entries={entries!r}):
    pass
status = Path("/proc/self/status")
if status.exists():  # where there is one, since ru_maxrss begins with that of the process that started this one
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM")).split()[1]
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(float(peak) / 1024)
"""
    assert float(in_a_process(code)) < megabytes
