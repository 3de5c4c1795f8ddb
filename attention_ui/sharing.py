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
    return address.write(state.shared()) if not state.experiment().edited or too_long() else _whole()


def whole_address() -> str:
    """The playground's address from its beginning, as far as the server knows it."""
    return f"{(st.context.url or '').rstrip('/')}/?{query()}"


def too_long() -> ExchangeProblem | None:
    """That the experiment does not fit into an address, if it does not."""
    try:
        if state.experiment().edited:
            _whole()
    except ExchangeProblem as problem:
        return problem
    return None


def _whole() -> str:
    """The query that carries the whole experiment. Errors: ExchangeProblem when it is too long."""
    start = {"lang": state.settings().lang or "", state.WHOLE: ""}
    beside = len(st.context.url or "") + len(urlencode(start)) + 1
    return urlencode({**start, state.WHOLE: link.write(carried(), beside)})
