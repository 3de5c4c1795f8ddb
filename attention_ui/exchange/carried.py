"""What is carried: an experiment with its settings, and what the mathematics shows under them."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core import NoScaling, Scaling, Trace, get_example
from attention_ui import results
from attention_ui.address import Settings
from attention_ui.experiment import Experiment
from attention_ui.results import Grown


@dataclass(frozen=True)
class Carried:
    """An experiment and the settings it is looked at under; both name the same example.

    Errors: ValueError when they name different ones.
    """

    experiment: Experiment
    settings: Settings

    def __post_init__(self) -> None:
        if self.experiment.example != self.settings.example:
            raise ValueError(f"experiment of {self.experiment.example}; expected {self.settings.example} as settings")

    @property
    def rule(self) -> Scaling:
        """The rule in force."""
        return results.rule_of(self.settings) if self.settings.scale else NoScaling()

    @property
    def d(self) -> int:
        """The number of columns of W_Q and W_K as they are looked at."""
        return results.size_of(self.experiment, self.settings)

    @property
    def how(self) -> str:
        """How W_Q and W_K grow beyond their typed columns; the example's own way when none was chosen."""
        return self.settings.how or get_example(self.settings.example).how

    def trace(self) -> Trace:
        """Every stage at d under the rule in force."""
        settings = self.settings
        grown = Grown(self.experiment, self.rule, self.d, settings.seed, self.how, settings.causal)
        return results.trace(grown)
