"""The playground's controls by AppTest: growing, stepping, playing, late echoes, and two visitors."""

from dataclasses import replace

import numpy as np
import pytest

from attention_core import get_example
from attention_ui import echoes, play
from attention_ui.address import D_CODES, TYPED
from tests.playground.app_cases import charts, put
from tests.sessions import settled, visit


def test_a_small_example_offers_to_grow() -> None:
    app = visit()
    settled(app.button(key="grow_it").click().run())
    assert app.select_slider(key="d").value == "4096"
    assert "d = 4096" in charts(app)[0]


def test_the_stepper_walks_seven_stages_with_the_mask_on() -> None:
    app = visit(causal="on")
    walked = [app.session_state["settings"].stage]
    while not app.button(key="next").disabled:
        settled(app.button(key="next").click().run())
        walked.append(app.session_state["settings"].stage)
    assert walked == ["X", "QKV", "scores", "scaled", "masked", "weights", "output"]
    assert put(app, stage="masked", causal=False).session_state["settings"].stage == "scaled"


def test_play_walks_every_d_and_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit()
    settled(app.button(key="play").click().run())
    monkeypatch.setattr(play, "PLAY_EVERY", 0.0)
    seen = [app.select_slider(key="d").value]
    while app.session_state["playing"]:
        seen.append(settled(app.run()).select_slider(key="d").value)
    assert tuple(seen) == D_CODES[1:]


def test_what_the_browser_says_before_it_has_heard_of_a_new_value_is_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(echoes, "HAND", 60.0)
    app = visit()
    settled(app.button(key="grow_it").click().run())
    settled(app.select_slider(key="d").set_value(TYPED).run())
    assert app.session_state["settings"].d == app.select_slider(key="d").value == "4096"
    monkeypatch.setattr(echoes, "HAND", 0.0)
    settled(app.select_slider(key="d").set_value(TYPED).run())
    assert app.session_state["settings"].d == TYPED


def test_next_after_the_mask_has_gone_goes_on_from_the_scaled_scores() -> None:
    app = visit(causal="on", stage="masked")
    app.session_state["settings"] = replace(app.session_state["settings"], causal=False)
    assert settled(app.button(key="next").click().run()).session_state["settings"].stage == "weights"


def test_two_visitors_do_not_share_their_settings() -> None:
    one, other = visit(), visit(lang="zh", d="4096")
    settled(one.toggle(key="scale").set_value(False).run())
    settled(other.run())
    assert other.session_state["settings"].scale
    assert one.session_state["settings"].lang == "en"
    np.testing.assert_array_equal(one.session_state["experiment"].matrices["X"], get_example("love").X)
