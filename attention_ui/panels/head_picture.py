"""The head's weights: as the sentence, with lines from one token to all, and as a heat map."""

from __future__ import annotations

from functools import partial

import streamlit as st

from attention_core.heads import load_head
from attention_ui import arrived, charts, controls, head_results, head_tables, notices, state
from attention_ui.head_scene import HeadScene
from attention_ui.head_settings import OWN
from attention_ui.numbers import counted, fixed, percent
from attention_ui.panels import head_agreement

TOP = 3  # keys that the sentence names


def draw(scene: HeadScene) -> None:
    """What the token looks at, the graph and the heat map."""
    words = scene.words
    head_agreement.warn(scene)
    notices.say(_story(scene), note=_note(scene))
    graph, heat = st.columns([2, 3], gap="medium")
    with graph:
        names = dict(enumerate(scene.names[: scene.n]))
        controls.choose(
            st.selectbox, "head_token", words("head.picture.token"), names, lambda: None, current=scene.row
        )  # fmt: skip
        with st.container(key="graph"):
            st.vega_lite_chart(
                head_tables.graph(scene, st.session_state.choices),
                charts.graph_chart(words.language, scene.n),
                key="graph_chart",
                on_select=partial(_pick, scene.n),
                alt=words("head.picture.graph_alt"),
            )
    with heat, st.container(key="head_weights"):
        st.vega_lite_chart(
            head_tables.heat(scene),
            charts.matrix_chart(words.language, "pairs", selectable=False),
            key="head_heat",
            alt=words("head.picture.heat_alt"),
        )


def _pick(n: int) -> None:
    """A click on one of the n words to the left looks at that word."""
    picked = arrived.picked("graph_chart", "word", i=range(n))
    if picked is not None:
        state.put("head_token", picked[0])
        st.session_state.choices += 1


def _story(scene: HeadScene) -> str:
    """The keys that the chosen token gives most, with their shares."""
    shares = scene.weights[scene.row]
    listed = scene.words("lab.comma").join(
        scene.words("head.picture.share", key=scene.names[j], share=counted(float(shares[j])))
        for j in head_results.strongest(shares, TOP)
    )
    return scene.words("head.picture.story", query=scene.names[scene.row], listed=listed)


def _note(scene: HeadScene) -> str:
    """What is not drawn, and what else is in the weights than scores."""
    notes = [_cut(scene)] if len(scene.head.tokens) > scene.n else []
    if scene.head.pos_bias is not None:
        notes.append(scene.words("head.picture.bias"))
    return scene.words("page.between").join(notes)


def _cut(scene: HeadScene) -> str:
    total = len(scene.head.tokens)
    drawn = percent(float(scene.weights[scene.row, : scene.n].sum()))
    return scene.words("head.picture.cut", shown=scene.n, total=total, drawn=drawn)


def truth(scene: HeadScene) -> None:
    """What is true of the recorded heads, filled from the data."""
    words, name = scene.words, scene.settings.head
    if name == OWN:
        return
    st.subheader(words("head.truth.heading"))
    sentences = [words(f"head.truth.{name}", **_numbers(name))]
    notices.say(*sentences, words("head.truth.temperature"), words("head.truth.saturated", **_saturated()))


def _numbers(name: str) -> dict[str, object]:
    """Where "it" looks in each ending, under the rule the head was trained with."""
    nouns = {key: fixed(share, 3) for key, share in head_results.nouns(name).items()}
    return {**nouns, **{key: percent(share) for key, share in head_results.first(name).items()}}


def _saturated() -> dict[str, object]:
    """The head that is saturated even with 1/√d."""
    now = head_results.figures(load_head("L0H2"), head_results.TRAINED, 1.0, None)
    return {"entropy": fixed(now.entropy, 3), "largest": fixed(now.largest, 3), "spread": fixed(now.spread, 1)}
