"""The lessons: alike in both languages, filled by the core, right answers, links that open what they promise."""

import json
import re
from math import pi, sqrt
from urllib.parse import parse_qsl

import numpy as np
import pytest

from attention_core import get_example, head_weights, load_head, saturation_sweep, self_attention, softmax
from attention_ui import address, head_settings, lesson_settings, saturation_settings, training_settings
from attention_ui.lesson_figure import KINDS
from attention_ui.lessons import data, markdown
from attention_ui.lessons.figures import FIGURES
from attention_ui.lessons.markdown import Figure, Guess, Lesson, Link, Prose
from attention_ui.lessons.values import values
from attention_ui.lessons.written import listed, point
from attention_ui.text import CONTENT, LANGUAGES, words_of

READERS = {"": address, "saturation": saturation_settings, "training": training_settings, "head": head_settings}
COMMON = {"love", "sentence", "first", "second", "third"}
BOTH = [(name, language) for name in markdown.NAMES for language in LANGUAGES]
LONGEST = {"en": 250, "zh": 375}  # words; Chinese characters, of which about one and a half make a word
HAN = re.compile(r"[\u4e00-\u9fff]")


def lesson_of(name: str, language: str = "en") -> Lesson:
    return markdown.parse(markdown.fill(markdown.source(name, language), values(name, language)))


def links(lesson: Lesson) -> list[Link]:
    return [part for part in lesson.parts if isinstance(part, Link)]


def right(name: str, place: int = 0, language: str = "en") -> str:
    """The right option of a guess."""
    guess = lesson_of(name, language).guesses[place]
    return guess.options[guess.right]


def test_there_are_eighteen_questions_and_the_example() -> None:
    assert [markdown.number_of(name) for name in markdown.NAMES] == list(range(19))
    for language in LANGUAGES:
        assert sorted(path.stem for path in (CONTENT / language / "lessons").glob("*")) == list(markdown.NAMES)


@pytest.mark.parametrize("name", markdown.NAMES)
def test_both_languages_have_the_same_markers_placeholders_and_links(name: str) -> None:
    sources = [markdown.source(name, language) for language in LANGUAGES]
    assert markdown.placeholders(sources[0]) == markdown.placeholders(sources[1])
    raw = [re.findall(r"<!-- .*? -->|^- \[[ x]\]|\]\((/.*?)\)|^\$\$.*", text, re.MULTILINE) for text in sources]
    assert raw[0] == raw[1]
    shapes = []
    for language in LANGUAGES:
        parts = lesson_of(name, language).parts
        shapes.append([
            part.name if isinstance(part, Figure)
            else (len(part.options), part.right) if isinstance(part, Guess)
            else (part.page, sorted(part.query)) if isinstance(part, Link)
            else "prose"
            for part in parts
        ])  # fmt: skip
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(("name", "language"), BOTH)
def test_every_placeholder_is_filled_and_every_value_used(name: str, language: str) -> None:
    wanted = markdown.placeholders(markdown.source(name, language))
    given = set(values(name, language))
    assert wanted <= given
    assert given - COMMON <= wanted
    filled = markdown.fill(markdown.source(name, language), values(name, language))
    assert "{{" not in filled.replace("{{{", "")
    assert not [value for value in values(name, language).values() if re.search("nan|inf|None", value)]


@pytest.mark.parametrize(("name", "language"), BOTH)
def test_no_number_is_typed_into_the_prose(name: str, language: str) -> None:
    """0 and 1 stand for themselves; indices, exponents, a list's counting, a name and a cited year are no results."""
    text = re.sub(r"\{\{\w+\}\}|\]\(.*?\)|<!--.*?-->|^\d\. ", "", markdown.source(name, language), flags=re.MULTILINE)
    text = re.sub(r"[_^](\{\w*\}|\w)|Vaswani .*?[)）]|float32", "", text)
    assert set(re.findall(r"\d+", text)) <= {"0", "1"}


@pytest.mark.parametrize(("name", "language"), BOTH)
def test_a_lesson_is_short(name: str, language: str) -> None:
    text = re.sub(r"<!--.*?-->|\]\(.*?\)|- \[[ x]\]|\$.*?\$", "", markdown.source(name, language))
    assert len(HAN.findall(text) if language == "zh" else text.split()) < LONGEST[language]


def test_most_lessons_ask_for_a_guess_before_a_figure() -> None:
    asking = [name for name in markdown.NAMES if isinstance(next(
        part for part in lesson_of(name).parts if isinstance(part, Figure | Guess)), Guess)]  # fmt: skip
    assert len(asking) >= 10
    assert all(lesson_of(name).guesses for name in markdown.NAMES)


@pytest.mark.parametrize(("name", "language"), BOTH)
def test_a_link_opens_the_state_it_promises(name: str, language: str) -> None:
    for link in links(lesson_of(name, language)):
        if markdown.name_at(link.page):
            assert not link.query
            continue
        settings, problems = READERS[link.page].read(link.query)
        assert not problems
        written = dict(parse_qsl(READERS[link.page].write(settings)))
        assert written.items() <= link.query.items()
        for default in link.query.keys() - written.keys():  # said although it is so anyway
            others = {setting: code for setting, code in link.query.items() if setting != default}
            assert READERS[link.page].read(others)[0] == settings


def test_lessons_lead_to_every_lab() -> None:
    found = {link.page for name in markdown.NAMES for link in links(lesson_of(name))}
    assert found >= set(READERS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_stands_in_a_lesson_and_has_finite_numbers(language: str) -> None:
    used = [part.name for name in markdown.NAMES for part in lesson_of(name).parts if isinstance(part, Figure)]
    assert sorted(used) == sorted(FIGURES)
    assert {figure.kind for figure in FIGURES.values()} == set(KINDS)
    for figure in FIGURES.values():
        assert json.loads(json.dumps(figure.numbers(words_of(language)), allow_nan=False))


def test_the_right_answers_are_those_of_the_core() -> None:
    love = get_example("love")
    trace = self_attention(love.X, love.W_Q, love.W_K, love.W_V)
    assert right("00-example") == love.tokens[trace.weights[0].argmax()]
    tokens, weights = load_head("L3H1").tokens, head_weights(load_head("L3H1"), "sqrt", 1.0)[1]
    assert tokens[weights[tokens.index("it")].argmax()] in right("01-problem")
    assert np.all(trace.weights > 0)
    meeting = get_example("meeting")
    shares = np.array([0.1, 0.6, 0.2, 0.1])
    opinions = meeting.X @ meeting.W_V
    nearest = np.linalg.norm(opinions - shares @ opinions, axis=1).argmin()
    assert right("04-meeting").startswith(meeting.tokens[nearest])
    assert right("05-from-text-to-x").startswith(" × ".join(map(str, love.X.shape)))
    assert right("06-projections") == "16,777,216"
    assert right("10-pairs").endswith(str(data.KEYS**2))
    assert right("11-dot-product") == "0"
    assert right("13-softmax") == "[0.002, 0.950, 0.047]"
    assert listed(softmax(np.array([2.0, 8.0, 5.0])), 3) == right("13-softmax")


def test_the_learner_of_the_run_learns() -> None:
    run = data.run()
    assert len(run) == data.RUN_STEPS + 1
    assert data.right_share(run[0]) < 0.1
    assert data.right_share(run[-1]) > 0.95
    assert run[-1].loss < 0.02 < data.TASK.uniform_loss == 1 - 1 / 16


def test_the_search_ranks_the_title_that_fits_both_topics_first() -> None:
    found = data.search()
    assert found.scores[0].argmax() == 2
    np.testing.assert_allclose(found.weights.sum(axis=1), 1)
    np.testing.assert_allclose(found.output, softmax(data.QUERIES @ data.TITLES.T / sqrt(3)) @ data.TEXTS)
    names = words_of("en").section("lesson.search")
    assert right("08-three-matrices") == names["title_3"]


def test_one_matrix_makes_the_scores_symmetric_and_equal_rows_look_at_themselves() -> None:
    for longer in (False, True):
        scores = data.tied(True, longer).scores
        np.testing.assert_array_equal(scores, scores.T)
    assert data.own_tops(data.tied(True, False).weights) == 3
    assert data.own_tops(data.tied(True, True).weights) == 1
    free = data.tied(False, False).scores
    assert free[0, 2] != free[2, 0]


def test_grown_vectors_are_the_same_at_every_d_and_aligned_by_what_is_said() -> None:
    for aligned in (False, True):
        grown = data.grown(aligned)
        assert [len(scores) for scores in grown] == [data.KEYS] * len(data.D_VALUES)
        spread = [np.std(scores[aligned:]) / sqrt(d) for scores, d in zip(grown, data.D_VALUES, strict=True)]
        assert 0.7 < min(spread) < max(spread) < 1.3
    assert abs(data.grown(True)[-1][0] - data.ALIGNMENT * 4096) < 4 * sqrt(4096)
    assert abs(data.grown(False)[-1][0]) < 4 * sqrt(4096)


def test_the_numbers_of_the_scaling_lesson() -> None:
    shown = values("12-scaling", "en")
    assert (shown["sd_small"], shown["sd_large"], shown["root_factor"], shown["factor"]) == ("8", "64", "8", "64")
    assert shown["typical_small"] == f"{sqrt(2 * 64 / pi):.1f}" == "6.4"
    assert shown["typical_large"] == f"{sqrt(2 * 4096 / pi):.0f}" == "51"
    assert (shown["single"], shown["sharp"]) == ("[1, 0, 0]", "[0.9575, 0.0421, 0.0004]")
    assert shown["raw"] == "[1.00, 1.4×10⁻⁸⁷, 7.1×10⁻²¹⁸]"


def test_the_last_questions_ask_what_the_sweep_measures() -> None:
    shown = values("18-essence", "zh")
    for rule in ("none", "sqrt", "linear"):  # other rows than the lesson's
        sweep = saturation_sweep([4096], 8, 4000, np.random.default_rng(1), rule)
        assert abs(float(shown[rule]) - sweep.largest.mean()) < 0.005 + 4 * sweep.largest.std() / np.sqrt(4000)
    assert shown["uniform"] == "0.125"


@pytest.mark.parametrize(("numbers", "decimals", "text"), [
    ([2, 8, 5], 3, "[2, 8, 5]"), ([0.5, 0.25, 0.25], 2, "[0.50, 0.25, 0.25]"), ([-1, 0.5], 1, "[−1.0, 0.5]"),
])  # fmt: skip
def test_lists_of_numbers(numbers: list[float], decimals: int, text: str) -> None:
    assert listed(numbers, decimals) == text


def test_points() -> None:
    assert point([0.2, -1]) == "(0.2, −1)"


def test_progress_reads_what_it_writes_and_names_what_it_does_not_know() -> None:
    settings = lesson_settings.LessonSettings(done=("0", "4", "18"))
    assert lesson_settings.write(settings) == "done=0.4.18"
    assert lesson_settings.read({"done": "18.4.0"}) == (settings, [])
    assert settings.with_done("02-rnn") == ("0", "2", "4", "18")
    for bad in ("19", "zzz", "", "1.1", "1," * 5000):
        read, problems = lesson_settings.read({"done": bad})
        assert read.done == ()
        assert [problem.key for problem in problems] == ["address.done"]


@pytest.mark.parametrize("text", [
    "**q?**\n\n- [x] a\n- [x] b\n\n> r\n", "**q?**\n\n- [ ] a\n\n> r\n", "**q?**\n\n- [x] a\n", "- [x] a\n\n> r\n",
])  # fmt: skip
def test_a_guess_without_question_right_option_or_reason_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="guess"):
        markdown.parse(f"# t\n<!-- guess -->\n{text}<!-- /guess -->\n")


def test_the_parts_stand_in_the_order_of_the_text() -> None:
    parts = markdown.parse(
        "# Title\n\nfirst\n\n<!-- figure: a -->\n\n[go](/head?head=x&y=)\n[on](/lesson-1)\n\nlast [not](/a) alone\n"
    ).parts
    assert parts == (
        Prose("first"), Figure("a"), Link("go", "head", {"head": "x", "y": ""}), Link("on", "lesson-1", {}),
        Prose("last [not](/a) alone"),
    )  # fmt: skip
