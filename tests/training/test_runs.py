"""The training lab's runs: under way, ended by an overflow, told by their loss, and filling the map."""

import itertools

import numpy as np
import pytest

from attention_core.training import TrainingStep, train
from attention_ui import training_settings as lab
from attention_ui.training_live import Live, Map, MapPlan, Run
from tests.training.training_cases import PLAN


def test_runs_go_on_only_when_asked_and_end() -> None:
    live = Live(PLAN)
    assert (live.step, live.done) == (0, False)
    live.advance(7)
    live.advance(3)
    wanted = [step.loss for step in itertools.islice(train(64, 1.0, "sqrt", steps=100, seed=5), 10)]
    assert live.runs["sqrt"].course["loss"] == wanted
    live.advance(1000)
    assert (live.step, live.done) == (100, True)
    assert all(len(run.course["loss"]) == 100 for run in live.runs.values())


def test_an_overflow_ends_its_own_run_alone() -> None:
    live = Live(PLAN)
    live.runs["none"] = Run(train(64, 1e200, "none", steps=100))
    live.advance(100)
    assert live.runs["none"].overflowed
    assert live.runs["none"].state == "diverged"
    assert live.runs["sqrt"].state == "learned"
    assert len(live.runs["sqrt"].course["loss"]) == 100


@pytest.mark.parametrize(
    ("loss", "state"),
    [(0.05, "learned"), (0.0999, "learned"), (0.4, "partly"), (0.9, "stuck"), (1.1, "stuck"), (1.7, "diverged")],
)
def test_a_run_is_told_by_its_final_loss(loss: float, state: str) -> None:
    run = Run(iter(()))
    run.course["loss"] = [2.0] * 50 + [loss] * 20
    run.last = TrainingStep(70, loss, 0.5, 0.1, np.eye(2), np.arange(2), np.eye(2))
    assert run.final_loss == pytest.approx(loss)
    assert run.state == state


def test_the_map_is_filled_group_by_group_and_remembered() -> None:
    made = Map(MapPlan(1.0, 100, 77))
    made.advance()
    assert len(made.cells) == len(lab.RATES)
    assert {(cell.rule, cell.d) for cell in made.cells} == {("none", 64)}
    while not made.done:
        made.advance()
    assert len(made.cells) == made.size == 84
    again = Map(MapPlan(1.0, 100, 77))
    assert again.done
    assert again.cells == made.cells
    assert not Map(MapPlan(1.0, 100, 78)).cells
    good = {d: made.good("sqrt", d) for d in lab.D_VALUES}
    assert all(1.0 in rates and 10.0 in rates for rates in good.values())
