"""The exercise to print: its numbers are the core's, and it asks for nothing that the sheet does not give."""

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

from attention_core import get_scaling, self_attention, softmax
from attention_core.growth import widen_pair
from attention_ui.address import RULES, Settings
from attention_ui.exchange import exercise_numbers
from attention_ui.exchange.carried import Carried
from attention_ui.experiment import MATRICES, Experiment, from_example
from attention_ui.numbers import MINUS
from tests.playground.exchange_cases import LOVE
from tests.playground.sheet_cases import VARIANTS, Parsed, questions


@pytest.mark.parametrize("value", [0, 5, -0.25, 5 / 3**0.5, 1234.5678, 1.23456e12, -4.4e-38, 0.000123456, 5e-324])
def test_a_printed_number_is_the_one_that_is_read(value):
    shown = exercise_numbers.text(value).replace(MINUS, "-")
    power = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    assert float(shown.translate(power).replace("×10", "e")) == exercise_numbers.printed(value)
    assert exercise_numbers.printed(value) == pytest.approx(value, rel=0.01)


def expected(carried):
    """The trace by the core's own way, without the cache between."""
    own, chosen = carried.experiment.matrices, carried.settings
    W_Q, W_K = widen_pair(own["W_Q"], own["W_K"], carried.d, chosen.seed, carried.how)
    return self_attention(own["X"], W_Q, W_K, own["W_V"], carried.rule, chosen.causal)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("example", ["love", "random_8", "arrows", "meeting"])
def test_answers_are_the_cores_numbers(example, variant):
    carried = Carried(from_example(example), Settings(example=example, **variant))
    found, trace = questions(carried), expected(carried)
    places = {key: found[key].answer for key in ("projection", "scaled", "output") if key in found}
    matrices = {"projection": trace.Q, "scaled": trace.scaled, "output": trace.output}
    if not carried.settings.scale:
        matrices["scaled"] = get_scaling("sqrt").apply(trace.scores, d_k=carried.d)
    for key, answer in places.items():
        i, j = (int(place) - 1 for place in re.search(r"<sub>(\d+),(\d+)</sub>", answer).groups())
        assert found[key].results == pytest.approx((matrices[key][i, j],))
        assert exercise_numbers.text(found[key].results[0]) in answer
    row = int(re.search(r"row (\d+)", unescape(found["attention"].ask))[1]) - 1
    assert found["attention"].results == pytest.approx((trace.weights[row].max(),))
    large = replace(carried, settings=replace(carried.settings, d="1024"))
    sides = [replace(large, settings=replace(large.settings, scale=scale)) for scale in (False, True)]
    assert found["growth"].results == pytest.approx([expected(side).weights[row].max() for side in sides])


@pytest.mark.parametrize("key", ["projection", "score", "output"])
def test_a_calculation_gives_its_result(key):
    """The printed terms are read back, multiplied and added."""
    answer = Parsed(questions(Carried(from_example("random_8"), Settings(example="random_8")))[key].answer).line
    terms = re.findall(r"(−?[\d.]+)\)? × \(?(−?[\d.]+)", answer)
    result = re.findall(r"[=≈] (−?[\d.]+)", answer)[-1].replace(MINUS, "-")
    total = sum(float(a.replace(MINUS, "-")) * float(b.replace(MINUS, "-")) for a, b in terms)
    assert len(terms) == 8
    assert total == pytest.approx(float(result), abs=0.005)


def test_a_student_who_calculates_with_the_printed_scores_finds_the_weight():
    ask = Parsed(questions(LOVE)["attention"].ask).line
    scores = [float(number) for number in re.search(r"is \(([^)]+)\)", ask)[1].split(",")]
    assert softmax(np.array(scores)).max() == pytest.approx(questions(LOVE)["attention"].results[0], abs=1e-3)


def test_ties_masks_and_missing_scaling_are_told():
    tied = questions(Carried(from_example("one_matrix"), Settings(example="one_matrix", causal=True)))
    assert "−∞" in tied["mask"].answer
    saturated = questions(Carried(from_example("random_8"), Settings(example="random_8", d="4096", scale=False)))
    assert "&lt; 0.0001" in saturated["output"].ask
    zeros = {name: np.zeros_like(matrix) for name, matrix in LOVE.experiment.matrices.items()}
    empty = questions(replace(LOVE, experiment=replace(LOVE.experiment, matrices=zeros)))
    assert "these 3 are tied" in empty["attention"].answer
    assert not {"projection", "score", "output"} & set(empty)
    assert "No scaling is in force" in questions(replace(LOVE, settings=Settings(scale=False)))["scaled"].ask


def test_what_rounding_left_of_a_sum_that_cancels_is_not_asked_for():
    """123456.789 · −10⁶ + 10⁶ · 123456.789 is 0; in floats a few millionths may be left."""
    left, right = np.array([123456.789, 1e6]), np.array([-1e6, 123456.789])
    assert exercise_numbers.adds_up(left, right, 0.0)
    assert not exercise_numbers.adds_up(left, right, 1e-6)


def one_key(score, values=((0.0,), (0.0,))):
    """Two tokens; both give the second one a score higher by `score`, unscaled."""
    X, W_Q, W_K = np.eye(2), np.ones((2, 1)), np.array([[0.0], [score]])
    matrices = {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": np.array(values)}
    return Carried(Experiment("love", ("I", "you"), matrices), Settings(scale=False))


@pytest.mark.parametrize(("score", "value", "asked"), [
    (10.0, 1e6, False), (9.0, 1e6, False), (9.0, 1.0, True), (2.0, 1e6, True), (40.0, 1e6, False),
])  # fmt: skip
def test_an_output_is_asked_for_only_where_the_printed_weights_give_it(score, value, asked):
    """Of a million a weight of 0.00012 makes 123, but the sheet prints 0.0001, and of less than that nothing."""
    assert ("output" in questions(one_key(score, ((value,), (0.0,))))) == asked


def test_no_question_is_about_a_row_that_sees_one_key_where_another_sees_more():
    """Law: neither of the two rows that are asked about is such a row, wherever the focus is."""
    for row in (0, 1, 2):
        found = questions(replace(LOVE, settings=Settings(causal=True, row=row)))
        rows = [re.search(r"row (\d+)", found[key].ask)[1] for key in ("attention", "growth")]
        rows += re.findall(r"<sub>(\d+),\d+</sub>", found["output"].answer)
        assert len(rows) == 3
        assert "1" not in rows


@pytest.mark.parametrize(("score", "powers", "weight"), [
    (0.0, "(1, 1), in total 2.", "1 / 2 = 0.5"),
    (-2.0, "(1, 0.1353), in total 1.1353.", "1 / 1.1353 ≈ 0.8808"),
    (11.0, "(< 0.0001, 1), in total 1.0000.", "1 / 1.0000 ≈ 1.0000"),
    (50.0, "(< 0.0001, 1), in total 1.0000.", "1 / 1.0000 ≈ 1.0000"),
])  # fmt: skip
def test_only_what_is_exact_is_whole(score, powers, weight):
    answer = Parsed(questions(one_key(score))["attention"].answer).line
    assert powers in answer
    assert weight in answer


def test_one_empty_token_still_has_four_questions():
    shapes = dict.fromkeys(MATRICES, (1, 1))
    alone = Experiment("love", ("I",), {name: np.zeros(shape) for name, shape in shapes.items()})
    for rule in RULES:
        found = questions(Carried(alone, Settings(rule=rule)))
        assert set(found) == {"sizes", "spread", "scaled", "shift"}
