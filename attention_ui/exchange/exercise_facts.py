"""What an exercise asks about: which rows and cells of an experiment are worth a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attention_core import Trace
from attention_core.checks import FloatArray
from attention_ui import results
from attention_ui.exchange import sheet
from attention_ui.exchange.exercise_numbers import CANCELLED, PLACES
from attention_ui.exchange.sheet import Html
from attention_ui.scene import Scene

Cell = tuple[int, int]
_LARGEST_SHOWN = 8  # rows and columns of matrices that stand on the sheet


@dataclass(frozen=True)
class Facts:
    """The experiment, its trace under the rule in force, and the choice of rows and cells.

    Two rows, so that what one question gives is not what another one asks for; `first` is the more telling one.
    """

    scene: Scene

    @cached_property
    def trace(self) -> Trace:
        """Every stage under the rule in force."""
        return self.scene.trace(self.scene.force)

    @property
    def shown(self) -> bool:
        """True when X and W_Q are small and short enough to be printed as a whole."""
        matrices = (self.scene.experiment.matrices[name] for name in ("X", "W_Q"))
        return all(max(W.shape) <= _LARGEST_SHOWN and (np.round(W, PLACES) == W).all() for W in matrices)

    @property
    def typed(self) -> int:
        """How many columns of W_Q and W_K were typed."""
        return self.scene.experiment.sizes["d_k"]

    @cached_property
    def rows(self) -> list[int]:
        """All rows, the most telling one first: one that sees several keys and tells them apart."""

        def telling(row: int) -> tuple[bool, bool, bool, int, int]:
            seen = self.visible(row)
            apart = results.tied_keys(self.trace.masked[row, :seen]) < seen
            return seen > 1, apart, row == self.scene.row, seen, -row

        return sorted(range(len(self.trace.X)), key=telling, reverse=True)

    @property
    def first(self) -> int:
        """The most telling row."""
        return self.rows[0]

    @property
    def second(self) -> int:
        """The next one, the same where there is no other."""
        return self.rows[min(1, len(self.rows) - 1)]

    def visible(self, row: int) -> int:
        """How many keys a row may look at."""
        return row + 1 if self.scene.settings.causal else len(self.trace.X)

    @cached_property
    def score_cell(self) -> Cell:
        """A score with as many terms that are not zero as can be, of the first row if it has any."""
        Q, K = self.trace.Q[:, : self.typed], self.trace.K[:, : self.typed]
        terms = ((Q[:, None] != 0) & (K[None] != 0)).sum(axis=-1)
        return self._best(lambda i, j: (terms[i, j] > 0, i == self.first, terms[i, j], i != j))

    @cached_property
    def scaled_cell(self) -> Cell:
        """Another score to scale, of the second row if it has one that is not zero."""
        scores = self.trace.scores
        return self._best(
            lambda i, j: (scores[i, j] != 0, (i, j) != self.score_cell, i == self.second, abs(scores[i, j]))
        )

    @cached_property
    def projection_cell(self) -> Cell:
        """An entry of Q from typed columns with as many terms that are not zero as can be."""
        W = self.scene.experiment.matrices["W_Q"]
        X, Q = self.trace.X, self.trace.Q[:, : self.typed]
        terms = (X != 0).astype(int) @ (W != 0).astype(int)
        left = np.abs(Q) > CANCELLED * (np.abs(X) @ np.abs(W))
        cells = list(np.ndindex(*terms.shape))
        return max(cells, key=lambda cell: (left[cell], cell[0] == self.second, terms[cell], -cell[0], -cell[1]))

    @cached_property
    def value_column(self) -> int:
        """The column of V in which the second row's keys differ most."""
        V: FloatArray = self.trace.V[: self.visible(self.second)]
        return int((np.ptp(V, axis=0) + np.abs(V).max(axis=0)).argmax())

    def _best(self, worth: Callable[[int, int], tuple[object, ...]]) -> Cell:
        n = len(self.trace.X)
        cells = [(i, j) for i in range(n) for j in range(self.visible(i))]
        return max(cells, key=lambda cell: (worth(*cell), -cell[0], -cell[1]))

    def name(self, row: int) -> Html:
        """A token's name as markup."""
        return sheet.token(self.scene.labels[row])

    def names(self, rows: list[int]) -> Html:
        """Several tokens' names in quotes."""
        words = self.scene.words
        return Html(words("sheets.join").join(str(sheet.say(words, "quoted", name=self.name(row))) for row in rows))


def symbol(letter: str, *places: int) -> Html:
    """A letter with its places, which are counted from 0 and written from 1."""
    return Html(f'<span class="n"><i>{letter}</i><sub>{",".join(str(place + 1) for place in places)}</sub></span>')
