"""What a run of the real-head page shows, read from the session once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from attention_core import Scaling
from attention_core.checks import FloatArray
from attention_core.head_kept import AnyHead
from attention_core.heads import load_head
from attention_ui import head_results as results
from attention_ui import tokens
from attention_ui.head_results import HeadFigures
from attention_ui.head_settings import OWN, HeadSettings
from attention_ui.head_shelf import OwnHead
from attention_ui.text import Words

LONGEST_LABEL = 10  # characters in a picture
HOME = "it"  # the token that a recorded head opens with


def chosen(settings: HeadSettings, own: OwnHead | None) -> AnyHead:
    """The head that the settings ask for; `own` is the uploaded one."""
    return own.kept if settings.head == OWN and own is not None else load_head(settings.head, settings.ending)


@dataclass(frozen=True)
class HeadScene:
    """A head under the settings, in the learner's language; `own` is the uploaded one, whether it is shown or not."""

    words: Words
    settings: HeadSettings
    own: OwnHead | None = None

    @cached_property
    def head(self) -> AnyHead:
        """The head that is shown."""
        return chosen(self.settings, self.own)

    @property
    def shown(self) -> OwnHead | None:
        """The uploaded head where it is the one that is shown."""
        return self.own if self.settings.head == OWN else None

    @property
    def fresh(self) -> HeadFigures:
        """The figures of fresh random weights on the head's hidden states."""
        if self.shown is not None:
            return self.shown.fresh
        return results.fresh(load_head(self.settings.head, self.settings.ending))

    @property
    def n(self) -> int:
        """How many tokens are drawn."""
        return min(len(self.head.tokens), results.MOST_SHOWN)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A name for each token."""
        return tokens.names(self.head.tokens)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the tokens that are drawn, short enough for a picture and still apart."""
        return tokens.names(tuple(tokens.shorten(name, LONGEST_LABEL) for name in self.names[: self.n]))

    @property
    def row(self) -> int:
        """The token that is looked at."""
        chosen = self.settings.token
        at = results.place(self.head, HOME) if chosen is None else chosen
        return at if at < self.n else 0

    @property
    def rule(self) -> Scaling:
        """The rule in force."""
        return self.settings.scaling

    @property
    def components(self) -> int | None:
        """How many components are kept, None for all."""
        return self.settings.kept(self.head.d_k)

    @cached_property
    def weights(self) -> FloatArray:
        """The weights under the settings."""
        return results.weights(self.head, self.rule, self.settings.temperature, self.components)

    def rule_label(self, rule: Scaling) -> str:
        """A rule in words."""
        value = rule.parameter
        return self.words(f"rules.{rule.name}.label", value=f"{value:g}")
