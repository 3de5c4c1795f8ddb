"""The training lab below the page: settings and address, runs under way, the map, and their tables."""

import itertools
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core.training import WORSE, GridCell, TrainingStep, train
from attention_ui import training_frames as frames
from attention_ui import training_live as runs
from attention_ui import training_settings as lab
from attention_ui.text import LANGUAGES, words_of
from attention_ui.training_live import TASK, Live, Map, MapPlan, Plan, Run
from attention_ui.training_settings import TrainingSettings

SETTINGS = st.builds(
    TrainingSettings,
    lang=st.none() | st.sampled_from(LANGUAGES),
    rules=st.lists(st.sampled_from(lab.RULES), min_size=1, unique=True).map(lab.ordered),
    d=st.sampled_from(lab.D_VALUES),
    rate=st.sampled_from(lab.RATES),
    gain=st.sampled_from(lab.GAINS),
    steps=st.sampled_from(lab.STEPS),
    seed=st.integers(0, 9999),
    measure=st.sampled_from(lab.MEASURES),
    watch=st.sampled_from(lab.RULES),
)
PLAN = Plan(("none", "sqrt"), 64, 1.0, 1.0, 100, 5)


@given(SETTINGS)
def test_an_address_brings_back_the_same_settings(now: TrainingSettings) -> None:
    read, problems = lab.read(dict(parse_qsl(lab.write(now))))
    assert not problems
    assert read == now


@pytest.mark.parametrize(
    ("code", "raw"),
    [("rules", "none.unheard"), ("d", "65"), ("rate", "0.2"), ("rate", "1e1"), ("gain", "3"), ("steps", "1000000"),
     ("seed", "-1"), ("measure", "<b>"), ("watch", "qknorm")],
)  # fmt: skip
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_value_keeps_the_default_and_is_named(code: str, raw: str, language: str) -> None:
    read, (problem,) = lab.read({code: raw})
    assert read == TrainingSettings()
    assert words_of(language)(problem.key, **problem.values).startswith(f"{code} = “{raw}”")


def test_the_watched_rule_is_one_that_is_trained() -> None:
    assert TrainingSettings(rules=("none",), watch="linear").watched == "none"
    assert TrainingSettings(watch="linear").watched == "linear"


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
