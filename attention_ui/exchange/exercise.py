"""A sheet of questions about the present experiment, with the answers on a page of their own."""

from __future__ import annotations

from collections.abc import Iterator

from attention_ui import tokens
from attention_ui.exchange import exercise_questions as cells
from attention_ui.exchange import exercise_rows as rows
from attention_ui.exchange import report, sheet, sheet_formulas
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.exercise_facts import Facts
from attention_ui.exchange.exercise_numbers import PLACES
from attention_ui.exchange.exercise_questions import Question
from attention_ui.exchange.sheet import Html, element, say
from attention_ui.scene import Scene
from attention_ui.text import Words

FEWEST, MOST = 6, 8
# In the order in which they are asked; what comes last is the first to be left out where there are too many.
_ORDER = (
    cells.projection, cells.score, cells.scaled, rows.mask, rows.attention, cells.output, rows.shift, rows.growth,
    rows.shape,
)  # fmt: skip
_RESERVE = (cells.sizes, cells.spread)  # for an experiment that leaves few of the others


def write(carried: Carried, words: Words) -> str:
    """The sheet as one HTML text; whoever has only its first page can answer every question.

    Law: the same experiment and language give the same text; tokens are never markup.
    """
    scene = report.scene_of(carried, words)
    chosen = questions(scene)
    sentence = tokens.join(carried.experiment.tokens)
    return sheet.page(
        words,
        words("sheets.exercise.title", sentence=sentence),
        [
            element("h1", say(words, "exercise.title", sentence=sheet.token(sentence))),
            Html(f'<div class="name">{_field(words, "name")}{_field(words, "group")}</div>'),
            report.settings_list(scene),
            *_given(scene),
            element("h2", say(words, "exercise.questions")),
            element("p", say(words, "exercise.note"), "quiet"),
            _list(Html(f'{question.ask}<div class="room"></div>') for question in chosen),
            _answers(words, chosen),
        ],
    )


def questions(scene: Scene) -> list[Question]:
    """6 to 8 questions, 4 at least where the experiment is empty; always the same for the same experiment."""
    facts = Facts(scene)
    found = [question for question in (make(facts) for make in _ORDER) if question][:MOST]
    missing = max(FEWEST - len(found), 0)
    return [*(make(facts) for make in _RESERVE[:missing]), *found]


def _given(scene: Scene) -> Iterator[Html]:
    """X and W_Q where they are small enough to be looked up."""
    matrices = scene.experiment.matrices
    if Facts(scene).shown:
        names = {"X": scene.labels, "W_Q": [str(i + 1) for i in range(len(matrices["W_Q"]))]}
        tables = (
            sheet.matrix(sheet_formulas.stage(name, "none", False), matrices[name], PLACES, names[name])
            for name in names
        )
        yield element("div", Html("".join(tables)), "row")


def _field(words: Words, name: str) -> Html:
    return element("span", say(words, f"exercise.{name}"))


def _list(items: Iterator[Html]) -> Html:
    return element("ol", Html("".join(element("li", item) for item in items)))


def _answers(words: Words, chosen: list[Question]) -> Html:
    """The answers, on a new page, in the order of the questions."""
    head = element("h2", say(words, "exercise.answers"))
    note = element("p", say(words, "exercise.answers_note"), "quiet")
    return element("section", Html(head + note + _list(question.answer for question in chosen)), "answers")
