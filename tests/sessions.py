"""A session of the lab without a browser: opened at an address, led to another, changed, and read."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from attention_ui.text import LANGUAGES

ROOT = Path(__file__).parents[1]


def in_turn(names: Iterable[str], turn: int = 0) -> list[tuple[str, str]]:
    """Each case in one language, both in turn: a page's words are drawn from the same keys in both."""
    return [(name, LANGUAGES[(i + turn) % len(LANGUAGES)]) for i, name in enumerate(names)]


def visit(address: str = "", **query: str) -> AppTest:
    """A new session on a page; the playground's address is empty."""
    return go(AppTest.from_file(str(ROOT / "dashboard.py"), default_timeout=60), address, **query)


def go(app: AppTest, address: str, **query: str) -> AppTest:
    """Follow a link inside the session."""
    known = {page.get("url_pathname"): name for name, page in app._registered_pages.items()}
    app._page_hash = known.get(address) or (calc_hash(address) if address else "")
    app.query_params.clear()
    app.query_params.update(query)
    return settled(app.run())


def put(app: AppTest, page: str, **changes: object) -> AppTest:
    """Other settings of a page, as an address would bring them; those of the playground are called settings."""
    app.session_state[page] = replace(app.session_state[page], **changes)
    settled(app.run())
    for name in changes:
        key = f"{page}_{name}:replaced"
        if key in app.session_state:
            del app.session_state[key]  # a fast machine's next choice is not an echo of what was there before
    return app


def settled(app: AppTest) -> AppTest:
    """After a run: nothing went wrong in it."""
    assert not app.exception, [error.value for error in app.exception]
    return app


def html(app: AppTest) -> str:
    """The page's own HTML, as it was sent."""
    return "\n".join(element.proto.body for element in app.get("html"))
