"""What the web server makes of an address before Streamlit sees it.

Streamlit answers every unknown address with its page, whose parts are then asked for relative to it: below a page, as
at /lesson-12/x, they are not found and the window stays white. (Two 404s are meant to stay, health and host-config
below a page: the browser side looks for its server there first, and takes an answer to mean that all of it is there.)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import quote

import streamlit as st
from starlette.responses import RedirectResponse

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]

OWN = frozenset({"_stcore", "static", "media", "component", "app", "vendor"})  # below which the server keeps files


class Addresses:
    """ASGI middleware: an address below a page leads to the page, with its query."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        path = _within(scope["path"]) if _asks_for_a_page(scope) else ""
        page = page_above(path)
        answer = self.app if page is None else RedirectResponse(_up(path, page, scope["query_string"]))
        await answer(scope, receive, send)


def page_above(path: str) -> str | None:
    """The page's address that an address below it begins with, None when it is not below a page."""
    first, *rest = path.lstrip("/").split("/")
    return first if any(rest) and first not in OWN and first.strip(".") and not path.startswith("//") else None


def _up(path: str, page: str, query: bytes) -> str:
    """From an address below the page up to it, whatever stands before both: a proxy may have cut it off."""
    up = "../" * (path.count("/") - 1)
    return f"{up}{quote(page, safe='')}{'?' if query else ''}{query.decode('latin-1')}"


def _asks_for_a_page(scope: Scope) -> bool:
    return scope["type"] == "http" and b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def _within(path: str) -> str:
    """The path below the one at which the whole app is served."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return path.removeprefix(f"/{base}") if base else path
