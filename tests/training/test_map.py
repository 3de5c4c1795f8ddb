"""The training lab's map: a chaotic run is judged only where its twin leaves no doubt."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from attention_core.training import WORSE, GridCell
from attention_ui import training_frames as frames
from attention_ui import training_live as runs
from attention_ui import training_settings as lab
from attention_ui.text import words_of
from attention_ui.training_live import TASK, Live, Map, MapPlan, Plan


def cell(loss: float, twin: float, rule: str = "none") -> GridCell:
    return GridCell(rule, 64, 1.0, loss, not loss <= 1.125, twin, loss is twin or loss == twin)


@pytest.mark.parametrize(
    ("loss", "twin", "verdict"),
    [
        (0.09, 0.09, "learned"), (0.11, 0.11, "lost"), (1.2, 1.2, "failed"), (np.nan, np.nan, "failed"),
        (0.02, 0.03, "learned"), (0.02, 0.09, ""), (0.09, 0.02, ""), (1.7, 1.4, "failed"), (1.7, 1.2, "lost"),
        (1.2, 1.7, "lost"), (0.3, 0.15, ""), (np.nan, 1.7, "failed"), (np.nan, 0.02, ""),
    ],
)  # fmt: skip
def test_a_chaotic_run_is_judged_only_where_its_twin_leaves_no_doubt(loss: float, twin: float, verdict: str) -> None:
    assert runs.learned(cell(loss, twin)) == (verdict == "learned")
    assert runs.failed(cell(loss, twin)) == (verdict == "failed")
    assert runs.lost(cell(loss, twin)) == (verdict in ("failed", "lost"))


def test_a_chaotic_cell_is_marked_in_the_map() -> None:
    made = Map(MapPlan(1.0, 100, 991))
    losses = [(0.0624, 0.0624), (0.0624, 0.0811), (1.7, 1.5), (1.2, 1.7), (np.nan, 1.0), (np.nan, 1.6), (0.02, 0.01)]
    for rate, (loss, twin) in zip(lab.RATES, losses, strict=True):
        made.cells.append(replace(cell(loss, twin), rate=rate))
    table = frames.grid(made, {rule: rule for rule in lab.RULES}).head(len(losses))
    assert table.text.tolist() == [".062", "~.06", "✕", "~1.20", "~✕", "✕", "~.02"]
    assert table.state.tolist() == ["ended", "ended", "diverged", "ended", "ended", "diverged", "ended"]
    assert table.good.tolist() == [True, False, False, False, False, False, True]
    assert table.value.between(0, 1).all()


@pytest.mark.slow
def test_run_and_twin_lead_to_the_same_map_and_the_same_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said rests on what both have in common: their places may be changed."""
    from attention_ui import state
    from attention_ui.panels import training_map

    monkeypatch.setattr(state, "words", lambda: words_of("en"))
    made, turned = Map(MapPlan(1.0, 200, 12)), Map(MapPlan(1.0, 200, 13))
    while not made.done:
        made.advance()
    limit = WORSE * TASK.uniform_loss
    turned.cells = [replace(c, loss=c.twin, twin=c.loss, diverged=not c.twin <= limit) for c in made.cells]
    labels = {rule: rule for rule in lab.RULES}
    one, other = (frames.grid(each, labels) for each in (made, turned))
    assert one[["good", "state"]].equals(other[["good", "state"]])
    assert training_map._reading(made) == training_map._reading(turned)
    assert not all(each.calm for each in made.cells if each.rule == "none")
    assert all(each.calm for each in made.cells if each.rule == "linear")


def test_a_run_and_its_twin_part_only_where_the_descent_is_chaotic() -> None:
    calm, chaotic = Live(Plan(("sqrt",), 1024, 10.0, 1.0, 100, 3)), Live(Plan(("none",), 1024, 10.0, 1.0, 100, 3))
    for live in (calm, chaotic):
        live.advance(100)
    (quiet,), (wild,) = calm.runs.values(), chaotic.runs.values()
    assert (quiet.parted, wild.parted) == (False, True)
    assert quiet.twin_loss == pytest.approx(quiet.final_loss, rel=1e-6)
    assert min(wild.twin_loss, wild.final_loss) > TASK.uniform_loss  # both failed, whatever the rounding


def test_the_same_run_twice_is_the_same() -> None:
    for d, rate in itertools.product((64, 1024), (0.1, 1.0)):
        assert runs.same_run_twice(Plan(("sqrt",), d, rate, 1.0, 100, 0)) < 1e-9


def test_the_map_shows_what_is_there_and_what_is_to_come() -> None:
    made = Map(MapPlan(1.0, 100, 79))
    made.advance()
    table = frames.grid(made, {rule: rule for rule in lab.RULES})
    assert len(table) == 84
    assert (table.state == "waiting").sum() == 84 - len(lab.RATES)
    assert table[table.state == "waiting"].text.unique().tolist() == [frames.WAITING]
    broken = table[table.state == "diverged"]
    assert broken.text.unique().tolist() == [frames.BROKEN]
    assert not broken.good.any()
    assert table[table.good].rate.tolist() == [f"{rate:g}" for rate in made.good("none", 64)]
