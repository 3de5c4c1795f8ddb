"""Bring your own head: a template, a snippet that takes one out of a model, the upload and what is wrong with it."""

from __future__ import annotations

import streamlit as st

from attention_core.head_files import LARGEST_D_K, LARGEST_D_MODEL, LARGEST_FILE, MOST_TOKENS, HeadProblem
from attention_core.heads import read_head, write_template
from attention_ui import notices, state
from attention_ui.head_scene import HeadScene
from attention_ui.head_settings import OWN
from attention_ui.tokens import Problem

MEGABYTE = 1 << 20
LIMITS = {
    "tokens": MOST_TOKENS, "d_model": LARGEST_D_MODEL, "d_k": LARGEST_D_K, "megabytes": LARGEST_FILE // MEGABYTE
}  # fmt: skip
SNIPPET = """import numpy as np
from transformers import AutoModel, AutoTokenizer

name, layer, head = "sentence-transformers/all-MiniLM-L6-v2", 3, 1
tokenizer, model = AutoTokenizer.from_pretrained(name), AutoModel.from_pretrained(name)
inputs = tokenizer("The animal didn't cross the street because it was too tired.", return_tensors="pt")
X = model(**inputs, output_hidden_states=True).hidden_states[layer][0]  # (tokens, d_model), what enters the layer
attention = model.encoder.layer[layer].attention.self
d_k = attention.attention_head_size
rows = slice(head * d_k, (head + 1) * d_k)
arrays = {"X": X, "tokens": np.array(tokenizer.convert_ids_to_tokens(inputs["input_ids"][0]))}
for letter, linear in zip("QKV", (attention.query, attention.key, attention.value)):
    arrays[f"W_{letter}"], arrays[f"b_{letter}"] = linear.weight[rows].T, linear.bias[rows]
np.savez("head.npz", **{k: v if k == "tokens" else v.detach().numpy() for k, v in arrays.items()})
"""


def draw(scene: HeadScene) -> None:
    """The limits, the template, the snippet, the upload and what became of it."""
    words = scene.words
    st.subheader(words("head.upload.heading"))
    notices.say(words("head.upload.lead", **LIMITS))
    st.download_button(
        words("head.upload.template"), write_template, file_name="head.npz", mime="application/octet-stream",
        key="head_template", icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    st.file_uploader(
        words("head.upload.file"), type="npz", key="head_file", on_change=_take, max_upload_size=LIMITS["megabytes"]
    )  # fmt: skip
    problem = st.session_state.head_problem
    if problem is not None:
        notices.warn(words(problem.key, **problem.values), [words("head.upload.stays")])
    elif scene.settings.head == OWN:
        sizes = {"n": len(scene.head.tokens), "d_model": scene.head.X.shape[1], "d_k": scene.head.d_k}
        notices.say(words("head.upload.taken", **sizes))
    with st.expander(words("head.upload.snippet")):
        st.code(SNIPPET, language="python")


def _take() -> None:
    """The new file's head, or what is wrong with it; then what was there before stays."""
    file, session = st.session_state.head_file, st.session_state
    if file is None:  # taken away: its head and what was wrong with it go too
        session.head_problem, session.own_head = None, None
        if state.head().head == OWN:
            state.reset_lab(state.HEAD)
        return
    try:
        session.own_head, session.head_problem = read_head(file.getvalue()), None
    except HeadProblem as problem:
        session.head_problem = Problem(f"head.problems.{problem.code}", problem.values)  # without the file behind it
        return
    state.put("head_head", OWN)
    state.put("head_token", None)
    state.put("head_components", None)
