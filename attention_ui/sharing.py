"""The playground as it leaves the lab: its address, and what is carried."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from attention_ui import address, arrivals, state
from attention_ui.exchange import link
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.lesson_settings import NUMBERS
from attention_ui.lessons import markdown

# What an address may have beside all this: the lessons' progress, the one that led here, an embedded page's figure.
_MORE = {
    "done": ".".join(NUMBERS),
    arrivals.BACK: max(map(markdown.address_of, markdown.NAMES), key=len),
    "view": max(address.VIEWS, key=len),
    "embed": "true",
}


def carried() -> Carried:
    """The experiment with its settings."""
    now = state.experiment()
    return Carried(now, replace(state.settings(), example=now.example))


def query() -> str:
    """The playground's query: short codes, or the whole experiment once it was edited. Where that is too long the
    codes are those of the example, so whoever hands the query on asks `too_long` first."""
    whole = _whole() if state.experiment().edited else None
    return whole if isinstance(whole, str) else address.write(state.shared())


def whole_address() -> str | None:
    """The playground's address from its beginning, as far as the server knows it; None when the experiment does not
    fit into one, since what `query` gives then is another."""
    return None if too_long() else f"{(st.context.url or '').rstrip('/')}/?{query()}"


def too_long() -> ExchangeProblem | None:
    """That the experiment does not fit into an address, if it does not."""
    whole = _whole() if state.experiment().edited else None
    return whole if isinstance(whole, ExchangeProblem) else None


def _whole() -> str | ExchangeProblem:
    """The query that carries the whole experiment, or that it is too long; made once for each state, since several
    parts of a run ask for it."""
    session, now = st.session_state, (state.experiment(), state.settings())
    known = session.get("whole")
    if known is None or known[0] is not now[0] or known[1] != now[1]:
        known = session.whole = (*now, _packed())
    return known[2]


def _packed() -> str | ExchangeProblem:
    start = {"lang": state.settings().lang or "", address.WHOLE: ""}
    beside = len(f"{st.context.url or ''}/?{urlencode(start | _MORE)}")
    try:
        return urlencode({**start, address.WHOLE: link.write(carried(), beside)})
    except ExchangeProblem as problem:
        return problem
