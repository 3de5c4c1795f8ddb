"""Every page by AppTest: each example, both toggles, all d, both languages; bad addresses; edits and undo."""

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_core import EXAMPLES, get_example, self_attention
from attention_ui import echoes, play
from attention_ui.address import D_CODES, RULES, TYPED
from attention_ui.experiment import Experiment
from attention_ui.text import LANGUAGES, words_of
from tests import sessions
from tests.sessions import html, in_turn, settled, visit


def put(app: AppTest, **changes: object) -> AppTest:
    return sessions.put(app, "settings", **changes)


def charts(app: AppTest) -> list[str]:
    """What screen readers are told of each chart; the numbers of the figure are in it."""
    told = [unescape(text) for text in re.findall(r'<p class="spoken">(.*?)</p>', html(app), re.DOTALL)]
    assert len(told) == len(app.get("vega_lite_chart"))
    return told


@pytest.mark.parametrize(("example", "language"), in_turn(EXAMPLES))
def test_every_example_at_every_d_with_both_settings(example: str, language: str) -> None:
    app = visit(example=example, lang=language)
    for d in D_CODES:
        for scale in (True, False):
            put(app, d=d, scale=scale)
            assert len(charts(app)) == 4
            size = str(get_example(example).W_Q.shape[1]) if d == "typed" else d
            assert f"d = {size}" in charts(app)[0]
            assert words_of(language)("picture.in_force") in html(app)


@pytest.mark.parametrize(("rule", "language"), in_turn(RULES))
def test_every_rule_with_mask_and_every_way_to_grow(rule: str, language: str) -> None:
    app = visit(rule=rule, lang=language, example="random_8")
    put(app, show_all=True)
    for how in ("independent", "copies", "zeros"):
        for causal in (False, True):
            put(app, how=how, causal=causal)
            assert len(charts(app)) == 3 + 9 + (1 if causal else 0) - 1


def test_a_move_of_d_changes_no_charts_name() -> None:
    """A chart is drawn anew when its alternative text changes."""
    app = visit(example="random_8", d="64")
    names = [chart.proto.alt for chart in app.get("vega_lite_chart")]
    put(app, d="4096", seed=3, row=2)
    assert [chart.proto.alt for chart in app.get("vega_lite_chart")] == names
    assert len(set(names)) == len(names) == 4


def test_every_number_of_the_worked_example_is_on_the_page() -> None:
    app = visit()
    shown = "\n".join(charts(put(app, show_all=True)))
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
    app = visit(**query, lang=language)
    words = words_of(language)
    ((code, raw),) = query.items()
    assert words("address.lead") in html(app)
    assert f"{code} = “{raw.replace('<', '&lt;').replace('>', '&gt;')}”" in html(app)
    settled(app.button(key="close_address").click().run())
    assert words("address.lead") not in html(app)


def test_a_bad_language_is_named_in_the_default_one() -> None:
    assert "lang = “xx”" in html(visit(lang="xx"))


def test_the_toggle_marks_the_side_in_force() -> None:
    app = visit()
    force = words_of("en")("picture.in_force")

    def sides() -> list[bool]:
        return [force in element.proto.body for element in app.get("html") if 'class="side"' in element.proto.body]

    assert sides() == [False, True]
    settled(app.toggle(key="scale").set_value(False).run())
    assert sides() == [True, False]


def test_the_caption_is_filled_from_the_core() -> None:
    app = visit()
    rule = words_of("en")("rules.sqrt.with")
    assert f"“I” puts 86.7 % of its attention on “love”; {rule}, 70.7 %" in html(app)


def test_a_tied_row_is_said_to_be_tied() -> None:
    app = visit(row="2")
    assert "“love” gives all 3 keys the same score" in html(app)


def test_a_tie_at_the_top_is_not_said_to_be_even() -> None:
    """Two equal best keys of four share without scaling; with it the others get some too."""
    app = visit(d="4096")
    settled(app.text_input(key="sentence").set_value("I love love AI").run())
    assert "gives its 2 best keys the same score, 50.0 % of its attention each" in html(app)
    assert "“love₁” gets 39.9 %" in html(app)


def test_equal_matrices_are_said_to_grow_like_d() -> None:
    """W_Q = W_K share their columns, so that scores do not spread like √d."""
    app = visit(example="one_matrix", d="4096")
    assert "so each query is its own key: the scores grow like d" in html(app)
    assert words_of("en")("growth.root_fails") in html(app)
    assert words_of("en")("growth.winner") not in html(app)


def test_orthogonal_queries_and_keys_are_not_said_to_be_zero() -> None:
    app = visit(how="copies")
    experiment = app.session_state["experiment"]
    W_Q, W_K = np.zeros((4, 3)), np.zeros((4, 3))
    W_Q[:, 0], W_K[:, 1] = 1, 1
    app.session_state["experiment"] = replace(experiment, matrices={**experiment.matrices, "W_Q": W_Q, "W_K": W_K})
    assert words_of("en")("growth.no_growth") in html(settled(app.run()))


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
