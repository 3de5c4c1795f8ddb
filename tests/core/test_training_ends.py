"""How a run of training ends: overflow, divergence, a caller that stops, and what it refuses to begin with."""

import numpy as np
import pytest

from attention_core import training_task as task_module
from attention_core.training import train, training_grid
from attention_core.training_descent import Products, finite
from attention_core.training_task import Task


def test_an_overflow_ends_the_run_with_a_record():
    """No warning either: warnings are errors here."""
    records = list(train(64, 1e200, "sqrt", steps=50))
    assert records[-1].ended == "overflow"
    assert len(records) < 50
    assert all(record.ended is None for record in records[:-1])
    (cell,) = training_grid(["sqrt"], [64], [1e200], steps=10)
    assert cell.diverged
    assert np.isnan(cell.loss)


def test_an_overflow_that_spares_M_ends_a_run_of_either_kind():
    """The last of three steps takes P and R beyond the range of floats: its loss is 1.67 and M still 26,000."""
    task, rate = Task(n_keys=2, d_model=2, batch=1, watched=1), 1.2e154
    last = list(train(1024, rate, "sqrt", gain=30, steps=3, seed=1, task=task))[-1]
    (cell,) = training_grid(["sqrt"], [1024], [rate], steps=3, seed=1, gain=30, task=task)
    assert (last.step, last.ended) == (3, "overflow")
    assert np.isfinite(last.loss)
    assert np.isnan(cell.loss)
    assert cell.diverged


def test_weights_too_large_for_floats_end_the_run_at_its_first_step():
    (only,) = train(4, 1.0, "none", gain=1e160, steps=3)
    (cell,) = training_grid(["none"], [4], [1.0], steps=3, gain=1e160)
    assert only.ended == "overflow"
    assert np.isnan(cell.loss)


@pytest.mark.parametrize("spoiled", ["M", "P", "R"])
def test_a_run_is_finite_when_all_its_products_are(spoiled):
    """Of three runs the second has one infinite entry."""
    whole = {name: np.ones((3, 2, 2)) for name in "MPR"}
    whole[spoiled][1, 0, 1] = np.inf
    assert finite(Products(**whole)).tolist() == [True, False, True]


def test_a_run_that_is_worse_than_looking_everywhere_counts_as_diverged():
    (cell,) = training_grid(["none"], [64], [30.0], steps=60)
    assert cell.diverged
    assert cell.loss > Task().uniform_loss


def test_stopping_the_iteration_stops_the_work(monkeypatch):
    drawn = []
    draw = task_module._draw
    monkeypatch.setattr(task_module, "_draw", lambda *given: drawn.append(1) or draw(*given))
    run = train(64, 1.0)
    for _ in range(3):
        next(run)
    assert len(drawn) == 4  # the watched queries and three batches
    run.close()
    grid = training_grid(["sqrt"], [64, 256], [1.0], steps=5)
    next(grid)
    assert len(drawn) == 4 + 5


@pytest.mark.parametrize(
    ("named", "change"),
    [
        ("d is", {"d": 0}), ("d is", {"d": 2.0}), ("d is", {"d": True}), ("learning_rate", {"learning_rate": -1}),
        ("learning_rate", {"learning_rate": np.nan}), ("learning_rate", {"learning_rate": np.inf}),
        ("gain", {"gain": 0}), ("gain", {"gain": np.nan}), ("steps", {"steps": 0}), ("qknorm", {"scaling": "qknorm"}),
        ("softcap", {"scaling": "softcap"}), ("unknown scaling", {"scaling": "unheard"}),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_by_the_call(named, change):
    with pytest.raises(ValueError, match=named):
        train(**{"d": 4, "learning_rate": 1.0, **change})
