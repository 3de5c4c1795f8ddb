"""The real head by AppTest: every head, ending, rule and extreme; the numbers of the text; uploads good and bad."""

import io
from dataclasses import replace
from html import escape
from itertools import product
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import SelectSlider

from attention_core import head_weights, load_head, read_head
from attention_core.head_agreement import best_agreement
from attention_core.head_files import PROBLEMS, HeadProblem
from attention_core.heads import ENDINGS, RECORDED, write_template
from attention_ui.address import RULES
from attention_ui.head_settings import OWN, TEMPERATURES, HeadSettings, read, write
from attention_ui.head_shelf import BUDGET, SHELF
from attention_ui.numbers import percent
from attention_ui.text import LANGUAGES, words_of
from tests import sessions
from tests.sessions import html, in_turn, settled, visit


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
    settled(components(app).set_value(3).run())
    assert app.session_state["head"].components == 3
    assert "Kept: 3 of 32 components" in html(app)
    settled(components(app).set_value(32).run())
    assert app.session_state["head"].components is None
    settled(app.selectbox(key="head_token").set_value(13).run())
    assert "“tired” looks at" in html(app)
    settled(app.selectbox(key="head_head").set_value("L4H5").run())
    assert app.session_state["head"].token is None
    assert "“it” looks at" in html(app)


def components(app: AppTest) -> SelectSlider:
    return app.select_slider(key="head_components")


def test_the_slider_of_components_shows_its_setting_whatever_the_head() -> None:
    app = lab(components=5)
    assert components(app).value == 5
    upload(app, own(W_Q=np.ones((8, 32)), W_K=np.ones((8, 32))))
    assert (app.session_state["head"].components, components(app).value) == (None, 32)
    upload(app, own(W_Q=np.ones((8, 64)), W_K=np.ones((8, 64))))
    settled(components(app).set_value(50).run())
    assert app.session_state["head"].components == 50
    settled(app.selectbox(key="head_head").set_value("L4H5").run())
    assert (app.session_state["head"].components, components(app).value) == (None, 32)
    assert not read(dict(parse_qsl(write(app.session_state["head"]))))[1]


def test_the_template_comes_back_as_it_is() -> None:
    app = upload(lab(head="L4H5"), write_template())
    assert app.session_state["head"].head == OWN
    head = read_head(write_template())
    np.testing.assert_array_equal(SHELF.get(app.session_state["own_head"]).kept.Q, head.Q)
    assert f"Your head has {len(head.tokens)} token(s), d_model = {head.d_model} and d_k = {head.d_k}." in html(app)
    settled(app.selectbox(key="head_head").set_value("L3H1").run())
    assert "0.677" in html(app)


BAD = {
    "empty": b"",
    "not_npz": b"hello",
    "truncated": write_template()[:200],
    "missing": archive(X=np.eye(3)),
    "shape": archive(X=np.eye(3), W_Q=np.ones((2, 2)), W_K=np.ones((3, 2))),
    "not_finite": archive(X=np.full((3, 3), np.nan), W_Q=np.ones((3, 2)), W_K=np.ones((3, 2))),
    "pickled": archive(X=np.array([{}], dtype=object), W_Q=np.ones((3, 2)), W_K=np.ones((3, 2))),
    "too_many_tokens": archive(X=np.ones((600, 2)), W_Q=np.ones((2, 2)), W_K=np.ones((2, 2))),
}


@pytest.mark.parametrize(("code", "language"), in_turn(BAD))
def test_a_bad_file_is_named_and_what_was_there_stays(code: str, language: str) -> None:
    app, data = lab(language), BAD[code]
    with pytest.raises(HeadProblem) as caught:
        read_head(data)
    assert caught.value.code == code
    said = words_of(language)(f"head.problems.{code}", **caught.value.values)
    before = [chart.proto.alt for chart in app.get("vega_lite_chart")]
    upload(app, data)
    assert said.split("“")[0] in html(app)
    assert replace(app.session_state["head"], lang=None) == HeadSettings()
    assert [chart.proto.alt for chart in app.get("vega_lite_chart")] == before
    upload(app, write_template())
    assert said not in html(app)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_has_a_sentence_with_the_same_values(language: str) -> None:
    import string

    words = words_of(language)
    assert set(words.section("head.problems")) == set(PROBLEMS)
    for code, english in PROBLEMS.items():
        wanted = {name for _, name, _, _ in string.Formatter().parse(english) if name}
        found = {name for _, name, _, _ in string.Formatter().parse(words(f"head.problems.{code}")) if name}
        assert found <= wanted, code


def test_an_own_head_stays_out_of_the_address_and_of_others() -> None:
    app, other = upload(lab(), write_template()), lab()
    queries = [element.proto.json for element in app.get("bidi_component") if "query" in element.proto.json]
    assert not [query for query in queries if "own" in query]
    assert other.session_state["own_head"] is None


def test_tokens_of_a_file_are_text_wherever_they_are_shown() -> None:
    head = load_head("L3H1")
    odd = ["<b>x</b>", "$x$", "**b**", ":red[x]", "=1+1", "![a](b)"]
    data = archive(X=head.X[:6, :8], W_Q=head.W_Q[:8, :4], W_K=head.W_K[:8, :4], tokens=np.array(odd))
    app = upload(lab(), data)
    assert "<b>x" not in html(app)
    assert not [text for text in (element.value for element in app.markdown) if any(token in text for token in odd)]


def own(**changes: object) -> bytes:
    """A small file of one's own."""
    rng = np.random.default_rng(5)
    arrays = {"X": rng.standard_normal((6, 8)), "W_Q": rng.standard_normal((8, 2)), "W_K": rng.standard_normal((8, 2))}
    return archive(**{**arrays, **changes})


def test_small_and_empty_heads_are_drawn() -> None:
    rng = np.random.default_rng(6)
    thin = own(W_Q=rng.standard_normal((8, 1)), W_K=rng.standard_normal((8, 1)))
    zero = own(X=np.zeros((6, 8)), W_Q=np.zeros((8, 2)))
    tiny = own(W_Q=1e-100 * np.eye(8, 2) * [2, 1], W_K=1e-100 * np.eye(8, 2))
    app = lab()
    for data in (thin, zero, own(X=rng.standard_normal((1, 8)))):
        drawn(upload(app, data))
        if data is zero:
            assert words_of("en")("head.apart.nothing") in html(app)
    drawn(put(upload(app, tiny), components=1))
    assert "1 of 2 components, with 80.0 %" in html(app)


def test_many_tokens_are_ranked_over_all_of_them() -> None:
    rng = np.random.default_rng(7)
    X = rng.standard_normal((200, 8))
    data = own(X=X, W_Q=3 * np.eye(8)[:, :2], W_K=3 * np.eye(8)[:, :2])
    app = upload(lab(), data)
    weights = head_weights(read_head(data), "sqrt")[1][0]
    best = int(weights.argmax())
    assert best >= 16
    assert f"looks at “{best + 1}” (" in html(app)
    assert "The first 16 of 200 tokens are drawn" in html(app)


def test_after_a_bad_file_the_page_says_that_the_picture_stays() -> None:
    bad = upload(lab(), b"hello")
    assert bad.session_state["head_problem"].key == "head.problems.not_npz"
    assert words_of("en")("head.upload.stays") in html(bad)


def told(data: bytes) -> tuple[AppTest, str]:
    app = upload(lab(), data)
    drawn(app)
    return app, html(app)


def expecting(rule: str, given: bool = True) -> bytes:
    """A head whose model has a position bias; `given` when the file tells of it."""
    head = read_head(own())
    pos_bias = 3 * np.random.default_rng(9).standard_normal((6, 6))
    expected = head_weights(replace(head, pos_bias=pos_bias), rule)[1]
    return own(expected_weights=expected, **({"pos_bias": pos_bias} if given else {}))


def test_a_position_bias_is_in_every_figure() -> None:
    data = expecting("sqrt")
    app, page = told(data)
    head = read_head(data)
    assert words_of("en")("head.agreement.agrees_sqrt", decimals=5) in page
    assert words_of("en")("head.picture.bias") in page
    assert words_of("en")("head.figures.bias") in page
    for scale in (True, False):
        row = head_weights(head, "sqrt" if scale else "none")[1][0]
        best = int(row.argmax())
        assert f"“{best + 1}” ({escape(percent(float(row[best])))})" in html(put(app, scale=scale))
    assert f"{float(head_weights(head, 'none')[1].max(axis=1).mean()):.3f}" in html(app)
    assert words_of("en")("head.picture.bias") not in html(lab())


def test_weights_that_the_file_does_not_explain_are_told_above_the_picture() -> None:
    """Without the bias the pictures are not the model's: the largest difference, its row, and the other top keys."""
    data = expecting("sqrt", given=False)
    found = best_agreement(read_head(data))
    app, page = told(data)
    assert not found.agrees
    assert found.other_top
    assert words_of("en")("head.agreement.why_bias") in page
    assert page.count(f"differs by up to {found.largest:.3f}: from “{found.row + 1}” to “{found.key + 1}”") == 2
    assert f"In {found.other_top} of 6 rows another key has the largest weight" in page
    assert page.index("What is drawn is not what the model did") < page.index("” looks at “")
    settled(app.selectbox(key="head_head").set_value("L4H5").run())
    assert "What is drawn is not what the model did" not in html(app)


def test_a_head_that_divides_by_nothing_is_told() -> None:
    _, page = told(expecting("none"))
    assert page.count(words_of("en")("head.agreement.agrees_none", decimals=5)) == 2  # above the picture too
    assert "What is drawn is not" not in page


def test_what_the_file_holds_besides_is_named() -> None:
    extra = {f"extra_{i}": np.zeros(1) for i in range(6)} | {"<b>": np.zeros(1)}
    _, page = told(own(W_V=np.zeros((8, 2)), **extra))
    assert "In the file but not used: W_V, extra_0, extra_1, extra_2, extra_3, extra_4 and 2 more." in page
    assert "<b>" not in page
    assert "not used" not in told(own())[1]


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
    settled(components(app).set_value(2).run())
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
