"""Bring your own head: a template, a snippet that takes one out of a model, the upload and what is wrong with it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from attention_core.head_files import LARGEST_D_K, LARGEST_D_MODEL, LARGEST_FILE, MOST_ENTRIES, MOST_TOKENS
from attention_core.heads import write_template
from attention_ui import arrived, notices, own_head
from attention_ui.head_scene import HeadScene
from attention_ui.head_shelf import OwnHead
from attention_ui.panels import head_agreement
from attention_ui.tokens import Problem

MEGABYTE = 1 << 20
LIMITS = {
    "tokens": MOST_TOKENS, "d_model": LARGEST_D_MODEL, "d_k": LARGEST_D_K, "megabytes": LARGEST_FILE // MEGABYTE,
}  # fmt: skip
MOST_NAMED = 6  # arrays of a file that are not used
SNIPPET = """import numpy as np
from transformers import AutoModel, AutoTokenizer

name, layer, head = "sentence-transformers/all-MiniLM-L6-v2", 3, 1
tokenizer = AutoTokenizer.from_pretrained(name)
model = AutoModel.from_pretrained(name, attn_implementation="eager").eval()  # others do not tell their weights
inputs = tokenizer("The animal didn't cross the street because it was too tired.", return_tensors="pt")
made = model(**inputs, output_hidden_states=True, output_attentions=True)
X = made.hidden_states[layer][0]  # (tokens, d_model), what enters the layer
attention = model.encoder.layer[layer].attention.self
d_k = attention.attention_head_size
rows = slice(head * d_k, (head + 1) * d_k)
arrays = {"X": X, "tokens": np.array(tokenizer.convert_ids_to_tokens(inputs["input_ids"][0]))}
for letter, linear in zip("QKV", (attention.query, attention.key, attention.value)):
    arrays[f"W_{letter}"], arrays[f"b_{letter}"] = linear.weight[rows].T, linear.bias[rows]
arrays["expected_weights"] = made.attentions[layer][0, head]  # (tokens, tokens), to compare with
# A model that adds a position bias to the scaled scores has it too: arrays["pos_bias"], (tokens, tokens), as in
# MPNet: model.encoder.compute_position_bias(X[None])[0, head]
np.savez("head.npz", **{k: v if k == "tokens" else v.detach().numpy() for k, v in arrays.items()})
"""


def draw(scene: HeadScene) -> None:
    """The limits, the template, the snippet, the upload and what became of it."""
    words = scene.words
    st.subheader(words("head.upload.heading"))
    notices.say(words("head.upload.lead", **LIMITS, entries=f"{MOST_ENTRIES:,}"))
    st.download_button(
        words("head.upload.template"), write_template, file_name="head.npz", mime="application/octet-stream",
        key="head_template", icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    _fields(scene)
    problem = st.session_state.head_problem
    if problem is not None:
        notices.warn(words(problem.key, **problem.values), [words("head.upload.stays")])
    elif scene.shown is not None:
        notices.say(_taken(scene, scene.shown), *head_agreement.told(scene), *_unused(scene, scene.shown))
    with st.expander(words("head.upload.snippet")):
        st.code(SNIPPET, language="python")


def draw_gone(scene: HeadScene) -> None:
    """Why an uploaded head is not there any more, above the recorded one that is shown in its place."""
    gone = st.session_state.head_gone
    if gone is not None:
        notices.warn(scene.words(gone.key, **gone.values))


def _fields(scene: HeadScene) -> None:
    """The field for a file, one of two. When the server has started anew or dropped the session, the browser still
    shows the old file in it; so a session looks at both fields first, and goes on with one that is empty."""
    session = st.session_state
    places = [st.empty() for _ in own_head.FIELDS]
    if session.head_fields_known:
        _field(scene, places, session.head_field)
        return
    session.head_fields_known = True
    for at in range(len(places)):
        _field(scene, places, at)
    for at, key in enumerate(own_head.FIELDS):
        if arrived.is_stray(key):
            session.head_field, session.head_gone = 1 - at, Problem("head.gone.session", {})
    places[1 - session.head_field].empty()


def _field(scene: HeadScene, places: list[DeltaGenerator], at: int) -> None:
    key, most = own_head.FIELDS[at], LIMITS["megabytes"]
    label = scene.words("head.upload.file")
    places[at].file_uploader(label, type="npz", key=key, on_change=_take, args=(key,), max_upload_size=most)


def _take(key: str) -> None:
    """Another file, or the file is taken away; one that this session does not have changes nothing."""
    if arrived.is_stray(key):
        return
    file = arrived.uploaded(key)
    if file is None:
        own_head.drop()
    else:
        own_head.take(file.getvalue())


def _taken(scene: HeadScene, own: OwnHead) -> str:
    sizes = {"n": len(own.kept.tokens), "d_model": own.kept.d_model, "d_k": own.kept.d_k}
    return scene.words("head.upload.taken", **sizes)


def _unused(scene: HeadScene, own: OwnHead) -> list[str]:
    """Which arrays of the file no figure uses, if any."""
    if not own.unused:
        return []
    named, more = own.unused[:MOST_NAMED], len(own.unused) - MOST_NAMED
    names = scene.words("lab.comma").join(named)
    if more > 0:
        names = scene.words("head.upload.more", names=names, more=more)
    return [scene.words("head.upload.unused", names=names)]
