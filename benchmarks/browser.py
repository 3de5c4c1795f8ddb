"""A real browser, and a stopwatch inside its page: from an event to the first changed mark or text."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

PROGRAMS = (os.environ.get("BROWSER_PATH", ""), "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIZE = {"width": 1280, "height": 1600}
QUIET = 250  # ms without any change after which a page counts as done

# The first event after arm() starts the watch; each target stops when what it selects is there and reads differently.
STOPWATCH = """
() => {
  const read = (selector) => [...document.querySelectorAll(selector)]
    .map((mark) => mark.textContent || mark.getAttribute("fill-opacity")).join("|")
  const watch = { armed: false, start: null, before: {}, times: {}, changed: performance.now() }
  watch.arm = (targets) => {
    watch.targets = targets
    watch.before = Object.fromEntries(Object.entries(targets).map(([name, selector]) => [name, read(selector)]))
    Object.assign(watch, { armed: true, start: null, times: {} })
  }
  watch.done = () => Object.keys(watch.times).length === Object.keys(watch.targets).length
  const begin = () => { if (watch.armed && watch.start === null) watch.start = performance.now() }
  for (const type of ["keydown", "pointerdown", "pointermove"]) window.addEventListener(type, begin, true)
  new MutationObserver(() => {
    const now = watch.changed = performance.now()
    if (watch.start === null) return
    for (const [name, selector] of Object.entries(watch.targets)) {
      if (name in watch.times) continue
      const text = read(selector)
      if (text && text !== watch.before[name]) watch.times[name] = now - watch.start
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  window.stopwatch = watch
}
"""


@contextmanager
def browser() -> Iterator[Browser]:
    """Chromium from the system, from BROWSER_PATH, or Playwright's own."""
    path = next((found for name in PROGRAMS if name and (found := shutil.which(name))), None)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


def open_page(started: Browser, address: str, wait_for: str, sent: list[object] | None = None) -> Page:
    """A page in a session of its own, once the selector is there and nothing moves any more.

    `sent` collects the frames that the page sends through its websockets.
    """
    page = started.new_context(viewport=SIZE).new_page()
    if sent is not None:
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(f"http://{address}")
    page.wait_for_selector(wait_for, timeout=60_000)
    page.evaluate(STOPWATCH)
    settle(page)
    return page


def settle(page: Page) -> None:
    """Wait until the page has not changed for a while."""
    page.wait_for_timeout(QUIET)
    page.wait_for_function(f"performance.now() - stopwatch.changed > {QUIET}", timeout=60_000)


def arm(page: Page, targets: dict[str, str]) -> None:
    """Get ready for the next event; targets are CSS selectors by name."""
    page.evaluate("(targets) => stopwatch.arm(targets)", targets)


def times(page: Page, patience: float = 10_000) -> dict[str, float]:
    """Milliseconds from the event to the change of each target; one that did not change is missing."""
    with suppress(TimeoutError):
        page.wait_for_function("stopwatch.done()", timeout=patience, polling=20)
    page.evaluate("stopwatch.armed = false")
    return page.evaluate("stopwatch.times")
