"""The questions of an exercise about single entries, and what all of its questions are made of.

A question gives every number that its answer needs. It is None where the experiment has no sense for it, and
where the numbers as printed would lead to another result than the core's.
"""

from __future__ import annotations

from dataclasses import dataclass

from attention_ui.exchange import exercise_scaling
from attention_ui.exchange.exercise_facts import Facts, symbol
from attention_ui.exchange.exercise_numbers import (
    adds_up,
    agree,
    equals,
    factor,
    mix,
    number,
    positive,
    products,
    read,
    read_shares,
    shares,
    vector,
)
from attention_ui.exchange.sheet import Html, say

LARGER_D = {False: 1024, True: 4096}  # by whether d is the first one already


@dataclass(frozen=True)
class Question:
    """What is asked and answered, and the answer's numbers as the core has them."""

    key: str
    ask: Html
    answer: Html
    results: tuple[float, ...] = ()


def projection(facts: Facts) -> Question | None:
    """One entry of Q."""
    i, j = facts.projection_cell
    x, w = facts.trace.X[i], facts.scene.experiment.matrices["W_Q"][:, j]
    total = float(facts.trace.Q[i, j])
    if not (x * w).any() or not adds_up(x, w, total):
        return None
    values = {"query": facts.name(i), "i": i + 1, "j": j + 1, "entry": symbol("q", i, j)}
    key = "ask.projection" if facts.shown else "ask.projection_given"
    ask = say(facts.scene.words, key, x=vector(x), w=vector(w), **values)
    return Question("projection", ask, Html(f"{symbol('q', i, j)} = {products(x, w)} {equals(total)}"), (total,))


def score(facts: Facts) -> Question | None:
    """One dot product; at a large d the part of it that the typed columns give."""
    words, (i, j) = facts.scene.words, facts.score_cell
    q, k = facts.trace.Q[i, : facts.typed], facts.trace.K[j, : facts.typed]
    part, total = float(q @ k), float(facts.trace.scores[i, j])
    if not (q * k).any() or not adds_up(q, k, part):
        return None
    dot = Html(f'<span class="n">{symbol("q", i)} · {symbol("k", j)}</span>')
    values = {"query": facts.name(i), "key": facts.name(j), "q": symbol("q", i), "k": symbol("k", j), "dot": dot}
    values |= {"left": vector(q), "right": vector(k), "d": facts.scene.d, "typed": facts.typed}
    values |= {"rest": facts.scene.d - facts.typed, "score": number(total)}
    if facts.scene.d == facts.typed:
        answer = Html(f"{dot} = {products(q, k)} {equals(total)}")
        return Question("score", say(words, "ask.score", **values), answer, (total,))
    rest = total - part
    if not agree(read([total])[0] - read([part])[0], rest):
        return None
    working = Html(f"{products(q, k)} {equals(part)}")
    other = Html(f"{number(total)} − {factor(part)} {equals(rest)}")
    answer = say(words, "answer.score_wide", working=working, other=other)
    return Question("score", say(words, "ask.score_wide", **values), answer, (part, rest))


def scaled(facts: Facts) -> Question:
    """One score under the rule in force, under ÷ √d where there is none."""
    ask, answer, value = exercise_scaling.question(facts)
    return Question("scaled", ask, answer, (value,))


def output(facts: Facts) -> Question | None:
    """One entry of the output as a weighted sum."""
    row, column = facts.second, facts.value_column
    seen = facts.visible(row)
    weights, values = facts.trace.weights[row, :seen], facts.trace.V[:seen, column]
    total = float(facts.trace.output[row, column])
    if not values.any() or not adds_up(weights, values, total, read_shares):
        return None
    texts = {"query": facts.name(row), "i": row + 1, "j": column + 1, "entry": symbol("o", row, column)}
    texts |= {"keys": facts.names(list(range(seen))), "weights": shares(positive(weights)), "values": vector(values)}
    answer = Html(f"{symbol('o', row, column)} = {mix(weights, values)} {equals(total)}")
    return Question("output", say(facts.scene.words, "ask.output", **texts), answer, (total,))


def sizes(facts: Facts) -> Question:
    """The shapes of every stage."""
    names = {"X": "X", "W_Q": "W_Q", "Q": "Q", "scores": "scores", "output": "output", "V": "W_V"}
    shapes = {key: " × ".join(map(str, getattr(facts.trace, name).shape)) for key, name in names.items()}
    words = facts.scene.words
    return Question("sizes", say(words, "ask.sizes", **shapes), say(words, "answer.sizes", **shapes))


def spread(facts: Facts) -> Question:
    """How far independent scores spread at two values of d."""
    low, high = facts.typed, LARGER_D[False]
    values = {"low": low, "high": high, "low_root": equals(low**0.5), "high_root": equals(high**0.5)}
    words = facts.scene.words
    return Question(
        "spread", say(words, "ask.spread", **values), say(words, "answer.spread", **values), (low**0.5, high**0.5)
    )
