"""The question about one scaled score, for every rule."""

from __future__ import annotations

import numpy as np

from attention_core import Scaling, get_scaling
from attention_core.scaling import row_lengths
from attention_ui.exchange import sheet_formulas
from attention_ui.exchange.exercise_facts import Cell, Facts, symbol
from attention_ui.exchange.exercise_numbers import equals, factor, number
from attention_ui.exchange.sheet import Html, say


def question(facts: Facts) -> tuple[Html, Html, float]:
    """What is asked, the calculation, and the scaled score as the core has it."""
    i, j = cell = facts.scaled_cell
    words, unscaled = facts.scene.words, facts.trace.rule.name == "none"
    rule = get_scaling("sqrt") if unscaled else facts.trace.rule
    score, lengths = float(facts.trace.scores[cell]), _lengths(facts, cell)
    value = _value(facts, cell, rule)
    equation = Html(f'<span class="n">{symbol("q", i)} · {symbol("k", j)} = {number(score)}</span>')
    values = {"query": facts.name(i), "key": facts.name(j), "equation": equation}
    values |= {"rule": words(f"rules.{rule.name}"), "formula": sheet_formulas.rule(rule.name)}
    values |= {"known": _known(facts, i, rule, lengths)}
    key = "ask.scaled_none" if unscaled else "ask.scaled"
    exact = rule.name not in ("ssmax", "softcap") or score == 0
    answer = Html(f"{symbol('s', i, j)} = {_calculation(facts, i, rule, score, lengths)} {equals(value, exact)}")
    return say(words, key, **values), answer, value


def _value(facts: Facts, cell: Cell, rule: Scaling) -> float:
    """From the core: the trace's own unless no rule is in force."""
    if facts.trace.rule.name != "none":
        return float(facts.trace.scaled[cell])
    return float(rule.apply(facts.trace.scores[cell], d_k=facts.trace.d_k))


def _lengths(facts: Facts, cell: Cell) -> tuple[float, float]:
    """Of the query and of the key."""
    rows = (facts.trace.Q[[cell[0]]], facts.trace.K[[cell[1]]])
    query, key = (float(row_lengths(row)[0, 0]) for row in rows)
    return query, key


def _known(facts: Facts, row: int, rule: Scaling, lengths: tuple[float, float]) -> Html:
    """What the formula needs beside the score."""
    words = facts.scene.words
    known = [f"<i>{name}</i> = {number(value)}" for name, value in rule.parameters.items()]
    if rule.name == "ssmax":
        known.append(f"<i>n</i> = {facts.visible(row)}")
    if rule.uses_lengths:
        known += [f"‖<i>{name}</i>‖ = {number(length)}" for name, length in zip("qk", lengths, strict=True)]
    else:
        known.append(f"<i>d</i><sub><i>k</i></sub> = {facts.trace.d_k}")
    notes = say(words, "ask.zero_length") if rule.uses_lengths and 0 in lengths else ""
    return Html(words("sheets.join").join(f'<span class="n">{each}</span>' for each in known) + notes)


def _calculation(facts: Facts, row: int, rule: Scaling, score: float, lengths: tuple[float, float]) -> Html:
    """The formula with its numbers. Errors: ValueError for a rule whose calculation is not known here."""
    top, root = factor(score), f"√{facts.trace.d_k}"
    numbers = {name: str(number(value)) for name, value in rule.parameters.items()}
    if rule.name == "power":
        return Html(f"{top} / {facts.trace.d_k}<sup>{numbers['a']}</sup>")
    if rule.name == "linear":
        return Html(f"{top} / {facts.trace.d_k}")
    if rule.name == "ssmax":
        return Html(f"{numbers['c']} × ln {facts.visible(row)} × {top} / {root}")
    if rule.name == "qknorm":
        cosine = f"{top} / ({' × '.join(map(number, lengths))})" if np.all(lengths) else "0"
        return Html(f"{numbers['g']} × {cosine}")
    if rule.name == "softcap":
        return Html(f"{numbers['c']} × tanh({top} / ({numbers['c']} × {root}))")
    if rule.name == "sqrt":
        return Html(f"{top} / {root}")
    raise ValueError(f"no calculation of the rule {rule.name!r}")
