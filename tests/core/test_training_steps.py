"""Training: each step is the plain one on W_Q and W_K, and PyTorch agrees."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core import get_scaling, softmax
from attention_core.training import LAST, train, training_grid
from attention_core.training_descent import Products, descend, gradient_square, initial_weights
from attention_core.training_task import Batch, Task, batches, loss_and_gradient
from tests.core.training_cases import RULES, SMALL

ORACLE = json.loads((Path(__file__).parent / "oracles" / "training_torch.json").read_text(encoding="utf-8"))


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
