"""What is no number in a cell gets its sentence, and the last good value stays."""

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.browser.editor.hand import choose

BAD = {
    "": "empty",
    "abc": "not_a_number",
    "-": "not_a_number",
    "1 000": "not_a_number",
    "10²": "not_a_number",
    "<b>x</b>": "not_a_number",
    "NaN": "not_finite",
    "-Infinity": "not_finite",
    "1e308": "too_large",
    "1e400": "too_large",
    "-1000000.5": "too_large",
    "1e-400": "too_small",
    "1,234.5": "ambiguous_comma",
    "1,234,567": "ambiguous_comma",
    "x" * 60: "not_a_number",
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_bad_text_gets_its_sentence_and_the_last_good_value_stays(editor, language):
    choose(editor, language)
    before = editor.received()
    cell, good = editor.cell("X", 1, 2), str(before["values"]["X"][1][2]).replace("-", "−")
    for text, problem in BAD.items():
        cell.fill(text)
        editor.press("Tab")
        quoted = text if len(text) <= 24 else text[:23] + "…"
        sentence = editor.words[problem].format(text=quoted, value=good, limit="1\u202f000\u202f000")
        line = editor.words["line"].format(place=editor.label("X", 1, 2), problem=sentence)
        expect(editor.lines("X")).to_have_text(line)
        expect(cell).to_have_attribute("aria-invalid", "true")
        expect(cell).to_have_value(text)
        cell.focus()
        expect(editor.bubble()).to_have_text(sentence)
        expect(editor.bubble()).to_be_visible()
    editor.press("Escape")
    expect(cell).to_have_value(good)
    expect(editor.lines("X")).to_have_text("")
    expect(editor.bubble()).to_be_hidden()
    editor.cell("W_V", 0, 0).fill("4")
    editor.press("Enter")
    got = editor.wait_for("got.values.W_V[0][0] === 4")
    assert got["values"]["X"] == before["values"]["X"]
    assert got["edits"] == 1


def test_the_message_waits_for_a_pause_and_goes_with_the_first_good_text(editor):
    cell = editor.cell("W_Q", 0, 0)
    cell.focus()
    editor.type("1e")
    assert cell.get_attribute("aria-invalid") is None
    expect(cell).to_have_attribute("aria-invalid", "true")
    expect(cell).to_be_focused()
    editor.type("2")
    expect(editor.lines("W_Q")).to_have_text("")
    editor.wait_for("got.values.W_Q[0][0] === 100")
    expect(cell).to_have_value("1e2")


def test_messages_do_not_move_anything(editor):
    places = "boxes => boxes.map(box => JSON.stringify(box.getBoundingClientRect()))"
    boxes = editor.page.locator("[data-matrix], .st-key-received")
    before = boxes.evaluate_all(places)
    for name in ("X", "W_Q", "W_K"):
        editor.cell(name, 0, 0).fill("wrong")
    editor.press("Enter")
    expect(editor.lines("W_K")).not_to_have_text("")
    assert boxes.evaluate_all(places) == before
