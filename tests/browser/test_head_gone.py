"""The real head when its server goes shows no file that is not there; a message that is too large hurts nobody."""

import json
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Browser, Page, expect

from attention_core.heads import write_template
from attention_ui.text import words_of
from tests.browser.conftest import WAIT
from tests.browser.servers import Server

NO_FILE = ".st-key-head_file, .st-key-head_file_again"
CHIP = f":is({NO_FILE}) button[aria-label^=Remove]"


@pytest.fixture
def server() -> Iterator[Server]:
    started = Server().start()
    yield started
    started.stop()


def upload(page: Page, data: bytes) -> None:
    file = {"name": "head.npz", "mimeType": "application/octet-stream", "buffer": data}
    page.locator(f":is({NO_FILE}) input[type=file]").set_input_files(file)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_after_a_restart_the_file_is_gone_and_the_page_says_so(browser: Browser, server: Server, language: str) -> None:
    """Twice, since the field that takes the old one's place must be known to the next session too."""
    words = words_of(language)
    page = browser.new_page()
    page.set_default_timeout(WAIT)
    page.goto(f"http://127.0.0.1:{server.port}/head?lang={language}")
    expect(page.locator(".st-key-spectrum svg.marks").first).to_be_visible(timeout=60_000)
    gone = page.get_by_role("alert").filter(has_text=words("head.gone.session"))
    for _ in range(2):
        upload(page, write_template())
        expect(page.locator(".st-key-graph svg.marks")).to_contain_text("mat")
        expect(page.locator(CHIP).first).to_be_visible()
        expect(gone).to_have_count(0)
        server.kill()
        server.start()
        expect(page.get_by_text(words("page.reopened"))).to_be_visible(timeout=60_000)
        expect(gone).to_be_visible()
        expect(page.locator(".st-key-graph svg.marks")).to_contain_text("animal")
        expect(page.locator(CHIP)).to_have_count(0)
        expect(page.locator(f":is({NO_FILE}) input[type=file]")).to_have_count(1)
    page.close()


def test_a_message_that_is_too_large_ends_its_own_connection_alone(visit: Callable[..., Page]) -> None:
    """Of 2 MB, which the server reads and refuses, and of 20, which it does not read to its end: then the browser,
    which is still sending, may not hear why."""
    page = visit("head", ".st-key-spectrum svg.marks")
    for megabytes, codes in ((2, {1009}), (20, {1009, 1006})):  # too big; cut off
        assert page.evaluate(SEND % json.dumps(megabytes * 1_000_000)) in codes
    page.get_by_role("switch").first.press("Space")
    expect(page.get_by_text("“it” looks at “animal”")).to_be_visible()


SEND = """() => new Promise((resolve) => {
  const socket = new WebSocket(`ws://${location.host}/_stcore/stream`, ["streamlit"])
  socket.onopen = () => socket.send(new Uint8Array(%s))
  socket.onclose = (event) => resolve(event.code)
})"""
