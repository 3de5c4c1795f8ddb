"""The playground as it leaves the lab: its address, and what is carried."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from attention_ui import address, state
from attention_ui.exchange import link
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem


def carried() -> Carried:
    """The experiment with its settings."""
    now = state.experiment()
    return Carried(now, replace(state.settings(), example=now.example))


def query() -> str:
    """The playground's query: short codes, or the whole experiment once it was edited, if that is not too long."""
    whole = _whole() if state.experiment().edited else None
    return whole if isinstance(whole, str) else address.write(state.shared())


def whole_address() -> str:
    """The playground's address from its beginning, as far as the server knows it."""
    return f"{(st.context.url or '').rstrip('/')}/?{query()}"


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
    start = {"lang": state.settings().lang or "", state.WHOLE: ""}
    beside = len(st.context.url or "") + len(urlencode(start)) + 1
    try:
        return urlencode({**start, state.WHOLE: link.write(carried(), beside)})
    except ExchangeProblem as problem:
        return problem
