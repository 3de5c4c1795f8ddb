"""The lessons' figures: one v2 component in plain JavaScript that answers in the browser, without a round trip."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
KINDS = tuple(sorted(path.stem for path in (_HERE / "kinds").glob("*.js")))


def _scripts() -> str:
    """Streamlit takes one script. The parts are plain functions; only the last one exports."""
    paths = [_HERE / "toolkit.js", *(_HERE / "kinds" / f"{kind}.js" for kind in KINDS), _HERE / "entry.js"]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


_component = st.components.v2.component(
    "lesson_figure",
    html='<div class="figure"></div>\n<!-- filled by entry.js -->',
    css=(_HERE / "figure.css").read_text(encoding="utf-8"),
    js=_scripts(),
)


def lesson_figure(
    kind: str, figure: Mapping[str, Any], words: Mapping[str, str], key: str, on_open: Callable[[object], None]
) -> None:
    """Draw a figure of one of the KINDS; on_open(raw) is called with what was pressed in it and leads elsewhere."""

    def opened() -> None:
        raw = st.session_state[key].get("open")
        if raw is not None:
            on_open(raw)

    data = {"kind": kind, "figure": dict(figure), "words": dict(words)}
    _component(key=key, data=data, on_open_change=opened)
