"""How soon the page answers: from a key press or click to the changed picture, beside a bare Streamlit page.

In one browser and by turns: the d slider of the lab, the slider of the bare page (bare_page.py: a slider and a
heat map, default settings, the whole script run each time), and the lab's ÷ √d toggle. The clock runs inside the
page, from the event's capture to the first change of the marks. "New draw" lines move d after a click on
New draw, so that nothing is cached yet.

    python -m benchmarks.interaction [moves]
"""

from __future__ import annotations

import sys
from collections import defaultdict

from playwright.sync_api import Page

from benchmarks.browser import arm, browser, open_page, settle, times
from benchmarks.report import median, p95, show, verdict
from benchmarks.server import bare_page, lab

MOVES, WARM_UP = 60, 8
MEDIAN_RATIO, P95_RATIO = 1.5, 2.0  # the targets, against the bare page
HEAT_MAP = {"weights": ".st-key-weights_with .mark-rect.role-mark path"}
BARE_MAP = {"weights": ".st-key-weights .mark-rect.role-mark path"}
TOGGLED = {
    "badge": ".st-key-weights_with .side, .st-key-weights_without .side",
    "stage": ".st-key-cell_scaled .role-mark text",
}
SCALED = 3  # the place of the scaled stage in the stepper
BARE, SLIDER, FRESH, BADGE, STAGE = (
    "bare page: slider → heat map",
    "lab: d slider → weights",
    "lab: d slider → weights, new draw",
    "lab: ÷ √d toggle → badge",
    "lab: ÷ √d toggle → scaled stage",
)


def main(moves: int) -> None:
    with lab() as lab_address, bare_page() as bare_address, browser() as started:
        bare = open_page(started, bare_address, ".st-key-weights svg.marks")
        page = open_page(started, f"{lab_address}/?d=64", ".st-key-growth_largest svg.marks")
        page.locator(".st-key-stage button").nth(SCALED).click()
        page.wait_for_selector(".st-key-cell_scaled svg.marks")
        measured: dict[str, list[float]] = defaultdict(list)
        for turn in range(-WARM_UP, moves):
            for name, milliseconds in _round(page, bare, turn + WARM_UP):
                if turn >= 0 and milliseconds is not None:
                    measured[name].append(milliseconds)
    _report(measured)


def _round(page: Page, bare: Page, turn: int) -> list[tuple[str, float | None]]:
    """One measurement of each kind."""
    slider = _press(page, turn, HEAT_MAP)
    plain = _press(bare, turn, BARE_MAP)
    toggled = _toggle(page)
    plain_again = _press(bare, turn + 1, BARE_MAP)
    _draw_anew(page)
    fresh = _press(page, turn + 1, HEAT_MAP)
    return [
        (SLIDER, slider), (BARE, plain), (BADGE, toggled.get("badge")), (STAGE, toggled.get("stage")),
        (BARE, plain_again), (FRESH, fresh),
    ]  # fmt: skip


def _press(page: Page, turn: int, target: dict[str, str]) -> float | None:
    """Move the slider: right and, at its end, left again."""
    page.bring_to_front()
    settle(page)
    handle = page.locator(".st-key-d input")
    handle.focus()
    place, last = int(handle.input_value()), int(handle.get_attribute("max") or 0)
    rising = place < last and (place <= 1 or turn // 6 % 2 == 0)
    arm(page, target)
    page.keyboard.press("ArrowRight" if rising else "ArrowLeft")
    return times(page).get("weights")


def _toggle(page: Page) -> dict[str, float]:
    page.bring_to_front()
    settle(page)
    box = page.locator(".st-key-scale label").bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + box["height"] / 2)
    arm(page, TOGGLED)
    page.mouse.down()
    page.mouse.up()
    return times(page)


def _draw_anew(page: Page) -> None:
    page.bring_to_front()
    page.locator(".st-key-new_draw button").click()
    settle(page)


def _report(measured: dict[str, list[float]]) -> None:
    base = measured[BARE]
    rows: list[list[object]] = [[BARE, len(base), median(base), p95(base)] + [""] * 4]
    for name in (SLIDER, FRESH, BADGE, STAGE):
        values = measured[name]
        middle, slow = median(values) / median(base), p95(values) / p95(base)
        verdicts = verdict(middle, MEDIAN_RATIO), verdict(slow, P95_RATIO)
        rows.append([name, len(values), median(values), p95(values), middle, verdicts[0], slow, verdicts[1]])
    head = ["event → change", "moves", "median ms", "p95 ms", "ratio of medians", "", "ratio of p95", ""]
    show("Answer to a key press or click, in the browser", head, rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MOVES)
