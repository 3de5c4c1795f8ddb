"""The training lab in a real browser: runs that go by themselves, stop at once, and leave no work behind."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from attention_ui.text import words_of
from tests.phone import nothing_is_wider

APP = Path(__file__).parents[2] / "dashboard.py"
WAIT = 30_000  # milliseconds


# Pressed by the page itself: filled, the map would be done within three seconds, in which a busy machine may not come
# round to this process.
STOP_THE_MAP = """least => new Promise(done => {
    const look = () => {
        const [, cells] = document.querySelectorAll("[data-testid=stProgress]")
        const stop = document.querySelector(".st-key-map_stop button")
        if (!stop || !(parseInt(cells?.innerText.match(/\\d+/)?.[0]) >= least)) return setTimeout(look, 20)
        stop.click()
        done()
    }
    look()
})"""


@pytest.fixture
def open_lab(visit: Callable[..., Page]) -> Callable[..., Page]:
    """open_lab(query) -> a page on which the lab is drawn."""
    return lambda query="", **options: visit(f"training{query}", ".st-key-map svg.marks", **options)


def step_of(page: Page) -> int:
    """The step that the first progress bar tells."""
    return int(re.search(r"\d+", page.locator("[data-testid=stProgress]").first.inner_text()).group())


def cells_of(page: Page) -> int:
    return int(re.search(r"\d+", page.locator("[data-testid=stProgress]").nth(1).inner_text()).group())


def wait_for_step(page: Page, least: int) -> None:
    end = time.monotonic() + WAIT / 1000
    while step_of(page) < least:
        assert time.monotonic() < end, f"still at step {step_of(page)}"
        page.wait_for_timeout(100)


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").click()


def stands_still(page: Page, what: Callable[[Page], int]) -> None:
    """After what was under way has come to rest, nothing moves for longer than several looks take."""
    page.wait_for_timeout(700)
    at = what(page)
    page.wait_for_timeout(1500)
    assert what(page) == at


def test_a_run_goes_by_itself_pauses_steps_and_resets(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?steps=400")
    press(page, "training_start")
    wait_for_step(page, 20)
    press(page, "training_pause")
    expect(page.locator(".st-key-training_start")).to_be_visible()
    stands_still(page, step_of)
    at = step_of(page)
    press(page, "training_step")
    wait_for_step(page, at + 1)
    assert step_of(page) == at + 1
    press(page, "training_restart")
    expect(page.locator("[data-testid=stProgress]").first).to_contain_text("Step 0")


def test_a_run_comes_to_its_end_and_says_what_was_learned(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?steps=100&d=64&lang=zh", locale="zh-CN")
    press(page, "training_start")
    words = words_of("zh")
    expect(page.get_by_text(words("train.run.again"))).to_be_visible()
    told = words("train.ends.learned", rule=words("rules.sqrt.label"), loss="@", last=20).split("@")[0]
    expect(page.get_by_text(told)).to_be_visible()
    stands_still(page, step_of)


def test_a_setting_in_mid_run_begins_anew_and_stands_in_the_address(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?steps=400")
    press(page, "training_start")
    wait_for_step(page, 250)
    page.locator(".st-key-training_rate input").focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("rate=3"))
    at = step_of(page)
    assert at < 250
    wait_for_step(page, at + 5)  # and goes on
    press(page, "training_pause")


def test_the_map_fills_beside_a_run_and_stops(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?seed=41&steps=400")
    press(page, "training_start")
    wait_for_step(page, 5)
    press(page, "map_fill")
    page.evaluate(STOP_THE_MAP, 14)
    expect(page.locator(".st-key-map_stop")).to_have_count(0)
    expect(page.locator(".st-key-map_fill button")).to_be_enabled()
    stands_still(page, cells_of)
    wait_for_step(page, min(step_of(page) + 5, 400))  # the run went on, on a busy machine to its end


def test_two_tabs_train_apart_and_closing_them_leaves_no_work(
    open_lab: Callable[..., Page], processor_seconds: Callable[[Path], float]
) -> None:
    one, other = open_lab("?steps=400&seed=51"), open_lab("?steps=400&seed=52&d=4096")
    press(one, "training_start")
    press(other, "training_start")
    press(other, "map_fill")
    wait_for_step(one, 10)
    wait_for_step(other, 10)
    one.context.close()
    wait_for_step(other, step_of(other) + 10)
    other.context.close()
    time.sleep(3)  # the server hears of the closed tabs
    before = processor_seconds(APP)
    time.sleep(3)
    assert processor_seconds(APP) - before < 0.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(open_lab: Callable[..., Page], scheme: str) -> None:
    page = open_lab("?steps=100&d=64", viewport={"width": 390, "height": 844}, color_scheme=scheme)
    press(page, "training_step")
    wait_for_step(page, 1)
    expect(page.locator(".st-key-identity svg.marks")).to_be_visible()
    nothing_is_wider(page)
