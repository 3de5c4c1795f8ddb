"""The words: the same keys and placeholders in both languages, none written into Python."""

import ast
import re
import string
from pathlib import Path

import pytest

from attention_ui.text import CONTENT, LANGUAGES, language_of, words_of

ROOT = Path(__file__).parents[2]
PYTHON = [
    ROOT / "dashboard.py",
    *sorted((ROOT / "attention_ui").rglob("*.py")),
    *sorted((ROOT / "attention_core").rglob("*.py")),
]


def all_texts(language: str) -> dict[str, str]:
    return words_of(language)._texts


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_files_keys_and_placeholders() -> None:
    files = [sorted(path.name for path in (CONTENT / language).rglob("*") if path.is_file()) for language in LANGUAGES]
    assert files[0] == files[1]
    en, zh = (all_texts(language) for language in LANGUAGES)
    assert en.keys() == zh.keys()
    differing = [key for key in en if placeholders(en[key]) != placeholders(zh[key])]
    assert not differing


def test_chinese_texts_are_chinese_unless_they_are_names_or_formulas() -> None:
    same = {key for key, text in all_texts("zh").items() if not re.search(r"[\u4e00-\u9fff]", text)}
    assert all(re.search(r"[\u4e00-\u9fff]", all_texts("zh")[key]) for key in all_texts("zh") if key not in same)
    spoken = {key: re.findall(r"[A-Za-z]{3,}", re.sub(r"\{.*?\}", "", all_texts("en")[key])) for key in same}
    assert {key for key in same if len(spoken[key]) > 4} == set()


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_chinese_and_no_page_text_stands_in_python(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    constants = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    strings = [value for value in constants if isinstance(value, str)]
    if path.name != "examples.py":
        assert not [text for text in strings if re.search(r"[\u4e00-\u9fff]", text)]
    if "attention_ui" in path.parts:
        calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
        spoken = {"say", "warn", "subheader", "button", "markdown", "toggle", "slider", "radio", "selectbox", "popover"}
        for call in calls:
            name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            if name in spoken and call.args and isinstance(call.args[0], ast.Constant):
                pytest.fail(f"{path.name}:{call.lineno} has its words in Python: {call.args[0].value!r}")


def test_a_missing_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        words_of("en")("bar.nothing")


@pytest.mark.parametrize(
    ("locale", "language"),
    [("zh-CN", "zh"), ("zh", "zh"), ("ZH_tw", "zh"), ("en-GB", "en"), ("fr-FR", "en"), (None, "en"), ("", "en")],
)
def test_the_language_follows_the_browser(locale: str | None, language: str) -> None:
    assert language_of(locale) == language
