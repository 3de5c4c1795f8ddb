"""The attention scaling lab: page settings, language, navigation; each page is in attention_ui/views."""

from __future__ import annotations

import streamlit as st

from attention_ui import arrivals, collector, header, pages, session_start, state

words = state.words(st.query_params, st.context.locale)
st.set_page_config(page_title=words("page.title"), page_icon="content/icon.png", layout="wide")
page = st.navigation(pages.every(words), position="top")
collector.start()
session_start.start(page.url_path, st.query_params, st.context.locale)
arrivals.take(page.url_path, st.query_params)
state.whole_run(begins=True)
header.draw(page.url_path)
page.run()
state.whole_run(begins=False)
