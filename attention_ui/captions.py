"""Sentences that the numbers of an experiment choose and fill."""

from __future__ import annotations

from attention_ui import results
from attention_ui.numbers import percent
from attention_ui.results import WITH, WITHOUT
from attention_ui.scene import Scene


def weights(scene: Scene) -> str:
    """What the picture says, for the key that wins without scaling."""
    words, row, query = scene.words, scene.row, scene.query
    if scene.visible == 1:
        return words("picture.alone", query=query)
    key = int(scene.trace(WITHOUT).weights[row].argmax())
    without, scaled = (percent(float(scene.trace(side).weights[row, key])) for side in (WITHOUT, WITH))
    tied = {side: results.tied_keys(scene.trace(side).masked[row]) for side in (WITHOUT, WITH)}
    values = {"d": scene.d, "query": query, "key": scene.labels[key], "without": without, "scaled": scaled}
    values |= {"rule": scene.rule_label(WITH), "count": tied[WITHOUT]}
    if tied == {WITHOUT: scene.visible, WITH: scene.visible}:
        return words("picture.tied", **values)
    return words("picture.caption" if tied[WITHOUT] == 1 else "picture.tied_top", **values)
