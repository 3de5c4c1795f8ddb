"""What the tests of the playground read from its page and do to it, and the numbers it should show."""

import re

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Locator, Page, expect

from attention_core import get_example, get_scaling, score_sweep, self_attention, softmax
from attention_ui.numbers import fixed

LOVE = get_example("love")


def numbers(page: Page, where: str) -> Locator:
    """The numbers in a chart's cells: "without", "with", a stage's matrix such as "scores", or "curve"."""
    keys = {"without": "weights_without", "with": "weights_with", "curve": "growth_largest"}
    return page.locator(f".st-key-{keys.get(where, 'cell_' + where)} svg.marks .role-mark.mark-text text")


def shown(page: Page, where: str) -> list[str]:
    """Those numbers in reading order; light and dark cells are drawn one after the other."""
    found = numbers(page, where).evaluate_all(
        "texts => texts.map(text => [text.textContent, text.getBoundingClientRect()]).map(([text, box]) =>"
        " [Math.round((box.y + box.height / 2) / 8), box.x, text])"
    )
    return [text for _, _, text in sorted(found)]


def expect_shown(page: Page, where: str, matrix: np.ndarray, decimals: int = 3) -> None:
    """Waits until exactly this matrix is drawn."""
    wanted = [fixed(value, decimals) for value in np.asarray(matrix).ravel()]
    for text in sorted(set(wanted)):
        expect(numbers(page, where).filter(has_text=re.compile(f"^{re.escape(text)}$"))).to_have_count(
            wanted.count(text)
        )
    assert shown(page, where) == wanted


def weights(X: np.ndarray, rule: str) -> np.ndarray:
    return self_attention(X, LOVE.W_Q, LOVE.W_K, LOVE.W_V, rule).weights


def cell(page: Page, name: str) -> Locator:
    return page.locator(".st-key-editor").get_by_label(name, exact=True)


def pick(number: Locator) -> None:
    """Click the cell behind a number; the number itself lets the pointer through."""
    number.click(force=True)


def set_d(page: Page, steps: int) -> None:
    page.locator(".st-key-d input").focus()
    for _ in range(abs(steps)):
        page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")


def at_d(d: int, rule: str) -> np.ndarray:
    sweep = score_sweep(LOVE.X, LOVE.W_Q, LOVE.W_K, [3, d], seed=0)
    return softmax(get_scaling(rule).apply(sweep.scores[-1], d_k=d))
