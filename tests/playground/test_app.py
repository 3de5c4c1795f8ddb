"""The playground by AppTest: each example and rule at every d, both toggles, both languages; bad addresses."""

from dataclasses import replace

import numpy as np
import pytest

from attention_core import EXAMPLES, get_example, self_attention
from attention_ui.address import D_CODES, RULES
from attention_ui.text import LANGUAGES, words_of
from tests.playground.app_cases import charts, put
from tests.sessions import html, in_turn, settled, visit


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
