"""Keeps the browser's address equal to the settings, without a history entry, and names the page's language.

Streamlit binds widgets to the address under their translated labels and st.query_params adds a history
entry for each change; neither makes a link that opens the same in every language.

A click on a link takes the focus from the field in which something was typed, and the browser would ask for the
other page before it has sent what was typed; so such a click waits a moment.
"""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from attention_ui import state

_component = st.components.v2.component(
    "address_bar",
    js="""
const SENDING = 300 // ms that what was typed needs on its way to the server
let typing = false

function typedIn(root) {
  const element = root.activeElement
  return element?.shadowRoot ? typedIn(element.shadowRoot) : /^(INPUT|TEXTAREA)$/.test(element?.tagName)
}

function waitForTyped(event) {
  const link = event.target.closest?.("a[href]")
  if (!link || !typing || !event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  event.stopImmediatePropagation()
  typing = false
  setTimeout(() => link.click(), SENDING)
}

if (!window.labLinksWait) {
  window.labLinksWait = true
  document.addEventListener("pointerdown", () => { typing = typedIn(document) }, true)
  document.addEventListener("click", waitForTyped, true)
}

export default function ({ data }) {
  const url = new URL(window.location.href)
  const keep = [...url.searchParams].filter(([name]) => name.startsWith("embed"))
  url.search = data.query
  for (const [name, value] of keep) url.searchParams.append(name, value)
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url)
  document.documentElement.lang = data.language
}
""",
)


def address_bar(query: str, language: str) -> None:
    """Show `query` in the address, with the lessons' progress, the lesson that led here and the view of an embedded
    page; parameters of Streamlit's own embedding stay. As it is drawn with every part of a page, it also sees to
    it that no whole run is lost to one of its parts."""
    if state.was_cut_short():
        st.rerun()
    session = st.session_state
    done = "" if "done=" in query else ".".join(session.lessons.done)
    shown = shared_query(query, done=done, back=session.get("came_from"), view=session.get("view"))
    _component(key="address_bar", data={"query": shown, "language": language}, height=1)


def shared_query(query: str, **more: str | None) -> str:
    """A query string with more parameters; None leaves one out."""
    return "&".join(filter(None, (query, urlencode({name: value for name, value in more.items() if value}))))
