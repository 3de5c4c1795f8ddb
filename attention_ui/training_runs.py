"""The session's runs and map: whether they are under way, and their next piece of work.

Nothing works by itself. The page's fragments ask for the next steps while they are shown, so a pause or a closed
tab leaves nothing running; with a new setting a run begins anew.
"""

from __future__ import annotations

import time

import streamlit as st

from attention_ui import state
from attention_ui.training_live import Live, Map, MapPlan, plan_of

EVERY = 0.25  # seconds between two looks
SPEED = 20  # steps a second, whatever the time between two looks
MOST = 40  # steps of one look, so that it is short on a busy machine too


def live() -> Live:
    """The runs, begun anew when what they depend on has changed."""
    plan, known = plan_of(state.training()), st.session_state.get("live")
    if known is None or known.plan != plan:
        known = st.session_state.live = Live(plan)
    return known


def running() -> bool:
    """True while the runs are under way."""
    return st.session_state.get("live_on", False)


def under_way() -> bool:
    """True while there is work to ask for."""
    return running() or map_running()


def work() -> None:
    """The next piece of what is under way."""
    if running():
        now = time.monotonic()
        since = now - st.session_state.get("live_at", now - EVERY)
        st.session_state.live_at = now
        live().advance(max(1, min(round(SPEED * since), MOST)))
        st.session_state.live_on = not live().done
    if map_running():
        the_map().advance()
        st.session_state.map_on = not the_map().done


def start() -> None:
    """Go on, or begin anew after the end. Streamlit may call a click's callback twice, so this is no toggle."""
    if live().done:
        reset()
    st.session_state.live_on = True
    st.session_state.live_at = time.monotonic() - EVERY


def pause() -> None:
    """Stop where the runs are."""
    st.session_state.live_on = False


def step() -> None:
    """One step, after which the runs wait."""
    st.session_state.live_on = False
    live().advance(1)


def reset() -> None:
    """Back to the first step."""
    st.session_state.live_on = False
    st.session_state.live = Live(plan_of(state.training()))


def the_map() -> Map:
    """The map, begun anew when what it depends on has changed; a map that was filled before is there at once."""
    now, known = state.training(), st.session_state.get("map")
    plan = MapPlan(now.gain, now.steps, now.seed)
    if known is None or known.plan != plan:
        known = st.session_state.map = Map(plan)
    return known


def map_running() -> bool:
    """True while the map is being filled."""
    return st.session_state.get("map_on", False) and not the_map().done


def map_fill() -> None:
    """Go on filling the map."""
    st.session_state.map_on = True


def map_stop() -> None:
    """Stop; what is there stays."""
    st.session_state.map_on = False
