"""The matrix editor alone, with what Python received from it shown as JSON for the tests to read.

The buttons change the matrices from Python's side; "slow" makes each run take a third of a second.
"""

import json
import time
import tomllib
from pathlib import Path

import numpy as np
import streamlit as st

from attention_ui.matrix_editor import matrix_editor, read_command, read_draft, read_revision, read_touched

CONTENT = Path(__file__).parents[3] / "content"
TOKENS = ["I", "love", "deep", "incomprehensibilities"]
NAMES = {"X": ("X", ""), "W_Q": ("W", "Q"), "W_K": ("W", "K"), "W_V": ("W", "V")}
LIMITS = {"d_model": (1, 8), "d_k": (1, 16)}
SIZE_OF = {"X": "d_model", "W_Q": "d_k", "W_K": "d_k"}


def fresh_values(shapes, seed):
    rng = np.random.default_rng(seed)
    return {name: rng.standard_normal(shape).round(2) for name, shape in shapes.items()}


def shapes_of(store):
    return {name: values.shape for name, values in store["values"].items()}


def start():
    shapes = {"X": (4, 4), "W_Q": (4, 3), "W_K": (4, 3), "W_V": (4, 3)}
    values = fresh_values(shapes, 3)
    values["X"][0] = [0.1 + 0.2, -1 / 3, 1e-7, 0.0]
    return {"revision": 1, "values": values, "fresh": {}, "note": {}, "commands": [], "edits": 0, "stale": 0, "odd": 0}


def take_draft(raw):
    values, touched = read_draft(raw, shapes_of(store)), read_touched(raw, shapes_of(store))
    if read_revision(raw) != store["revision"]:
        store["stale"] += 1
    elif values is None or touched is None:
        store["odd"] += 1
    else:
        store.update(values=values, edits=store["edits"] + 1)
        for name, marks in store["fresh"].items():
            marks[touched[name]] = False


def take_command(raw):
    command = read_command(raw, NAMES, LIMITS)
    store["commands"].append(list(command)[:4] if command else None)
    if command is None:
        return
    if command.name == "resize":
        resize(command.size, command.to)
    elif command.name == "reset":
        store["values"][command.matrix] = np.ones_like(store["values"][command.matrix])
        store["note"].pop(command.matrix, None)
    else:
        shape = store["values"][command.matrix].shape
        store["values"][command.matrix] = fresh_values({"": shape}, 3)[""]
        store["fresh"][command.matrix] = np.ones(shape, dtype=bool)
        store["note"][command.matrix] = "drawn with seed 3"
    store["revision"] += 1


def resize(size, to):
    for name, values in store["values"].items():
        rows, columns = values.shape
        if size == "d_model":
            rows, columns = (rows, to) if name == "X" else (to, columns)
        elif SIZE_OF.get(name) == size:
            columns = to
        new = np.zeros((rows, columns))
        part = values[:rows, :columns]
        new[: part.shape[0], : part.shape[1]] = part
        store["values"][name] = new
    store["fresh"] = {}


def described(name, values):
    size = SIZE_OF.get(name)
    letter, subscript = NAMES[name]
    low, high = LIMITS.get(size, (0, 0))
    rows, columns = values.shape
    return {
        "name": name,
        "letter": letter,
        "subscript": subscript,
        "rows": (TOKENS + ["more"] * rows)[:rows] if name == "X" else [str(i + 1) for i in range(rows)],
        "columns": [str(j + 1) for j in range(columns)],
        "values": values,
        "fresh": store["fresh"].get(name, np.zeros(values.shape, dtype=bool)),
        "note": store["note"].get(name, ""),
        "size": size
        and {
            "name": size,
            "letter": "d",
            "subscript": size[2:],
            "value": columns,
            "min": low,
            "max": high,
        },
    }


def new_example(shapes):
    store.update(values=fresh_values(shapes, 7), fresh={}, note={}, revision=store["revision"] + 1)


def start_over():
    store.update({**start(), "revision": store["revision"] + 1})
    st.session_state.update(language="en", speed="quick")


@st.fragment
def editor():
    with st.container(horizontal=True):
        language = st.segmented_control("language", ["en", "zh"], key="language", label_visibility="collapsed")
        speed = st.segmented_control("speed", ["quick", "slow"], key="speed", label_visibility="collapsed")
        st.button("start over", on_click=start_over)
        st.button("same shape", on_click=lambda: new_example(shapes_of(store)))
        st.button("six tokens", on_click=lambda: new_example({**shapes_of(store), "X": (9, 4)}))
    time.sleep(0.3 if speed == "slow" else 0)
    words = tomllib.loads((CONTENT / (language or "en") / "editor.toml").read_text(encoding="utf-8"))
    matrix_editor(
        [described(name, values) for name, values in store["values"].items()],
        words=words,
        revision=store["revision"],
        key="editor",
        on_draft=take_draft,
        on_command=take_command,
    )
    received = {name: store[name] for name in ("revision", "commands", "edits", "stale", "odd")}
    received["values"] = {name: values.tolist() for name, values in store["values"].items()}
    received.update(language=language, speed=speed)
    with st.container(key="received"):
        st.code(json.dumps(received), language=None, wrap_lines=True)


st.set_page_config(layout="wide", page_title="Matrix editor")
store = st.session_state.setdefault("store", start())
if "language" not in st.session_state:
    start_over()
editor()
