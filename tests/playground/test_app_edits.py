"""Edits in the playground by AppTest: words, sentences good and bad, undo, and what the address says of them."""

import numpy as np
import pytest

from attention_ui.experiment import Experiment
from attention_ui.text import LANGUAGES, words_of
from tests.playground.app_cases import charts, put
from tests.sessions import html, settled, visit


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_change_of_words_changes_no_setting(language: str) -> None:
    """Choosers send the label that was shown; a label of another language or sentence must do no harm."""
    app = visit(example="meeting", lang="en" if language == "zh" else "zh", row="3")
    settled(app.button_group(key="lang").set_value(language).run())
    settings = app.session_state["settings"]
    assert (settings.lang, settings.example, settings.d, settings.row) == (language, "meeting", "typed", 2)
    settled(app.text_input(key="sentence").set_value("you love AI").run())
    settled(app.button(key="undo").click().run())
    settled(app.button(key="grow_it").click().run())
    assert app.session_state["settings"].row == 2
    assert app.session_state["settings"].d == "4096"


def test_a_row_that_only_the_edited_sentence_has_stays_out_of_the_address() -> None:
    app = visit()
    settled(app.text_input(key="sentence").set_value("a b c d e f").run())
    put(app, row=5)
    queries = [element.proto.json for element in app.get("bidi_component") if "query" in element.proto.json]
    assert queries
    assert "row=" not in queries[0]


def test_undo_of_an_edit_keeps_later_choices() -> None:
    app = visit()
    settled(app.text_input(key="sentence").set_value("you love AI").run())
    put(app, how="copies", row=1)
    settled(app.button(key="undo").click().run())
    assert (app.session_state["settings"].how, app.session_state["settings"].row) == ("copies", 1)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("", "The sentence is empty"),
        ("a " * 17, "has 17 tokens"),
        ("x" * 10_000, "has 10000 characters"),
        ("I " + "y" * 30, "Token 2"),
    ],
)
def test_a_bad_sentence_is_named_and_the_last_picture_stays(sentence: str, said: str) -> None:
    app = visit()
    before = charts(app)
    settled(app.text_input(key="sentence").set_value(sentence).run())
    assert said in html(app)
    assert charts(app) == before
    settled(app.text_input(key="sentence").set_value("AI I love").run())
    assert said not in html(app)


def test_tokens_are_text_wherever_they_are_shown() -> None:
    app = visit()
    tokens = ["$x$", "<b>", "=1+1", "![a](b)", "🙂", ":red[x]", "**x**", "`x`"]
    settled(app.text_input(key="sentence").set_value(" ".join(tokens)).run())
    assert "<b>" not in html(app).replace("<b></b>", "")
    spoken = [element.value for element in (*app.markdown, *app.caption, *app.subheader)]
    assert not [text for text in spoken for token in tokens if token in text]
    assert all(token in charts(app)[0] for token in tokens)


def test_undo_takes_back_sentence_and_example() -> None:
    app = visit()
    before = charts(app)
    settled(app.text_input(key="sentence").set_value("I love AI too").run())
    assert charts(app) != before
    settled(app.selectbox(key="example").set_value("arrows").run())
    settled(app.button(key="undo").click().run())
    assert app.text_input(key="sentence").value == "I love AI too"
    assert app.selectbox(key="example").value == "love"
    settled(app.button(key="undo").click().run())
    assert charts(app) == before
    assert app.button(key="undo").disabled


def test_only_an_edit_too_long_for_the_address_is_said_not_to_be_in_it() -> None:
    app = visit(example="random_8")
    note = words_of("en")("picture.edited")
    settled(app.text_input(key="sentence").set_value("You love AI").run())
    assert note not in html(app)
    rng = np.random.default_rng(0)
    digits = {name: rng.random((16, 16)) for name in ("X", "W_Q", "W_K", "W_V")}
    tokens = tuple("abcdefghijklmnop")
    app.session_state["experiment"] = Experiment("random_8", tokens, digits)
    assert note in html(settled(app.run()))
