"""Every control of the playground, one at a time, fast one after another, and on a phone."""

import re
from collections.abc import Callable

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from attention_ui.text import words_of
from tests.browser.playground.hand import at_d, expect_shown, set_d


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


def test_play_walks_d_and_pause_holds_it(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    page.locator(".st-key-play button").click()
    page.wait_for_function("location.search.includes('d=')")  # asked at every frame: each d passes in a second
    page.locator(".st-key-pause button").click()
    expect(page.locator(".st-key-play button")).to_be_visible()
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()  # the address follows at the end
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
