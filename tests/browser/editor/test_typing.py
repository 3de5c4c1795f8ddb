"""Typing in the matrix editor in a real browser: what is typed arrives in Python as typed, and nothing else does."""

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.browser.editor.hand import slow_down


def texts_and_numbers(count):
    """Different numbers in the forms people type, with the float each must become."""
    forms = [("{}.{}5", 1), ("-{}.{}5", -1), ("−{},{}5", -1), ("{}，{}5", 1)]
    for i in range(count):
        form, sign = forms[i % 4]
        whole, tenth = i // 10, i % 10
        yield form.format(whole, tenth), sign * float(f"{whole}.{tenth}5")


@pytest.mark.parametrize("delay", [0, 15])
@pytest.mark.parametrize("key", ["Tab", "ArrowRight"])
def test_fast_typing_along_the_rows_arrives_exactly(editor, key, delay):
    pairs = list(texts_and_numbers(12))
    for row in range(4):
        editor.cell("W_Q", row, 0).focus()
        for text, _ in pairs[3 * row : 3 * row + 3]:
            editor.type(text, delay)
            editor.press(key)
    editor.wait_for_values("W_Q", [[number for _, number in pairs[3 * row : 3 * row + 3]] for row in range(4)])


@pytest.mark.parametrize(("forth", "back"), [("Enter", "Shift+Enter"), ("ArrowDown", "ArrowUp")])
def test_fast_typing_down_and_up_arrives_exactly(editor, forth, back):
    numbers = [number for _, number in texts_and_numbers(12)]
    columns = [numbers[:4], numbers[4:8], numbers[8:]]
    for column, key in zip(range(3), (forth, back, forth), strict=True):
        order = range(4) if key == forth else range(3, -1, -1)
        editor.cell("W_K", order[0], column).focus()
        for row in order:
            editor.type(str(columns[column][row]))
            editor.press(key)
    editor.press("Enter")
    editor.wait_for_values("W_K", [list(row) for row in zip(*columns, strict=True)])


def test_typing_during_slow_runs_loses_nothing(editor):
    slow_down(editor)
    pairs = list(texts_and_numbers(16))
    editor.cell("X", 0, 0).focus()
    for text, _ in pairs:
        editor.type(text, 15)
        editor.press("Tab")
    editor.wait_for_values("X", [[number for _, number in pairs[4 * row : 4 * row + 4]] for row in range(4)])


def test_a_number_is_sent_soon_after_the_last_key_and_its_text_is_left_alone(editor):
    cell = editor.cell("X", 1, 1)
    cell.focus()
    editor.type("2.50")
    editor.wait_for("got.values.X[1][1] === 2.5")
    expect(cell).to_have_value("2.50")
    editor.press("Tab")
    expect(cell).to_have_value("2.5")
    assert editor.received()["edits"] == 1


def test_untouched_cells_keep_every_bit_and_moving_about_sends_nothing(editor):
    before = editor.received()["values"]
    assert before["X"][0] == [0.1 + 0.2, -1 / 3, 1e-7, 0.0]
    expect(editor.cell("X", 0, 0)).to_have_value("0.30000000000000004")
    expect(editor.cell("X", 0, 1)).to_have_value("−0.3333333333333333")
    editor.cell("X", 0, 0).focus()
    editor.press("Tab", "Enter", "ArrowLeft", "ArrowDown", "Shift+Tab", "Escape", "Tab")
    editor.type("7")
    editor.press("Escape")
    editor.cell("W_V", 0, 0).focus()
    editor.type("4")
    editor.press("Enter")
    before["W_V"][0][0] = 4
    got = editor.wait_for_values("W_V", before["W_V"])
    assert got["values"] == before
    assert got["edits"] == 1


def test_arrows_move_between_cells_only_from_the_edge_of_a_text(editor):
    editor.cell("W_Q", 1, 1).focus()
    editor.type("12")
    editor.press("ArrowLeft")
    editor.type("3")
    expect(editor.cell("W_Q", 1, 1)).to_have_value("132")
    editor.press("ArrowRight", "ArrowRight")
    expect(editor.cell("W_Q", 1, 2)).to_be_focused()
    editor.press("ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown")
    expect(editor.cell("W_Q", 1, 0)).to_be_focused()
    editor.wait_for("got.values.W_Q[1][1] === 132")


def test_a_click_selects_the_whole_text(editor):
    editor.cell("W_Q", 2, 2).click()
    editor.type("8")
    expect(editor.cell("W_Q", 2, 2)).to_have_value("8")


def test_letters_do_not_reach_the_shortcuts_of_streamlit(editor):
    editor.cell("X", 0, 0).focus()
    editor.type("rc")
    editor.press("Escape")
    expect(editor.page.get_by_role("dialog")).to_have_count(0)
    expect(editor.cell("X", 0, 0)).to_be_focused()


NUMBERS = [
    ("1,5", 1.5, "1.5"),
    ("1,234", 1.234, "1.234"),
    ("−2", -2, "−2"),
    ("－３．２５", -3.25, "−3.25"),
    ("2。5", 2.5, "2.5"),
    ("+.5", 0.5, "0.5"),
    ("5.", 5, "5"),
    ("\u00a0 1e-7 ", 1e-7, "1e−7"),
    ("1E3", 1000, "1000"),
    ("-0", 0, "0"),
    ("-1000000", -1e6, "−1000000"),
    ("0.1234567890123456789", 0.12345678901234568, "0.12345678901234568"),
]


def test_numbers_are_read_as_people_write_them(editor):
    for text, value, shown in NUMBERS:
        editor.cell("X", 2, 2).fill(text)
        editor.press("Enter")
        expect(editor.cell("X", 2, 2)).to_have_value(shown)
        expect(editor.cell("X", 2, 2)).not_to_have_attribute("aria-invalid", "true")
        editor.wait_for("got.values.X[2][2] === want", value)
