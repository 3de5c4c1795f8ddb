"""The real head by AppTest: every head, ending, rule and extreme; the numbers of the text; uploads good and bad."""

import io
from dataclasses import replace
from html import escape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_core.head_files import PROBLEMS, HeadProblem
from attention_core.heads import ENDINGS, RECORDED, head_weights, load_head, read_head, write_template
from attention_ui.head_settings import OWN, RULES, TEMPERATURES, HeadSettings
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


@pytest.mark.parametrize(("name", "language"), in_turn(RECORDED))
def test_every_head_ending_and_rule(name: str, language: str) -> None:
    app = lab(language)
    for ending in ENDINGS:
        put(app, head=name, ending=ending)
        assert len(app.get("vega_lite_chart")) == 3
    for rule in RULES:
        for scale in (True, False):
            put(app, rule=rule, scale=scale)
            assert "nan" not in html(app).replace("nance", "")


def test_the_recorded_shares_are_on_the_page() -> None:
    app = lab()
    for shown in ("0.677", "0.281", "“street” 0.645", "“animal” 0.137"):
        assert shown in html(app)
    assert "“it” looks at “animal” (67.7 %)" in html(app)
    put(app, ending="wide")
    assert "“animal” (28.1 %)" in html(app)
    put(app, ending="swapped")
    assert "“it” looks at “street” (64.5 %)" in html(app)


@pytest.mark.parametrize("temperature", [TEMPERATURES[0], TEMPERATURES[-1]])
@pytest.mark.parametrize("components", [1, 31, None])
@pytest.mark.parametrize("token", [0, 15, None])
def test_extremes_together(temperature: float, components: int | None, token: int | None) -> None:
    app = lab(temperature=temperature, components=components, token=token, head="L0H2")
    assert "nan" not in html(app)
    assert len(app.get("vega_lite_chart")) == 3


def test_the_controls_move_the_head() -> None:
    app = lab()
    settled(app.toggle(key="head_scale").set_value(False).run())
    share = float(head_weights(load_head("L3H1"), "none")[1][10, 2])
    assert f"“it” looks at “animal” ({escape(percent(share))})" in html(app)
    assert share > 0.95
    settled(app.slider(key="components_32").set_value(3).run())
    assert app.session_state["head"].components == 3
    assert "Kept: 3 of 32 components" in html(app)
    settled(app.slider(key="components_32").set_value(32).run())
    assert app.session_state["head"].components is None
    settled(app.selectbox(key="head_token").set_value(13).run())
    assert "“tired” looks at" in html(app)
    settled(app.selectbox(key="head_head").set_value("L4H5").run())
    assert app.session_state["head"].token is None
    assert "“it” looks at" in html(app)


def test_the_template_comes_back_as_it_is() -> None:
    app = upload(lab(), write_template())
    assert app.session_state["head"].head == OWN
    head = read_head(write_template())
    np.testing.assert_array_equal(app.session_state["own_head"].X, head.X)
    assert f"Your head has {len(head.tokens)} token(s), d_model = {head.d_model} and d_k = {head.d_k}." in html(app)
    settled(app.selectbox(key="head_head").set_value("L3H1").run())
    assert "0.677" in html(app)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"hello", "not_npz"),
        (write_template()[:200], "truncated"),
        (archive(X=np.eye(3)), "missing"),
        (archive(X=np.eye(3), W_Q=np.ones((2, 2)), W_K=np.ones((3, 2))), "shape"),
        (archive(X=np.full((3, 3), np.nan), W_Q=np.ones((3, 2)), W_K=np.ones((3, 2))), "not_finite"),
        (archive(X=np.array([{}], dtype=object), W_Q=np.ones((3, 2)), W_K=np.ones((3, 2))), "pickled"),
        (archive(X=np.ones((600, 2)), W_Q=np.ones((2, 2)), W_K=np.ones((2, 2))), "too_many_tokens"),
    ],
)
def test_a_bad_file_is_named_and_what_was_there_stays(data: bytes, code: str, language: str) -> None:
    app = lab(language)
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
    for data in (thin, zero, own(X=rng.standard_normal((1, 8)))):
        app = upload(lab(), data)
        assert len(app.get("vega_lite_chart")) == 3
        assert "nan" not in html(app)
    assert words_of("en")("head.apart.nothing") in html(upload(lab(), zero))


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
    assert bad.session_state["head_problem"].code == "not_npz"
    assert words_of("en")("head.upload.stays") in html(bad)
