"""The lessons by AppTest: every lesson in both languages, guesses, progress, links that are followed."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from attention_ui import state
from attention_ui.experiment import with_values
from attention_ui.lessons import markdown
from attention_ui.lessons.values import values
from attention_ui.panels.lesson import SKIPPED
from attention_ui.text import LANGUAGES, words_of
from tests.sessions import go, html, settled, visit


def skip_all(app: AppTest) -> AppTest:
    while waiting := [button for button in app.button if str(button.key).startswith("skip_")]:
        settled(waiting[0].click().run())
    return app


def check(app: AppTest) -> Button:
    """The button that ends the first guess that waits."""
    return next(button for button in app.button if str(button.key).startswith("check_"))


def texts(app: AppTest) -> str:
    return "\n".join(element.value for element in app.markdown)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", markdown.NAMES)
def test_every_lesson_opens_asks_answers_and_counts_as_done(name: str, language: str) -> None:
    app = visit(markdown.address_of(name), lang=language)
    lesson = markdown.parse(markdown.fill(markdown.source(name, language), values(name, language)))
    assert app.header[0].value == lesson.title
    assert lesson.guesses[0].reason not in texts(app)
    assert app.session_state["lessons"].done == ()
    skip_all(app)
    for guess in lesson.guesses:
        assert guess.reason in texts(app)
    assert app.session_state["lessons"].done == (str(markdown.number_of(name)),)


def test_a_right_and_a_wrong_guess_are_told_apart_and_stay() -> None:
    words = words_of("en")
    for option, verdict in ((1, "right"), (0, "wrong")):
        app = visit("lesson-4")
        for choice in (2, option):  # as arrow keys do; nothing is told before it is checked
            settled(app.radio[0].set_value(choice).run())
            assert not [word for word in ("right", "wrong") if words(f"lesson.guess.{word}") in texts(app)]
        settled(check(app).click().run())
        assert words(f"lesson.guess.{verdict}") in texts(app)
        assert ("✗" in texts(app)) == (verdict == "wrong")
        go(app, "lesson-5")
        go(app, "lesson-4", lang="en", done="4")
        assert words(f"lesson.guess.{verdict}") in texts(app)
        go(app, "saturation")
        settled(app.button_group(key="lang").set_value("zh").run())
        go(app, "lesson-4")
        assert words_of("zh")(f"lesson.guess.{verdict}") in texts(app)


def test_a_check_without_a_guess_asks_for_one() -> None:
    app = visit("lesson-4")
    settled(check(app).click().run())
    assert words_of("en")("lesson.guess.choose") in html(app)
    assert app.session_state["guesses"] == {}


def test_a_skipped_guess_is_neither_right_nor_wrong() -> None:
    app = skip_all(visit("lesson-4"))
    assert SKIPPED in app.session_state["guesses"].values()
    assert words_of("en")("lesson.guess.answer") in texts(app)
    assert "✗" not in texts(app)


def test_progress_comes_from_the_address_and_leads_on() -> None:
    app = visit("lessons", done="0.1.2")
    assert "3" in html(app)
    assert app.session_state["lessons"].done == ("0", "1", "2")
    first = app.get("page_link")[0].proto
    assert first.page.endswith("lesson-3")
    assert "done=0.1.2" in first.query_string
    assert visit("lessons").get("page_link")[0].proto.page.endswith("lesson-0")
    every = ".".join(str(number) for number in range(19))
    assert visit("lessons", done=every).get("page_link")[0].proto.label == words_of("en")("lesson.page.again")


def test_a_followed_link_takes_its_settings_over_and_a_menu_does_not() -> None:
    app = visit("lesson-12")
    go(app, "saturation", myth="still", d="64", **{"from": "lesson-12"})
    assert (app.session_state["saturation"].myth, app.session_state["saturation"].d) == ("still", 64)
    back = app.get("page_link")[0].proto
    assert back.page.endswith("lesson-12")
    go(app, "lesson-12")
    go(app, "saturation", myth="root")
    assert app.session_state["saturation"].myth == "still"
    assert not app.get("page_link")


def test_the_way_back_outlasts_a_reload_without_taking_settings_again() -> None:
    app = visit("saturation", d="64", back="lesson-12", done="3")
    assert app.get("page_link")[0].proto.page.endswith("lesson-12")
    assert app.session_state["lessons"].done == ("3",)
    go(app, "lesson-12")
    go(app, "saturation", d="256", back="lesson-12")
    assert app.session_state["saturation"].d == 64
    assert app.get("page_link")[0].proto.page.endswith("lesson-12")


def test_a_done_lesson_holds_nothing_back() -> None:
    app = visit("lesson-18", done="18")
    assert sum(str(button.key).startswith("skip_") for button in app.button) == 5


def test_a_link_into_the_playground_can_be_undone() -> None:
    app = visit("")
    edited = app.session_state["experiment"].matrices["X"] + 1
    app.session_state["experiment"] = with_values(app.session_state["experiment"], {"X": edited}, {})
    go(app, "lesson-0")
    go(app, "", example="scores_285", stage="weights", **{"from": "lesson-0"})
    assert app.session_state["settings"].stage == "weights"
    assert app.session_state["experiment"].example == "scores_285"
    assert app.session_state["settings"].how == "zeros"
    undo = next(button for button in app.button if button.label == words_of("en")("bar.undo"))
    settled(undo.click().run())
    np.testing.assert_array_equal(app.session_state["experiment"].matrices["X"], edited)


@pytest.mark.parametrize("query", [
    {"from": "lesson-99"}, {"from": ""}, {"from": "x" * 5000}, {"done": "zzz"}, {"done": "0." * 3000}, {"lang": "fr"},
])  # fmt: skip
def test_strange_addresses_open_the_lesson_and_say_what_is_wrong(query: dict[str, str]) -> None:
    app = visit("lesson-3", **query)
    assert app.header[0].value == markdown.title_of("03-self-attention", "en")
    shown = html(app)
    assert ('role="alert"' in shown) == ("from" not in query)
    go(app, state.SATURATION, d="64", **query)
    assert app.session_state["saturation"].d == 1024


def test_a_pressed_box_of_the_flow_opens_its_stage_and_nothing_else_does() -> None:
    app = skip_all(visit("lesson-17"))
    app.session_state["wanted_stage"] = "weights"
    app.run()
    assert not app.exception
    assert app.session_state["settings"].stage == "weights"
    assert app.session_state["page"] == ""
