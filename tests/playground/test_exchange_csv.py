"""Matrices as spreadsheets write them: what is read, what is refused and where, and formulas made harmless."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_ui.address import Settings
from attention_ui.exchange import csv_file
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.exchange.tables import Table, fit, table
from attention_ui.experiment import MATRICES, from_example, randomise, resize, with_tokens
from attention_ui.stages import PARTS
from attention_ui.tokens import split
from tests.playground.exchange_cases import LOVE, filled, problem

TWO = [[1.5, 2], [-3, 4.25]]
READ = {
    "plain": ("1.5,2\n-3,4.25\n", ()),
    "no last line end": ("1.5,2\r\n-3,4.25", ()),
    "old Mac line ends": ("1.5,2\r-3,4.25\r", ()),
    "semicolons": ("1.5;2\n-3;4.25\n", ()),
    "tabs": ("1.5\t2\n-3\t4.25\n", ()),
    "decimal comma and semicolons": ("1,5;2\n-3;4,25\n", ()),
    "decimal comma and tabs": ("1,5\t2,0\n-3,0\t4,25\n", ()),
    "sep=;": ("sep=;\r\n1,5;2\r\n-3;4,25\r\n", ()),
    "a quoted sep=": ('"sep=\t"\n1.5\t2\n-3\t4.25\n', ()),
    "a real minus sign": ("1.5,2\n−3,4.25\n", ()),
    "a full-width minus sign": ("1.5,2\n－3,4.25\n", ()),
    "signs, exponents, bare points": ("+15e-1,2.\n-.3E+1,425e-2\n", ()),
    "blanks and blank lines": ("\n 1.5 , 2\n\n-3, 4.25 \n , \n", ()),
    "quoted numbers": ('"1.5","2"\n"-3","4.25"\n', ()),
    "a header": ("a,b\n1.5,2\n-3,4.25\n", ()),
    "row names": ("I,1.5,2\nlove,-3,4.25\n", ("I", "love")),
    "header and row names": ("token,a,b\nI,1.5,2\nlove,-3,4.25\n", ("I", "love")),
    "an empty corner": (",a,b\nI,1.5,2\nlove,-3,4.25\n", ("I", "love")),
    "numbered rows under an empty corner": (",a,b\n0,1.5,2\n1,-3,4.25\n", ("0", "1")),
    "numbers as names, by our corner": ("scores,3,4\n3,1.5,2\n4,-3,4.25\n", ("3", "4")),
    "numbers as names beside our columns": ("W_Q,k1,k2\n3,1.5,2\n4,-3,4.25\n", ("3", "4")),
    "columns that only begin like ours": ("X,Y\n1.5,2\n-3,4.25\n", ()),
    "columns with letters of ours": ("K,V\n1.5,2\n-3,4.25\n", ()),
    "one column beside another of our names": ("output,v2\n1.5,2\n-3,4.25\n", ()),
    "two marks of byte order": ("\ufeff\ufeff1.5,2\n-3,4.25\n", ()),
    "Chinese names": (",甲,乙\n我,1.5,2\n爱,-3,4.25\n", ("我", "爱")),
    "a quoted name with the delimiter": ('"a,b",1.5,2\n"c""d",-3,4.25\n', ("a,b", 'c"d')),
    "a quoted name with another delimiter": ('"a;b",1.5,2\nc,-3,4.25\n', ("a;b", "c")),
    "our apostrophe": ("'=x,1.5,2\n''@,-3,4.25\n", ("=x", "'@")),
    "an apostrophe of its own": ("'tis,1.5,2\n'',-3,4.25\n", ("'tis", "''")),
}


@pytest.mark.parametrize(("text", "rows"), READ.values(), ids=READ)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_is_read(text, rows, encoding):
    found = csv_file.read(text.encode(encoding))
    assert found.matrix.tolist() == TWO
    assert found.rows == rows


BAD = {
    "nothing": (b"", "empty", {}),
    "only a mark": (b"\xef\xbb\xbf", "empty", {}),
    "blank lines": (b"\r\n \r\n", "empty", {}),
    "only delimiters": (b",,,\n,,,\n", "empty", {}),
    "129 kB": (b"1" * (128 * 1024 + 1), "too_large", {"size": 129, "most": 128}),
    "an Excel workbook": (b"PK\x03\x04\x14\x00\x06\x00", "csv_workbook", {}),
    "an old Excel workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "csv_workbook", {}),
    "a Chinese Windows encoding": ("1,2\n我,3".encode("gbk"), "csv_encoding", {"line": 2}),
    "half of UTF-16": ("1,2".encode("utf-16")[:-1], "csv_encoding", {"line": 1}),
    "UTF-16 without its mark": ("1,2".encode("utf-16-le"), "csv_binary", {}),
    "another separator": (b"sep=|\n1|2\n", "csv_separator", {"raw": "|"}),
    "no separator after sep=": (b"sep=\n1,2\n", "csv_separator", {"raw": ""}),
    "spaces": (b"1 2 3\n4 5 6\n", "csv_delimiter", {"raw": "1 2 3"}),
    "bars": (b"\n1.0|-2\n4|5\n", "csv_delimiter", {"raw": "1.0|-2"}),
    "two separators": (b"a;b,1\nc,2\n", "csv_ambiguous", {}),
    "a separator in a name": (b"1;2\t3\n4;5\t6\n", "csv_ambiguous", {}),
    "a mistake among decimal commas": (
        b"1,5;2,5\n3,5;x,5\n",
        "csv_text",
        {"line": 2, "column": 2, "raw": "x,5"},
    ),
    "an open quote": (b'1,2\n"3,4\n', "csv_quotes", {"line": 2}),
    "something after a quote": (b'1,2\n"3"4,5\n', "csv_quotes", {"line": 2}),
    "ragged": (b"1,2\n\n3,4,5\n", "csv_ragged", {"line": 3, "count": 3, "expected": 2}),
    "ragged with decimal commas": (b"1,5;2\n3\n", "csv_ragged", {"line": 2, "count": 1, "expected": 2}),
    "only names": (b"a,b\n", "csv_only_text", {}),
    "17 columns": (b",".join([b"1"] * 17), "csv_size", {"rows": 1, "columns": 17, "most": 16}),
    "17 rows": (b"1,2\n" * 17, "csv_size", {"rows": 17, "columns": 2, "most": 16}),
    "an empty cell": (b"1,2\n3,\n", "csv_blank", {"line": 2, "column": 2}),
    "an empty cell at the start": (b",1\n2,3\n", "csv_blank", {"line": 1, "column": 1}),
    "text": (b"1,2\n3,four\n", "csv_text", {"line": 2, "column": 2, "raw": "four"}),
    "text beside row names": (b"a,1,x\nb,2,3\n", "csv_text", {"line": 1, "column": 3, "raw": "x"}),
    "text in a line of names and numbers": (b"a,2\n3,4\n", "csv_text", {"line": 1, "column": 1, "raw": "a"}),
    "percentages before numbers": (b"1%,5,6\n2%,5,6\n", "csv_text", {"line": 1, "column": 1, "raw": "1%"}),
    "hexadecimal": (b"0x10,5\n0x11,6\n", "csv_text", {"line": 1, "column": 1, "raw": "0x10"}),
    "a percentage": (b"10 %,2\n3,4\n", "csv_text", {"line": 1, "column": 1, "raw": "10 %"}),
    "thousands": (b"1.234,5;2\n3;4\n", "csv_text", {"line": 1, "column": 1, "raw": "1.234,5"}),
    "digits of another script": ("1,٣\n2,4".encode(), "csv_text", {"line": 1, "column": 2, "raw": "٣"}),
    "an underscore": (b"1,1_0\n2,4", "csv_text", {"line": 1, "column": 2, "raw": "1_0"}),
    "too many digits": (b"1," + b"9" * 70, "csv_text", {"line": 1, "column": 2, "raw": "9" * 23 + "…"}),
    "a formula": (b"1,=1+1\n2,3\n", "csv_text", {"line": 1, "column": 2, "raw": "=1+1"}),
    "a quoted decimal comma between commas": (b'"1,5",2\n', "csv_decimal", {"line": 1, "column": 1, "raw": "1,5"}),
    "two decimal marks": (b"1,5;2\n3;4.5\n", "csv_decimal", {"line": 2, "column": 2, "raw": "4.5"}),
    "NaN": (b"1,2\n3,NaN\n", "csv_not_finite", {"line": 2, "column": 2, "raw": "NaN"}),
    "nothing but NaN": (b"nan,nan\nnan,nan\n", "csv_not_finite", {"line": 1, "column": 1, "raw": "nan"}),
    "infinity": ("1,2\n3,−∞\n".encode(), "csv_not_finite", {"line": 2, "column": 2, "raw": "−∞"}),
    "a large number": (b"1,2e6", "csv_too_extreme", {"line": 1, "column": 2, "raw": "2e6", "most": "1,000,000"}),
    "nearer to 0 than any float": (b"0,-1e-400", "csv_vanishing", {"line": 1, "column": 2, "raw": "-1e-400"}),
    "1e999": (b"1e999,2", "csv_too_extreme", {"line": 1, "column": 1, "raw": "1e999", "most": "1,000,000"}),
    "after sep= lines still count from the first": (
        b"sep=;\n1;2\n3;x\n",
        "csv_text",
        {"line": 3, "column": 2, "raw": "x"},
    ),
}


@pytest.mark.parametrize(("data", "code", "values"), BAD.values(), ids=BAD)
def test_what_is_refused_and_where(data, code, values):
    found = problem(csv_file.read, data)
    assert (found.code, found.values) == (code, values)


FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠a", "'=1", "''-1")


@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_a_spreadsheet_would_run_is_text_there_and_comes_back(text):
    data = csv_file.write(Table(np.array([[-1.0]]), (text,), (text,)), text)
    header, row = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert header == ["'" + text] * 2
    assert row == ["'" + text, "-1.0"]
    if not text.startswith(("\t", "\r", "\n")):  # blanks around a name are no part of it
        assert csv_file.read(data).rows == (text,)


@given(st.text(alphabet="'=+-@＝a1", min_size=1, max_size=6), st.floats(-1e6, 1e6))
def test_any_name_comes_back_beside_any_number(name, number):
    found = csv_file.read(csv_file.write(Table(np.array([[number]]), (name,), ("e1",)), "X"))
    assert found.rows == (name,)
    assert found.matrix.tobytes() == np.array([[number]]).tobytes()


def test_what_is_written_is_what_excel_reads():
    data = csv_file.write(table(LOVE, "X"), "X")
    assert data.startswith(b'\xef\xbb\xbf"X","e1","e2","e3","e4"\r\n"I",1.0,0.0,1.0,0.0\r\n')
    assert data.count(b"\n") == data.count(b"\r\n") == 4


def test_a_stage_has_its_names_and_every_digit():
    words = split("我 爱 我")
    carried = Carried(with_tokens(from_example("love_zh"), words, 0), Settings(example="love_zh", d="64", causal=True))
    scores, Q = table(carried, "weights"), table(carried, "Q")
    assert scores.rows == scores.columns == ("我₁", "爱", "我₂")
    assert (Q.columns[:2], len(Q.columns)) == (("k1", "k2"), 64)
    assert table(carried, "W_V").rows == ("e1", "e2", "e3", "e4")
    assert csv_file.read(csv_file.write(scores, "weights")).matrix.tobytes() == scores.matrix.tobytes()


def test_a_masked_score_starts_no_formula_and_is_refused_where_a_number_is_needed():
    data = csv_file.write(table(Carried(LOVE.experiment, Settings(causal=True)), "masked"), "masked")
    assert b"-" not in data
    assert data.splitlines()[1].endswith(',"−∞","−∞"'.encode())
    assert problem(csv_file.read, data).values == {"line": 2, "column": 3, "raw": "−∞"}


def test_every_matrix_and_stage_can_be_a_table():
    for name, part in PARTS.items():
        found = table(LOVE, name)
        assert found.matrix.shape == (len(found.rows), len(found.columns))
        assert found.matrix.shape[0] == LOVE.experiment.sizes[part.axes[0]]


@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_takes_the_place_of_its_own_shape_alone(name):
    old = randomise(resize(from_example("love"), "d_k", 5, 1), name, 3)
    old = resize(old, "d_v", 6, 1)
    shape = old.matrices[name].shape
    new = fit(old, name, np.full(shape, 7.5))
    assert (new.matrices[name] == 7.5).all()
    assert name not in new.seeds
    for other in MATRICES:
        if other == name:
            assert not new.fresh.get(other, np.zeros(1)).any()
        else:
            assert new.matrices[other] is old.matrices[other]
            np.testing.assert_array_equal(new.fresh.get(other, 0), old.fresh.get(other, 0))
    with pytest.raises(ExchangeProblem) as caught:
        fit(old, name, np.ones(shape[::-1] if shape[0] != shape[1] else (2, 2)))
    filled(caught.value)
    assert caught.value.code == "csv_shape"
    assert caught.value.values["expected"] == f"{shape[0]} × {shape[1]}"


@pytest.mark.parametrize(("text", "code"), [
    ("1,5\n2,5\n-0,25\n", "csv_halves"), ("sep=;\n1,5\n2,5\n-0,25\n", None), ("1;5\n2;5\n3;25\n", "csv_shape"),
    ("1,5,2\n2,5,2\n3,25,2\n", "csv_shape"),
])  # fmt: skip
def test_decimal_commas_that_look_like_columns_are_thought_of(text, code):
    """A column of them is two columns of whole numbers; the advice that is given then reads them."""
    old, found = resize(LOVE.experiment, "d_emb", 1, 0), csv_file.read(text.encode())
    if code is None:
        assert fit(old, "X", found.matrix, found.commas).matrices["X"].tolist() == [[1.5], [2.5], [-0.25]]
        return
    with pytest.raises(ExchangeProblem) as caught:
        fit(old, "X", found.matrix, found.commas)
    filled(caught.value)
    assert caught.value.code == code
