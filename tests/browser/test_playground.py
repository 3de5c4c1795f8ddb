"""The playground in a real browser: what AppTest cannot see, from typing in a cell to the address."""

import re
from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Locator, Page, expect

from attention_core import get_example, get_scaling, score_sweep, self_attention, softmax
from attention_ui.numbers import fixed
from attention_ui.text import words_of

LOVE = get_example("love")


@pytest.fixture
def open_lab(visit: Callable[..., Page]) -> Callable[..., Page]:
    """open_lab(query) -> a page on which the playground is drawn."""

    def start(query: str = "", **options: object) -> Page:
        page = visit(query.removeprefix("/"), ".st-key-growth_largest svg.marks", **options)
        for where in ("curve", "without", "with"):
            expect(numbers(page, where)).not_to_have_count(0)
        return page

    return start


def numbers(page: Page, where: str) -> Locator:
    """The numbers in a chart's cells: "without", "with", a stage's matrix such as "scores", or "curve"."""
    keys = {"without": "weights_without", "with": "weights_with", "curve": "growth_largest"}
    return page.locator(f".st-key-{keys.get(where, 'cell_' + where)} svg.marks .role-mark.mark-text text")


def shown(page: Page, where: str) -> list[str]:
    """Those numbers in reading order; light and dark cells are drawn one after the other."""
    found = numbers(page, where).evaluate_all(
        "texts => texts.map(text => [text.textContent, text.getBoundingClientRect()]).map(([text, box]) =>"
        " [Math.round((box.y + box.height / 2) / 8), box.x, text])"
    )
    return [text for _, _, text in sorted(found)]


def expect_shown(page: Page, where: str, matrix: np.ndarray, decimals: int = 3) -> None:
    """Waits until exactly this matrix is drawn."""
    wanted = [fixed(value, decimals) for value in np.asarray(matrix).ravel()]
    for text in sorted(set(wanted)):
        expect(numbers(page, where).filter(has_text=re.compile(f"^{re.escape(text)}$"))).to_have_count(
            wanted.count(text)
        )
    assert shown(page, where) == wanted


def weights(X: np.ndarray, rule: str) -> np.ndarray:
    return self_attention(X, LOVE.W_Q, LOVE.W_K, LOVE.W_V, rule).weights


def cell(page: Page, name: str) -> Locator:
    return page.locator(".st-key-editor").get_by_label(name, exact=True)


def pick(number: Locator) -> None:
    """Click the cell behind a number; the number itself lets the pointer through."""
    number.click(force=True)


def set_d(page: Page, steps: int) -> None:
    page.locator(".st-key-d input").focus()
    for _ in range(abs(steps)):
        page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")


def at_d(d: int, rule: str) -> np.ndarray:
    sweep = score_sweep(LOVE.X, LOVE.W_Q, LOVE.W_K, [3, d], seed=0)
    return softmax(get_scaling(rule).apply(sweep.scores[-1], d_k=d))


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_reaches_every_control_without_scrolling_sideways(scheme: str, open_lab: Callable[..., Page]) -> None:
    page = open_lab(viewport={"width": 390, "height": 844}, color_scheme=scheme, has_touch=True)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("element => element.scrollWidth - element.clientWidth") <= 0
    for key in ("example", "sentence", "scale", "d", "play", "more", "row", "stage", "next", "how", "measure"):
        control = page.locator(f".st-key-{key}")
        control.scroll_into_view_if_needed()
        box = control.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390, key
    page.locator(".st-key-scale label").first.click()
    expect(page.locator(".st-key-weights_without .force")).to_have_count(1)


def test_every_control_of_the_tools_changes_the_page(open_lab: Callable[..., Page]) -> None:
    """They stand in a fragment of their own, so each must ask for what it changes."""
    page = open_lab("?d=64")
    words = words_of("en")
    page.locator(".st-key-more button").first.click()
    page.get_by_text(words("rules.linear.name"), exact=True).click()
    expect(page.locator(".st-key-weights_with .side")).to_contain_text(words("rules.linear.with"))
    expect_shown(page, "with", at_d(64, "linear"))
    page.get_by_text(words("rules.power.name"), exact=True).click()
    expect(page.locator(".st-key-weights_with .side")).to_contain_text(words("rules.power.with", value="0.25"))
    page.locator(".st-key-param_power input[type=range], .st-key-param_power [role=slider]").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"rule=power&param=0\.26&d=64"))
    page.get_by_text(words("rules.sqrt.name"), exact=True).click()
    page.get_by_text(words("bar.causal"), exact=True).click()
    expect(page.locator(".st-key-stage")).to_contain_text(words("stages.masked"))
    page.get_by_text(words("bar.causal"), exact=True).click()
    page.locator(".st-key-decimals input[type=range], .st-key-decimals [role=slider]").first.focus()
    page.keyboard.press("ArrowLeft")
    expect_shown(page, "with", at_d(64, "sqrt"), decimals=2)
    page.keyboard.press("ArrowRight")
    page.locator(".st-key-seed input").fill("4")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"seed=4$"))
    page.locator(".st-key-reset_all button").click()
    expect(page.locator(".st-key-undo button").first).to_be_enabled()


def test_the_offer_to_grow_moves_the_slider_too(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    page.locator(".st-key-grow_it button").click()
    expect_shown(page, "with", at_d(4096, "sqrt"))
    expect(page.locator(".st-key-d input")).to_have_value("7")


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


def test_play_walks_d_and_pause_holds_it(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    page.locator(".st-key-play button").click()
    page.wait_for_function("location.search.includes('d=')")  # asked at every frame: each d passes in a second
    page.locator(".st-key-pause button").click()
    expect(page.locator(".st-key-play button")).to_be_visible()
    held = page.url
    page.wait_for_timeout(2_500)  # longer than two steps of play
    assert page.url == held
    assert "d=4096" not in held
    page.locator(".st-key-play button").click()
    expect(page).to_have_url(re.compile(r"d=4096"))
    expect(page.locator(".st-key-play button")).to_be_visible()
    expect_shown(page, "without", at_d(4096, "none"))
    assert "d=4096" in page.url


def test_a_long_run_of_quick_moves_leaves_the_page_alive(open_lab: Callable[..., Page]) -> None:
    """Moves that overtake each other once stopped the page for good, by a message cache in the browser."""
    page = open_lab()
    for _ in range(4):
        set_d(page, 7)
        page.wait_for_timeout(120)
        set_d(page, -7)
        page.locator(".st-key-scale label").first.click()
    set_d(page, 4)
    expect_shown(page, "with", at_d(512, "sqrt"))
    expect(page.locator(".st-key-d input")).to_be_enabled()


def test_quick_clicks_end_in_the_last_state(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    for _ in range(9):
        page.locator(".st-key-scale label").first.click()
    set_d(page, 7)
    set_d(page, -3)
    expect_shown(page, "with", at_d(512, "sqrt"))
    expect(page.locator(".st-key-weights_without .force")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"scale=off&d=512$"))


def test_the_first_screen_needs_no_scrolling(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    for where in (".st-key-d", ".st-key-editor", ".st-key-weights_without", ".st-key-weights_with", "table.figures"):
        box = page.locator(where).bounding_box()
        assert box["y"] + box["height"] <= 800, where
    caption = page.locator("p.caption").first.bounding_box()
    assert caption["y"] + caption["height"] <= 800
