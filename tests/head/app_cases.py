"""The real head by AppTest: the page, an uploaded file, a small head of one's own."""

import io

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import SelectSlider

from tests import sessions
from tests.sessions import html, settled, visit


def lab(language: str = "en", **changes: object) -> AppTest:
    return put(visit("head", lang=language), **changes)


def put(app: AppTest, **changes: object) -> AppTest:
    return sessions.put(app, "head", **changes)


def upload(app: AppTest, data: bytes) -> AppTest:
    return settled(app.file_uploader(key="head_file").upload("head.npz", data, "application/octet-stream").run())


def archive(**arrays: object) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def drawn(app: AppTest) -> None:
    """The whole page is there, and no number on it is none."""
    assert len(app.get("vega_lite_chart")) == 3
    assert "nan" not in html(app)


def slider_of_components(app: AppTest) -> SelectSlider:
    return app.select_slider(key="head_components")


def own(**changes: object) -> bytes:
    """A small file of one's own."""
    rng = np.random.default_rng(5)
    arrays = {"X": rng.standard_normal((6, 8)), "W_Q": rng.standard_normal((8, 2)), "W_K": rng.standard_normal((8, 2))}
    return archive(**{**arrays, **changes})


def told(data: bytes) -> tuple[AppTest, str]:
    app = upload(lab(), data)
    drawn(app)
    return app, html(app)
