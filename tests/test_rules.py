"""One row a rule: whatever is written of a rule says what the core does, and each rule has every part."""

import html
import math
import re
from dataclasses import fields
from functools import partial

import numpy as np
import pytest

from attention_core import SCALINGS, get_example, get_scaling, self_attention
from attention_ui.arithmetic import pair
from attention_ui.exchange.exercise_numbers import factor, number
from attention_ui.numbers import MINUS, latex
from attention_ui.rules import RULES, Form, Pair
from attention_ui.text import LANGUAGES, words_of

LOVE = get_example("love")
CELLS = list(np.ndindex(3, 3))
every_rule = pytest.mark.parametrize("name", SCALINGS)
either_mask = pytest.mark.parametrize("causal", [False, True])


def trace_of(name, causal=False):
    return self_attention(LOVE.X - 0.7, LOVE.W_Q, LOVE.W_K, LOVE.W_V, name, causal)


class Applied:
    """A function written before its argument, as ln 3: ** binds as closely as it does on the board."""

    def __init__(self, function):
        self.function = function

    def __pow__(self, value):
        return self.function(value)


NAMES = {
    "frac": lambda top: lambda bottom: top / bottom,
    "root": Applied(math.sqrt),
    "ln": Applied(math.log),
    "tanh": Applied(math.tanh),
}
LATEX = {
    r"\dfrac": "frac", r"\frac": "frac", r"\sqrt": "root**", r"\ln ": "ln**", r"\tanh ": "tanh**", r"{\,": "{",
    r"\lVert q \rVert": "size_q", r"\lVert k \rVert": "size_k", r"\,": "*", r"\times": "*", r"\cdot": "*",
    r"c root": "c*root", "^": "**", "{": "(", "}": ")",
}  # fmt: skip
PAGE = {"√": "root**", "ln ": "ln**", "tanh(": "tanh**(", "<sup>": "**(", "</sup>": ")", "×": "*", MINUS: "-"}


def value_of(text, signs, **symbols):
    """A formula, evaluated by Python."""
    for sign, meaning in signs.items():
        text = text.replace(sign, meaning)
    assert re.fullmatch(r"[-+*/(). \w]+", text), text
    return eval(text, NAMES | symbols)  # letters, digits and signs only, checked above


def test_each_rule_has_its_row():
    assert list(RULES) == list(SCALINGS)
    assert all(getattr(form, part.name) not in (None, "") for form in RULES.values() for part in fields(Form))


@every_rule
def test_the_formula_is_the_cores(name):
    """A query 3 and a key −5 of one number each, so that the product is one of two numbers as in the formula."""
    rule = get_scaling(name)
    given = {"d_k": 64, "n": 8, "size_q": 3, "size_k": 5}
    shown = value_of(rule.latex, LATEX, q=3, k=-5, **given, **rule.parameters)
    assert shown == pytest.approx(float(rule.apply(-15, d_k=64, n_keys=8, q_norm=3, k_norm=5)), rel=1e-14)


@every_rule
def test_the_printed_formula_has_the_same_signs_in_the_same_order(name):
    """As the formula on the page, but that it names the places i and j."""
    printed = re.sub(r"<mi>[ij]</mi>|·", "", RULES[name].mathml)
    fractions = printed.count("<mfrac>")
    assert re.sub(r"\s", "", html.unescape(re.sub(r"<.*?>", "", printed))) == read(SCALINGS[name].latex)
    assert fractions == SCALINGS[name].latex.count(r"\dfrac")


def read(formula):
    """A LaTeX formula in the order in which it is read."""
    for sign, read_as in {r"\sqrt": "√", r"\lVert": "‖", r"\rVert": "‖", r"\ln": "ln", r"\tanh": "tanh"}.items():
        formula = formula.replace(sign, read_as)
    return re.sub(r"\\dfrac|\\cdot|\\,|[{}_^\s]", "", formula)


@either_mask
@every_rule
def test_the_lines_of_numpy_make_the_cores_numbers(name, causal):
    trace = trace_of(name, causal)
    keys = "np.arange(1, 4)[:, None]" if causal else "3"
    made = {"np": np, "scores": trace.scores, "Q": trace.Q, "K": trace.K}
    exec(RULES[name].numpy.format(n_keys=keys, **trace.rule.parameters), made)
    np.testing.assert_allclose(made["scaled"], trace.scaled, rtol=1e-14)


@either_mask
@every_rule
def test_every_step_on_the_board_is_the_scaled_score(name, causal):
    trace, write = trace_of(name, causal), partial(latex, decimals=6)
    for cell in CELLS:
        for step in RULES[name].board(pair(cell, trace, trace.rule, write, write)):
            assert value_of(step, LATEX) == pytest.approx(trace.scaled[cell], rel=1e-5, abs=1e-5), step


@either_mask
@every_rule
def test_the_calculation_of_the_exercise_is_the_scaled_score(name, causal):
    trace = trace_of(name, causal)
    for cell in CELLS:
        shown = RULES[name].exercise(pair(cell, trace, trace.rule, number, factor))
        assert value_of(re.sub("</?span.*?>", "", shown), PAGE) == pytest.approx(trace.scaled[cell], rel=5e-3), shown


@every_rule
def test_a_rule_says_whether_it_counts_the_keys(name):
    few, many = (get_scaling(name).apply(2.0, d_k=4, n_keys=n) for n in (2, 8))
    assert RULES[name].counts_keys == (few != many)


def test_a_zero_vector_scores_nothing():
    zero = Pair(0.0, 3, 3, (0.0, 2.0), {"g": 10.0}, str, str)
    assert value_of(RULES["qknorm"].exercise(zero), PAGE) == 0


@pytest.mark.parametrize("language", LANGUAGES)
@every_rule
def test_every_rule_has_its_words(name, language):
    words, rule = words_of(language), get_scaling(name)
    keys = ["name", "short", "label", "formula", "with", *["parameter"] * bool(rule.parameters)]
    keys += ["scaled"] * (name == "none" or not rule.only_multiplies)
    assert sorted(words.section(f"rules.{name}")) == sorted(keys)
    assert all("{" not in words(f"rules.{name}.{key}", value=rule.parameter) for key in keys)


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_no_words_of_a_rule_that_is_not_there(language):
    assert {key.split(".")[0] for key in words_of(language).section("rules")} == set(SCALINGS)
