"""Each sentence about a problem is one that some code here raises and some test asks for; and what would change."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from attention_core import zip_directory
from attention_ui.address import Settings
from attention_ui.exchange import document
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.changes import Changes, Matrix, Setting, changes
from attention_ui.exchange.problems import shown
from attention_ui.experiment import from_example, resize, with_tokens, with_values
from attention_ui.text import LANGUAGES, words_of
from tests.playground.exchange_cases import LOVE, carrieds

HERE = Path(__file__).parent
SENTENCES = words_of("en").section("exchange")
CHOSEN = ("json_truncated", "json_syntax", "encoding", "csv_encoding", "csv_shape", "csv_halves")  # one or another


def test_every_sentence_is_asked_for_by_a_test():
    tests = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("*exchange_*.py"))
    assert [code for code in SENTENCES if f'"{code}"' not in tests] == []


def test_every_code_that_is_raised_has_a_sentence():
    files = (HERE.parents[1] / "attention_ui" / "exchange").glob("*.py")
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    raised = set(re.findall(r'ExchangeProblem\(\s*"(\w+)"', source))
    raised |= {code for code in CHOSEN if f'"{code}"' in source}
    raised |= {f"npz_{code}" for code in zip_directory.PROBLEMS if code != "empty"}
    assert raised == set(SENTENCES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_one_sentence_or_two(language):
    for text in words_of(language).section("exchange").values():
        assert text.endswith((".", "。"))
        assert len(text) < 200


@pytest.mark.parametrize(
    ("raw", "expected"),
    [("a\nb", "a\ufffdb"), ("x" * 30, "x" * 23 + "…"), ("\ud800", "\ufffd"), ("\u202e爱", "\ufffd爱"), (3, "3")],
)
def test_a_strangers_text_is_short_and_can_be_shown(raw, expected):
    assert shown(raw) == expected


# --- what would change ---


def test_nothing_changes_from_the_same_to_the_same():
    assert not changes(LOVE, LOVE)
    assert not changes(LOVE, replace(LOVE, settings=replace(LOVE.settings, lang="zh")))


def test_a_cell_a_size_a_word_and_a_setting():
    cell, shape = np.zeros((4, 3), bool), {"X": np.zeros((3, 4), bool)}
    cell[1, 2] = True
    typed = with_values(LOVE.experiment, {"W_K": np.where(cell, 9.0, LOVE.experiment.matrices["W_K"])}, shape)
    new = with_tokens(resize(typed, "d_v", 5, 0), ("I", "love", "cats"), 0)
    found = changes(LOVE, Carried(new, Settings(rule="power", param=0.25, row=1, scale=False)))
    assert found == Changes(
        (
            Setting("scale", "on", "off"),
            Setting("rule", "sqrt", "power"),
            Setting("param", None, "0.25"),
            Setting("row", None, "2"),
        ),
        (Matrix("W_K", (4, 3), (4, 3), 1), Matrix("W_V", (4, 3), (4, 5), 8)),
        (("I", "love", "AI"), ("I", "love", "cats")),
    )


def test_another_example_changes_what_is_cut_off_too():
    found = changes(LOVE, Carried(from_example("arrows"), Settings(example="arrows")))
    assert found.settings == (Setting("example", "love", "arrows"),)
    assert [(each.name, each.old, each.new) for each in found.matrices] == [
        ("X", (3, 4), (4, 2)),
        ("W_Q", (4, 3), (2, 2)),
        ("W_K", (4, 3), (2, 2)),
        ("W_V", (4, 3), (2, 2)),
    ]


@given(carrieds(), carrieds())
def test_nothing_changes_exactly_when_the_documents_are_the_same(old, new):
    parts = ("example", "settings", "tokens", "matrices")
    before, after = document.write(old), document.write(new)
    assert bool(changes(old, new)) == any(repr(before[part]) != repr(after[part]) for part in parts)
    assert not changes(old, document.read(before))
