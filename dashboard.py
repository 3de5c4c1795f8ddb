"""The attention scaling lab: page settings, language, navigation; each page is in attention_ui/views.

Streamlit runs this file for every change, as __main__; its web server imports it once and finds `app`.
"""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from attention_ui import arrivals, collector, connection, header, pages, session_start, state, undisturbed
from attention_ui.addresses import Addresses


def draw() -> None:
    """One run of the whole script."""
    undisturbed.settle()
    query = st.query_params.to_dict()
    words = state.words(query, st.context.locale)
    st.set_page_config(page_title=words("page.title"), page_icon="content/icon.png", layout="wide")
    page = st.navigation(pages.every(words), position="top")
    collector.start()
    session_start.start(page.url_path, query, st.context.locale)
    arrivals.take(page.url_path, query)
    state.whole_run(begins=True)
    connection.watch()
    header.draw(page.url_path)
    page.run()
    state.whole_run(begins=False)


if __name__ == "__main__":
    draw()
else:
    app = st.App(__file__, middleware=[Middleware(Addresses)])
