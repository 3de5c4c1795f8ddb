"""The sheets to print: well-formed and self-contained whatever the experiment, and their numbers are the core's."""

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core import EXAMPLES, SCALINGS, get_scaling, self_attention, softmax
from attention_core.growth import widen_pair
from attention_ui.address import RULES, Settings
from attention_ui.exchange import exercise, exercise_numbers, report, sheet, sheet_formulas
from attention_ui.exchange.carried import Carried
from attention_ui.experiment import AXES, MATRICES, Experiment, from_example
from attention_ui.numbers import MINUS
from attention_ui.text import LANGUAGES, words_of
from tests.playground.exchange_cases import LOVE, carrieds, edited, too_long

ADDRESS = "https://lab.example/?experiment=1.abc&lang=en"
VARIANTS = [
    *({"rule": rule} for rule in RULES),
    {"scale": False},
    {"causal": True, "decimals": 0},
    {"d": "64", "how": "copies", "decimals": 6},
    {"d": "4096", "rule": "qknorm", "causal": True},
]
HOSTILE = ("<script>alert(1)</script>", "\"&'", "<b>", "{d}", "&lt;i&gt;")


class Parsed(HTMLParser):
    """Every tag closed in its order; texts, tags and attributes kept."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts = [], [], [], []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.texts.append(data)

    @property
    def text(self):
        """Words, each element's apart from the next one's."""
        return " ".join(" ".join(self.texts).split())

    @property
    def line(self):
        """As it is read."""
        return "".join(self.texts)


def both(carried, language):
    """Report and exercise."""
    words = words_of(language)
    return report.write(carried, words, ADDRESS), exercise.write(carried, words)


def sound(html, names=()):
    """Well-formed, nothing from elsewhere, nothing left unfilled; gives what was parsed."""
    parsed = Parsed(html)
    text = parsed.text
    for name in names:
        text = text.replace(" ".join(name.split()), "")
    assert not re.search(r"\bnan\b|None|[{}](?!\s)|\binf\b|-\d", text), text
    assert not {"script", "img", "link", "iframe", "object"} & set(parsed.tags)
    assert not [name for name, _ in parsed.attributes if name in ("src", "srcset") or name.startswith("on")]
    assert [value for name, value in parsed.attributes if name == "href"] in ([], [ADDRESS])
    assert not re.search(r"url\(|@import", html)
    assert html.count("://") == (2 if "href" in html else 0)
    return parsed


def questions(carried, language="en"):
    """The questions by their key."""
    found = exercise.questions(report.scene_of(carried, words_of(language)))
    return {question.key: question for question in found}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_gives_sound_sheets(example, variant):
    """Each example and each variant in both languages, each pair of them in one."""
    language = LANGUAGES[(list(EXAMPLES).index(example) + VARIANTS.index(variant)) % len(LANGUAGES)]
    carried = Carried(from_example(example), Settings(example=example, **variant))
    pages = [sound(html, carried.experiment.tokens) for html in both(carried, language)]
    for parsed in pages:
        assert ("lang", "zh-CN" if language == "zh" else "en") in parsed.attributes
        assert ("name", "color-scheme") in parsed.attributes
        assert parsed.tags.count("h1") == 1
    assert 6 <= pages[1].tags.count("li") / 2 <= 8  # questions, each with its answer


@settings(max_examples=12, deadline=None)
@given(carrieds(d_codes=("typed", "64")), st.sampled_from(LANGUAGES))
def test_any_experiment_gives_sound_sheets(carried, language):
    words = words_of(language)
    for html in (report.write(carried, words, ADDRESS), exercise.write(carried, words)):
        parsed = sound(html, carried.experiment.tokens)
    assert 4 <= parsed.tags.count("li") / 2 <= 8


@st.composite
def odd(draw):
    """Experiments of few sizes and few values: one token, 1×1 matrices, zeros, a million, ties."""
    n, *sizes = (draw(st.sampled_from([1, 2, 3])) for _ in range(4))
    size = {"tokens": n, **dict(zip(("d_emb", "d_k", "d_v"), sizes, strict=True))}
    values = draw(st.sampled_from([(0.0,), (1.0,), (1e6,), (1e6, -1e6, 0.0), (0.0, 1.0, -1.0), (1e-300, 1.0)]))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    matrices = {name: rng.choice(values, tuple(size[axis] for axis in AXES[name])) for name in MATRICES}
    chosen = {"rule": draw(st.sampled_from(RULES)), "scale": draw(st.booleans()), "causal": draw(st.booleans())}
    chosen |= {"d": draw(st.sampled_from(["typed", "64"])), "decimals": draw(st.integers(0, 6))}
    return Carried(Experiment("love", HOSTILE[:n], matrices), Settings(**chosen))


@settings(max_examples=30, deadline=None)
@given(odd(), st.sampled_from(LANGUAGES))
def test_odd_experiments_with_hostile_tokens(carried, language):
    words = words_of(language)
    for html in (report.write(carried, words, ADDRESS), exercise.write(carried, words)):
        parsed = sound(html, carried.experiment.tokens)
        assert " ".join(carried.experiment.tokens) in parsed.text
        assert "<script" not in html
    assert 4 <= parsed.tags.count("li") / 2 <= 8


def test_the_same_experiment_gives_the_same_bytes():
    again = Carried(from_example("random_8"), Settings(example="random_8", d="64", causal=True))
    for language in LANGUAGES:
        first, second = (both(again, language) for _ in range(2))
        assert first == second


def test_an_address_too_long_to_be_typed_can_be_clicked_but_is_not_printed():
    for length, printed in ((100, True), (2000, False)):
        address = "https://example.org/?x=" + "a" * length
        html = report.write(LOVE, words_of("en"), address)
        assert f'href="{address}"' in html
        assert (html.count(address) == 2) == printed


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_no_address_holds_the_experiment_the_report_asks_for_a_file(language):
    words = words_of(language)
    parsed = sound(report.write(Carried(too_long(), Settings()), words, None), too_long().tokens)
    assert words("sheets.report.no_link") in parsed.text
    assert "a" not in parsed.tags


@pytest.mark.parametrize("address", ["javascript:alert(1)", '"><script>', "data:text/html,x"])
def test_only_an_address_of_the_web_can_be_clicked(address):
    html = report.write(LOVE, words_of("en"), address)
    parsed = Parsed(html)
    assert "a" not in parsed.tags
    assert address in parsed.text


def test_the_report_has_every_stage_and_the_figures_of_every_row():
    parsed = Parsed(report.write(replace(LOVE, settings=Settings(causal=True)), words_of("en"), ADDRESS))
    assert parsed.tags.count("figure") == 12
    assert f"{MINUS}∞" in parsed.text
    for number in ("0.577", "2.887", "1.732"):
        assert number in parsed.text


@pytest.mark.parametrize(("causal", "rows", "high"), [(True, 2, 1), (False, 3, 2)])
def test_a_row_that_sees_one_key_is_not_counted_as_saturated(causal, rows, high):
    """At d = 4096 without scaling one of the rows is torn between two keys."""
    carried = replace(LOVE, settings=Settings(d="4096", causal=causal, how="copies"))
    weights = replace(carried, settings=replace(carried.settings, scale=False)).trace().weights
    assert (weights.max(axis=1) > report.HIGH).sum() == high + causal
    text = Parsed(report.write(carried, words_of("en"), ADDRESS)).text
    assert f"more than one key: {rows}. Of these, rows whose largest weight is above 0.9: {high} without" in text


def test_a_wide_matrix_goes_on_below_and_keeps_all_typed_columns():
    words = words_of("en")
    wide = replace(edited()[0], settings=Settings(d="4096"))
    text = Parsed(report.write(wide, words, ADDRESS)).text
    assert "4096" in text
    assert "drawn independently (seed 0): 4093. The first columns and the last one" in text
    html = sheet.matrix(sheet.Html("M"), np.full((2, 16), -1234.5), 6, ("a", "b"))
    assert html.count("<table>") > 1
    assert html.count("<td style") == 32


@pytest.mark.parametrize(("d", "how", "said"), [
    ("typed", "independent", None), ("64", "independent", "independent, seed 7"), ("64", "copies", "copies"),
    ("64", "zeros", "zeros"),
])  # fmt: skip
def test_the_seed_is_said_where_it_was_used(d, how, said):
    text = Parsed(report.write(replace(LOVE, settings=Settings(d=d, how=how, seed=7)), words_of("en"), ADDRESS)).line
    assert ("seed 7" in text) == (how == "independent" and d == "64")
    found = re.search(r"New columns(.*?)Causal mask", text)
    assert (found and found[1]) == said


def test_whole_numbers_that_are_huge_keep_their_digits():
    html = sheet.matrix(sheet.Html("M"), np.array([[1.5e12, 0]]), 3, ("a",))
    assert "1.500×10¹²" in html


def test_decimals_are_aligned_and_no_more_than_needed():
    html = sheet.matrix(sheet.Html("M"), np.array([[1, 2.25], [-0.5, 3]]), 3, ("a", "b"))
    assert re.findall(r"<td[^>]+>([^<]+)", html) == ["1.00", "2.25", f"{MINUS}0.50", "3.00"]


@pytest.mark.parametrize("name", SCALINGS)
def test_every_rule_has_its_formula(name):
    assert Parsed(sheet_formulas.rule(name)).tags[0] == "math"


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
