"""The attention scaling lab: page settings, language, navigation; each page is in attention_ui/views."""

from __future__ import annotations

import streamlit as st

from attention_ui import header, state

state.start(st.query_params, st.context.locale)
words = state.words()
st.set_page_config(page_title=words("page.title"), page_icon="content/icon.png", layout="wide")
playground = st.Page(
    "attention_ui/views/playground.py", title=words("page.playground"), url_path="playground", default=True
)
page = st.navigation([playground], position="top")
header.draw()
page.run()
