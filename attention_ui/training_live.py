"""Runs under way: several rules trained side by side a few steps at a time, and the map filled group by group.

Both do nothing by themselves: a page that stops asking, by a pause or a closed tab, stops the work.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from attention_core.training import LAST, NUDGE, WORSE, GridCell, TrainingStep, same_run, train, training_grid
from attention_core.training_task import Task
from attention_ui.saturation_results import Shelf
from attention_ui.training_settings import D_VALUES, RATES, RULES, TrainingSettings

TASK = Task()
GOOD = 0.1  # final loss up to which a run counts as having learned
STUCK = 0.8  # share of uniform attention's loss from which a run counts as having learned next to nothing
# A chaotic run's loss is one of many; two of them this far within tell that the others are on the same side too.
SURELY_GOOD, SURELY_LOST = GOOD / 3, GOOD * 2
SURELY_BAD = 1.4 * TASK.uniform_loss
SAME_STEPS = 50  # compared in `same_run_twice`
CHAOTIC = 1e-6  # difference from which two runs that are the same are told apart by more than rounding
GROUP = len(RATES)  # cells that end together


@dataclass(frozen=True)
class Plan:
    """Everything that the runs depend on."""

    rules: tuple[str, ...]
    d: int
    rate: float
    gain: float
    steps: int
    seed: int


def plan_of(settings: TrainingSettings) -> Plan:
    """The runs that the settings ask for."""
    now = settings
    return Plan(now.rules, now.d, now.rate, now.gain, now.steps, now.seed)


@dataclass
class Run:
    """One rule's run: what is still to come, the course so far, and the last step.

    Its twin begins with weights that differ in the last digits alone. Once the two have parted, the course depends on
    rounding, and another processor shows another one.
    """

    source: Iterator[TrainingStep]
    twin: Iterator[TrainingStep] = field(default_factory=lambda: iter(()))
    course: dict[str, list[float]] = field(default_factory=lambda: {"loss": [], "accuracy": [], "gradient": []})
    last: TrainingStep | None = None
    twin_course: list[float] = field(default_factory=list)
    parted: bool = False

    def advance(self) -> None:
        """One step of both, if there is one."""
        step, other = next(self.source, None), next(self.twin, None)
        if other is not None:
            self.twin_course.append(other.loss)
        if step is None:
            return
        self.last = step
        for name, values in self.course.items():
            values.append(getattr(step, name))
        self.parted |= other is not None and not same_run(step.M, other.M)

    @property
    def overflowed(self) -> bool:
        """True when the numbers left the range of floats."""
        return self.last is not None and self.last.ended is not None

    @property
    def final_loss(self) -> float:
        """Mean loss of the last steps."""
        return float(np.mean(self.course["loss"][-LAST:]))

    @property
    def twin_loss(self) -> float:
        """The same of its twin."""
        return float(np.mean(self.twin_course[-LAST:]))

    @property
    def state(self) -> str:
        """One of "early", "learned", "diverged", "stuck" and "partly", by its final loss."""
        if not self.overflowed and len(self.course["loss"]) < LAST:
            return "early"
        if self.overflowed or self.final_loss > WORSE * TASK.uniform_loss:
            return "diverged"
        if self.final_loss <= GOOD:
            return "learned"
        return "stuck" if self.final_loss > STUCK * TASK.uniform_loss else "partly"


class Live:
    """The runs of one plan, side by side on the same batches."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.step = plan, 0
        self.runs = {rule: Run(*(_course(plan, rule, gain) for gain in _gains(plan))) for rule in plan.rules}

    def advance(self, steps: int) -> None:
        """The next steps of every run, as far as there are any."""
        for _ in range(min(steps, self.plan.steps - self.step)):
            self.step += 1
            for run in self.runs.values():
                run.advance()

    @property
    def done(self) -> bool:
        """True when no step is left, or every run has overflowed."""
        return self.step == self.plan.steps or all(run.overflowed for run in self.runs.values())


def _gains(plan: Plan) -> tuple[float, float]:
    """Of a run and of its twin."""
    return plan.gain, plan.gain * NUDGE


def _course(plan: Plan, rule: str, gain: float) -> Iterator[TrainingStep]:
    return train(plan.d, plan.rate, rule, gain, plan.steps, plan.seed, TASK)


@dataclass(frozen=True)
class MapPlan:
    """Everything that the map depends on."""

    gain: float
    steps: int
    seed: int


_maps = Shelf(32)


class Map:
    """Final losses over learning rate × d × rule, filled a group of learning rates at a time."""

    size = len(RULES) * len(D_VALUES) * len(RATES)

    def __init__(self, plan: MapPlan) -> None:
        self.plan = plan
        known = _maps.get(plan)
        self.cells: list[GridCell] = list(known) if isinstance(known, tuple) else []
        self._source = training_grid(RULES, D_VALUES, RATES, plan.steps, plan.seed, plan.gain, TASK)

    def advance(self) -> None:
        """The next group of cells."""
        if self.done:
            return
        for _ in range(GROUP):
            self.cells.append(next(self._source))
        if self.done:
            _maps.put(self.plan, tuple(self.cells))

    @property
    def done(self) -> bool:
        """True when every cell is there."""
        return len(self.cells) == self.size

    def cell(self, rule: str, d: int, rate: float) -> GridCell:
        """One cell."""
        return next(cell for cell in self.cells if (cell.rule, cell.d, cell.rate) == (rule, d, rate))

    def common(self, rule: str) -> list[float]:
        """Learning rates with which that rule learns at every d."""
        return [rate for rate in RATES if all(rate in self.good(rule, d) for d in D_VALUES)]

    def possible(self, rule: str) -> list[float]:
        """Learning rates of which it is not sure that they fail to teach that rule at some d."""
        return [rate for rate in RATES if not any(lost(self.cell(rule, d, rate)) for d in D_VALUES)]

    def good(self, rule: str, d: int) -> list[float]:
        """Learning rates with which that rule learns at that d, on any processor."""
        return [cell.rate for cell in self.cells if (cell.rule, cell.d) == (rule, d) and learned(cell)]


def learned(cell: GridCell) -> bool:
    """Whether it learned; of a chaotic run, whether run and twin leave no doubt."""
    return cell.loss <= GOOD if cell.calm else max(cell.loss, cell.twin) <= SURELY_GOOD


def lost(cell: GridCell) -> bool:
    """Whether it did not learn; of a chaotic run, whether run and twin leave no doubt."""
    return _both_from(cell, SURELY_LOST) if not cell.calm else not cell.loss <= GOOD


def failed(cell: GridCell) -> bool:
    """Whether it failed; of a chaotic run, whether run and twin leave no doubt."""
    return _both_from(cell, SURELY_BAD) if not cell.calm else cell.diverged


def _both_from(cell: GridCell, loss: float) -> bool:
    """Whether run and twin end at that loss or above, or in an overflow."""
    return all(not end < loss for end in (cell.loss, cell.twin))


@lru_cache(64)
def same_run_twice(plan: Plan) -> float:
    """Largest difference in loss between 1/√d, and no scaling with W_Q, W_K times d^−¼ and the rate times d^−½."""
    c = plan.d**-0.5
    with_rule = train(plan.d, plan.rate, "sqrt", plan.gain, SAME_STEPS, plan.seed, TASK)
    without = train(plan.d, plan.rate * c, "none", plan.gain * c**0.5, SAME_STEPS, plan.seed, TASK)
    return max(abs(one.loss - other.loss) for one, other in zip(with_rule, without, strict=True))
