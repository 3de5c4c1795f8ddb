"""What a run of the page shows, read from the session once and handed to every part that draws."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from attention_core import NoScaling, Scaling, Trace
from attention_core.growth import is_tied
from attention_ui import results, tokens
from attention_ui.address import Settings
from attention_ui.experiment import Experiment
from attention_ui.results import WITH, WITHOUT, Curves, Grown
from attention_ui.text import Words

SIGNS = {WITHOUT: "●", WITH: "■"}


@dataclass(frozen=True)
class Scene:
    """The experiment under the settings, in the learner's language."""

    words: Words
    settings: Settings
    experiment: Experiment

    @cached_property
    def d(self) -> int:
        """The number of columns of W_Q and W_K."""
        return results.size_of(self.experiment, self.settings)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """A name for each token."""
        return tokens.names(self.experiment.tokens)

    @property
    def decimals(self) -> int:
        """How many decimals numbers are shown with."""
        return self.settings.decimals

    @property
    def row(self) -> int:
        """The row in focus."""
        return self.settings.row or 0

    @property
    def query(self) -> str:
        """The name of the row in focus."""
        return self.labels[self.row]

    @property
    def visible(self) -> int:
        """How many keys the row in focus may look at."""
        return self.row + 1 if self.settings.causal else len(self.labels)

    @cached_property
    def rules(self) -> dict[str, Scaling]:
        """The two rules that are compared."""
        return {WITHOUT: NoScaling(), WITH: results.rule_of(self.settings)}

    @property
    def force(self) -> str:
        """Which of the two is in force."""
        return WITH if self.settings.scale else WITHOUT

    def rule_label(self, side: str) -> str:
        """A rule in words: without scaling, with ÷ √d, with QK-norm, g = 10."""
        rule = self.rules[side]
        value = rule.parameter
        return self.words(f"rules.{rule.name}.with", value=f"{value:g}")

    def grown(self, side: str) -> Grown:
        """What the trace of a side depends on."""
        settings = self.settings
        return Grown(self.experiment, self.rules[side], self.d, settings.seed, settings.how or "", settings.causal)

    def trace(self, side: str) -> Trace:
        """Every stage at d under one of the two rules."""
        return results.trace(self.grown(side))

    @cached_property
    def tied_matrices(self) -> bool:
        """True when W_Q equals W_K, so that their new columns are shared and every query is its key."""
        return is_tied(self.experiment.matrices["W_Q"], self.experiment.matrices["W_K"])

    @cached_property
    def curves(self) -> Curves:
        """The row in focus at every d."""
        return results.curves(self.grown(WITH), self.row)
