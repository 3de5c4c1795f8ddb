"""Every page by AppTest: each example, both toggles, all d, both languages; bad addresses; edits and undo."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_core import EXAMPLES, get_example, self_attention
from attention_ui.address import D_CODES, RULES
from attention_ui.text import LANGUAGES, words_of

ROOT = Path(__file__).parents[1]


def lab(**query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "dashboard.py"), default_timeout=60)
    for code, value in query.items():
        app.query_params[code] = value
    return settled(app.run())


def settled(app: AppTest) -> AppTest:
    assert not app.exception, [error.value for error in app.exception]
    return app


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def charts(app: AppTest) -> list[str]:
    """What screen readers are told of each chart; the numbers of the figure are in it."""
    return [chart.proto.alt for chart in app.get("vega_lite_chart")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("example", list(EXAMPLES))
def test_every_example_at_every_d_with_both_settings(example: str, language: str) -> None:
    app = lab(example=example, lang=language)
    for d in D_CODES:
        for scale in (True, False):
            app.session_state["d"], app.session_state["scale"] = d, scale
            settled(app.run())
            assert len(charts(app)) == 4
            size = str(get_example(example).W_Q.shape[1]) if d == "typed" else d
            assert f"d = {size}" in charts(app)[0]
            assert words_of(language)("picture.in_force") in html(app)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_with_mask_and_every_way_to_grow(rule: str, language: str) -> None:
    app = lab(rule=rule, lang=language, example="random_8")
    app.session_state["show_all"] = True
    for how in ("independent", "copies", "zeros"):
        for causal in (False, True):
            app.session_state["how"], app.session_state["causal"] = how, causal
            settled(app.run())
            assert len(charts(app)) == 3 + 9 + (1 if causal else 0) - 1


def test_every_number_of_the_worked_example_is_on_the_page() -> None:
    app = lab()
    app.session_state["show_all"] = True
    shown = "\n".join(charts(settled(app.run())))
    love = get_example("love")
    trace = self_attention(love.X, love.W_Q, love.W_K, love.W_V)
    for name in ("Q", "K", "V", "scores", "scaled", "weights", "output"):
        for token, row in zip(love.tokens, getattr(trace, name), strict=True):
            assert f"{token}: " + ", ".join(f"{value:.3f}" for value in row) in shown, name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "query",
    [{"d": "63.5"}, {"d": "-1"}, {"example": "nothing"}, {"seed": "1.5"}, {"scale": "<b>"}, {"row": "99"}],
    ids=str,
)
def test_a_bad_address_is_named_and_can_be_closed(query: dict[str, str], language: str) -> None:
    app = lab(**query, lang=language)
    words = words_of(language)
    ((code, raw),) = query.items()
    assert words("address.lead") in html(app)
    assert f"{code} = “{raw.replace('<', '&lt;').replace('>', '&gt;')}”" in html(app)
    settled(app.button(key="close_address").click().run())
    assert words("address.lead") not in html(app)


def test_a_bad_language_is_named_in_the_default_one() -> None:
    assert "lang = “xx”" in html(lab(lang="xx"))


def test_the_toggle_marks_the_side_in_force() -> None:
    app = lab()
    force = words_of("en")("picture.in_force")

    def sides() -> list[bool]:
        return [force in element.proto.body for element in app.get("html") if 'class="side"' in element.proto.body]

    assert sides() == [False, True]
    settled(app.toggle(key="scale").set_value(False).run())
    assert sides() == [True, False]


def test_the_caption_is_filled_from_the_core() -> None:
    app = lab()
    rule = words_of("en")("with.sqrt")
    assert f"“I” puts 86.7 % of its attention on “love”; {rule}, 70.7 %" in html(app)


def test_a_tied_row_is_said_to_be_tied() -> None:
    app = lab(row="2")
    assert "“love” gives 3 keys the same score" in html(app)


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
    app = lab()
    before = charts(app)
    settled(app.text_input(key="sentence").set_value(sentence).run())
    assert said in html(app)
    assert charts(app) == before
    settled(app.text_input(key="sentence").set_value("AI I love").run())
    assert said not in html(app)


def test_tokens_are_text_wherever_they_are_shown() -> None:
    app = lab()
    tokens = ["$x$", "<b>", "=1+1", "![a](b)", "🙂", ":red[x]", "**x**", "`x`"]
    settled(app.text_input(key="sentence").set_value(" ".join(tokens)).run())
    assert "<b>" not in html(app).replace("<b></b>", "")
    spoken = [element.value for element in (*app.markdown, *app.caption, *app.subheader)]
    assert not [text for text in spoken for token in tokens if token in text]
    assert all(token in charts(app)[0] for token in tokens)


def test_undo_takes_back_sentence_and_example() -> None:
    app = lab()
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


def test_an_edit_is_said_not_to_be_in_the_address() -> None:
    app = lab()
    note = words_of("en")("picture.edited")
    assert note not in html(app)
    settled(app.text_input(key="sentence").set_value("You love AI").run())
    assert note in html(app)


def test_a_small_example_offers_to_grow() -> None:
    app = lab()
    settled(app.button(key="grow_it").click().run())
    assert app.select_slider(key="d").value == "4096"
    assert "d = 4096" in charts(app)[0]


def test_the_stepper_walks_seven_stages_with_the_mask_on() -> None:
    app = lab(causal="on")
    walked = [app.session_state["stage"]]
    while not app.button(key="next").disabled:
        settled(app.button(key="next").click().run())
        walked.append(app.session_state["stage"])
    assert walked == ["X", "QKV", "scores", "scaled", "masked", "weights", "output"]
    app.session_state["stage"] = "masked"
    app.session_state["causal"] = False
    assert settled(app.run()).session_state["stage"] == "scaled"


def test_play_walks_to_the_largest_d_and_stops() -> None:
    app = lab()
    settled(app.button(key="play").click().run())
    seen = [app.select_slider(key="d").value]
    while app.session_state["playing"]:
        seen.append(settled(app.run()).select_slider(key="d").value)
    assert seen[-1] == D_CODES[-1]
    assert len(seen) <= len(D_CODES) + 1


def test_two_visitors_do_not_share_their_settings() -> None:
    one, other = lab(), lab(lang="zh", d="4096")
    settled(one.toggle(key="scale").set_value(False).run())
    settled(other.run())
    assert other.session_state["scale"]
    assert one.session_state["lang"] == "en"
    np.testing.assert_array_equal(one.session_state["experiment"].matrices["X"], get_example("love").X)
