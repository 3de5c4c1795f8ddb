"""Training over many rates and d: the lesson holds on a small map, and chaotic runs are told by their twins."""

import numpy as np
import pytest

from attention_core.training import NUDGE, GridCell, same_run, training_grid
from tests.core.training_cases import SMALL


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


def test_records_of_the_grid_can_be_compared():
    assert GridCell("sqrt", 64, 1.0, 0.5, False, 0.5, True) == GridCell("sqrt", 64, 1.0, 0.5, False, 0.5, True)
