"""The saturation lab in a real browser: the pointer along the axis, a sweep that is stopped, the address, a phone."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Locator, Page, expect

from attention_ui import saturation_results as results
from attention_ui import saturation_settings
from attention_ui.numbers import fixed
from attention_ui.saturation_settings import D_VALUES, SaturationSettings
from attention_ui.text import words_of
from tests.phone import nothing_is_wider

WAIT = 20_000  # milliseconds


@pytest.fixture
def open_lab(visit: Callable[..., Page]) -> Callable[..., Page]:
    """open_lab(query) -> a page on which the lab is drawn."""
    return lambda query="", **options: visit(f"saturation{query}", "[class*='st-key-board_'] svg.marks", **options)


def board(page: Page) -> Locator:
    return page.locator("[class*='st-key-board_'] svg.marks")


def texts(page: Page) -> list[str]:
    return board(page).locator(".mark-text text").all_text_contents()


def weights_at(d: int, settings: SaturationSettings) -> list[str]:
    """The numbers in the weights' cells, as the page should write them."""
    made = results.summary(results.run_of(settings))
    return [fixed(value, 3) for outcome in made.outcomes.values() for value in outcome.top[results.place_of(d)]]


def point_at(page: Page, d: int) -> None:
    """Move the pointer to the place of d on the axis, inside the plot."""
    ticks = board(page).locator(".role-axis-label text")
    places = dict(zip(ticks.all_text_contents(), [box(tick) for tick in ticks.all()], strict=True))
    first, last = places["1"], places["4096"]
    x = first["x"] + (last["x"] - first["x"]) * np.log2(d) / 12
    page.mouse.move(x, first["y"] - 60)


def box(place: Locator) -> dict[str, float]:
    """The middle of an element on the screen."""
    edges = place.bounding_box()
    return {"x": edges["x"] + edges["width"] / 2, "y": edges["y"] + edges["height"] / 2}


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_moving_along_the_axis_shows_scores_and_weights_without_a_round_trip(
    open_lab: Callable[..., Page], locale: str
) -> None:
    page = open_lab(locale=locale, viewport={"width": 1280, "height": 1100})
    words = words_of(locale[:2])
    settings = SaturationSettings()
    page.wait_for_timeout(500)
    sent = len(page.sent)
    for d in (1, 16, 64, 4096, 362):
        point_at(page, d)
        caption = f"{words('charts.preview')}{d} · {words('lab.charts.scores')}"
        expect(board(page).locator(".mark-text text").filter(has_text=caption)).to_have_count(1)
        shown = texts(page)
        wanted = weights_at(d, settings)
        assert sorted(text for text in shown if re.fullmatch(r"[01]\.\d{3}", text)) == sorted(wanted)
        assert fixed(4 * np.sqrt(d), 0) in shown
    page.mouse.move(5, 5)
    expect(board(page).locator(".mark-text text").filter(has_text=f"{words('charts.now')}1024 ·")).to_have_count(1)
    assert len(page.sent) == sent


def test_the_slider_moves_the_board_the_sentences_and_the_address(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?d=64&n=8")
    page.locator(".st-key-saturation_d input").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    d = D_VALUES[D_VALUES.index(64) + 3]
    heading = words_of("en")("lab.gradient.heading", d=d)
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(board(page).locator(".mark-text text").filter(has_text=f"d = {d} ·")).to_have_count(1)
    expect(page).to_have_url(re.compile(rf"/saturation\?lang=en&d={d}&n=8$"))
    page.reload()
    expect(page.get_by_role("heading", name=heading)).to_be_visible()


def test_quick_changes_end_with_the_last_one(open_lab: Callable[..., Page]) -> None:
    page = open_lab()
    page.locator(".st-key-saturation_n input").focus()
    for key in ("ArrowLeft",) * 4 + ("ArrowRight",) * 2:
        page.keyboard.press(key)
    page.locator(".st-key-saturation_d input").focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    measure = words_of("en")("lab.measures.concentration")
    story = words_of("en")("lab.board.story", measure=measure, d=181, n=16, each="").split(":")[0]
    expect(page.get_by_text(story)).to_be_visible()
    expect(page).to_have_url(re.compile(r"d=181&n=16$"))


def test_a_long_sweep_shows_progress_and_stops_when_a_control_changes(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?n=1024")
    uniform = SaturationSettings(n=1024, entries="uniform")
    rows = saturation_settings.allowed_rows(uniform)[-1]
    assert rows < uniform.rows  # the bound on work takes rows away, and they stay away
    page.locator(".st-key-saturation_more button").click()
    page.get_by_text(words_of("en")("lab.entries.uniform"), exact=True).click()  # real vectors, far longer than WAIT
    expect(page.get_by_role("progressbar").first).to_be_visible()
    page.get_by_text(words_of("en")("lab.entries.normal"), exact=True).click()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page).to_have_url(re.compile(rf"n=1024&rows={rows}$"))
    largest = weights_at(1024, SaturationSettings(n=1024, rows=rows))[0]
    expect(board(page).locator(".mark-text text").get_by_text(largest, exact=True).first).to_be_attached()


def test_a_table_is_downloaded(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?d=64&n=8&c=0.3")
    for name in ("scores", "weights", "curves", "gradient", "zeros", "aligned"):
        with page.expect_download() as waiting:
            page.locator(f".st-key-download_{name} button").click()
        lines = Path(waiting.value.path()).read_text().splitlines()
        at = "_d64" if name in ("scores", "weights", "gradient") else ""
        assert waiting.value.suggested_filename == f"{name}{at}_n8_c0.3_normal_float32_seed0.csv"
        assert lines[0].startswith("d,")
        assert len(lines) > 8


def test_a_bad_address_is_named_and_the_page_is_drawn(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?n=7&rules=none.<b>&c=2")
    expect(page.get_by_role("alert")).to_contain_text("rules = “none.<b>”")
    expect(page.get_by_role("alert")).to_contain_text("n = “7”")


def test_the_pages_lead_to_each_other_and_keep_what_was_set(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?d=64&lang=zh")
    page.get_by_role("link", name=words_of("zh")("page.playground")).click()
    expect(page.locator(".st-key-weights_without svg.marks")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/\?lang=zh$"))
    page.get_by_role("link", name=words_of("zh")("page.saturation")).click()
    expect(board(page).locator(".mark-text text").filter(has_text="d = 64 ·")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/saturation\?lang=zh&d=64$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(open_lab: Callable[..., Page], scheme: str) -> None:
    page = open_lab(
        "?c=0.3&rules=none.sqrt.linear.power&d=4096", viewport={"width": 390, "height": 844}, color_scheme=scheme
    )
    nothing_is_wider(page)
    last = page.locator(".st-key-myth_guess_root button").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()


def test_more_shows_the_settings_after_a_change_elsewhere(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?rows=200&format=float16&seed=7&n=8")
    page.locator(".st-key-saturation_draw button").click()
    expect(page).to_have_url(re.compile("seed=8"))
    page.locator(".st-key-saturation_more button").click()
    expect(page.locator(".st-key-saturation_seed input")).to_have_value("8")
    more = page.locator("[data-testid=stPopoverBody]")
    expect(more.locator(".st-key-saturation_rows").get_by_text("200", exact=True)).to_be_visible()
    expect(more.get_by_role("radio", name="float16")).to_be_checked()


def test_the_address_is_ahead_of_a_long_sweep(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?n=1024")
    page.locator(".st-key-saturation_more button").click()
    page.get_by_text(words_of("en")("lab.entries.uniform"), exact=True).click()
    expect(page.get_by_role("progressbar").first).to_be_visible()
    expect(page).to_have_url(re.compile("entries=uniform"))
