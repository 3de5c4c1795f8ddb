"""Experiments that are none: each fault of a document, a JSON file, an archive and a link by its code and place."""

import base64
import copy
import io
import json
import pickle
import zipfile
import zlib
from dataclasses import replace

import numpy as np
import pytest

from attention_ui.address import Settings
from attention_ui.exchange import document, json_file, link, npz_file
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.experiment import from_example
from tests.playground.exchange_cases import LOVE, edited, problem
from tests.playground.exchange_documents import BAD_DOCUMENTS, CELL, changed, with_cell

LOVE_JSON = json_file.write(LOVE)
DEEP = 200_000


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


# --- archives ---


def archive(text):
    """An .npz file with this document alone."""
    file = io.BytesIO()
    np.savez(file, experiment=np.array(text))
    return file.getvalue()


def zipped(*members, compression=zipfile.ZIP_DEFLATED):
    """An archive of (name, bytes) pairs."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as whole:
        for name, data in members:
            whole.writestr(name, data)
    return file.getvalue()


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def bomb(size=2**26):
    """An array that inflates to far more than its header says."""
    return zipped(("experiment.npy", npy(np.array("{}")) + bytes(size)))


GOOD = npz_file.write(LOVE)
MARKED = GOOD.replace(b"PK\x01\x02\x2d\x03\x2d\x00\x00\x00", b"PK\x01\x02\x2d\x03\x2d\x00\x01\x00")
CHARACTERS = np.array([0x110000], "<u4").view("<U1").reshape(())
BAD_ARCHIVES = {
    "nothing": (b"", "empty"),
    "JSON": (LOVE_JSON, "npz_not_npz"),
    "a pickle": (pickle.dumps(LOVE_JSON), "npz_not_npz"),
    "9 MB": (GOOD + bytes(2**23), "npz_too_large"),
    "cut off": (GOOD[:-30], "npz_truncated"),
    "65 arrays": (zipped(*((f"{i}.npy", b"") for i in range(65))), "npz_too_many_members"),
    "only the stages": (zipped(("X.npy", npy(np.eye(3)))), "npz_missing"),
    "an array of objects": (zipped(("experiment.npy", npy(np.array([{}]), allow_pickle=True))), "npz_pickled"),
    "a zip bomb": (bomb(), "npz_bomb"),
    "a large array beside it": (zipped(("a.npy", bytes(2**21)), ("experiment.npy", npy(np.array("")))), "npz_extra"),
    "encrypted": (MARKED, "npz_encrypted"),
    "bzip2": (zipped(("experiment.npy", b""), compression=zipfile.ZIP_BZIP2), "npz_compression"),
    "no array": (zipped(("experiment.npy", LOVE_JSON)), "npz_header"),
    "numbers": (zipped(("experiment.npy", npy(np.eye(3)))), "npz_document"),
    "several texts": (zipped(("experiment.npy", npy(np.array(["{}", "{}"])))), "npz_document"),
    "no text": (zipped(("experiment.npy", npy(np.array("")))), "json_syntax"),
    "no characters": (zipped(("experiment.npy", npy(CHARACTERS))), "npz_document"),
    "a long text": (zipped(("experiment.npy", npy(np.array("x" * 2**18 + "x")))), "too_large"),
    "cut off text": (archive(LOVE_JSON.decode()[:500]), "json_truncated"),
}


@pytest.mark.parametrize(("data", "code"), BAD_ARCHIVES.values(), ids=BAD_ARCHIVES)
def test_archives_that_hold_no_experiment(data, code):
    assert problem(npz_file.read, data).code == code


def test_a_name_that_comes_twice_in_an_archive():
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = zipped(("experiment.npy", b""), ("experiment.npy", b""))
    assert problem(npz_file.read, data).code == "npz_duplicate"


def test_a_changed_byte_in_the_document_of_an_archive():
    data = archive(LOVE_JSON.decode()).replace("love".encode("utf-32-le"), "lobe".encode("utf-32-le"))
    assert problem(npz_file.read, data).code == "npz_damaged"


@pytest.mark.parametrize("order", "<>")
def test_an_archive_of_either_byte_order_and_of_the_document_alone(order):
    text = np.array(LOVE_JSON.decode())
    assert npz_file.read(zipped(("experiment.npy", npy(text.astype(text.dtype.newbyteorder(order)))))) == LOVE


# --- links ---

LINK = link.write(edited()[1])


def linked(text):
    """A link with a checksum that fits, whatever it carries."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=link._DICTIONARY)
    return sealed(deflate.compress(text.encode("utf-8", "surrogatepass")) + deflate.flush())


def sealed(packed):
    return "1." + base64.urlsafe_b64encode(zlib.crc32(packed).to_bytes(4, "big") + packed).rstrip(b"=").decode()


def exchanged(character, at):
    return LINK[:at] + character + LINK[at + 1 :]


BAD_LINKS = {
    "nothing": ("", "link_empty"),
    "8,001 characters": ("1." + "A" * 7999, "link_longer"),
    "no version": (LINK[2:], "link_version"),
    "version 0": ("0" + LINK[1:], "link_version"),
    "a newer version": ("2" + LINK[1:], "newer"),
    "a version of many digits": ("9" * 50 + LINK[1:], "link_version"),
    "a percent sign": (exchanged("%", 40), "link_alphabet"),
    "the other base64": (exchanged("+", 40), "link_alphabet"),
    "a line end": (LINK + "\n", "link_alphabet"),
    "padded": (LINK + "=", "link_alphabet"),
    "only a version": ("1.", "link_truncated"),
    "cut off": (LINK[:-12], "link_truncated"),
    "longer": (LINK + "AAAA", "link_tampered"),
    "an inflating link": (linked(" " * 2**22), "too_large"),
    "deeply nested": (linked("[" * DEEP), "nested"),
    "not UTF-8": (linked("\ud800"), "link_tampered"),
}


@pytest.mark.parametrize(("value", "code"), BAD_LINKS.values(), ids=BAD_LINKS)
def test_links_that_carry_nothing(value, code):
    assert problem(link.read, value).code == code


def test_a_stranger_in_a_link_is_named_with_its_place():
    assert problem(link.read, exchanged("爱", 40)).values == {"character": "爱", "position": 41}


def test_a_link_cut_off_anywhere():
    assert {problem(link.read, LINK[:length]).code for length in range(2, len(LINK) - 1)} == {"link_truncated"}


def test_any_other_character_in_a_link_is_noticed():
    """But for the bits of the last character that stand for nothing."""
    for at in range(2, len(LINK) - 1):
        found = problem(link.read, exchanged("A" if LINK[at] != "A" else "B", at))
        assert found.code in {"link_tampered", "link_truncated", "too_large"}


# --- problems themselves ---


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
