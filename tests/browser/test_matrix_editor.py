"""The matrix editor in a real browser: what is typed arrives in Python as typed, and nothing else does."""

import json
import re
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

HERE = Path(__file__).parent
APP = HERE / "editor_app.py"
WORDS = {
    language: tomllib.loads((HERE.parents[1] / "content" / language / "editor.toml").read_text(encoding="utf-8"))
    for language in ("en", "zh")
}
TOKENS = ["I", "love", "deep", "incomprehensibilities"]
READ = "() => JSON.parse(document.querySelector('.st-key-received code').textContent)"


class Editor:
    """A page with the editor, in the terms of the tests."""

    def __init__(self, page, words=WORDS["en"]):
        self.page, self.words = page, words

    def label(self, matrix, row, column):
        row_name = TOKENS[row] if matrix == "X" else self.words["row_numbered"].format(row=row + 1)
        column_name = self.words["column_numbered"].format(column=column + 1)
        return self.words["cell"].format(matrix=matrix, row=row_name, column=column_name)

    def cell(self, matrix, row, column):
        return self.page.get_by_label(self.label(matrix, row, column), exact=True)

    def button(self, key, **names):
        return self.page.get_by_role("button", name=self.words[key].format(**names), exact=True)

    def matrix(self, name):
        return self.page.locator(f"[data-matrix={name}]")

    def lines(self, name):
        return self.matrix(name).get_by_role("status").last

    def bubble(self):
        return self.page.locator(".bubble")

    def type(self, text, delay=0):
        self.page.keyboard.type(text, delay=delay)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def paste(self, text):
        """Pastes into the focused cell as Ctrl+V does, without touching the machine's clipboard."""
        self.page.evaluate(
            """text => {
                const clipboardData = new DataTransfer()
                clipboardData.setData("text/plain", text)
                const target = document.activeElement.shadowRoot.activeElement
                const event = new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true})
                if (target.dispatchEvent(event)) document.execCommand("insertText", false, text)
            }""",
            text,
        )

    def received(self):
        return self.page.evaluate(READ)

    def wait_for(self, condition, argument=None):
        """Waits until a JavaScript condition on `got`, what Python last reported, holds."""
        self.page.wait_for_function(f"want => {{ const got = ({READ})(); return {condition} }}", arg=argument)
        return self.received()

    def wait_for_values(self, name, values):
        got = self.wait_for("JSON.stringify(got.values[want[0]]) === JSON.stringify(want[1])", [name, values])
        assert got["values"][name] == values
        assert got["odd"] == 0
        return got


@pytest.fixture(scope="module")
def page_and_complaints(browser, serve):
    """One page for all tests, since opening it takes longer than most of them; and what its console complains of."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(20_000)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(serve(APP))
    page.locator(".st-key-received code").wait_for()
    matrix = page.locator("[data-matrix=X]")
    matrix.evaluate("element => { element.dataset.mark = 'the first' }")
    yield page, complaints
    # Streamlit calls the component's cleanup also while it is in use; that must not have built the editor anew.
    assert matrix.get_attribute("data-mark") == "the first"
    context.close()


@pytest.fixture
def editor(page_and_complaints):
    """The editor as it is at first; a complaint in the console fails the test."""
    page, complaints = page_and_complaints
    page.set_viewport_size({"width": 1280, "height": 900})
    editor = Editor(page)
    before = editor.received()["revision"]
    page.get_by_role("button", name="start over", exact=True).click()
    editor.wait_for("got.revision === want", before + 1)
    expect(editor.cell("X", 0, 0)).to_have_value("0.30000000000000004")
    editor.first = before + 1
    yield editor
    assert complaints == []


def texts_and_numbers(count):
    """Different numbers in the forms people type, with the float each must become."""
    forms = [("{}.{}5", 1), ("-{}.{}5", -1), ("−{},{}5", -1), ("{}，{}5", 1)]
    for i in range(count):
        form, sign = forms[i % 4]
        whole, tenth = i // 10, i % 10
        yield form.format(whole, tenth), sign * float(f"{whole}.{tenth}5")


# Typing


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


# What is no number

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


# Pasting


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


# Revisions and commands


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


# Form


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


def shown(value):
    return json.dumps(int(value) if value == int(value) else value).replace("-", "−")


def slow_down(editor):
    editor.page.get_by_text("slow", exact=True).click()
    editor.wait_for("got.speed === 'slow'")


def choose(editor, language, by_script=False):
    if language == editor.received()["language"]:
        return
    button = editor.page.get_by_text(language, exact=True)
    button.dispatch_event("click") if by_script else button.click()
    editor.words = WORDS[language]
    editor.cell("X", 0, 0).wait_for()
    editor.wait_for("got.language === want", language)
