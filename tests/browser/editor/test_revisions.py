"""New matrices from Python's side, and commands: nothing typed is lost, nothing half-typed is sent."""

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.browser.editor.hand import WORDS, choose, shown, slow_down


def test_a_new_revision_replaces_the_texts_and_keeps_the_focus(editor):
    editor.cell("X", 0, 0).fill("wrong")
    editor.press("Tab")
    editor.page.evaluate("""() => {
        const press = [...document.querySelectorAll("button")].find(b => b.textContent === "same shape")
        press.click()
    }""")  # a click by script leaves the focus in the cell
    got = editor.wait_for("got.revision === want", editor.first + 1)
    for row in range(4):
        for column in range(4):
            expect(editor.cell("X", row, column)).to_have_value(shown(got["values"]["X"][row][column]))
    expect(editor.cell("X", 0, 1)).to_be_focused()
    expect(editor.lines("X")).to_have_text("")
    editor.type("9")
    editor.press("Enter")
    editor.wait_for("got.values.X[0][1] === 9")


def test_a_revision_of_another_shape_rebuilds_the_table(editor):
    editor.page.get_by_role("button", name="six tokens").click()
    got = editor.wait_for("got.revision === want", editor.first + 1)
    expect(editor.matrix("X").get_by_role("textbox")).to_have_count(9 * 4)
    last = editor.matrix("X").get_by_role("textbox").last
    expect(last).to_have_value(shown(got["values"]["X"][8][3]))
    last.fill("1.25")
    last.press("Enter")
    editor.wait_for("got.values.X[8][3] === 1.25")


def test_reruns_of_the_same_revision_leave_a_half_typed_text_alone(editor):
    cell = editor.cell("X", 1, 0)
    cell.focus()
    editor.type("-1e")
    choose(editor, "zh", by_script=True)
    expect(editor.cell("X", 1, 0)).to_be_focused()
    expect(editor.cell("X", 1, 0)).to_have_value("-1e")
    expect(editor.button("reset_title", matrix="X")).to_have_text(WORDS["zh"]["reset"])
    editor.type("2")
    editor.wait_for("got.values.X[1][0] === -100")


def test_a_message_changes_its_language_with_the_page(editor):
    editor.cell("W_Q", 1, 1).fill("abc")
    editor.press("Enter")
    choose(editor, "zh")
    expect(editor.lines("W_Q")).to_contain_text("“abc”不是数")


def test_three_quick_clicks_on_plus_end_three_higher(editor):
    plus = editor.button("larger", size="d_k", matrix="W_Q")
    editor.page.evaluate("button => { for (let i = 0; i < 3; i++) button.click() }", plus.element_handle())
    expect(editor.matrix("W_Q").locator("output")).to_have_text("6")
    got = editor.wait_for("got.values.W_Q[0].length === 6")
    assert all(command[:3] == ["resize", "W_Q", "d_k"] for command in got["commands"])
    expect(editor.matrix("W_K").get_by_role("textbox")).to_have_count(24)
    expect(editor.matrix("W_K").locator("output")).to_have_text("6")


def test_a_size_stops_at_its_bounds(editor):
    minus = editor.button("smaller", size="d_k", matrix="W_Q")
    for _ in range(5):
        minus.dispatch_event("click")
    editor.wait_for("got.values.W_Q[0].length === 1")
    expect(minus).to_be_disabled()
    expect(editor.matrix("W_Q").locator("output")).to_have_text("1")


def test_different_commands_in_quick_succession_are_all_carried_out(editor):
    slow_down(editor)
    names = ["X", "W_Q", "W_K", "W_V"]
    for name in names:
        editor.button("reset_title", matrix=name).click()
    got = editor.wait_for("got.commands.length === 4")
    assert got["commands"] == [["reset", name, None, None] for name in names]
    assert got["values"]["W_V"] == [[1.0] * 3] * 4


def test_an_edit_in_progress_goes_out_before_a_command(editor):
    editor.cell("W_Q", 0, 0).focus()
    editor.type("7.5")
    plus = editor.button("larger", size="d_k", matrix="W_Q")
    editor.page.evaluate("button => button.click()", plus.element_handle())
    got = editor.wait_for("got.values.W_Q[0].length === 4")
    assert got["values"]["W_Q"][0][0] == 7.5
    assert got["stale"] == 0
    expect(editor.cell("W_Q", 0, 0)).to_be_focused()


def test_what_is_typed_while_a_command_is_under_way_is_not_lost(editor):
    slow_down(editor)
    editor.button("larger", size="d_k", matrix="W_Q").click()
    editor.cell("W_V", 0, 0).focus()
    editor.type("5,5")
    editor.press("Tab")
    editor.type("-1e")
    editor.wait_for("got.values.W_Q[0].length === 4 && got.values.W_V[0][0] === 5.5")
    expect(editor.cell("W_V", 0, 1)).to_be_focused()
    expect(editor.cell("W_V", 0, 1)).to_have_value("-1e")
    editor.type("1")
    editor.wait_for("got.values.W_V[0][1] === -10")


def test_drawn_cells_are_marked_until_they_are_edited(editor):
    editor.button("random_title", matrix="W_K").click()
    expect(editor.matrix("W_K").get_by_text("drawn with seed 3")).to_be_visible()
    expect(editor.matrix("W_K").locator(".fresh")).to_have_count(12)
    expect(editor.cell("W_K", 0, 1)).to_have_attribute("title", WORDS["en"]["fresh"])
    editor.cell("W_K", 0, 1).fill("3")
    editor.press("Enter")
    editor.wait_for("got.values.W_K[0][1] === 3")
    expect(editor.matrix("W_K").locator(".fresh")).to_have_count(11)
