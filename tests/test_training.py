"""Training: each step is the plain one on W_Q and W_K, PyTorch agrees, and the lesson holds on a small map."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core import get_scaling, softmax
from attention_core import training_task as task_module
from attention_core.training import LAST, NUDGE, GridCell, same_run, train, training_grid
from attention_core.training_descent import Products, descend, finite, gradient_square, initial_weights
from attention_core.training_task import Batch, Task, batches, loss_and_gradient

ORACLE = json.loads((Path(__file__).parent / "oracles" / "training_torch.json").read_text(encoding="utf-8"))
RULES = ("none", "sqrt", "linear")
SMALL = Task(n_keys=6, d_model=5, batch=8, watched=3)


class Plain:
    """The task on W_Q and W_K themselves."""

    def __init__(self, W_Q, W_K, factor):
        self.W_Q, self.W_K, self.factor = W_Q, W_K, factor

    def weights(self, keys, queries, W_Q=None, W_K=None):
        W_Q, W_K = (self.W_Q if W_Q is None else W_Q), (self.W_K if W_K is None else W_K)
        return softmax(self.factor * np.einsum("bd,bnd->bn", queries @ W_Q, keys @ W_K))

    def loss(self, batch, W_Q=None, W_K=None):
        keys, queries, places = batch
        error = self.weights(keys, queries, W_Q, W_K)
        error[np.arange(len(places)), places] -= 1
        return float(np.square(error).sum(axis=1).mean())

    def gradient(self, batch):
        keys, queries, places = batch
        p = self.weights(keys, queries)
        error = p.copy()
        error[np.arange(len(places)), places] -= 1
        d_p = 2 * error / len(places)
        d_scores = self.factor * p * (d_p - (p * d_p).sum(axis=1, keepdims=True))
        d_W_Q = queries.T @ np.einsum("bn,bnd->bd", d_scores, keys @ self.W_K)
        d_W_K = np.einsum("bnm,bn,bd->md", keys, d_scores, queries @ self.W_Q)
        return d_W_Q, d_W_K

    def step(self, batch, rate):
        d_W_Q, d_W_K = self.gradient(batch)
        self.W_Q, self.W_K = self.W_Q - rate * d_W_Q, self.W_K - rate * d_W_K


def plain(d, rule, gain=1.0, seed=0, task=None):
    task = task or Task()
    return Plain(*initial_weights(d, gain, seed, task), float(get_scaling(rule).factor(d, task.n_keys)))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("d", [3, 64, 200])
def test_every_step_is_the_plain_step(rule, d):
    """Six steps at a learning rate at which rounding does not grow."""
    rate, reference = 0.1, plain(d, rule, seed=4)
    for record, batch in zip(train(d, rate, rule, steps=6, seed=4), batches(4), strict=False):
        d_W = reference.gradient(batch)
        assert record.loss == pytest.approx(reference.loss(batch), rel=1e-10)
        assert record.gradient == pytest.approx(np.sqrt(sum(np.sum(each**2) for each in d_W)), rel=1e-9, abs=1e-14)
        accuracy = np.mean(reference.weights(*batch[:2]).argmax(axis=1) == batch[2])
        assert record.accuracy == accuracy
        np.testing.assert_allclose(record.M, reference.W_Q @ reference.W_K.T, rtol=1e-10, atol=1e-10)
        reference.step(batch, rate)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 999), d=st.integers(1, 9), rule=st.sampled_from(RULES), rate=st.floats(0.01, 10))
def test_one_step_equals_the_plain_form_and_central_differences(seed, d, rule, rate):
    reference, batch = plain(d, rule, seed=seed, task=SMALL), next(batches(seed, SMALL))
    first, second = itertools.islice(train(d, rate, rule, steps=2, seed=seed, task=SMALL), 2)
    h = 1e-6
    for name, analytic in zip(("W_Q", "W_K"), reference.gradient(batch), strict=True):
        start = getattr(reference, name)
        for place in np.ndindex(start.shape):
            bumped = [start.copy(), start.copy()]
            bumped[0][place] += h
            bumped[1][place] -= h
            high, low = (reference.loss(batch, **{name: each}) for each in bumped)
            assert analytic[place] == pytest.approx((high - low) / (2 * h), abs=1e-7)
    assert first.loss == pytest.approx(reference.loss(batch), abs=1e-12)
    reference.step(batch, rate)
    np.testing.assert_allclose(second.M, reference.W_Q @ reference.W_K.T, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("rule", list(ORACLE["cases"]))
def test_one_step_agrees_with_pytorch(rule):
    given, wanted = ORACLE["given"], ORACLE["cases"][rule]
    keys, places = np.array(given["keys"]), np.array(given["places"])
    W_Q, W_K = np.array(given["W_Q"]), np.array(given["W_K"])
    products = Products.of(W_Q, W_K)
    batch = Batch(keys, keys[np.arange(len(places)), places], places)
    factor = float(get_scaling(rule).factor(W_Q.shape[1], keys.shape[1]))
    p, loss, G = loss_and_gradient(products.M, batch, factor)
    assert float(loss) == pytest.approx(wanted["loss"], abs=1e-12)
    np.testing.assert_allclose(p, wanted["weights"], atol=1e-12)
    assert float(np.sqrt(gradient_square(products, G))) == pytest.approx(wanted["gradient"], abs=1e-12)
    after = descend(products, G, np.float64(given["rate"]))
    new_Q, new_K = np.array(wanted["W_Q"]), np.array(wanted["W_K"])
    for found, expected in ((after.M, new_Q @ new_K.T), (after.P, new_Q @ new_Q.T), (after.R, new_K @ new_K.T)):
        np.testing.assert_allclose(found, expected, atol=1e-10)


@pytest.mark.parametrize("d", [16, 64, 256])
def test_a_scale_is_smaller_weights_with_a_smaller_learning_rate(d):
    """Scale c equals no scale with W_Q and W_K times √c and the learning rate times c, to 1e-10."""
    c, rate = d**-0.5, 1.0
    with_rule = train(d, rate, "sqrt", steps=20, seed=2)
    without = train(d, rate * c, "none", gain=c**0.5, steps=20, seed=2)
    for one, other in zip(with_rule, without, strict=True):
        assert one.loss == pytest.approx(other.loss, abs=1e-10)
        np.testing.assert_allclose(one.weights, other.weights, atol=1e-10)


def test_a_run_of_no_learning_rate_learns_nothing_and_equal_seeds_are_equal():
    one, other = (list(train(8, 0.0, steps=3, seed=seed, task=SMALL)) for seed in (1, 1))
    for a, b in zip(one, other, strict=True):
        assert a.loss == b.loss
        np.testing.assert_array_equal(a.M, one[0].M)
    assert [step.step for step in one] == [1, 2, 3]


def test_every_rule_and_d_sees_the_same_queries():
    first = [next(train(d, 1.0, rule)).places.tolist() for d in (64, 256) for rule in RULES]
    assert len({tuple(places) for places in first}) == 1


def test_the_grid_ends_as_single_runs_do():
    cells = list(training_grid(RULES, [8, 32], [0.1, 1.0], steps=25, seed=3, task=SMALL))
    assert [(c.rule, c.d, c.rate) for c in cells] == list(itertools.product(RULES, [8, 32], [0.1, 1.0]))
    for cell in cells:
        losses = [step.loss for step in train(cell.d, cell.rate, cell.rule, steps=25, seed=3, task=SMALL)]
        assert cell.loss == pytest.approx(np.mean(losses[-LAST:]), rel=1e-6)


@pytest.fixture(scope="module")
def small_map():
    rates, d_values = {"none": [10.0], "sqrt": [1.0, 10.0], "linear": [3.0, 10.0, 30.0]}, [64, 256, 4096]
    ends = [cell for rule in rates for cell in training_grid([rule], d_values, rates[rule], steps=100)]
    return rates, d_values, {(cell.rule, cell.d, cell.rate): cell for cell in ends}


def test_a_small_map_teaches_the_lesson(small_map):
    """Under 1/√d one learning rate is good at every d and stays good ten times higher; without scaling rate 10 breaks
    at every d; under 1/d the smallest good rate grows with d. Nothing is asked of a chaotic run but that it failed."""
    rates, d_values, cells = small_map
    for d in d_values:
        for rate in (1.0, 10.0):
            assert cells["sqrt", d, rate].calm
            assert cells["sqrt", d, rate].loss < 0.05
        assert cells["none", d, 10.0].diverged
    calm = [cell for cell in cells.values() if cell.rule == "linear" and cell.calm]
    assert len(calm) == len(d_values) * len(rates["linear"])
    smallest = [min((r for r in rates["linear"] if cells["linear", d, r].loss < 0.1), default=np.inf) for d in d_values]
    assert smallest == sorted(smallest)
    assert smallest[0] < smallest[1] < smallest[2]


def test_without_scaling_large_rates_get_worse_with_d_in_the_median():
    """Each of these runs is chaotic. Over a dozen seeds they end at .052 (.032 to .092) for d = 256 and .367 (.263 to
    .797) for d = 4096, so that the medians of six keep their order on any processor."""
    losses = {d: [cell.loss for seed in range(6) for cell in training_grid(["none"], [d], [3.0], steps=200, seed=seed)]
              for d in (256, 4096)}  # fmt: skip
    assert np.median(losses[4096]) > 2 * np.median(losses[256])


def test_a_chaotic_run_is_told_by_its_twin(small_map):
    """Rate 10 without scaling is chaotic at every d, rates 1 and 10 under 1/√d are not."""
    _, d_values, cells = small_map
    assert not any(cells["none", d, 10.0].calm for d in d_values)
    for d in d_values:
        cell = cells["sqrt", d, 1.0]
        assert cell.twin == pytest.approx(cell.loss, rel=1e-6)


def test_a_twin_is_the_run_with_a_gain_that_differs_in_the_last_digits():
    (cell,) = training_grid(["sqrt"], [16], [1.0], steps=30, seed=4, gain=0.5, task=SMALL)
    (twin,) = training_grid(["sqrt"], [16], [1.0], steps=30, seed=4, gain=0.5 * NUDGE, task=SMALL)
    assert cell.twin == pytest.approx(twin.loss, rel=1e-9)
    assert 0 < NUDGE - 1 < 1e-15


@pytest.mark.parametrize(
    ("entry", "other", "same"),
    [(0.5, 0.5004, True), (0.5, 0.502, False), (1.0, 1.0, True), (np.nan, np.inf, True), (np.nan, 1.0, False),
     (1e300, -1e300, False)],
)  # fmt: skip
def test_two_runs_are_one_when_their_M_differ_by_rounding(entry, other, same):
    """The largest entry of both is 1 or more; of three pairs of runs the second is put to the test."""
    M, twin = np.tile(np.eye(2), (3, 1, 1)), np.tile(np.eye(2), (3, 1, 1))
    M[1, 0, 1], twin[1, 0, 1] = entry, other
    assert same_run(M, twin).tolist() == same_run(twin, M).tolist() == [True, same, True]


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


def test_records_of_the_grid_can_be_compared():
    assert GridCell("sqrt", 64, 1.0, 0.5, False, 0.5, True) == GridCell("sqrt", 64, 1.0, 0.5, False, 0.5, True)
