"""What the saturation lab shows equals what the core's sweep says; results are kept, bounded, and can be stopped."""

import io

import numpy as np
import pandas as pd
import pytest

from attention_core import get_scaling, onset, saturation_sweep
from attention_core.sweep_measures import BINS
from attention_ui import saturation_frames as frames
from attention_ui import saturation_results as results
from attention_ui import saturation_tables as tables
from attention_ui.saturation_results import Run
from attention_ui.saturation_settings import D_VALUES, MEASURES, SaturationSettings

RULES = ("none", "sqrt", "qknorm")
RUN = Run(16, 0.0, tuple(get_scaling(name) for name in RULES), 100, "normal", "float64", 3)
ALIGNED = Run(16, 0.3, (get_scaling("sqrt"), get_scaling("linear")), 60, "normal", "float32", 0)
LABELS = {"none": "no", "sqrt": "root", "qknorm": "norm", "linear": "lin"}
NOTES = {"onset": "start", "aligned": "key {mean}"}


def sweep(rule: str) -> object:
    return saturation_sweep(D_VALUES, RUN.n, RUN.rows, np.random.default_rng(RUN.seed), rule)


@pytest.mark.parametrize("rule", ["none", "sqrt"])
def test_the_summary_is_the_sweeps(rule: str) -> None:
    shown, wanted = results.summary(RUN).outcomes[rule], sweep(rule)
    for name in results.MEASURED:
        values, figures = getattr(wanted, name), shown.figures[name]
        np.testing.assert_allclose(figures.mean, values.mean(axis=0), rtol=1e-9)
        np.testing.assert_allclose(figures.median, np.median(values, axis=0), rtol=1e-9)
        np.testing.assert_allclose(figures.high, np.percentile(values, 90, axis=0), rtol=1e-9)
    np.testing.assert_array_equal(shown.dead, wanted.dead())
    np.testing.assert_allclose(shown.top, wanted.top, rtol=1e-9)
    np.testing.assert_allclose(shown.gradients.sum(axis=1), 1)


def test_rows_are_in_the_decade_of_their_gradient() -> None:
    wanted, edges = sweep("none").gradient, 10.0**results.DECADES
    counted = results.summary(RUN).outcomes["none"].gradients
    for i in (0, 10, 23):
        assert counted[i, 0] == pytest.approx(np.mean(wanted[:, i] < edges[0]))
        inside = np.histogram(wanted[:, i], edges)[0] / len(wanted)
        np.testing.assert_allclose(counted[i, 1:-1], inside)


def test_theory_is_there_only_where_it_holds() -> None:
    outcomes = results.summary(RUN).outcomes
    assert set(outcomes["none"].theory) == set(outcomes["sqrt"].theory) == {"concentration", "entropy", "sensitivity"}
    assert not outcomes["qknorm"].theory
    for change in ({"c": 0.1}, {"entries": "signs"}, {"format": "float16"}):
        assert not results.has_theory(Run(**{**vars(RUN), **change}), get_scaling("sqrt"))


def test_a_second_asking_computes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    first = results.summary(RUN)
    monkeypatch.setattr(results, "sweep_parts", None)
    assert results.summary(RUN) is first


def test_work_is_told_of_and_stops_when_the_listener_objects() -> None:
    run, heard = Run(1024, 0.0, (get_scaling("sqrt"),), 50, "normal", "float32", 77), []

    class Stop(Exception):
        pass

    def tell(done: int, rows: int) -> None:
        heard.append((done, rows))
        if len(heard) == 2:
            raise Stop

    with pytest.raises(Stop):
        results.summary(run, tell)
    assert len(heard) == 2
    heard.clear()
    results.summary(run, lambda done, rows: heard.append((done, rows)))  # nothing half done was kept
    assert heard[-1] == (50, 50)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)


def test_the_shelf_is_bounded_and_the_unused_leaves_first() -> None:
    shelf = results.Shelf(2)
    shelf.put("a", 1)
    shelf.put("b", 2)
    assert shelf.get("a") == 1
    shelf.put("c", 3)
    assert (shelf.get("a"), shelf.get("b"), shelf.get("c")) == (1, None, 3)


def test_a_run_follows_every_setting_it_depends_on_and_no_other() -> None:
    now = SaturationSettings()
    same = [{"d": 64}, {"measure": "dead"}, {"lang": "zh"}, {"a": 0.5}, {"myth": "after"}]
    other = [{"n": 8}, {"c": 0.5}, {"rules": ("none",)}, {"rows": 50}, {"entries": "signs"}, {"format": "float16"}]
    runs = [results.run_of(SaturationSettings(**change)) for change in (*same, *other, {"seed": 1})]
    assert all(run == results.run_of(now) for run in runs[: len(same)])
    assert len(set(runs)) == 1 + len(other) + 1


@pytest.mark.parametrize("name", MEASURES)
def test_the_board_holds_the_summarys_numbers(name: str) -> None:
    made, table = results.summary(RUN), frames.board(results.summary(RUN), name, LABELS, NOTES)
    curve = table[table.role == "curve"]
    assert len(curve) == len(D_VALUES) * len(RULES)
    for rule, outcome in made.outcomes.items():
        mean = outcome.dead if name == "dead" else outcome.figures[name].mean
        np.testing.assert_array_equal(curve[curve.rule == rule]["mean"], mean)
    weights = table[(table.role == "weight") & (table.d == 64) & (table.rule == "sqrt")]
    np.testing.assert_array_equal(weights.value, made.outcomes["sqrt"].top[results.place_of(64)])
    assert weights.label.tolist() == ["root"] * 8
    (start,) = table[table.role == "onset"].d
    assert start == onset(RUN.n)


def test_the_histogram_is_placed_in_units_of_its_reach() -> None:
    table = frames.board(results.summary(RUN), "largest", LABELS, NOTES)
    bars = table[(table.role == "bar") & (table.d == 1024)]
    assert (bars.x0.min(), bars.x1.max()) == (0, 1)
    assert max(bars.height.max(), bars.normal.max()) == 1
    assert len(bars) == len(BINS) - 1
    ticks = table[(table.role == "tick") & (table.d == 1024)]
    assert dict(zip(ticks.text, ticks.x0, strict=True)) == {"−128": 0, "−64": 0.25, "0": 0.5, "64": 0.75, "128": 1}


def test_the_aligned_key_stands_at_its_mean() -> None:
    made = results.summary(ALIGNED)
    table = frames.board(made, "largest", LABELS, NOTES)
    mark = table[(table.role == "aligned") & (table.d == 4096)].iloc[0]
    ticks = table[(table.role == "tick") & (table.d == 4096)]
    zero, last = ticks.x0.iloc[0], ticks.x0.iloc[-1]
    mean = made.spread.aligned[-1]
    assert mark.text == f"key {mean:.0f}"
    assert (mark.x0 - zero) / (last - zero) == pytest.approx(1 / 1.08)
    assert mean == pytest.approx(0.3 * 4096, rel=0.05)


@pytest.mark.parametrize("name", ["scores", "weights", "curves", "gradient", "zeros", "aligned"])
def test_every_table_can_be_taken_away(name: str) -> None:
    raw = tables.csv(RUN, name, 1024)
    table = pd.read_csv(io.BytesIO(raw))
    assert len(table) >= 8 * (1 if name == "scores" else len(RULES))
    assert "d" in table.columns
    assert set(table.n) == {RUN.n}
    assert set(table.entries) == {RUN.entries}
    assert set(table.seed) == {RUN.seed}
    assert not raw.startswith((b"=", b"+", b"-", b"@"))
    if name == "curves":
        chosen = table[(table.rule == "sqrt") & (table.measure == "entropy")]
        np.testing.assert_allclose(chosen["mean"], results.summary(RUN).outcomes["sqrt"].figures["entropy"].mean)
    if name == "scores":
        assert table["count"].sum() <= RUN.rows * RUN.n
        assert table.normal_share.sum() == pytest.approx(1, abs=1e-3)
