"""The form of the matrix editor: names for screen readers, widths of windows, words in both languages."""

import re

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.browser.editor.hand import TOKENS, WORDS


def test_the_tables_name_their_rows_columns_and_cells(editor):
    expect(editor.matrix("X").get_by_role("rowheader")).to_have_text(TOKENS)
    expect(editor.matrix("X").get_by_role("columnheader")).to_have_text(["1", "2", "3", "4"])
    expect(editor.matrix("W_Q").get_by_role("table")).to_have_accessible_name("Matrix W_Q, 4 × 3")
    expect(editor.matrix("W_Q").locator(".name sub")).to_have_text("Q")
    expect(editor.page.get_by_label("X, love, column 2", exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_matrices_fit_the_page(editor, width):
    editor.page.set_viewport_size({"width": width, "height": 900})
    boxes = [editor.matrix(name).bounding_box() for name in ("X", "W_Q", "W_K", "W_V")]
    wide = width == 1280
    assert len({box["y"] for box in boxes}) == (1 if wide else 4)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert not wide or all(box["height"] <= 215 for box in boxes)
    assert editor.page.evaluate("document.documentElement.scrollWidth") <= width


def test_both_languages_have_the_same_words_and_holes():
    assert WORDS["en"].keys() == WORDS["zh"].keys()
    for key, text in WORDS["en"].items():
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", WORDS["zh"][key])), key
