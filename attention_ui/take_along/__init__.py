"""What only the browser can do for taking an experiment along: copying a text, and saving a chart as a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


_BOX = '<div class="box"></div>\n<!-- filled by the script -->'
_STYLE = _read("field.css")
_copy = st.components.v2.component("copy_field", html=_BOX, css=_STYLE, js=_read("copy.js"))
_picture = st.components.v2.component("picture_saver", html=_BOX, css=_STYLE, js=_read("picture.js"))


def copy_field(template: str, query: str, words: Mapping[str, str], key: str) -> None:
    """A text and a button that copies it; {url} in the template becomes this page's address with that query."""
    _copy(key=key, data={"template": template, "query": query, "words": dict(words)})


@dataclass(frozen=True)
class Chart:
    """Where a chart stands on the page, its title, the name of its file, and a line of settings below it."""

    selector: str
    title: str
    file: str
    note: str


def picture_saver(charts: Sequence[Chart], words: Mapping[str, str], key: str) -> None:
    """Buttons that save charts of this page as SVG or PNG with title and settings."""
    _picture(key=key, data={"charts": [asdict(chart) for chart in charts], "words": dict(words)})
