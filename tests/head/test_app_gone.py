"""Uploaded heads that are gone, by AppTest: those that gave way, and those that were taken away."""

import pytest

from attention_core.heads import RECORDED, write_template
from attention_ui.head_settings import OWN
from attention_ui.head_shelf import BUDGET, SHELF
from attention_ui.text import LANGUAGES, words_of
from tests.head.app_cases import drawn, lab, slider_of_components, upload
from tests.sessions import html, settled


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_head_that_gave_way_is_missed_in_a_sentence(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = words_of(language)
    app = upload(lab(language, temperature=2.0), write_template())
    monkeypatch.setattr(SHELF, "budget", 1)
    other = upload(lab(), write_template())
    settled(app.run())
    said = words("head.gone.room", megabytes=BUDGET // 2**20)
    assert html(app).index(said) < html(app).index(words("head.figures.note", temperature=1))
    assert app.session_state["head"].head == RECORDED[0]
    assert app.session_state["head"].temperature == 2
    assert [field.key for field in app.file_uploader] == ["head_file_again"]
    assert len(app.selectbox(key="head_head").options) == len(RECORDED)
    drawn(app)
    assert SHELF.get(other.session_state["own_head"]) is not None
    settled(app.file_uploader(key="head_file_again").upload("head.npz", write_template(), "").run())
    assert app.session_state["head"].head == OWN
    assert said not in html(app)


def test_a_head_that_gave_way_while_its_widgets_are_used() -> None:
    app = upload(lab(), write_template())
    SHELF._heads.clear()
    settled(slider_of_components(app).set_value(2).run())
    assert app.session_state["head"].head == RECORDED[0]
    settled(app.file_uploader(key="head_file_again").upload("head.npz", write_template(), "").run())
    SHELF._heads.clear()
    settled(app.selectbox(key="head_head").set_value("L4H5").run())
    assert app.session_state["head"].head == "L4H5"


def test_a_file_that_is_taken_away_takes_its_head_along() -> None:
    app = upload(lab(temperature=2.0), write_template())
    assert app.session_state["own_head"] is not None
    settled(app.file_uploader(key="head_file").set_value(None).run())
    assert app.session_state["own_head"] is None
    assert app.session_state["head"].head == RECORDED[0]
    drawn(app)
