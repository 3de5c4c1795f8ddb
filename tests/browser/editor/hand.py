"""A page with the matrix editor in the terms of its tests: cells, keys, pastes, and what Python received."""

import json
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
APP = HERE / "app.py"
WORDS = {
    language: tomllib.loads((HERE.parents[2] / "content" / language / "editor.toml").read_text(encoding="utf-8"))
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
