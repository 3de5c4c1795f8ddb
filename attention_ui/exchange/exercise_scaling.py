"""The question about one scaled score, for every rule."""

from __future__ import annotations

from attention_core import Scaling, get_scaling
from attention_ui.arithmetic import pair
from attention_ui.exchange import sheet_formulas
from attention_ui.exchange.exercise_facts import Cell, Facts, symbol
from attention_ui.exchange.exercise_numbers import equals, factor, number
from attention_ui.exchange.sheet import Html, say
from attention_ui.rules import RULES, Pair


def question(facts: Facts) -> tuple[Html, Html, float]:
    """What is asked, the calculation, and the scaled score as the core has it."""
    i, j = cell = facts.scaled_cell
    words, unscaled = facts.scene.words, facts.trace.rule.name == "none"
    rule = get_scaling("sqrt") if unscaled else facts.trace.rule
    form, chosen = RULES[rule.name], pair(cell, facts.trace, rule, number, factor)
    value = _value(facts, cell, rule)
    equation = Html(f'<span class="n">{symbol("q", i)} · {symbol("k", j)} = {number(chosen.score)}</span>')
    values = {"query": facts.name(i), "key": facts.name(j), "equation": equation}
    values |= {"rule": words(f"rules.{rule.name}.name"), "formula": sheet_formulas.rule(rule.name)}
    values |= {"known": _known(facts, chosen, rule)}
    key = "ask.scaled_none" if unscaled else "ask.scaled"
    exact = form.exact or chosen.score == 0
    answer = Html(f"{symbol('s', i, j)} = {form.exercise(chosen)} {equals(value, exact)}")
    return say(words, key, **values), answer, value


def _value(facts: Facts, cell: Cell, rule: Scaling) -> float:
    """From the core: the trace's own unless no rule is in force."""
    if facts.trace.rule.name != "none":
        return float(facts.trace.scaled[cell])
    return float(rule.apply(facts.trace.scores[cell], d_k=facts.trace.d_k))


def _known(facts: Facts, chosen: Pair, rule: Scaling) -> Html:
    """What the formula needs beside the score."""
    words = facts.scene.words
    known = [f"<i>{name}</i> = {number(value)}" for name, value in chosen.parameters.items()]
    if RULES[rule.name].counts_keys:
        known.append(f"<i>n</i> = {chosen.keys}")
    if rule.uses_lengths:
        known += [f"‖<i>{name}</i>‖ = {number(length)}" for name, length in zip("qk", chosen.lengths, strict=True)]
    else:
        known.append(f"<i>d</i><sub><i>k</i></sub> = {chosen.d}")
    notes = say(words, "ask.zero_length") if rule.uses_lengths and 0 in chosen.lengths else ""
    return Html(words("sheets.join").join(f'<span class="n">{each}</span>' for each in known) + notes)
