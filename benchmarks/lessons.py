"""How soon the lessons answer: a figure to its control, in the browser alone, and the page to a guess, by the server.

A figure draws within the event, so the time from the event to the end of its handlers is that to the changed figure;
frames sent to the server meanwhile are counted and must be none.

    python -m benchmarks.lessons [moves]
"""

from __future__ import annotations

import sys

from playwright.sync_api import Page

from attention_ui.lessons import markdown
from benchmarks.browser import arm, browser, open_page, settle, times
from benchmarks.report import median, p95, show, verdict
from benchmarks.server import lab

MOVES = 60
FRAME = 16.7  # ms; the target for the median of a figure
GUESS = "[class*=st-key-guess_]"
# Moves the figure's first slider, or presses its buttons in turn, and gives the milliseconds each took.
MOVE = """
([kind, moves]) => {
  const root = [...document.querySelectorAll("*")].map((each) => each.shadowRoot).filter(Boolean)
    .map((shadow) => shadow.querySelector(`.figure[data-kind=${kind}]`)).find(Boolean)
  const found = []
  for (let move = 0; move < moves; move += 1) {
    const slider = root.querySelector("input[type=range]")
    const presses = [...root.querySelectorAll("button:not(:disabled), input[type=checkbox], .word")]
    const begin = performance.now()
    if (slider) {
      const [low, high] = [Number(slider.min), Number(slider.max)]
      slider.value = low + (high - low) * Math.abs(((move * 7) % 40) / 20 - 1)
      slider.dispatchEvent(new Event("input", { bubbles: true }))
    } else if (presses.length) {
      presses[move % presses.length].dispatchEvent(new MouseEvent("click", { bubbles: true }))
    }
    root.getBoundingClientRect() // the layout belongs to the answer
    found.push(performance.now() - begin)
  }
  return found
}
"""


def main(moves: int) -> None:
    rows, guesses = [], []
    with lab() as address, browser() as started:
        for name in markdown.NAMES:
            sent: list[object] = []
            page = open_page(started, f"{address}/{markdown.address_of(name)}", GUESS, sent)
            guesses += _guess(page)
            for kind in page.locator(".figure[data-kind]").evaluate_all("all => all.map(each => each.dataset.kind)"):
                if kind == "flow":  # has links only
                    continue
                before = len(sent)
                values = page.evaluate(MOVE, [kind, moves])
                row = [f"{name} {kind}", len(values), median(values), p95(values), verdict(median(values), FRAME)]
                rows.append([*row, len(sent) - before])
            page.context.close()
    show("Lessons: control → figure", ["figure", "moves", "median ms", "p95 ms", "median", "frames sent"], rows)
    show(
        "Lessons: guess → answer",
        ["guesses", "median ms", "p95 ms"],
        [[str(len(guesses)), median(guesses), p95(guesses)]],
    )


def _guess(page: Page) -> list[float]:
    """Give up on every guess in turn and time its answer."""
    found: list[float] = []
    button = page.locator("[class*=st-key-skip_] button").first
    while button.count():
        arm(page, {"answer": f"{GUESS} p"})
        button.click()
        found += times(page).values()
        settle(page)
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MOVES)
