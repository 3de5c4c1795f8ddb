"""What holds of every page on a phone."""

from playwright.sync_api import Page

WIDTH = 390  # pixels


def nothing_is_wider(page: Page) -> None:
    """The page does not scroll sideways and no chart is cut."""
    assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollWidth <= main.clientWidth")
    for chart in page.locator("svg.marks").all():
        edges = chart.bounding_box()
        assert edges["x"] >= 0
        assert edges["x"] + edges["width"] <= WIDTH
