"""What the pages show equals what the core says, at every d and for every rule."""

from dataclasses import fields, is_dataclass, replace
from functools import cache

import numpy as np
import pytest

from attention_core import SCALINGS, get_scaling, self_attention, widen_pair
from attention_ui import results
from attention_ui.address import Settings
from attention_ui.experiment import MATRICES, from_example, randomise, resize
from attention_ui.lessons import data
from attention_ui.results import Grown
from attention_ui.saturation_results import run_of, summary
from attention_ui.saturation_settings import SaturationSettings

LOVE = from_example("love")
HOWS = ("independent", "copies", "zeros")


def direct(experiment, rule, d: int, seed: int, how: str, causal: bool):
    X, W_Q, W_K, W_V = (experiment.matrices[name] for name in MATRICES)
    return self_attention(X, *widen_pair(W_Q, W_K, d, seed, how), W_V, rule, causal)


@pytest.mark.parametrize("rule", list(SCALINGS))
@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("causal", [False, True])
def test_the_trace_at_d_is_self_attention_with_widened_matrices(rule: str, how: str, causal: bool) -> None:
    for d in (3, 64, 4096):
        shown = results.trace(Grown(LOVE, get_scaling(rule), d, 5, how, causal))
        wanted = direct(LOVE, rule, d, 5, how, causal)
        for field in ("W_Q", "W_K", "W_V", "Q", "K", "V", "scores", "scaled", "masked", "weights", "output"):
            np.testing.assert_allclose(getattr(shown, field), getattr(wanted, field), rtol=1e-12, atol=1e-12)
        assert (shown.d_k, shown.rule) == (d, get_scaling(rule))


@pytest.mark.parametrize("rule", list(SCALINGS))
@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("causal", [False, True])
def test_the_curve_at_each_d_is_the_row_of_the_trace(rule: str, how: str, causal: bool) -> None:
    experiment = from_example("random_8")
    curves = results.curves(Grown(experiment, get_scaling(rule), 8, 2, how, causal), 4)
    for place, d in enumerate(curves.d_values):
        if d in (8, 64, 1024, 4096):
            for side, name in (("without", "none"), ("with", rule)):
                wanted = direct(experiment, name, int(d), 2, how, causal).weights[4]
                np.testing.assert_allclose(curves.weights[side][place], wanted, atol=1e-9)
                assert curves.measures[side]["largest"][place] == pytest.approx(wanted.max(), abs=1e-9)


@pytest.mark.parametrize("how", HOWS)
def test_only_drawn_columns_have_a_band(how: str) -> None:
    curves = results.curves(Grown(LOVE, get_scaling("sqrt"), 3, 0, how, False), 0)
    assert (curves.bands is not None) == (how == "independent")


@cache
def scores_of_many_seeds() -> np.ndarray:
    """The first row's raw scores at every d, for 400 seeds. (400, D, n)"""
    sweep = results.sweep_of.__wrapped__  # past the cache, which holds fewer
    return np.array([sweep(LOVE, seed, "independent", False).scores[:, 0] for seed in range(400)])


@pytest.mark.parametrize("rule", ["none", "sqrt", "linear"])
def test_the_band_holds_about_eight_of_ten_seeds(rule: str) -> None:
    """400 seeds; the share within a 10–90 % band of 200 draws has a standard error near .03: allow .12."""
    curves = results.curves(Grown(LOVE, get_scaling(rule), 3, 0, "independent", False), 0)
    low, high = curves.bands["with"]["largest"]
    place = int(np.flatnonzero(curves.d_values == 64)[0])
    scaled = get_scaling(rule).apply(scores_of_many_seeds()[:, place], d_k=64)
    weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    largest = 1 / weights.sum(axis=1)
    assert np.mean((largest >= low[place]) & (largest <= high[place])) == pytest.approx(0.8, abs=0.12)


def test_qk_norm_has_no_band() -> None:
    assert results.curves(Grown(LOVE, get_scaling("qknorm"), 3, 0, "independent", False), 0).bands is None


def test_a_tie_is_told_from_a_winner() -> None:
    assert results.tied_keys(np.array([3.0, 3.0, 3.0])) == 3
    assert results.tied_keys(np.array([3000.0, 2800.0, 2500.0])) == 1
    assert results.tied_keys(np.array([0.1 + 0.2, 0.3, 0.0])) == 2
    # softmax sees differences: one apart is .731 against .269, however large both are
    assert results.tied_keys(np.array([1e9, 1e9 - 1])) == 1
    assert results.tied_keys(np.array([1e12, 1e12 - 500])) == 1


def test_equal_experiments_share_their_results() -> None:
    again = from_example.__wrapped__("love")
    assert again is not LOVE
    first = Grown(LOVE, get_scaling("sqrt"), 64, 0, "independent", False)
    second = replace(first, experiment=again)
    assert results.trace(second) is results.trace(first)
    assert results.curves(second, 1) is results.curves(first, 1)
    assert results.curves(replace(first, d=4096), 1) is results.curves(first, 1)  # which shows every d


def arrays_in(value):
    """Every array of a cached result."""
    if isinstance(value, np.ndarray):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    if is_dataclass(value):
        parts = [getattr(value, field.name) for field in fields(value)]
    return [array for part in parts for array in arrays_in(part)]


def test_no_visitor_can_change_what_others_see() -> None:
    grown = Grown(LOVE, get_scaling("sqrt"), 64, 0, "independent", False)
    kept = {
        "example": LOVE,
        "widened": results._widened(LOVE, 64, 0, "copies"),
        "trace": results.trace(grown),
        "curves": results.curves(grown, 0),
        "sweep": results.sweep_of(LOVE, 0, "independent", True),
        "draws": results.band_draws(LOVE, 0),
        "summary": summary(run_of(SaturationSettings(rows=50))),
        "lesson": data.trace_of("love"),
    }
    for name, value in kept.items():
        arrays = arrays_in(value)
        assert arrays, name
        for array in arrays:
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


def test_different_experiments_do_not() -> None:
    args = (get_scaling("sqrt"), 64, 0, "independent", False)
    assert results.trace(Grown(randomise(LOVE, "X", 3), *args)) is not results.trace(Grown(LOVE, *args))
    wide = resize(LOVE, "d_v", 4, 0)
    assert results.trace(Grown(wide, *args)).V.shape == (3, 4)


def test_the_rule_of_the_settings_carries_its_parameter() -> None:
    assert results.rule_of(Settings(rule="power", param=0.5)).parameters == {"a": 0.5}
    assert results.rule_of(Settings(rule="power")).parameters == {"a": 0.25}
    assert results.rule_of(Settings(rule="sqrt", param=0.5)).parameters == {}
