"""The real head's tables as Arrow tables, ready to be drawn."""

from __future__ import annotations

import pyarrow as pa

from attention_ui import frames, head_frames, head_results
from attention_ui.arrow import arrow
from attention_ui.head_scene import HeadScene

DECIMALS = 3


def graph(scene: HeadScene, choices: int) -> pa.Table:
    """The sentence as a graph from the chosen token."""
    return arrow(head_frames.graph(scene.weights, scene.labels, scene.row, choices))


def heat(scene: HeadScene) -> pa.Table:
    """The weights as a heat map in the side's colour, the chosen row marked."""
    p = scene.weights[: scene.n, : scene.n]
    table = frames.matrix_table(p, scene.labels, scene.labels, DECIMALS, full=1, marked_row=scene.row)
    table.loc[table["tone"] == frames.PLUS, "tone"] = "with" if scene.settings.scale else "without"
    return arrow(table)


def spectrum(scene: HeadScene) -> pa.Table:
    """The singular values, the kept ones flagged."""
    return arrow(head_frames.spectrum(head_results.spectrum(scene.head), scene.components or scene.head.d_k))
