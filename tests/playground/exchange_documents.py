"""Documents that are no experiment: what is wrong with each, by its code and place."""

import copy

from attention_ui import address
from attention_ui.exchange import document
from tests.playground.exchange_cases import LOVE


def changed(**parts):
    """A good document with some parts changed; None takes one away."""
    return {name: part for name, part in (document.write(LOVE) | parts).items() if part is not None}


def with_settings(**parts):
    return changed(settings=document.write(LOVE)["settings"] | parts)


def with_matrix(name, rows):
    return changed(matrices=document.write(LOVE)["matrices"] | {name: rows})


def with_cell(value, name="X", row=2, column=3):
    matrix = copy.deepcopy(document.write(LOVE)["matrices"][name])
    matrix[row - 1][column - 1] = value
    return with_matrix(name, matrix)


CELL = {"name": "X", "row": 2, "column": 3}
FORMAT = {"format": document.FORMAT}
ALLOWED = "format, version, example, settings, tokens, matrices, fresh, seeds"
BAD_DOCUMENTS = {
    "a list": ([], "format", FORMAT),
    "nothing": (None, "format", FORMAT),
    "another format": (changed(format="recipe"), "format", FORMAT),
    "no version": (changed(version=None), "version", {"known": 1}),
    "version 0": (changed(version=0), "version", {"known": 1}),
    "version true": (changed(version=True), "version", {"known": 1}),
    "version 1.0": (changed(version=1.0), "version", {"known": 1}),
    "a newer version": (changed(version=2, more={}), "newer", {"version": "2", "known": 1}),
    "a part too many": (changed(lang="zh"), "unknown", {"name": "lang", "where": "experiment", "allowed": ALLOWED}),
    "a part too few": (changed(tokens=None), "missing", {"name": "tokens", "where": "experiment"}),
    "settings in a list": (changed(settings=[]), "not_object", {"name": "settings"}),
    "an unknown setting": (
        with_settings(lang="zh"),
        "unknown",
        {"name": "lang", "where": "settings", "allowed": ", ".join(document.SETTINGS)},
    ),
    "a setting that is no text": (with_settings(seed=3), "not_text", {"name": "settings.seed"}),
    "an unknown rule": (
        with_settings(rule="unheard"),
        "setting_choice",
        {"name": "rule", "raw": "unheard", "expected": ", ".join(address.RULES)},
    ),
    "a row that is not there": (
        with_settings(row="4"),
        "setting_range",
        {"name": "row", "raw": "4", "low": 1, "high": 3},
    ),
    "a parameter too much": (
        with_settings(param="0.5"),
        "setting_unused",
        {"name": "param", "raw": "0.5", "rule": "sqrt"},
    ),
    "a parameter out of range": (
        with_settings(rule="power", param="1.5"),
        "setting_range",
        {"name": "param", "raw": "1.5", "low": 0.0, "high": 1.0},
    ),
    "an unknown example, long and with a control character": (
        changed(example="\x00" + "x" * 300),
        "setting_choice",
        {
            "name": "example",
            "raw": "\ufffd" + "x" * 22 + "…",
            "expected": "love, love_zh, one_matrix, meeting, arrows, scores_285, scores_3000, random_8",
        },
    ),
    "tokens as a text": (changed(tokens="I love AI"), "not_list", {"name": "tokens"}),
    "no tokens": (changed(tokens=[]), "token_count", {"count": 0, "most": 16}),
    "17 tokens": (changed(tokens=["a"] * 17), "token_count", {"count": 17, "most": 16}),
    "a token that is a number": (changed(tokens=["a", 2, "c"]), "not_text", {"name": "tokens[2]"}),
    "a token of two words": (changed(tokens=["I", "love AI", "!"]), "token", {"position": 2, "token": "love AI"}),
    "a token of two characters": (changed(tokens=["我", "爱你", "AI"]), "token", {"position": 2, "token": "爱你"}),
    "an empty token": (changed(tokens=["I", "", "AI"]), "token", {"position": 2, "token": ""}),
    "an invisible token": (changed(tokens=["I", "a", "\u202e"]), "token", {"position": 3, "token": "\ufffd"}),
    "half a surrogate pair": (changed(tokens=["\ud800", "a", "b"]), "token", {"position": 1, "token": "\ufffd"}),
    "a long token": (
        changed(tokens=["I", "love", "A" * 25]),
        "long_token",
        {"position": 3, "token": "A" * 23 + "…", "length": 25, "most": 24},
    ),
    "another number of tokens": (
        changed(tokens=["I", "AI"]),
        "shape",
        {"name": "X", "shape": "3 × 4", "expected": "2 × 4"},
    ),
    "no W_V": (changed(matrices={"X": [], "W_Q": [], "W_K": []}), "missing", {"name": "W_V", "where": "matrices"}),
    "a matrix of text": (with_matrix("W_Q", "1 2 3"), "not_list", {"name": "W_Q"}),
    "a matrix without rows": (with_matrix("X", []), "size", {"name": "X", "rows": 0, "columns": 0, "most": 16}),
    "a matrix without columns": (with_matrix("X", [[]]), "size", {"name": "X", "rows": 1, "columns": 0, "most": 16}),
    "17 columns": (with_matrix("W_V", [[0] * 17] * 4), "size", {"name": "W_V", "rows": 4, "columns": 17, "most": 16}),
    "17 rows": (with_matrix("W_V", [[0]] * 17), "size", {"name": "W_V", "rows": 17, "columns": 1, "most": 16}),
    "a row of one number": (with_matrix("X", [[1, 2], 3, [4, 5]]), "not_list", {"name": "X[2]"}),
    "ragged": (
        with_matrix("X", [[1, 2], [1, 2, 3], [1, 2]]),
        "ragged",
        {"name": "X", "row": 2, "count": 3, "expected": 2},
    ),
    "text in a cell": (with_cell("1"), "not_number", CELL),
    "true in a cell": (with_cell(True), "not_number", CELL),
    "nothing in a cell": (with_cell(None), "not_number", CELL),
    "NaN": (with_cell(float("nan")), "not_finite", CELL),
    "infinity": (with_cell(-float("inf")), "not_finite", CELL),
    "a large number": (with_cell(1000000.5), "too_extreme", {**CELL, "most": "1,000,000"}),
    "an enormous whole number": (with_cell(10**50), "too_extreme", {**CELL, "most": "1,000,000"}),
    "W_K of another width": (
        with_matrix("W_K", [[0, 1]] * 4),
        "shape",
        {"name": "W_K", "shape": "4 × 2", "expected": "4 × 3"},
    ),
    "marks of no matrix": (
        changed(fresh={"Q": []}),
        "unknown",
        {"name": "Q", "where": "fresh", "allowed": "X, W_Q, W_K, W_V"},
    ),
    "marks of another shape": (changed(fresh={"X": ["01"] * 3}), "marks", {"name": "X", "rows": 3, "columns": 4}),
    "marks that are none": (changed(fresh={"X": ["012x"] * 3}), "marks", {"name": "X", "rows": 3, "columns": 4}),
    "a seed below 0": (changed(seeds={"X": -1}), "not_whole", {"name": "seeds.X", "low": 0, "high": 2**31 - 1}),
    "a seed that is half": (changed(seeds={"X": 0.5}), "not_whole", {"name": "seeds.X", "low": 0, "high": 2**31 - 1}),
}
