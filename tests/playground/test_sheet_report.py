"""The report to print: every stage, the figures of every row, and numbers as they are read."""

import re
from dataclasses import replace

import numpy as np
import pytest

from attention_core import SCALINGS
from attention_ui.address import Settings
from attention_ui.exchange import report, sheet, sheet_formulas
from attention_ui.numbers import MINUS
from attention_ui.text import words_of
from tests.playground.exchange_cases import LOVE, edited
from tests.playground.sheet_cases import ADDRESS, Parsed


def test_the_report_has_every_stage_and_the_figures_of_every_row():
    parsed = Parsed(report.write(replace(LOVE, settings=Settings(causal=True)), words_of("en"), ADDRESS))
    assert parsed.tags.count("figure") == 12
    assert f"{MINUS}∞" in parsed.text
    for number in ("0.577", "2.887", "1.732"):
        assert number in parsed.text


@pytest.mark.parametrize(("causal", "rows", "high"), [(True, 2, 1), (False, 3, 2)])
def test_a_row_that_sees_one_key_is_not_counted_as_saturated(causal, rows, high):
    """At d = 4096 without scaling one of the rows is torn between two keys."""
    carried = replace(LOVE, settings=Settings(d="4096", causal=causal, how="copies"))
    weights = replace(carried, settings=replace(carried.settings, scale=False)).trace().weights
    assert (weights.max(axis=1) > report.HIGH).sum() == high + causal
    text = Parsed(report.write(carried, words_of("en"), ADDRESS)).text
    assert f"more than one key: {rows}. Of these, rows whose largest weight is above 0.9: {high} without" in text


def test_a_wide_matrix_goes_on_below_and_keeps_all_typed_columns():
    words = words_of("en")
    wide = replace(edited()[0], settings=Settings(d="4096"))
    text = Parsed(report.write(wide, words, ADDRESS)).text
    assert "4096" in text
    assert "drawn independently (seed 0): 4093. The first columns and the last one" in text
    html = sheet.matrix(sheet.Html("M"), np.full((2, 16), -1234.5), 6, ("a", "b"))
    assert html.count("<table>") > 1
    assert html.count("<td style") == 32


@pytest.mark.parametrize(("d", "how", "said"), [
    ("typed", "independent", None), ("64", "independent", "independent, seed 7"), ("64", "copies", "copies"),
    ("64", "zeros", "zeros"),
])  # fmt: skip
def test_the_seed_is_said_where_it_was_used(d, how, said):
    text = Parsed(report.write(replace(LOVE, settings=Settings(d=d, how=how, seed=7)), words_of("en"), ADDRESS)).line
    assert ("seed 7" in text) == (how == "independent" and d == "64")
    found = re.search(r"New columns(.*?)Causal mask", text)
    assert (found and found[1]) == said


def test_whole_numbers_that_are_huge_keep_their_digits():
    html = sheet.matrix(sheet.Html("M"), np.array([[1.5e12, 0]]), 3, ("a",))
    assert "1.500×10¹²" in html


def test_decimals_are_aligned_and_no_more_than_needed():
    html = sheet.matrix(sheet.Html("M"), np.array([[1, 2.25], [-0.5, 3]]), 3, ("a", "b"))
    assert re.findall(r"<td[^>]+>([^<]+)", html) == ["1.00", "2.25", f"{MINUS}0.50", "3.00"]


@pytest.mark.parametrize("name", SCALINGS)
def test_every_rule_has_its_formula(name):
    assert Parsed(sheet_formulas.rule(name)).tags[0] == "math"
