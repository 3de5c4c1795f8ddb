"""What survives when the server ends the session: a restart, an expiry, another replica; and a quick reload."""

import re
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Browser, Page, expect

from attention_ui.text import words_of
from tests.browser.servers import Line, Server

READY = ".st-key-growth_largest svg.marks"
WEIGHTS = ".st-key-weights_without svg.marks .role-mark.mark-text text"
WORDS = words_of("en")
AGAIN = 60_000  # ms: Streamlit's browser side waits longer from try to try


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that forgets a session one second after its connection was lost."""
    started = Server(server__disconnectedSessionTTL="1").start()
    yield started
    started.stop()


@pytest.fixture
def replicas() -> Iterator[list[Server]]:
    """Two servers that remember."""
    started = [Server().start(), Server().start()]
    yield started
    for each in started:
        each.stop()


@pytest.fixture
def line_to() -> Iterator[Callable[..., Line]]:
    """line_to(*servers) -> a line to the first of them that answers."""
    lines: list[Line] = []

    def lay(*servers: Server) -> Line:
        lines.append(Line(*servers))
        return lines[-1]

    yield lay
    for line in lines:
        line.close()


@pytest.fixture
def open_at(browser: Browser) -> Iterator[Callable[..., Page]]:
    """open_at(address, ready) -> the page once `ready` is drawn on it, in a window of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    broken: list[str] = []

    def start(address: str, ready: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: broken.append(str(error)))
        page.goto(address)
        expect(page.locator(ready).first).to_be_visible(timeout=60_000)
        return page

    yield start
    context.close()
    assert not broken


def cell(page: Page, matrix: str = "X", place: int = 0):
    return page.locator(f"[data-matrix={matrix}] input").nth(place)


def sentence(page: Page):
    return page.locator(".st-key-sentence input")


def typed(page: Page, text: str, place: int = 0) -> None:
    """A cell of X, until the address holds it."""
    before = page.url
    cell(page, "X", place).fill(text)
    cell(page, "X", place).press("Enter")
    page.wait_for_function("before => location.href !== before", arg=before)


def at_rest(page: Page) -> None:
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()


def reopened(page: Page) -> None:
    expect(page.get_by_text(WORDS("page.reopened"))).to_be_visible(timeout=AGAIN)
    expect(page.locator(READY)).to_be_visible(timeout=AGAIN)


def test_an_edit_outlives_the_server(server: Server, open_at: Callable[..., Page]) -> None:
    """A sentence, a cell, and a cell that was edited while no server was there."""
    page = open_at(f"http://127.0.0.1:{server.port}/?lang=en&d=64", READY)
    sentence(page).fill("you love AI")
    sentence(page).press("Enter")
    expect(page).to_have_url(re.compile(r"x=1\."))
    typed(page, "0.25")
    at_rest(page)
    shown = page.locator(WEIGHTS).all_text_contents()
    server.kill()
    expect(page.locator("[data-test-connection-state=CONNECTED]")).to_have_count(0)
    cell(page, "W_V").fill("7")
    cell(page, "W_V").press("Enter")
    server.start()
    reopened(page)
    expect(sentence(page)).to_have_value("you love AI")
    expect(cell(page)).to_have_value("0.25")
    expect(cell(page, "W_V")).to_have_value("7")
    expect(page).to_have_url(re.compile(r"x=1\."))
    assert page.locator(WEIGHTS).all_text_contents() == shown


def test_an_edit_outlives_its_session(
    server: Server, line_to: Callable[..., Line], open_at: Callable[..., Page]
) -> None:
    """The line is cut for longer than the server remembers the session."""
    line = line_to(server)
    page = open_at(f"{line.address}/?lang=en&d=64", READY)
    typed(page, "0.25")
    line.cut()
    page.wait_for_timeout(4_000)
    line.mend()
    reopened(page)
    expect(cell(page)).to_have_value("0.25")
    typed(page, "0.5", place=1)
    expect(cell(page)).to_have_value("0.25")


def test_a_short_break_keeps_the_session_and_another_replica_the_edit(
    replicas: list[Server], line_to: Callable[..., Line], open_at: Callable[..., Page]
) -> None:
    line = line_to(*replicas)
    page = open_at(f"{line.address}/?lang=en&d=64", READY)
    typed(page, "0.25")
    page.evaluate("window.same = true")
    at_rest(page)
    line.cut()
    expect(page.locator("[data-test-connection-state=CONNECTED]")).to_have_count(0)
    line.mend()
    expect(page.locator("[data-test-connection-state=CONNECTED]")).to_have_count(1, timeout=AGAIN)
    typed(page, "0.5", place=1)
    expect(page.locator(".st-key-undo button").first).to_be_enabled()
    assert page.evaluate("window.same")
    replicas[0].kill()
    reopened(page)
    expect(cell(page)).to_have_value("0.25")
    expect(cell(page, place=1)).to_have_value("0.5")
    typed(page, "0.75", place=2)


def test_a_page_whose_line_is_cut_in_mid_run_goes_on(
    server: Server, line_to: Callable[..., Line], browser: Browser
) -> None:
    """What was on its way is lost, and what comes after it may not fit to what is there. While play walks d, there is
    always something on its way."""
    line, context = line_to(server), browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    page = context.new_page()
    page.goto(f"{line.address}/?lang=en")
    for wait in (120, 240, 360, 480):
        expect(page.locator(".st-key-play button, .st-key-pause button").first).to_be_visible(timeout=AGAIN)
        page.locator(".st-key-play button, .st-key-pause button").first.click()
        page.wait_for_timeout(wait)
        line.cut()
        expect(page.locator("[data-test-connection-state=CONNECTED]")).to_have_count(0)
        line.mend()
        expect(page.locator("[data-test-connection-state=CONNECTED]")).to_have_count(1, timeout=AGAIN)
    expect(page.locator(READY)).to_be_visible(timeout=AGAIN)
    at_rest(page)
    typed(page, "0.25")
    expect(cell(page)).to_have_value("0.25")
    context.close()


def test_a_lesson_and_a_run_outlive_the_server(server: Server, open_at: Callable[..., Page]) -> None:
    """In the middle of a lesson, with progress; in the middle of a run of training, with settings of its own."""
    start = f"http://127.0.0.1:{server.port}"
    lesson = open_at(f"{start}/lesson-5?lang=en&done=1.2.3", "h2")
    title = lesson.locator("h2").first.text_content()
    run = open_at(f"{start}/training?lang=en&rate=0.3&seed=7", ".st-key-training_start button")
    run.locator(".st-key-training_start button").click()
    expect(run.locator(".st-key-training_pause button")).to_be_visible()
    kept = lesson.url, run.url
    server.kill()
    server.start()
    for page in (lesson, run):
        expect(page.get_by_text(WORDS("page.reopened"))).to_be_visible(timeout=AGAIN)
    expect(run.locator(".st-key-training_start button")).to_be_visible()
    assert (lesson.url, run.url) == kept
    assert lesson.locator("h2").first.text_content() == title
    run.locator(".st-key-training_start button").click()
    expect(run.locator(".st-key-training_pause button")).to_be_visible()


@pytest.mark.parametrize("wait", [0, 250])
def test_what_was_typed_just_before_a_reload_is_there(visit: Callable[..., Page], wait: int) -> None:
    """A cell, a size and a sentence; once taken back it stays so after a reload."""
    page = visit("?lang=en&d=64", READY)
    cell(page).fill("0.25")
    page.wait_for_timeout(wait)
    page.reload()
    expect(cell(page)).to_have_value("0.25")
    expect(page).to_have_url(re.compile(r"x=1\."))
    page.locator("[data-matrix=W_V] button.plus").click()
    page.wait_for_timeout(wait)
    page.reload()
    expect(page.locator("[data-matrix=W_V] output.count")).to_have_text("4")
    sentence(page).fill("you love AI")
    page.wait_for_timeout(wait)
    page.reload()
    expect(sentence(page)).to_have_value("you love AI")
    expect(page.locator("[data-matrix=X] th[scope=row]").first).to_have_text("you")
    expect(cell(page)).to_have_value("0.25")


def test_what_was_taken_back_stays_so_after_a_reload(visit: Callable[..., Page]) -> None:
    page = visit("?lang=en&d=64", READY)
    first = cell(page).input_value()
    typed(page, "0.25")
    sentence(page).fill("you love AI")
    sentence(page).press("Enter")
    expect(page.locator("[data-matrix=X] th[scope=row]").first).to_have_text("you")
    undo = page.locator(".st-key-undo button").first
    undo.click()  # two presses in one run of the server are one to it, so the first is waited for
    expect(page.locator("[data-matrix=X] th[scope=row]").first).to_have_text("I")
    undo.click()
    expect(page).to_have_url(re.compile(r"\?lang=en&d=64$"))
    page.reload()
    expect(page.locator(READY)).to_be_visible()
    expect(cell(page)).to_have_value(first)
    expect(sentence(page)).to_have_value("I love AI")


@pytest.mark.parametrize("below", ["lesson-12/x", "lesson-12/x/y/"])
def test_an_address_below_a_page_opens_the_page(visit: Callable[..., Page], below: str) -> None:
    page = visit(f"{below}?lang=zh&done=1", "h1")
    expect(page).to_have_url(re.compile(r"/lesson-12\?lang=zh&done=1$"))
    expect(page.locator("h1")).to_have_text(words_of("zh")("page.title"))
