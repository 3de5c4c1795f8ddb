"""The attention scaling lab: page settings, language, navigation; each page is in attention_ui/views."""

from __future__ import annotations

import streamlit as st

from attention_ui import header, state

words = state.words(st.query_params, st.context.locale)
st.set_page_config(page_title=words("page.title"), page_icon="content/icon.png", layout="wide")
playground = st.Page("attention_ui/views/playground.py", title=words("page.playground"), default=True)
saturation = st.Page("attention_ui/views/saturation.py", title=words("page.saturation"), url_path=state.SATURATION)
training = st.Page("attention_ui/views/training.py", title=words("page.training"), url_path=state.TRAINING)
head = st.Page("attention_ui/views/head.py", title=words("page.head"), url_path=state.HEAD)
page = st.navigation([playground, saturation, training, head], position="top")
state.start(page.url_path, st.query_params, st.context.locale)
header.draw(page.url_path)
page.run()
