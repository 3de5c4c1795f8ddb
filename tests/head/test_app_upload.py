"""Files brought to the real head by AppTest: good and bad, small and large, and what is said of what they hold."""

from dataclasses import replace

import numpy as np
import pytest

from attention_core import head_weights, load_head, read_head
from attention_core.head_files import PROBLEMS, HeadProblem
from attention_core.heads import write_template
from attention_ui.head_settings import OWN, HeadSettings
from attention_ui.head_shelf import SHELF
from attention_ui.text import LANGUAGES, words_of
from tests.head.app_cases import archive, drawn, lab, own, put, told, upload
from tests.sessions import html, in_turn, settled


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


def test_what_the_file_holds_besides_is_named() -> None:
    extra = {f"extra_{i}": np.zeros(1) for i in range(6)} | {"<b>": np.zeros(1)}
    _, page = told(own(W_V=np.zeros((8, 2)), **extra))
    assert "In the file but not used: W_V, extra_0, extra_1, extra_2, extra_3, extra_4 and 2 more." in page
    assert "<b>" not in page
    assert "not used" not in told(own())[1]
