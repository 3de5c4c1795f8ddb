"""Blocks pasted into the cells: those that fit are taken cell by cell, others change nothing."""

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.browser.editor.hand import choose


@pytest.mark.parametrize(
    "text",
    [
        "1,5\t-2\r\n3\t4e-1\r\n",
        "1.5\t−2\n3\t.4",
        "1,5;-2\n3;0.4\n",
        "1.5  -2\n 3 0.4",
    ],
)
def test_a_pasted_block_fills_the_cells_from_the_focused_one(editor, text):
    values = editor.received()["values"]["W_K"]
    editor.cell("W_K", 1, 1).focus()
    editor.paste(text)
    values[1][1:], values[2][1:] = [1.5, -2], [3, 0.4]
    got = editor.wait_for_values("W_K", values)
    assert got["edits"] == 1
    expect(editor.cell("W_K", 1, 2)).to_have_value("−2")
    expect(editor.cell("W_K", 1, 1)).to_be_focused()


def test_one_value_pastes_like_any_text(editor):
    editor.cell("W_K", 0, 0).focus()
    editor.paste("2,25\r\n")
    editor.press("Enter")
    editor.wait_for("got.values.W_K[0][0] === 2.25")


def test_bad_cells_of_a_block_are_told_and_the_good_ones_taken(editor):
    values = editor.received()["values"]["W_Q"]
    editor.cell("W_Q", 0, 0).focus()
    editor.paste("1\tx\t3\n\t5\t1e9")
    values[0][0], values[0][2], values[1][1] = 1, 3, 5
    editor.wait_for_values("W_Q", values)
    expect(editor.lines("W_Q").locator("p")).to_have_count(3)
    for row, column in [(0, 1), (1, 0), (1, 2)]:
        expect(editor.cell("W_Q", row, column)).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_block_that_does_not_fit_changes_nothing(editor, language):
    choose(editor, language)
    editor.cell("W_Q", 2, 1).focus()
    editor.paste("1\t2\t3\n4\t5\t6")
    sentence = editor.words["paste_no_fit"].format(rows=2, columns=3, free_rows=2, free_columns=2)
    expect(editor.bubble()).to_have_text(sentence)
    expect(editor.lines("W_Q")).to_have_text(editor.words["line"].format(place="W_Q", problem=sentence))
    editor.paste("1\t" * 40_000)
    expect(editor.bubble()).to_have_text(editor.words["paste_too_much"])
    editor.type("6")
    expect(editor.lines("W_Q")).to_have_text("")
    got = editor.wait_for("got.values.W_Q[2][1] === 6")
    assert got["edits"] == 1
