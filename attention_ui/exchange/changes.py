"""What would change if something else took the place of the present experiment: for a look before it is taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.checks import FloatArray
from attention_ui.exchange import document
from attention_ui.exchange.carried import Carried
from attention_ui.experiment import MATRICES


@dataclass(frozen=True)
class Setting:
    """A setting's name and its values as in the address; None is the example's or the rule's own."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True)
class Matrix:
    """A matrix's name and shapes, and how many cells of the new one differ or are not in the old one."""

    name: str
    old: tuple[int, ...]
    new: tuple[int, ...]
    cells: int


@dataclass(frozen=True)
class Changes:
    """Settings and matrices that change, and the tokens before and after, None when they stay."""

    settings: tuple[Setting, ...]
    matrices: tuple[Matrix, ...]
    tokens: tuple[tuple[str, ...], tuple[str, ...]] | None

    def __bool__(self) -> bool:
        """False when nothing would change."""
        return bool(self.settings or self.matrices or self.tokens)


def changes(old: Carried, new: Carried) -> Changes:
    """What differs between two experiments with their settings; the language is left out.

    Law: nothing differs exactly when both have the same document but for the marks of fresh cells and seeds.
    """
    before, after = old.experiment, new.experiment
    return Changes(
        _settings(old, new),
        tuple(
            _matrix(name, before.matrices[name], after.matrices[name])
            for name in MATRICES
            if not _same(before.matrices[name], after.matrices[name])
        ),
        None if before.tokens == after.tokens else (before.tokens, after.tokens),
    )


def _settings(old: Carried, new: Carried) -> tuple[Setting, ...]:
    before, after = ({"example": each.settings.example} | document.settings_of(each.settings) for each in (old, new))
    names = [name for name in ("example", *document.SETTINGS) if before.get(name) != after.get(name)]
    return tuple(Setting(name, before.get(name), after.get(name)) for name in names)


def _same(old: FloatArray, new: FloatArray) -> bool:
    return old.shape == new.shape and old.tobytes() == new.tobytes()


def _matrix(name: str, old: FloatArray, new: FloatArray) -> Matrix:
    """Cells are compared by their bits, as experiments are: −0 is not 0."""
    rows, columns = np.minimum(old.shape, new.shape)
    both = (np.ascontiguousarray(each[:rows, :columns]).view(np.int64) for each in (old, new))
    return Matrix(name, old.shape, new.shape, new.size - int(np.equal(*both).sum()))
