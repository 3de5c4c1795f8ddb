"""An uploaded head beside its model, by AppTest: a position bias, and weights that the file does not explain."""

from dataclasses import replace
from html import escape

import numpy as np

from attention_core import head_weights, read_head
from attention_core.head_agreement import best_agreement
from attention_ui.numbers import percent
from attention_ui.text import words_of
from tests.head.app_cases import lab, own, put, told
from tests.sessions import html, settled


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
