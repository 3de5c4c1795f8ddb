"""The lessons: all of them, what is done, and where to go on."""

from __future__ import annotations

import streamlit as st

from attention_ui import notices, pages, state
from attention_ui.address_bar import address_bar
from attention_ui.lesson_settings import write
from attention_ui.lessons import markdown
from attention_ui.panels import contents


def page() -> None:
    """Everything below the title."""
    words, done = state.words(), state.lessons().done
    progress = words("lesson.page.progress", done=len(done), all=len(markdown.NAMES))
    notices.say(words("lesson.page.intro"), note=progress if done else words("lesson.page.fresh"))
    key = "start" if not done else "again" if len(done) == len(markdown.NAMES) else "go_on"
    following = contents.first_open()
    with st.container(key="go_on"):
        pages.link(markdown.address_of(following), words(f"lesson.page.{key}"), {}, ":material/play_arrow:")
    with st.container(key="all_lessons"):
        contents.draw()
    address_bar(write(state.lessons()), words.language)


page()
