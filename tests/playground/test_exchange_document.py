"""Experiments that are none: each fault of a document and a JSON file by its code and place."""

import copy
import json
import pickle
from dataclasses import replace

import pytest

from attention_ui.address import Settings
from attention_ui.exchange import document, json_file, link, npz_file
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.experiment import from_example
from tests.playground.exchange_cases import LOVE, edited, problem
from tests.playground.exchange_documents import BAD_DOCUMENTS, CELL, changed, with_cell
from tests.playground.exchange_packed import DEEP, LOVE_JSON, archive, linked


@pytest.mark.parametrize(("raw", "code", "values"), BAD_DOCUMENTS.values(), ids=BAD_DOCUMENTS)
def test_documents_that_do_not_fit(raw, code, values):
    found = problem(document.read, raw)
    assert (found.code, found.values) == (code, values)


@pytest.mark.parametrize("raw", [[], changed(example=[]), changed(version=2), with_cell(float("nan")), with_cell("1")])
def test_the_same_document_is_refused_alike_as_a_file_and_a_link(raw):
    text = json.dumps(raw)
    found = problem(document.read, raw)
    for read, packed in ((json_file.read, text.encode()), (npz_file.read, archive(text)), (link.read, linked(text))):
        assert (problem(read, packed).code, problem(read, packed).values) == (found.code, found.values)


BAD_JSON = {
    "nothing": (b"", "empty", {}),
    "257 kB": (b" " * (256 * 1024 + 1), "too_large", {"size": 257, "most": 256}),
    "Latin-1": (b'{\n"format": "\xe9"}', "encoding", {"line": 2}),
    "UTF-16": ("{}".encode("utf-16"), "encoding", {"line": 1}),
    "blank": (b" \n ", "empty", {}),
    "only a mark": (b"\xef\xbb\xbf", "empty", {}),
    "half a character after the end": (LOVE_JSON + b"\xe7\x88", "encoding", {"line": LOVE_JSON.count(b"\n") + 1}),
    "half a character in a text": (b'{\n  "a": "\xe7\x88', "json_truncated", {"line": 2, "column": 9}),
    "a comma too many": (b'{\n  "a": 1,\n}', "json_syntax", {"line": 3, "column": 1}),
    "single quotes": (b"{'a': 1}", "json_syntax", {"line": 1, "column": 2}),
    "two documents": (b"{} {}", "json_syntax", {"line": 1, "column": 4}),
    "a raw line end in a text": (b'{"a": "x\ny"}', "json_syntax", {"line": 1, "column": 9}),
    "an open quote": (b'{"a": "x}', "json_truncated", {"line": 1, "column": 7}),
    "deeply nested lists": (b"[" * DEEP, "nested", {"line": 1, "column": 9, "most": 8}),
    "deeply nested and closed": (b"[\n" * 9 + b"]" * 9, "nested", {"line": 9, "column": 1, "most": 8}),
    "deeply nested objects": (b'{"a":' * 50_000, "nested", {"line": 1, "column": 41, "most": 8}),
    "a number nearer to 0 than any float": (b'{"X": [[0.0, 0e9, 1e-400]]}', "vanishing", {"raw": "1e-400"}),
    "an enormous number": (b'{"a": ' + b"9" * 100_000 + b"}", "long_number", {"line": 1, "column": 7, "most": 60}),
    "a key twice": (b'{"a": 1, "a": 2}', "duplicate_key", {"name": "a"}),
}


@pytest.mark.parametrize(("data", "code", "values"), BAD_JSON.values(), ids=BAD_JSON)
def test_files_that_hold_no_json(data, code, values):
    found = problem(json_file.read, data)
    assert (found.code, found.values) == (code, values)


def test_brackets_within_a_text_nest_nothing():
    assert problem(json_file.read, json.dumps(changed(example="[" * 99 + '"{')).encode()).code == "setting_choice"


@pytest.mark.parametrize("word", [b"NaN", b"Infinity", b"-Infinity", b"1e999"])
def test_a_json_file_full_of_nan_names_the_first_cell(word):
    data = LOVE_JSON.replace(b"1, ", word + b", ")
    assert (problem(json_file.read, data).code, problem(json_file.read, data).values) == (
        "not_finite",
        {"name": "X", "row": 1, "column": 1},
    )


def test_a_json_file_cut_off_anywhere():
    """Within a Chinese character too."""
    chinese = Carried(from_example("love_zh"), Settings(example="love_zh"))
    for data, step in ((LOVE_JSON, 3), (json_file.write(chinese), 1)):
        for length in range(1, len(data) - 2, step):
            assert problem(json_file.read, data[:length]).code == "json_truncated"


def test_byte_order_marks_and_other_line_ends_are_no_fault():
    data = 2 * b"\xef\xbb\xbf" + LOVE_JSON.replace(b"\n", b"\r\n")
    assert json_file.read(data) == json_file.read(LOVE_JSON) == LOVE


def test_what_may_be_left_out_of_a_document():
    """Settings have defaults, and an experiment that nobody drew into has no marks."""
    assert document.read(changed(settings={}, fresh=None, seeds=None)) == LOVE


def test_a_problem_can_be_copied_and_sent():
    found = problem(document.read, with_cell("1"))
    for other in (copy.copy(found), pickle.loads(pickle.dumps(found))):
        assert (type(other), other.code, other.values, str(other)) == (
            ExchangeProblem,
            "not_number",
            CELL,
            str(found),
        )


def test_a_row_of_the_example_that_the_sentence_no_longer_has():
    """The address knows only the example; what is carried knows its tokens."""
    short = changed(tokens=["I"], matrices=document.write(LOVE)["matrices"] | {"X": [[1, 0, 1, 0]]})
    short["settings"] = short["settings"] | {"row": "2"}
    assert problem(document.read, short).code == "setting_range"
    long = replace(LOVE.settings, example="random_8", row=7)
    assert document.read(document.write(replace(edited()[2], settings=long))).settings.row == 7
