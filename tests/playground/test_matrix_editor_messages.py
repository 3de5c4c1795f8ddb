"""What the matrix editor's browser part may send, and what is turned away."""

import copy
import json

import numpy as np
import pytest

from attention_ui.matrix_editor.messages import (
    Command,
    read_command,
    read_counter,
    read_draft,
    read_revision,
    read_touched,
)

SHAPES = {"X": (2, 3), "W_Q": (3, 1)}
DRAFT = {
    "revision": 4,
    "edit": 17,
    "matrices": {"X": [[1, -2.5, 0.1], [1e-7, 1e6, -1e6]], "W_Q": [[0], [1 / 3], [2]]},
    "touched": {"X": [[1, 2], [0, 0]], "W_Q": []},
}
SIZES = {"d_k": (1, 16)}


def changed(path, value):
    draft = copy.deepcopy(DRAFT)
    *parents, last = path
    place = draft
    for name in parents:
        place = place[name]
    place[last] = value
    return draft


def test_a_draft_comes_back_bit_for_bit_after_json():
    read = read_draft(json.loads(json.dumps(DRAFT)), SHAPES)
    assert {name: matrix.tolist() for name, matrix in read.items()} == DRAFT["matrices"]
    assert all(matrix.dtype == np.float64 for matrix in read.values())


@pytest.mark.parametrize(
    "entry",
    [None, "1", True, [], {}, float("nan"), float("inf"), -float("inf"), 1.1e6, -1000001, 10**400],
)
def test_an_entry_that_is_no_number_within_the_limit_spoils_the_draft(entry):
    assert read_draft(changed(["matrices", "X", 0, 0], entry), SHAPES) is None


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        "draft",
        {},
        {"matrices": None},
        {"matrices": []},
        changed(["matrices"], {"X": DRAFT["matrices"]["X"]}),
        changed(["matrices", "W_K"], [[1]]),
        changed(["matrices", "X"], None),
        changed(["matrices", "X"], [[1, 2, 3]]),
        changed(["matrices", "X", 1], [1, 2]),
        changed(["matrices", "X", 1], "123"),
        changed(["matrices", "X", 1], [[1], [2], [3]]),
    ],
)
def test_a_draft_of_another_form_is_none(raw):
    assert read_draft(raw, SHAPES) is None


def test_the_limit_can_be_set_and_includes_its_bounds():
    assert read_draft(DRAFT, SHAPES, limit=1e6) is not None
    assert read_draft(DRAFT, SHAPES, limit=999_999) is None


def test_touched_cells_become_marks():
    marks = read_touched(DRAFT, SHAPES)
    assert marks["X"].tolist() == [[True, False, False], [False, False, True]]
    assert not marks["W_Q"].any()


@pytest.mark.parametrize(
    "cells", [None, [[2, 0]], [[0, 3]], [[-1, 0]], [[0]], [[0, 0, 0]], [[0.0, 1]], [[True, 1]], ["00"], [[0, 0]] * 7]
)
def test_touched_cells_outside_the_matrix_or_of_another_form_are_none(cells):
    assert read_touched(changed(["touched", "X"], cells), SHAPES) is None


@pytest.mark.parametrize("touched", [None, [], {"X": []}])
def test_touched_must_name_each_matrix(touched):
    assert read_touched(changed(["touched"], touched), SHAPES) is None


@pytest.mark.parametrize(("revision", "expected"), [(4, 4), (True, None), ("4", None), (4.0, None), (None, None)])
def test_the_revision_is_a_whole_number(revision, expected):
    assert read_revision(changed(["revision"], revision)) == expected
    assert read_counter({"n": revision}, "n") == expected


@pytest.mark.parametrize("name", ["reset", "randomise"])
def test_reset_and_randomise_need_a_matrix_that_exists(name):
    raw = {"name": name, "matrix": "X", "n": 9}
    assert read_command(raw, SHAPES, SIZES) == Command(name, "X", None, None, 9)
    assert read_command({**raw, "matrix": "Y"}, SHAPES, SIZES) is None
    assert read_command({**raw, "matrix": ["X"]}, SHAPES, SIZES) is None


@pytest.mark.parametrize(("to", "expected"), [(5, 5), (0, 1), (-3, 1), (17, 16), (10**30, 16)])
def test_a_size_is_clipped_to_its_bounds(to, expected):
    raw = {"name": "resize", "matrix": "W_Q", "size": "d_k", "to": to, "n": 1}
    assert read_command(raw, SHAPES, SIZES) == Command("resize", "W_Q", "d_k", expected, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "delete"}, {"name": None}, {"matrix": None}, {"size": "d"}, {"size": None}, {"size": ["d_k"]},
        {"to": 2.5}, {"to": "3"}, {"to": True}, {"to": None}, {"n": None}, {"n": "1"},
    ],
)  # fmt: skip
def test_a_command_of_another_form_is_none(change):
    raw = {"name": "resize", "matrix": "W_Q", "size": "d_k", "to": 3, "n": 1}
    assert read_command({**raw, **change}, SHAPES, SIZES) is None


@pytest.mark.parametrize("raw", [None, [], "resize", 3])
def test_what_is_no_message_at_all_is_none(raw):
    assert read_command(raw, SHAPES, SIZES) is None
    assert read_revision(raw) is None
    assert read_counter(raw, "edit") is None
    assert read_touched(raw, SHAPES) is None
