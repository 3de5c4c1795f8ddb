"""What the browser says was picked in a chart or uploaded: untrusted, so nothing but what a page could have sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile


def picked(key: str, selection: str, **limits: range) -> tuple[int, ...] | None:
    """The fields named in `limits` of the point that was picked last in a chart, each a whole number in its range.

    Law: for whatever stands in the session under the chart's key, the numbers or None.
    """
    point = _last(_within(_within(st.session_state.get(key), "selection"), selection))
    found = tuple(_within(point, name) for name in limits)
    fits = all(
        type(value) is int and value in limit for value, limit in zip(found, limits.values(), strict=True)
    )  # fmt: skip
    return found if fits else None


def uploaded(key: str) -> UploadedFile | None:
    """The file in an uploader; None when there is none, or one that this session does not have."""
    value = st.session_state.get(key)
    return value if isinstance(value, UploadedFile) else None


def is_stray(key: str) -> bool:
    """True when the browser shows a file in an uploader that this session does not have: another one's, or one that
    the server no longer holds."""
    return st.session_state.get(key) is not None and uploaded(key) is None


def _within(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _last(points: object) -> object:
    return points[-1] if isinstance(points, list) and points else None
