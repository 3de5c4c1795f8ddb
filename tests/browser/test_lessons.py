"""The lessons in a real browser: all of them at two widths in two languages, figures that answer without the server."""

import re
from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Locator, Page, expect

from attention_core import softmax
from attention_ui.lessons import data, markdown
from attention_ui.lessons.values import values as values_of
from attention_ui.numbers import fixed, percent
from attention_ui.text import LANGUAGES, words_of
from tests.browser.hands import press

GUESS = "[class*=st-key-guess_]"
SKIP = "[class*=st-key-skip_] button"
SIZES = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.fixture
def open_lesson(visit: Callable[..., Page]) -> Callable[..., Page]:
    """open_lesson(number, query) -> its page with all answers and figures shown."""

    def start(number: int, query: str = "", **options: object) -> Page:
        page = visit(f"lesson-{number}{query}", GUESS, **options)
        show_all(page, markdown.NAMES[number])
        return page

    return start


def show_all(page: Page, name: str) -> None:
    """Give up on every guess of the lesson, one after the other."""
    guesses = markdown.source(name, "en").count("<!-- guess -->")
    for place in range(guesses):
        box = page.locator(GUESS).nth(place)
        press(box.get_by_role("button").last)
        expect(box.locator("button")).to_have_count(0)
    expect(page.locator(".figure[data-kind]")).to_have_count(markdown.source(name, "en").count("<!-- figure"))


def figure(page: Page, kind: str) -> Locator:
    return page.locator(f".figure[data-kind={kind}]")


def move(slider: Locator, value: float) -> None:
    """As a hand on the slider does: the value changes and an input event follows, as often as it moves."""
    slider.evaluate(
        "(input, to) => { input.value = to; input.dispatchEvent(new Event('input', { bubbles: true })) }", value
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_walk_through_all_lessons(language: str, size: str, visit: Callable[..., Page]) -> None:
    """Once one guess after the other, else by someone who has done them all and sees everything at once."""
    every, done = [str(number) for number in range(len(markdown.NAMES))], (language, size) != ("en", "wide")
    page = visit(f"lesson-0?lang={language}{'&done=' + '.'.join(every) if done else ''}", GUESS, viewport=SIZES[size])
    main = page.locator("[data-testid=stMain]")
    for number, name in enumerate(markdown.NAMES):
        expect(page).to_have_url(re.compile(rf"/lesson-{number}\?"))
        expect(page.get_by_role("heading", name=markdown.title_of(name, language), exact=True)).to_be_visible()
        if not done:
            show_all(page, name)
            expect(page).to_have_url(re.compile(r"done=" + r"\.".join(every[: number + 1]) + "$"))
        expect(page.locator(".figure[data-kind]")).to_have_count(markdown.source(name, "en").count("<!-- figure"))
        assert main.evaluate("main => main.scrollWidth <= main.clientWidth"), name
        for drawn in page.locator(".figure[data-kind]").all():
            edges = drawn.bounding_box()
            assert edges["x"] >= 0, name
            assert edges["x"] + edges["width"] <= SIZES[size]["width"], name
        expect(page.get_by_text("BidiComponent Error")).to_have_count(0)
        if number + 1 < len(markdown.NAMES):
            page.locator(".st-key-around a").last.click()


def test_softmax_answers_in_the_browser_with_the_numbers_of_the_core(open_lesson: Callable[..., Page]) -> None:
    page = open_lesson(13)
    box = figure(page, "softmax").first
    sent = len(page.sent)
    scores = np.array([2.0, 8.0, 5.0])
    for place, value in ((0, 7.5), (1, -3.0)):
        scores[place] = value
        move(box.locator("input[type=range]").nth(place), value)
        for shown, weight in zip(box.locator(".bar .number").all(), softmax(scores), strict=True):
            expect(shown).to_have_text(fixed(float(weight), 4) if weight >= 0.00005 else "< 0.0001")
    before = box.locator(".say").inner_text()
    move(box.locator("input[type=range]").nth(4), 100)
    expect(box.locator(".quiet")).to_contain_text("107.50")
    assert box.locator(".say").inner_text() == before
    move(box.locator("input[type=range]").nth(3), 3)
    expect(box.locator(".bar .number").first).to_have_text(fixed(float(softmax(scores / 8)[0]), 4))
    assert len(page.sent) == sent


def test_shares_angles_and_routes_answer_in_the_browser(open_lesson: Callable[..., Page]) -> None:
    page = open_lesson(4)
    sent = len(page.sent)
    move(figure(page, "blend").locator("input").first, 0.55)
    shares = np.array([0.55, *(0.45 * np.array([0.6, 0.2, 0.1]) / 0.9)])
    place = shares @ np.array([[1, 0], [0, 1], [1, 1], [-1, 0]])
    expect(figure(page, "blend").locator(".say")).to_contain_text(f"({fixed(place[0], 2)}, {fixed(place[1], 2)})")
    expect(figure(page, "blend").locator("output").nth(1)).to_have_text(percent(shares[1]).replace(" %", "\u00a0%"))
    assert len(page.sent) == sent

    page = open_lesson(11)
    sent = len(page.sent)
    move(figure(page, "angle").locator("input").first, 120)
    expect(figure(page, "angle").locator(".say").first).to_contain_text(f"= {fixed(2 * 1.5 * -0.5, 2)}")
    move(figure(page, "angle").locator("input").first, 90)
    expect(figure(page, "angle").locator(".say").first).to_contain_text("= 0.00")
    assert len(page.sent) == sent

    page = open_lesson(15)
    sent = len(page.sent)
    box, words = figure(page, "routing"), words_of("en").section("lesson.routing")
    love, output = data.trace_of("love"), box.locator("figure").nth(2).locator("td.cell")
    expect(box.get_by_role("radio", name=words["self"])).to_be_disabled()
    box.get_by_role("radio", name="V", exact=True).click()
    box.get_by_role("radio", name=words["self"]).click()
    expect(output).to_have_text([f"{value:g}" for value in love.V.ravel()])
    expect(box.get_by_role("radio", name=words["mirror"])).to_be_disabled()
    box.get_by_role("radio", name="A", exact=True).click()
    box.get_by_role("radio", name=words["mirror"]).click()
    expect(output).to_have_text([f"{value:g}" for value in love.V[::-1].ravel()])
    assert len(page.sent) == sent


def test_a_cell_of_the_product_tells_its_sum(open_lesson: Callable[..., Page]) -> None:
    page = open_lesson(10)
    box = figure(page, "product")
    trace = data.trace_of("love")
    box.locator("td button").nth(5).click()
    terms = " + ".join(f"{a:g}·{b:g}" for a, b in zip(trace.Q[1], trace.K[2], strict=True))
    expect(box.locator(".say")).to_have_text(f"S[love, AI] = {terms} = {trace.scores[1, 2]:g}")
    expect(box.locator("td button").nth(5)).to_be_focused()


def test_growing_d_shows_what_the_core_drew(open_lesson: Callable[..., Page]) -> None:
    page = open_lesson(12)
    box = figure(page, "grow")
    for choice, aligned in ((0, False), (1, True)):
        box.get_by_role("radio").nth(choice).click()
        move(box.locator("input"), 6)
        scores = data.grown(aligned)[6]
        shown = [
            percent(float(weight)).replace(" %", "\u00a0%")
            for weights in (softmax(scores), softmax(scores / 64))
            for weight in weights
        ]
        expect(box.locator(".bar .number")).to_have_text(shown)


def test_a_box_of_the_flow_opens_its_stage_and_the_way_back_is_there(open_lesson: Callable[..., Page]) -> None:
    page = open_lesson(17, "?lang=zh")
    figure(page, "flow").locator("a").nth(4).click()
    expect(page.locator(".st-key-cell_weights svg.marks")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/\?lang=zh&example=love_zh&stage=weights&done=17&back=lesson-17$"))
    page.locator(".st-key-way_back a").click()
    expect(page.get_by_role("heading", name=markdown.title_of("17-flow", "zh"))).to_be_visible()
    expect(figure(page, "flow")).to_be_visible()  # the guess is still answered
    page.go_back()
    expect(page.locator(".st-key-cell_weights svg.marks")).to_be_visible()


def test_a_guess_stays_through_another_language_and_progress_through_a_reload(visit: Callable[..., Page]) -> None:
    page = visit("lesson-4", GUESS)
    page.locator(GUESS).get_by_text("C's, it was C's own").click()
    page.locator(GUESS).get_by_role("button", name=words_of("en")("lesson.guess.check")).click()
    expect(page.get_by_text(words_of("en")("lesson.guess.wrong"))).to_be_visible()
    move(figure(page, "blend").locator("input").first, 0.9)
    page.locator(".st-key-lang button").nth(1).click()
    expect(page.get_by_text(words_of("zh")("lesson.guess.wrong"))).to_be_visible()
    expect(figure(page, "blend").locator("output").first).to_have_text("90.0\u00a0%")
    expect(page).to_have_url(re.compile(r"/lesson-4\?lang=zh&done=4$"))
    page.reload()
    expect(page.get_by_role("heading", name=markdown.title_of("04-meeting", "zh"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"/lesson-4\?lang=zh&done=4$"))


def test_the_keyboard_alone_chooses_the_last_option(visit: Callable[..., Page]) -> None:
    page = visit("lesson-4", GUESS)
    options = page.locator(GUESS).get_by_role("radio")
    options.first.focus()
    page.keyboard.press("Space")
    for _ in range(options.count() - 1):
        page.keyboard.press("ArrowDown")
    expect(options.last).to_be_checked()
    expect(options.last).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(GUESS)).to_contain_text(f"✗ {options_of('04-meeting')[-1]}")


def options_of(name: str) -> list[str]:
    return list(markdown.parse(markdown.fill(markdown.source(name, "en"), values_of(name, "en"))).guesses[0].options)


def test_keys_move_through_choices_and_tokens(open_lesson: Callable[..., Page]) -> None:
    page = open_lesson(1)
    box = figure(page, "looks")
    box.get_by_role("radio").first.press("ArrowRight")
    expect(box.locator(".say")).to_contain_text("[CLS]")
    box.locator(".word").nth(2).focus()
    page.keyboard.press("Enter")
    expect(box.locator(".say")).to_contain_text("“animal”")
    expect(box.locator(".word").nth(2)).to_be_focused()


def test_paper_has_the_lesson_and_nothing_to_press(open_lesson: Callable[..., Page]) -> None:
    page = open_lesson(12, color_scheme="dark")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name=markdown.title_of("12-scaling", "en"))).to_be_visible()
    expect(figure(page, "grow")).to_be_visible()
    for hidden in (".st-key-contents", ".st-key-around", ".st-key-lang", "[data-testid=stHeader]"):
        expect(page.locator(hidden)).not_to_be_visible()
    paper = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
