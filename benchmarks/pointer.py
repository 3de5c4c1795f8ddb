"""How soon the growth curve answers the pointer: from a pointer move to the changed weights above the curve.

Everything happens in the browser: the benchmark counts the frames that the page sends to the server meanwhile,
which must be none. For 3, 8 and 16 tokens.

    python -m benchmarks.pointer [moves]
"""

from __future__ import annotations

import sys

from playwright.sync_api import Browser, Page

from benchmarks.browser import arm, browser, open_page, settle, times
from benchmarks.report import median, p95, show, verdict
from benchmarks.server import lab

MOVES, WARM_UP = 120, 20
STEP = 1 / 38  # of the plot's width; the curve has about 42 places
SAME_D = 300  # ms after which a move is taken to have stayed at the same d
FRAME = 16.7  # ms; the target for the median
CURVE = ".st-key-growth_largest"
WEIGHTS = {"weights": f"{CURVE} .mark-rect.role-mark path"}
SENTENCE = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
CASES = {"3 tokens": "?d=256", "8 tokens": "?example=random_8&d=256", "16 tokens": "?example=random_8&d=256"}


def main(moves: int) -> None:
    rows = []
    with lab() as address, browser() as started:
        for name, query in CASES.items():
            values, frames = _case(started, f"{address}/{query}", SENTENCE if name == "16 tokens" else None, moves)
            rows.append([name, len(values), median(values), p95(values), verdict(median(values), FRAME), frames])
    head = ["growth curve", "moves", "median ms", "p95 ms", "median", "frames sent to the server"]
    show("Pointer on the growth curve → changed weights, in the browser", head, rows)


def _case(started: Browser, address: str, sentence: str | None, moves: int) -> tuple[list[float], int]:
    """The times of the moves that led to another d, and how many frames the page sent during all moves."""
    sent: list[object] = []
    page = open_page(started, address, f"{CURVE} svg.marks", sent)
    if sentence:
        _say(page, sentence)
    _sweep(page, WARM_UP)
    settle(page)
    before = len(sent)
    values = _sweep(page, moves)
    settle(page)
    page.context.close()
    return values, len(sent) - before


def _say(page: Page, sentence: str) -> None:
    """Type a sentence and wait until the curve shows a weight for each of its words."""
    field = page.locator(".st-key-sentence input")
    field.fill(sentence)
    field.press("Enter")
    cells = 2 * len(sentence.split())
    page.wait_for_function(f"document.querySelectorAll('{WEIGHTS['weights']}').length === {cells}", timeout=30_000)
    settle(page)


def _sweep(page: Page, moves: int) -> list[float]:
    """Move along the curve to the right and back, one place after the other."""
    plot = page.locator(f"{CURVE} svg.marks .root > g > path.background").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    settle(page)
    values = []
    for move in range(1, moves + 1):
        place = move * STEP % 2
        place = 0.01 + 0.98 * min(place, 2 - place)
        arm(page, WEIGHTS)
        page.mouse.move(box["x"] + place * box["width"], box["y"] + box["height"] / 2)
        if "weights" in (found := times(page, patience=SAME_D)):
            values.append(found["weights"])
    return values


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MOVES)
