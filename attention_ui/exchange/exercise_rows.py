"""The questions of an exercise about whole rows: what a row looks at, and how it reacts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attention_core import concentration, softmax
from attention_core.checks import FloatArray
from attention_ui import results
from attention_ui.exchange.exercise_facts import Facts
from attention_ui.exchange.exercise_numbers import (
    agree,
    equals,
    equals_share,
    factor,
    number,
    positive,
    read,
    read_shares,
    share,
    shares,
    squares,
    text,
    vector,
)
from attention_ui.exchange.exercise_questions import LARGER_D, Question
from attention_ui.exchange.sheet import Html, say
from attention_ui.results import WITH, WITHOUT

ONE_HOT, UNIFORM = 0.8, 1.2  # Σp² above the one is nearly one-hot, n Σp² below the other nearly uniform
SHIFT = 10


def mask(facts: Facts) -> Question | None:
    """What the causal mask leaves of a row."""
    n = len(facts.trace.X)
    if not facts.scene.settings.causal or n == 1:
        return None
    row, words = (n - 1) // 2, facts.scene.words
    seen, hidden = (facts.names(list(range(*ends))) for ends in ((row + 1,), (row + 1, n)))
    values = {"query": facts.name(row), "seen": seen, "hidden": hidden}
    return Question("mask", say(words, "ask.mask", **values), say(words, "answer.mask", **values))


def attention(facts: Facts) -> Question | None:
    """Which key a row looks at most, and how much."""
    row, words = facts.first, facts.scene.words
    scores, weights = facts.trace.masked[row], facts.trace.weights[row]
    if facts.visible(row) == 1 or not agree(softmax(read(scores)), weights):
        return None
    tied = results.tied_keys(scores)
    best = sorted(np.argsort(-scores, kind="stable")[:tied].tolist())
    values = {"query": facts.name(row), "i": row + 1, "scores": vector(scores), "keys": facts.names(best)}
    largest = float(weights.max())
    values |= {"working": _working(facts, scores), "weight": _share(scores, largest), "count": tied}
    ask = say(words, "ask.attention", **values)
    return Question("attention", ask, say(words, f"answer.attention{'_tied' * (tied > 1)}", **values), (largest,))


def shift(facts: Facts) -> Question:
    """The same number added to every score of a row."""
    words, row = facts.scene.words, facts.first
    values = {
        "query": facts.name(row),
        "i": row + 1,
        "added": SHIFT,
        "factor": Html(f"<i>e</i><sup>{SHIFT}</sup>"),
        "power": number(float(np.exp(SHIFT))),
    }
    return Question("shift", say(words, "ask.shift", **values), say(words, "answer.shift", **values))


def growth(facts: Facts) -> Question | None:
    """The largest weight at a larger d, without scaling and with the rule."""
    row, words = facts.first, facts.scene.words
    if facts.visible(row) == 1:
        return None
    d = LARGER_D[facts.scene.d == LARGER_D[False]]
    large = replace(facts.scene, settings=replace(facts.scene.settings, d=str(d)))
    rows = {side: large.trace(side).masked[row] for side in (WITHOUT, WITH)}
    weights = {side: large.trace(side).weights[row] for side in rows}
    if not all(agree(softmax(read(rows[side])), weights[side]) for side in rows):
        return None
    largest = [float(weights[side].max()) for side in rows]
    effect = "same" if agree(*largest) else "softer" if largest[1] < largest[0] else "sharper"
    values: dict[str, object] = {"query": facts.name(row), "i": row + 1, "d": d, "rule": large.rule_label(WITH)}
    values |= {f"scores_{side}": vector(scores) for side, scores in rows.items()}
    values |= {f"powers_{side}": shares(_powers(scores)) for side, scores in rows.items()}
    values |= {side: _share(rows[side], value) for side, value in zip(rows, largest, strict=True)}
    values |= {"effect": say(words, f"effect.{effect}")}
    return Question("growth", say(words, "ask.growth", **values), say(words, "answer.growth", **values), tuple(largest))


def shape(facts: Facts) -> Question | None:
    """Whether a row is nearly one-hot or nearly uniform, by Σp²."""
    row, words = facts.second, facts.scene.words
    seen = facts.visible(row)
    weights = facts.trace.weights[row, :seen]
    total = float(concentration(weights))
    found = float(concentration(read_shares(weights)))
    if seen == 1 or _verdict(found, seen) != _verdict(total, seen) or not agree(found, total):
        return None
    values = {"query": facts.name(row), "i": row + 1, "weights": shares(positive(weights)), "n": seen}
    values |= {"one_hot": text(ONE_HOT), "uniform": number(UNIFORM / seen), "verdict": words(_verdict(total, seen))}
    working = Html(f"Σ<i>p</i>² = {squares(weights)} {equals(total)}")
    return Question(
        "shape", say(words, "ask.shape", **values), say(words, "answer.shape", working=working, **values), (total,)
    )


def _verdict(total: float, n: int) -> str:
    """The key of what Σp² says about a row of n keys."""
    name = "one_hot" if total > ONE_HOT else "uniform" if total * n < UNIFORM else "between"
    return f"sheets.verdict.{name}"


def _powers(scores: FloatArray) -> FloatArray:
    """e to the differences from the largest score; exactly 0 only for a masked key."""
    return np.where(np.isneginf(scores), 0, positive(np.exp(scores - scores.max())))


def _working(facts: Facts, scores: FloatArray) -> Html:
    """The largest score taken off, the powers of e and their sum."""
    values = {"top": factor(float(scores.max())), "powers": shares(_powers(scores)), "total": _total(scores)}
    return say(facts.scene.words, "answer.working", **values)


def _share(scores: FloatArray, weight: float) -> Html:
    """The largest weight as 1 over the sum of the powers."""
    return Html(f'<span class="n">1 / {_total(scores)}</span> {equals_share(weight, _exact(scores))}')


def _total(scores: FloatArray) -> Html:
    """The sum of the powers; 1.0000 where one of them stands for all."""
    return share(float(_powers(scores).sum()), _exact(scores))


def _exact(scores: FloatArray) -> bool:
    """True when every power of e is exactly 1, or 0 by the mask."""
    return bool(((_powers(scores) == 1) | np.isneginf(scores)).all())
