"""One matrix or stage with names for its rows and columns, as it goes into a table and comes back from one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from attention_core.checks import FloatArray
from attention_ui import tokens
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.checks import times
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.experiment import MATRICES, Experiment, with_values
from attention_ui.stages import PARTS

_LETTERS = {"d_emb": "e", "d_k": "k", "d_v": "v"}  # so that no name of a column looks like a number


@dataclass(frozen=True, eq=False)
class Table:
    """A matrix (r, c) and the names of its rows, () where they have none; names from a file are a stranger's."""

    matrix: FloatArray
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    name: str = ""  # of the matrix, where the file says it
    commas: bool = False  # separate its columns in the file


def table(carried: Carried, name: str) -> Table:
    """A matrix or stage at the present d under the rule in force, with tokens or e1, k1, v1 … as names."""
    matrix = getattr(carried.trace(), name)
    words = tokens.names(carried.experiment.tokens)
    rows, columns = (_names(axis, size, words) for axis, size in zip(PARTS[name].axes, matrix.shape, strict=True))
    return Table(matrix, rows, columns)


def is_table(name: str, rows: tuple[str, ...], columns: tuple[str, ...]) -> bool:
    """True when `table` would give a matrix of that name, with these names of rows, these names of columns."""
    return name in PARTS and columns == _names(PARTS[name].axes[1], len(columns), rows)


def _names(axis: str, size: int, words: tuple[str, ...]) -> tuple[str, ...]:
    return words if axis == "tokens" else tuple(f"{_LETTERS[axis]}{i}" for i in range(1, size + 1))


def fit(experiment: Experiment, name: str, matrix: FloatArray, commas: bool = False) -> Experiment:
    """The experiment with that matrix in place of its own: no cell of it is fresh or drawn any longer.

    Errors: ExchangeProblem "csv_shape", with both shapes, when it is not of the present one's shape; "csv_halves"
        when it is twice as wide and commas separated its columns, as where they are decimal marks.
    """
    shape = experiment.matrices[name].shape
    if matrix.shape != shape:
        code = "csv_halves" if commas and matrix.shape == (shape[0], 2 * shape[1]) else "csv_shape"
        raise ExchangeProblem(code, name=name, shape=times(matrix.shape), expected=times(shape))
    touched = {other: np.full(experiment.matrices[other].shape, other == name) for other in MATRICES}
    new = with_values(experiment, {name: matrix}, touched)
    return replace(new, seeds={other: seed for other, seed in experiment.seeds.items() if other != name})
