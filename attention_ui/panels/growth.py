"""As d grows: one measure of the row in focus against d, without scaling and with the rule."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_core.growth import HOWS
from attention_ui import charts, notices, results, state, tables
from attention_ui.address import LARGEST_SEED
from attention_ui.numbers import fixed, measure
from attention_ui.results import WITH, WITHOUT, Curves
from attention_ui.tokens import names

MEASURES = ("largest", "effective", "sensitivity")


def draw() -> None:
    """The controls, the curve, and what it shows in words."""
    words = state.words()
    st.subheader(words("growth.heading"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            words("growth.how"), HOWS, key="how", required=True, persist_state="session", on_change=_redraw_all,
            format_func=lambda how: words(f"growth.{how}"),
        )  # fmt: skip
        st.segmented_control(
            words("growth.measure"), MEASURES, key="measure", required=True, persist_state="session",
            format_func=lambda name: words(f"picture.{name}"),
        )  # fmt: skip
        if st.session_state.how == "independent":
            st.button(words("growth.new_draw"), key="new_draw", icon=":material/casino:", on_click=_new_draw)
    curves = _curves()
    labels = names(state.experiment().tokens)
    notices.say(words("growth.lead", row=labels[st.session_state.row]), "quiet")
    _legend()
    with st.container(key=f"growth_{st.session_state.measure}"):
        _chart(curves)
    for sentence in _reading(curves):
        notices.say(sentence)


def _curves() -> Curves:
    settings = state.settings()
    rule = results.rule_of(settings)
    return results.curves(state.experiment(), rule, settings.row, settings.seed, settings.how, settings.causal)


def _chart(curves: Curves) -> None:
    words, settings, experiment = state.words(), state.settings(), state.experiment()
    name, rule = st.session_state.measure, results.rule_of(settings)
    label = state.rule_label(rule)
    ends = {side: [measure(float(curves.measures[side][name][at])) for at in (0, -1)] for side in (WITHOUT, WITH)}
    st.vega_lite_chart(
        tables.growth(
            experiment, rule, settings.row, settings.seed, settings.how, settings.causal, name,
            results.size_of(experiment, settings), st.session_state.decimals,
            (words("with.none"), label),
        ),
        charts.growth_chart(words.language, name),
        key=f"curve_{name}",
        alt=words(
            "growth.alt", measure=words(f"picture.{name}"), row=names(experiment.tokens)[settings.row], rule=label,
            low=curves.d_values[0], high=curves.d_values[-1],
            without_first=ends[WITHOUT][0], without_last=ends[WITHOUT][1],
            with_first=ends[WITH][0], with_last=ends[WITH][1],
        ),
    )  # fmt: skip


def _legend() -> None:
    """Both curves by sign, dash and colour."""
    rule = state.rule_label(results.rule_of(state.settings()))
    entries = ((WITHOUT, "●", True, state.words()("with.none")), (WITH, "■", False, rule))
    st.html("".join(notices.curve_sample(charts.PALETTE[side], *rest) for side, *rest in entries))


def _reading(curves: Curves) -> list[str]:
    """What the curve shows, with the numbers of this row."""
    words, settings = state.words(), state.settings()
    zero = _what_is_zero(curves)
    if zero and settings.how != "zeros":
        return [zero]
    scores, d = curves.scores, curves.d_values
    if scores.shape[1] == 1:
        return [words("picture.alone", query=names(state.experiment().tokens)[settings.row])]
    size = np.abs(scores).max(axis=1)
    spread = scores.std(axis=1)
    low, high = int(d[0]), int(d[-1])
    values = {"low": low, "high": high, "draws": results.DRAWS}
    if settings.how == "independent":
        values |= {"first": fixed(spread[0], 2), "last": fixed(spread[-1], 1)}
    else:
        values |= {"first": fixed(size[0], 2), "last": fixed(size[-1], 1)}
    values |= {"root_low": fixed(low**0.5, 2), "root_high": fixed(high**0.5, 2)}
    always_tied = scores.shape[1] > 1 and all(results.tied_keys(row) > 1 for row in scores)
    # What is said of √d holds for that rule only, and of saturation only where no tie prevents it.
    holds = {
        "independent": True,
        "copies": settings.rule == "sqrt" and not always_tied,
        "zeros": settings.rule == "sqrt",
    }
    sentences = [words(f"growth.{settings.how}_text{'' if holds[settings.how] else '_other'}", **values)]
    if always_tied:
        sentences.append(words("growth.tied_row"))
    if settings.how == "copies":
        sentences.append(words("growth.tutorials"))
    return sentences


def _what_is_zero(curves: Curves) -> str | None:
    """Why nothing grows, when nothing does."""
    words, matrices = state.words(), state.experiment().matrices
    for name in ("W_Q", "W_K"):
        if not matrices[name].any():
            return words("growth.zero_matrix", matrix=name)
    if np.ptp(curves.scores, axis=0).max() == 0:
        return words("growth.zero_row")
    return None


def _redraw_all() -> None:
    state.redraw("picture", "stages", "growth")


def _new_draw() -> None:
    st.session_state.seed = (st.session_state.seed + 1) % (LARGEST_SEED + 1)
    state.redraw("picture", "stages", "growth")
