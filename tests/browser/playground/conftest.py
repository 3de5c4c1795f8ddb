"""The playground opened in a tab."""

from collections.abc import Callable

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from tests.browser.playground.hand import numbers


@pytest.fixture
def open_lab(visit: Callable[..., Page]) -> Callable[..., Page]:
    """open_lab(query) -> a page on which the playground is drawn."""

    def start(query: str = "", **options: object) -> Page:
        page = visit(query.removeprefix("/"), ".st-key-growth_largest svg.marks", **options)
        for where in ("curve", "without", "with"):
            expect(numbers(page, where)).not_to_have_count(0)
        return page

    return start
