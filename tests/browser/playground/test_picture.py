"""From a cell to the picture and the address in a real browser: what AppTest cannot see."""

import re
from collections.abc import Callable

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from attention_ui.numbers import fixed
from attention_ui.text import words_of
from tests.browser.playground.hand import LOVE, at_d, cell, expect_shown, numbers, pick, set_d, shown, weights


def test_from_a_cell_to_the_picture_and_back_through_the_address(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    expect_shown(page, "without", weights(LOVE.X, "none"))
    expect_shown(page, "with", weights(LOVE.X, "sqrt"))

    page.locator(".st-key-scale label").first.click()
    force = words_of("en")("picture.in_force")
    expect(page.locator(".st-key-weights_without .force")).to_have_text(force)
    expect(page.locator(".st-key-weights_with .force")).to_have_count(0)

    set_d(page, 7)
    expect_shown(page, "without", at_d(4096, "none"))
    expect_shown(page, "with", at_d(4096, "sqrt"))
    expect(page).to_have_url(re.compile(r"\?lang=en&scale=off&d=4096$"))

    page.locator(".st-key-lang button").nth(1).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(words_of("zh")("page.title"))
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    expect(page).to_have_url(re.compile(r"\?lang=zh&scale=off&d=4096$"))

    page.reload()
    expect_shown(page, "without", at_d(4096, "none"))
    expect(page.locator(".st-key-weights_without .force")).to_have_text(words_of("zh")("picture.in_force"))
    expect(page.get_by_role("heading", level=1)).to_have_text(words_of("zh")("page.title"))


def test_an_edited_cell_changes_the_weights_and_undo_takes_it_back(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    first = cell(page, "X, I, column 1")
    first.click()
    page.keyboard.type("−2,5", delay=15)
    page.keyboard.press("Enter")
    edited = LOVE.X.copy()
    edited[0, 0] = -2.5
    expect_shown(page, "with", weights(edited, "sqrt"))
    expect_shown(page, "without", weights(edited, "none"))
    expect(page).to_have_url(re.compile(r"/\?lang=en&x=1\.[\w-]+$"))
    page.locator(".st-key-undo button").first.click()
    expect_shown(page, "with", weights(LOVE.X, "sqrt"))
    expect(first).to_have_value("1")
    expect(page).to_have_url(re.compile(r"/\?lang=en$"))


def test_a_cell_shows_its_arithmetic_and_closes_again(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    page.locator(".st-key-stage button").filter(has_text="QKᵀ").click()
    five = numbers(page, "scores").filter(has_text=re.compile(r"^5\.000$"))
    pick(five)
    title = words_of("en")("stages.arithmetic", matrix="QKᵀ", row="I", column="love")
    expect(page.get_by_text(title)).to_be_visible()
    board = page.locator(".katex-mathml annotation")
    expect(board.filter(has_text=r"2 \times 2 + 0 \times 1 + 1 \times 1")).to_have_count(1)
    pick(five)
    expect(page.get_by_text(title)).to_have_count(0)
    pick(five)
    expect(page.get_by_text(title)).to_be_visible()
    pick(numbers(page, "scores").filter(has_text=re.compile(r"^1\.000$")))
    expect(page.get_by_text(words_of("en")("stages.arithmetic", matrix="QKᵀ", row="I", column="I"))).to_be_visible()
    page.locator(".st-key-close_cell button").click()
    expect(page.locator(".st-key-close_cell")).to_have_count(0)


def test_a_closed_cell_opens_again(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?stage=QKV&d=4096")
    first = numbers(page, "Q").filter(has_text=re.compile(r"^2\.000$")).first
    for _ in range(2):
        pick(first)
        page.locator(".st-key-close_cell button").click()
        expect(page.locator(".st-key-close_cell")).to_have_count(0)
    pick(first)
    expect(page.locator(".st-key-close_cell")).to_have_count(1)
    pick(first)
    expect(page.locator(".st-key-close_cell")).to_have_count(0)


def test_moving_along_the_curve_previews_without_the_server(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?d=64")
    chart = page.locator(".st-key-growth_largest svg.marks")
    chart.scroll_into_view_if_needed()
    expect(numbers(page, "curve").filter(has_text="d = 64")).to_have_text("d = 64")
    before = len(page.sent)
    for step in (30, 10):  # pixels from the right end
        chart.hover(position={"x": chart.bounding_box()["width"] - step, "y": 200})
    expect(numbers(page, "curve").filter(has_text="preview")).to_have_text("preview d = 4096")
    for rule in ("none", "sqrt"):
        for value in at_d(4096, rule)[0]:
            expect(numbers(page, "curve").filter(has_text=re.compile(f"^{fixed(value, 3)}$"))).not_to_have_count(0)
    page.mouse.move(5, 5)
    expect(numbers(page, "curve").filter(has_text="d = 64")).to_have_text("d = 64")
    assert len(page.sent) == before


def test_a_link_in_one_language_opens_the_same_in_the_other(open_lab: Callable[..., Page]) -> None:
    query = "example=arrows&scale=off&rule=linear&d=256&causal=on&seed=7&row=3"
    pages = [open_lab(f"?lang={language}&{query}") for language in ("en", "zh")]
    for page, language in zip(pages, ("en", "zh"), strict=True):
        expect(page).to_have_url(re.compile(rf"lang={language}&"))
    assert shown(pages[0], "with") == shown(pages[1], "with")
    rest = [re.sub(r"lang=..&", "", page.url.split("?")[1]) for page in pages]
    assert rest[0] == rest[1]
    assert dict(part.split("=") for part in rest[0].split("&")) == dict(part.split("=") for part in query.split("&"))


def test_the_browsers_language_is_the_first_one(open_lab: Callable[..., Page]) -> None:
    page = open_lab(locale="zh-CN")
    expect(page.get_by_role("heading", level=1)).to_have_text(words_of("zh")("page.title"))


def test_tokens_are_never_markup(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    tokens = ["$x$", "<b>bold</b>", "=1+1", "![a](b)", "🙂", "<img/src=x>"]
    field = page.locator(".st-key-sentence input")
    field.fill(" ".join(tokens))
    field.press("Enter")
    for token in tokens:
        expect(page.locator(".st-key-weights_with svg.marks text").filter(has_text=token).first).to_be_visible()
    assert page.locator("main b, main img[src='b'], main img[src='x']").count() == 0
