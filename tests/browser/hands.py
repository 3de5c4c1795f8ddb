"""What a hand does that a click by program does not: it waits until what it aims at stands still."""

from playwright.sync_api import Locator

REST = 300  # ms without a move; Streamlit opens an expander, and grows one, within 500
TRIES = 100


def press(button: Locator) -> None:
    """Click once the button is where it was 0.3 s before: what opens above it moves it a pixel at a time."""
    button.wait_for()
    before = None
    for _ in range(TRIES):
        now = button.bounding_box()
        if now == before:
            break
        before = now
        button.page.wait_for_timeout(REST)
    button.click()
