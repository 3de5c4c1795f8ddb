"""Take it with you: what carries the experiment elsewhere and back, behind one heading that opens."""

from __future__ import annotations

import streamlit as st

from attention_ui import controls, notices, sharing, state
from attention_ui.address import VIEWS
from attention_ui.address_bar import shared_query
from attention_ui.exchange import snippets
from attention_ui.panels import take_files, take_pictures
from attention_ui.scene import Scene
from attention_ui.take_along import copy_field
from attention_ui.text import Words

LIBRARIES = {"numpy": "numpy", "torch": "PyTorch", "core": "attention_core"}  # names, the same in every language
IFRAME = '<iframe src="{url}" title="{title}" width="100%" height="{height}" style="border: 0"></iframe>'
HEIGHTS = {"weights": 400, "stage": 560, "curve": 820}  # pixels


def draw(scene: Scene) -> None:
    """Nothing of it is made before it is opened, and then only the open tab."""
    words, session = scene.words, st.session_state
    if session.take_language != words.language:  # other labels would close it and go back to the first tab
        session.take, session.take_language, session.take_first = session.take_open, words.language, session.take_tab
    expander = st.expander(words("take.heading"), key="take", icon=":material/ios_share:", on_change="rerun")
    session.take_open = bool(expander.open)
    if not session.take_open:
        session.take_first = session.take_tab
        return
    names = {name: words(f"take.tabs.{name}") for name in DRAWERS}
    with expander:
        tabs = st.tabs(
            list(names.values()), default=names[session.take_first], key=f"take_tabs_{words.language}",
            on_change="rerun",
        )  # fmt: skip
    for (name, drawer), tab in zip(DRAWERS.items(), tabs, strict=True):
        if tab.open:
            session.take_tab = name
            with tab:
                drawer(scene)
    if session.taken:
        session.taken = False
        st.toast(words("take.bring.taken"))


def whole(words: Words) -> None:
    """From an embedded figure to the whole page, in a tab of its own."""
    st.html(notices.ALONE)
    address = sharing.whole_address()
    if address is None:
        _tell_too_long(words)
    else:
        st.link_button(words("take.embed.whole"), address, type="tertiary")


def _link(scene: Scene) -> None:
    words = scene.words
    if _tell_too_long(words):
        return
    notices.say(words("take.link.lead"), kind="quiet")
    copy_field("{url}", sharing.query(), words.section("take.link"), key="copy_link")


def _tell_too_long(words: Words) -> bool:
    """Say so and give True where no address holds the experiment: any that stood there would open another."""
    problem = sharing.too_long()
    if problem is not None:
        notices.warn(words(f"exchange.{problem.code}", **problem.values))
    return problem is not None


def _code(scene: Scene) -> None:
    words = scene.words
    notices.say(words("take.code.lead"), kind="quiet")
    controls.choose(
        st.radio, "take_library", words("take.code.kind"), LIBRARIES, lambda: None, next(iter(LIBRARIES)),
        horizontal=True, label_visibility="collapsed",
    )  # fmt: skip
    kind = state.value("take_library") or next(iter(LIBRARIES))
    if kind == "core":
        notices.say(words("take.code.core"), kind="quiet")
    comment = words("take.code.comment", settings=take_pictures.settings(scene))
    st.code(snippets.write(kind, sharing.carried(), comment), language="python", height=420)


def _embed(scene: Scene) -> None:
    words = scene.words
    if _tell_too_long(words):
        return
    notices.say(words("take.embed.lead"), kind="quiet")
    names = {view: words(f"take.embed.{view}") for view in VIEWS}
    controls.choose(
        st.radio, "take_view", words("take.embed.view"), names, lambda: None, VIEWS[0],
        horizontal=True, label_visibility="collapsed",
    )  # fmt: skip
    view = state.value("take_view") or VIEWS[0]
    template = IFRAME.replace("{title}", names[view]).replace("{height}", str(HEIGHTS[view]))
    query = shared_query(sharing.query(), view=view, embed="true")
    copy_field(template, query, words.section("take.link") | {"field": words("take.embed.field")}, key="copy_embed")


DRAWERS = {
    "link": _link,
    "files": take_files.draw,
    "bring": take_files.bring,
    "code": _code,
    "pictures": take_pictures.draw,
    "embed": _embed,
}
