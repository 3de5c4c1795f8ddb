"""One lesson; which one is told by the page's address."""

from __future__ import annotations

import streamlit as st

from attention_ui import pages, state
from attention_ui.address_bar import address_bar
from attention_ui.arrivals import FROM
from attention_ui.lesson_settings import write
from attention_ui.lessons import data, markdown
from attention_ui.panels import contents, lesson
from attention_ui.text import Words

NAME = markdown.name_at(st.session_state.page) or markdown.NAMES[0]


@st.fragment(key="lesson")
def page() -> None:
    """The lesson with the list of all beside it, below it on a phone."""
    words = state.words()
    stage = st.session_state.pop("wanted_stage", None)
    if stage is not None:
        _open(stage, words)
    text, aside = st.columns([5, 2], gap="large")
    with text:
        lesson.draw(NAME)
        contents.around(NAME)
    with aside, st.container(key="contents"):
        st.markdown(f"**{words('lesson.page.contents')}**")
        contents.draw(NAME)
    address_bar(write(state.lessons()), words.language)


def _open(stage: str, words: Words) -> None:
    """Go to a stage in the playground."""
    query = {"example": data.name_of_love(words.language), "stage": stage, "lang": words.language}
    st.switch_page(pages.page(state.PLAYGROUND, words), query_params={**query, FROM: markdown.address_of(NAME)})


page()
