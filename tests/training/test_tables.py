"""The training lab's tables: the runs' numbers, and how like a multiple of the identity M is."""

import numpy as np

from attention_core.training import train
from attention_ui import training_frames as frames
from attention_ui import training_settings as lab
from attention_ui.training_live import TASK, Live
from tests.training.training_cases import PLAN


def test_tables_hold_the_runs_numbers() -> None:
    live = Live(PLAN)
    live.advance(12)
    labels = {"none": "no", "sqrt": "root"}
    for name in lab.MEASURES:
        table = frames.course(live, name, labels, "even")
        line = table[(table.role == "line") & (table.rule == "sqrt")]
        assert line.value.tolist() == live.runs["sqrt"].course[name]
        assert table[table.role == "end"].text.tolist() == ["no", "root"]
        assert (table.role == "level").sum() == (0 if name == "gradient" else 1)
    step = live.runs["sqrt"].last
    weights = frames.attention(step)
    assert weights.value.to_numpy().reshape(step.weights.shape).tolist() == step.weights.tolist()
    assert weights[weights.right].key.tolist() == [str(place + 1) for place in step.places]
    picture = frames.matrix(step.M)
    assert len(picture) == TASK.d_model**2
    assert picture.shade.max() == 1
    assert (picture.tone == "minus").to_numpy().reshape(step.M.shape).tolist() == (step.M < 0).tolist()


def test_likeness_to_a_multiple_of_the_identity() -> None:
    assert frames.likeness(3 * np.eye(4)) == (3.0, 0.0)
    diagonal, off = frames.likeness(np.ones((3, 3)))
    assert (diagonal, off) == (1.0, 1.0)


def test_gradient_descent_turns_M_into_a_multiple_of_the_identity() -> None:
    first, *_, last = train(256, 10.0, "sqrt", steps=200)
    before, after = frames.likeness(first.M), frames.likeness(last.M)
    assert abs(before[0]) < before[1]
    assert after[0] > 8 * after[1]
