"""Why not just start with smaller weights? The same run twice, with the rule and with smaller weights instead."""

from __future__ import annotations

import streamlit as st

from attention_ui import notices, state
from attention_ui.numbers import fixed, measure
from attention_ui.training_live import CHAOTIC, SAME_STEPS, Plan, plan_of, same_run_twice


def draw() -> None:
    """The answer in words, and its proof by a run."""
    words, plan = state.words(), plan_of(state.training())
    st.subheader(words("train.same.heading"))
    values = {"d": plan.d, "rate": f"{plan.rate:g}", "fourth": f"{plan.d**0.25:.4g}", "root": fixed(plan.d**0.5, 0)}
    notices.say(words("train.same.answer", **values, small_rate=f"{plan.rate / plan.d**0.5:.6g}"))
    st.button(words("train.same.run"), key="same_run", on_click=_compare, args=(plan,))
    if st.session_state.get("compared") == plan:
        apart = same_run_twice(plan)
        key = "result_none" if not apart else "result" if apart < CHAOTIC else "result_chaotic"
        notices.say(words(f"train.same.{key}", steps=SAME_STEPS, apart=measure(apart, 12)))


def _compare(plan: Plan) -> None:
    """The answer stays until the runs are others."""
    st.session_state.compared = plan
