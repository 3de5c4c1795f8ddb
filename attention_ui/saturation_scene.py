"""What a run of the saturation lab shows, read from the session once and handed to every part that draws."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from attention_ui import saturation_results as results
from attention_ui.numbers import significant
from attention_ui.saturation_results import Outcome, Run, Summary
from attention_ui.saturation_settings import SaturationSettings
from attention_ui.text import Words


@dataclass(frozen=True)
class SaturationScene:
    """A summary under the settings, in the learner's language."""

    words: Words
    settings: SaturationSettings
    summary: Summary

    @property
    def run(self) -> Run:
        """What was computed."""
        return self.summary.run

    @cached_property
    def at(self) -> int:
        """Where the chosen d stands among all d."""
        return results.place_of(self.settings.d)

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """The rules that are compared, by name."""
        return self.summary.outcomes

    def label(self, rule: str) -> str:
        """A rule in words: no scaling, 1/√d, QK-norm."""
        value = self.outcomes[rule].rule.parameter
        return self.words(f"rules.{rule}.label", value=f"{value:g}")

    def formula(self, rule: str) -> str:
        """A rule with its scaled score: Scalable-Softmax (SSMax): 0.43 ln n · q·k/√d."""
        value = self.outcomes[rule].rule.parameter
        return self.words(f"rules.{rule}.formula", value=f"{value:g}")

    def join(self, parts: list[str]) -> str:
        """Parts of a sentence, one after the other."""
        return self.words("lab.semicolon").join(parts)

    def each(self, key: str, value: dict[str, float]) -> str:
        """One clause for each rule with its number, joined: ÷ √d: .039; …"""
        return self.join([self.words(key, rule=self.label(rule), value=significant(x)) for rule, x in value.items()])
