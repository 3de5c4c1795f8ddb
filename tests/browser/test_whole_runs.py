"""Runs of the whole script that arrive in the midst of others: none is done twice at once, and no click is lost."""

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from attention_ui.text import words_of

ROOT = Path(__file__).parents[2]
EVERY = 60  # ms between two runs of the whole script
WORDS = words_of("en")

# What the connection's component takes for a connection that is there again, after which it asks for such a run.
AGAIN_AND_AGAIN = """every => {
    const app = document.querySelector("[data-test-connection-state]")
    const again = () => app.setAttribute("data-test-connection-state", app.dataset.testConnectionState)
    window.asking = setInterval(again, every)
}"""


def no_error(page: Page) -> None:
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_a_run_and_the_map_go_on_beside_them(visit: Callable[..., Page]) -> None:
    page = visit("training?seed=61&steps=400", ".st-key-map svg.marks")
    page.locator(".st-key-training_start button").click()
    page.locator(".st-key-map_fill button").click()
    page.evaluate(AGAIN_AND_AGAIN, EVERY)
    for _ in range(30):
        page.wait_for_timeout(100)
        no_error(page)
    page.evaluate("clearInterval(window.asking)")
    page.locator(".st-key-training_pause button").click()
    expect(page.locator(".st-key-training_start button")).to_be_visible()
    no_error(page)


def test_every_click_counts_beside_them(visit: Callable[..., Page]) -> None:
    page = visit("training?seed=62&steps=100&d=64", ".st-key-map svg.marks")
    page.evaluate(AGAIN_AND_AGAIN, EVERY)
    for step in range(1, 13):
        page.locator(".st-key-training_step button").click()
        told = WORDS("train.run.progress", step=step, all=100)
        expect(page.locator("[data-testid=stProgress]").first).to_have_text(told)
    page.evaluate("clearInterval(window.asking)")
    no_error(page)
