"""What is typed in the playground: bad cells are named, and nothing typed is lost to what is done next."""

import re
from collections.abc import Callable

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from attention_core import get_example, score_sweep, softmax
from attention_ui.numbers import fixed
from attention_ui.text import words_of
from tests.browser.playground.hand import LOVE, cell, expect_shown, shown, weights


def test_every_bad_cell_is_named_and_the_last_good_picture_stays(open_lab: Callable[..., Page]) -> None:
    language = "zh"
    page = open_lab(f"?lang={language}")
    words = words_of(language)
    place = words("editor.cell", matrix="X", row="I", column=words("editor.column_numbered", column=1))
    bad = {
        "": "empty", "abc": "not_a_number", "-": "not_a_number", "NaN": "not_finite", "inf": "not_finite",
        "-inf": "not_finite", "1e308": "too_large", "$x$": "not_a_number", "<b>": "not_a_number",
        "=1+1": "not_a_number",
    }  # fmt: skip
    for text, key in bad.items():
        first = cell(page, place)
        first.fill(text)
        first.press("Tab")
        sentence = words(f"editor.{key}", text=text, value="1", limit="1\u202f000\u202f000")
        line = page.locator(".st-key-editor").get_by_role("status").filter(has_text=place)
        expect(line.filter(has_text=sentence)).to_have_count(1)
        expect(first).to_have_attribute("aria-invalid", "true")
        assert shown(page, "with") == [fixed(value, 3) for value in weights(LOVE.X, "sqrt").ravel()]
    cell(page, place).fill("2")
    edited = LOVE.X.copy()
    edited[0, 0] = 2
    expect_shown(page, "with", weights(edited, "sqrt"))


def test_other_words_leave_every_control_as_it_was(open_lab: Callable[..., Page]) -> None:
    """A chooser sends the label it showed; after a change of sentence or language that label is stale."""
    page = open_lab("?example=meeting&lang=en&row=3")
    field = page.locator(".st-key-sentence input")
    field.fill("one two three four")
    field.press("Enter")
    expect(page.locator(".st-key-weights_with svg.marks text").filter(has_text="four").first).to_be_visible()
    page.locator(".st-key-undo button").first.click()
    expect(page.locator(".st-key-weights_with svg.marks text").filter(has_text="four")).to_have_count(0)
    page.locator(".st-key-lang button").nth(1).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(words_of("zh")("page.title"))
    page.locator(".st-key-grow_it button").click()
    expect(page).to_have_url(re.compile(r"\?lang=zh&example=meeting&d=4096$"))
    expect(page.locator(".st-key-example input")).to_have_value(words_of("zh")("examples.meeting"))
    assert page.locator("[data-testid=stException]").count() == 0


def test_an_edit_right_before_a_new_sentence_is_not_lost(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?example=random_8&d=4096")
    first = cell(page, "X, The, column 1")
    first.click()
    page.keyboard.type("9")
    field = page.locator(".st-key-sentence input")
    field.fill("The cat sat")
    field.press("Enter")
    X = get_example("random_8").X[:3].copy()
    X[0, 0] = 9
    example = get_example("random_8")
    sweep = score_sweep(X, example.W_Q, example.W_K, [8, 4096], seed=0)
    expect_shown(page, "with", softmax(sweep.scores[-1] / 64))
    expect(first).to_have_value("9")


def test_another_language_right_after_typing_is_spoken_everywhere(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    cell = page.locator("[data-matrix=X] input").first
    for language, value in (("zh", "7"), ("en", "5")):
        cell.fill(value)
        page.get_by_role("radio", name=words_of("en")(f"languages.{language}"), exact=True).click()
        words = words_of(language)
        expect(page.get_by_role("heading", name=words("page.title"), exact=True)).to_be_visible()
        expect(page.get_by_role("heading", name=words("growth.heading"))).to_be_visible()
        expect(page.locator(".st-key-measure")).to_contain_text(words("picture.largest"))
        expect(cell).to_have_value(value)


def test_what_was_typed_is_there_after_another_page(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    cell, sentence = page.locator("[data-matrix=X] input").first, page.locator(".st-key-sentence input")
    for field, value in ((cell, "7"), (sentence, "one two three four")):
        field.fill(value)
        page.get_by_role("link", name=words_of("en")("page.lessons"), exact=True).click()
        expect(page.locator(".st-key-all_lessons")).to_be_visible()
        page.get_by_role("link", name=words_of("en")("page.playground"), exact=True).click()
        expect(page.locator(".st-key-growth_largest svg.marks")).to_be_visible()
        expect(cell).to_have_value("7")
        expect(field).to_have_value(value)
