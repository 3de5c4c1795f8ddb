"""The real head by AppTest: every head, ending, rule and extreme; the numbers of the text; its controls."""

from html import escape
from itertools import product
from urllib.parse import parse_qsl

import numpy as np
import pytest

from attention_core import head_weights, load_head
from attention_core.heads import ENDINGS, RECORDED
from attention_ui.address import RULES
from attention_ui.head_settings import TEMPERATURES, read, write
from attention_ui.numbers import percent
from tests.head.app_cases import drawn, lab, own, put, slider_of_components, upload
from tests.sessions import html, in_turn, settled


@pytest.mark.parametrize(("name", "language"), in_turn(RECORDED))
def test_every_head_and_ending(name: str, language: str) -> None:
    """And every rule, a third of them for each head: the figures of all together are tested without a page."""
    app = lab(language)
    for ending in ENDINGS:
        drawn(put(app, head=name, ending=ending))
    for rule in RULES[RECORDED.index(name) :: len(RECORDED)]:
        drawn(put(app, rule=rule))
    drawn(put(app, scale=False))


def test_the_recorded_shares_are_on_the_page() -> None:
    app = lab()
    for shown in ("0.677", "0.281", "“street” 0.645", "“animal” 0.137"):
        assert shown in html(app)
    assert "“it” looks at “animal” (67.7 %)" in html(app)
    put(app, ending="wide")
    assert "“animal” (28.1 %)" in html(app)
    put(app, ending="swapped")
    assert "“it” looks at “street” (64.5 %)" in html(app)


def test_extremes_together() -> None:
    app = lab()
    for temperature, components, token in product(TEMPERATURES[:: len(TEMPERATURES) - 1], (1, 31, None), (0, 15)):
        drawn(put(app, temperature=temperature, components=components, token=token, head="L0H2"))


def test_the_controls_move_the_head() -> None:
    app = lab()
    settled(app.toggle(key="head_scale").set_value(False).run())
    share = float(head_weights(load_head("L3H1"), "none")[1][10, 2])
    assert f"“it” looks at “animal” ({escape(percent(share))})" in html(app)
    assert share > 0.95
    settled(slider_of_components(app).set_value(3).run())
    assert app.session_state["head"].components == 3
    assert "Kept: 3 of 32 components" in html(app)
    settled(slider_of_components(app).set_value(32).run())
    assert app.session_state["head"].components is None
    settled(app.selectbox(key="head_token").set_value(13).run())
    assert "“tired” looks at" in html(app)
    settled(app.selectbox(key="head_head").set_value("L4H5").run())
    assert app.session_state["head"].token is None
    assert "“it” looks at" in html(app)


def test_the_slider_of_components_shows_its_setting_whatever_the_head() -> None:
    app = lab(components=5)
    assert slider_of_components(app).value == 5
    upload(app, own(W_Q=np.ones((8, 32)), W_K=np.ones((8, 32))))
    assert (app.session_state["head"].components, slider_of_components(app).value) == (None, 32)
    upload(app, own(W_Q=np.ones((8, 64)), W_K=np.ones((8, 64))))
    settled(slider_of_components(app).set_value(50).run())
    assert app.session_state["head"].components == 50
    settled(app.selectbox(key="head_head").set_value("L4H5").run())
    assert (app.session_state["head"].components, slider_of_components(app).value) == (None, 32)
    assert not read(dict(parse_qsl(write(app.session_state["head"]))))[1]
