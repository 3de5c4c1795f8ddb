"""The matrix editor: X and the weight matrices as small spreadsheets, in one v2 component without a build step.

The browser owns what is being typed and sends all matrices as a draft; Python owns the revision. JavaScript takes
matrices over from Python only when the revision changes, so a rerun never touches a cell that is being edited.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from attention_ui.matrix_editor.messages import (
    Command,
    read_command,
    read_counter,
    read_draft,
    read_revision,
    read_touched,
)

__all__ = [
    "LIMIT", "Command", "matrix_editor", "read_command", "read_draft", "read_revision", "read_touched", "waiting_draft",
]  # fmt: skip

LIMIT = 1e6

_HERE = Path(__file__).parent
# Streamlit takes one script. The parts are plain functions; only the last one exports.
_SCRIPTS = ("../idle", "numbers", "clipboard", "drawing", "wording", "problems", "sync", "keep", "typing", "editor")

_component = st.components.v2.component(
    "matrix_editor",
    html='<div class="editor"></div>\n<!-- filled by editor.js -->',
    css=(_HERE / "editor.css").read_text(encoding="utf-8"),
    js="\n".join((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS),
)


def matrix_editor(
    matrices: Sequence[Mapping[str, Any]],
    *,
    words: Mapping[str, str],
    revision: int,
    key: str,
    on_draft: Callable[[object], None],
    on_command: Callable[[object], None],
) -> None:
    """Show the matrices for editing.

    Each matrix has name, letter, subscript, rows, columns, values, fresh, note and size (or None).
    on_draft(raw) and on_command(raw) are called before the script runs again, with what the browser sent:
    read_draft, read_revision, read_touched and read_command check it. Raise `revision` whenever `matrices`
    changed otherwise than by a draft. A draft of an older revision is stale and must be dropped.
    """
    answered = f"{key}:answered"

    def draft() -> None:
        raw = waiting_draft(key)
        if raw is not None:
            on_draft(raw)

    def command() -> None:
        # When both arrive in one run Streamlit may call this first, but the edit was made before the press.
        draft()
        raw = st.session_state[key].get("command")
        n = read_counter(raw, "n")
        # The same n twice is a repeated delivery, not a second press.
        if n is not None and n > st.session_state.get(answered, 0):
            st.session_state[answered] = n
            on_command(raw)

    data = {
        "revision": revision,
        "words": dict(words),
        "limit": LIMIT,
        "answered": st.session_state.get(answered, 0),
        "matrices": [_plain(matrix) for matrix in matrices],
    }
    _component(key=key, data=data, on_draft_change=draft, on_command_change=command)


def waiting_draft(key: str) -> object | None:
    """A draft that has arrived and was not handed over yet; asking for it hands it over.

    A button elsewhere on the page that is pressed right after an edit arrives together with it, and Streamlit
    may call the button's callback first, but the edit was made before the press.
    """
    raw = st.session_state.get(key, {}).get("draft")
    edit = None if raw is None else read_counter(raw, "edit")
    delivered = f"{key}:delivered"
    if raw is None or (edit is not None and edit == st.session_state.get(delivered)):
        return None
    st.session_state[delivered] = edit
    return raw


def _plain(matrix: Mapping[str, Any]) -> dict[str, Any]:
    # + 0.0 turns -0.0 into 0.0: JSON in a browser has no -0, so it could not come back bit for bit.
    values = np.asarray(matrix["values"], dtype=float) + 0.0
    fresh = np.asarray(matrix["fresh"], dtype=bool)
    return {**matrix, "values": values.tolist(), "fresh": fresh.tolist()}
