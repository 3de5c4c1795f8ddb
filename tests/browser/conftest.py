"""A real browser and real Streamlit servers for the tests in this folder."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from tests.browser.servers import DASHBOARD, free_port, start_server, stop_server, wait_for

sync_api = pytest.importorskip("playwright.sync_api")

WAIT = 30_000  # milliseconds
sync_api.expect.set_options(timeout=WAIT)
BROWSERS = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERVERS: dict[Path, subprocess.Popen[bytes]] = {}


def pytest_itemcollected(item: pytest.Item) -> None:
    """pytest asks only for the tests of this folder."""
    item.add_marker("browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[sync_api.Browser]:
    """Chromium, from the system or from Playwright. Without one the tests are skipped, but in CI they fail."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:  # Playwright's own; does nothing when it is there already
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False, capture_output=True)
    with sync_api.sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except sync_api.Error as error:
            missing = pytest.fail if os.environ.get("CI") else pytest.skip
            missing(f"no browser could be started: {error.message.splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """serve(app) -> the address of a Streamlit server that runs that file; each file gets one server a session."""
    addresses: dict[Path, str] = {}
    SERVERS.clear()
    with ExitStack() as servers:

        def start(app: Path) -> str:
            if app not in addresses:
                port = free_port()
                addresses[app] = f"http://127.0.0.1:{port}"
                SERVERS[app] = start_server(app, port)
                servers.callback(stop_server, SERVERS[app])
                wait_for(addresses[app])
            return addresses[app]

        yield start


class Tabs:
    """A page that has loaded the lab once loads it again in half the time, so pages pass from test to test.

    Each lending starts as a new visitor: nothing stored, the pointer in the corner, the wanted window and theme.
    """

    def __init__(self, browser: sync_api.Browser) -> None:
        self.browser = browser
        self.idle: dict[str, list[sync_api.Page]] = {}

    def lend(self, viewport: dict[str, int], color_scheme: str, **options: object) -> tuple[sync_api.Page, str]:
        """A page and the name under which it is given back."""
        kind = repr(sorted(options.items()))
        idle = [page for page in self.idle.pop(kind, []) if not page.is_closed()]
        page = idle.pop() if idle else self.browser.new_context(viewport=viewport, **options).new_page()
        self.idle[kind] = idle
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme, media="screen")
        page.mouse.move(0, 0)
        return page, kind

    def take_back(self, page: sync_api.Page, kind: str, home: str) -> None:
        """The page rests where nothing runs."""
        page.goto(home)
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.context.clear_cookies()
        page.context.clear_permissions()
        self.idle[kind].append(page)


@pytest.fixture(scope="session")
def tabs(browser: sync_api.Browser) -> Tabs:
    """Tabs that tests lend and give back."""
    return Tabs(browser)


@pytest.fixture
def visit(tabs: Tabs, serve: Callable[[Path], str]) -> Iterator[Callable[..., sync_api.Page]]:
    """visit(address, ready) -> the lab's page once `ready` is drawn on it; console errors fail the test at its end."""
    errors: list[str] = []
    lent = []
    heard = {"console": lambda message: _note(errors, message), "pageerror": lambda error: errors.append(str(error))}

    def start(address: str, ready: str, **options: object) -> sync_api.Page:
        page, kind = tabs.lend(
            **{"viewport": {"width": 1280, "height": 800}, "color_scheme": "light", "locale": "en-US", **options}
        )
        page.set_default_timeout(WAIT)
        page.sent = []
        listeners = {**heard, "websocket": partial(_listen, page.sent)}
        for event, listener in listeners.items():
            page.on(event, listener)
        lent.append((page, kind, listeners))
        page.goto(f"{serve(DASHBOARD)}/{address}")
        sync_api.expect(page.locator(ready).first).to_be_visible(timeout=60_000)
        return page

    yield start
    for page, kind, listeners in lent:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        if not page.is_closed():
            tabs.take_back(page, kind, f"{serve(DASHBOARD)}/_stcore/health")
    assert not errors


def _listen(sent: list[str | bytes], socket: sync_api.WebSocket) -> None:
    socket.on("framesent", lambda frame: sent.append(frame))


def _note(errors: list[str], message: sync_api.ConsoleMessage) -> None:
    """Streamlit looks for its server below the page's own address first, and finds it above."""
    if message.type == "error" and not re.search(r"/[\w-]+/_stcore/", message.location["url"]):
        errors.append(message.text)


@pytest.fixture
def processor_seconds(serve: Callable[[Path], str]) -> Callable[[Path], float]:
    """processor_seconds(app) -> the processor time that its server has used so far; only where the system tells."""

    def used(app: Path) -> float:
        stat = Path(f"/proc/{SERVERS[app].pid}/stat")
        if not stat.exists():
            pytest.skip("this system does not tell a process's time in /proc")
        ticks = stat.read_text().rpartition(")")[2].split()
        return (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")

    return used
