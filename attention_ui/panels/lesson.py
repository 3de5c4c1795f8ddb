"""A lesson: its parts from top to bottom, up to the first question that waits for a guess."""

from __future__ import annotations

import streamlit as st

from attention_ui import notices, pages, state
from attention_ui.arrivals import FROM
from attention_ui.lesson_figure import lesson_figure
from attention_ui.lessons import figures, markdown
from attention_ui.lessons.markdown import Figure, Guess, Lesson, Link, Prose
from attention_ui.lessons.values import values

SKIPPED = -1  # no guess: “show me”


def lesson_of(name: str) -> Lesson:
    """The lesson in the session's language, filled."""
    language = state.words().language
    return markdown.parse(markdown.fill(markdown.source(name, language), values(name, language)))


def draw(name: str) -> None:
    """Title and parts; a lesson is done when nothing of it waits any more, and from then on nothing is held back."""
    lesson, done = lesson_of(name), str(markdown.number_of(name)) in state.lessons().done
    st.header(lesson.title, anchor=False)
    for place, part in enumerate(lesson.parts):
        if isinstance(part, Prose):
            st.markdown(part.text)
        elif isinstance(part, Figure):
            _figure(name, part.name)
        elif isinstance(part, Link):
            pages.link(
                part.page, part.label, {**part.query, FROM: markdown.address_of(name)}, ":material/arrow_forward:"
            )
        elif not _guess(name, place, part) and not done:
            return
    state.put("lessons_done", state.lessons().with_done(name))


def _figure(lesson: str, name: str) -> None:
    words, figure = state.words(), figures.FIGURES[name]
    lesson_figure(
        figure.kind, figure.numbers(words), words.section(f"lesson.{figure.kind}"), f"figure_{lesson}_{name}", _open
    )


def _open(raw: object) -> None:
    """A box of the flow was pressed: its stage, if it is one, opens in the run that follows."""
    if isinstance(raw, str) and raw in figures.SHOWN:
        st.session_state.wanted_stage = raw


def _guess(name: str, place: int, guess: Guess) -> bool:
    """The question, and once there is a guess the answer; True when the lesson may go on."""
    answered = (name, place) in st.session_state.guesses
    with st.container(border=True, key=f"guess_{name}_{place}"):
        st.markdown(guess.question)
        if answered:
            _answer(guess, st.session_state.guesses[name, place])
        else:
            _ask(name, place, guess)
    return answered


def _ask(name: str, place: int, guess: Guess) -> None:
    """The options; a choice can be changed, by arrow keys too, until it is checked."""
    words, at = state.words(), f"{name}_{place}"
    key = f"option_{at}_{words.language}"
    chosen = st.radio(
        words("lesson.guess.label"), range(len(guess.options)), None, format_func=lambda option: guess.options[option],
        key=key, label_visibility="collapsed",
    )  # fmt: skip
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        check, skip = words("lesson.guess.check"), words("lesson.guess.skip")
        pressed = st.button(check, key=f"check_{at}", on_click=_take, args=(name, place, key), type="primary")
        st.button(skip, key=f"skip_{at}", on_click=_put, args=(name, place, SKIPPED), type="tertiary")
    if pressed and chosen is None:
        notices.say(words("lesson.guess.choose"))


def _answer(guess: Guess, chosen: int) -> None:
    """The options with the right one and the chosen one marked, the verdict and the reason."""
    words = state.words()
    marks = {chosen: "✗", guess.right: "✓"}
    lines = (
        f"{marks.get(i, '·')} {f'**{option}**' if i == guess.right else option}"
        for i, option in enumerate(guess.options)
    )
    st.markdown("  \n".join(lines))
    verdict = "answer" if chosen == SKIPPED else "right" if chosen == guess.right else "wrong"
    st.markdown(f"**{words(f'lesson.guess.{verdict}')}** {guess.reason}")


def _take(name: str, place: int, key: str) -> None:
    if st.session_state[key] is not None:
        _put(name, place, st.session_state[key])


def _put(name: str, place: int, chosen: int) -> None:
    st.session_state.guesses = {**st.session_state.guesses, (name, place): chosen}
