"""Tables ready to be drawn, cached: the same view by another visitor, or a step back, costs nothing.

pandas tables become Arrow tables here, the form in which they travel to the browser.
"""

from __future__ import annotations

from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc

from attention_ui import frames, results
from attention_ui.arrow import arrow
from attention_ui.results import Grown
from attention_ui.stages import PARTS
from attention_ui.tokens import names

Cell = tuple[int, int]


@lru_cache(maxsize=256)
def weights(side: str, row: int, decimals: int, grown: Grown) -> pa.Table:
    """One of the two weight heat maps; `side` gives its colour, the row in focus is marked."""
    labels = names(grown.experiment.tokens)
    table = frames.matrix_table(results.trace(grown).weights, labels, labels, decimals, full=1, marked_row=row)
    table.loc[table["tone"] == frames.PLUS, "tone"] = side
    return arrow(table)


def stage(name: str, selected: Cell | None, choices: int, decimals: int, grown: Grown) -> pa.Table:
    """One matrix of the trace, the chosen cell marked; `choices` counts how often a cell was chosen."""
    table = _stage(name, decimals, grown)
    i, j = selected or (-1, -2)
    chosen = pc.and_(pc.equal(table["i"], i), pc.equal(table["j"], j))
    return table.append_column("selected", chosen).append_column("choices", pa.array([choices] * len(table)))


@lru_cache(maxsize=256)
def _stage(name: str, decimals: int, grown: Grown) -> pa.Table:
    """Weights are shaded from 0 to 1, other matrices by their largest size."""
    matrix = getattr(results.trace(grown), name)
    labels = names(grown.experiment.tokens)
    columns = labels if PARTS[name].square else [str(j + 1) for j in range(matrix.shape[1])]
    full = 1.0 if name == "weights" else None
    return arrow(frames.matrix_table(matrix, labels, columns, decimals, full=full, typed=name == "X"))


def growth(measure: str, decimals: int, grown: Grown, row: int) -> pa.Table:
    """The growth curve of one measure with the weights at every d; only which d is current depends on d."""
    table = _growth(measure, decimals, grown.start, row)
    return table.append_column("current", pc.equal(table["d"], grown.d))


@lru_cache(maxsize=128)
def _growth(measure: str, decimals: int, start: Grown, row: int) -> pa.Table:
    curves = results.curves(start, row)
    band = {side: bands[measure] for side, bands in curves.bands.items()} if curves.bands else None
    table = frames.curve_table(
        curves.d_values,
        {side: values[measure] for side, values in curves.measures.items()},
        curves.weights,
        names(start.experiment.tokens),
        decimals,
        band,
    )
    return arrow(table)
