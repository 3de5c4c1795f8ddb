"""Whatever can be set in the playground leaves and comes back the same, bit for bit, by every way."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core import EXAMPLES
from attention_ui.address import Settings
from attention_ui.exchange import csv_file, json_file, link, npz_file, tables
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.experiment import MATRICES, Experiment, from_example
from attention_ui.results import WITH, WITHOUT
from attention_ui.scene import Scene
from attention_ui.stages import PARTS
from attention_ui.text import words_of
from tests.playground.exchange_cases import LOVE, carrieds, edited, same


def link_of(carried, beside):
    """The link, or None, checked to be for its length alone."""
    try:
        return link.write(carried, beside)
    except ExchangeProblem as found:
        refused = found
    assert refused.code == "link_too_long"
    assert refused.values["length"] > refused.values["most"] == link.MOST_CHARACTERS
    return None


@pytest.mark.slow
@settings(max_examples=1000)
@given(carrieds(), st.integers(0, 300))
def test_any_experiment_comes_back_from_json_a_link_and_npz(carried, beside):
    same(json_file.read(json_file.write(carried)), carried)
    value = link_of(carried, beside)
    if value is not None:
        assert len(value) + beside <= link.MOST_CHARACTERS
        same(link.read(value), carried)
    typed = replace(carried, settings=replace(carried.settings, d="typed"))  # its stages are quickly packed
    same(npz_file.read(npz_file.write(typed)), typed)


@settings(max_examples=30)
@given(carrieds())
def test_at_any_d_an_npz_file_holds_the_stages_in_force(carried):
    data = npz_file.write(carried)
    assert npz_file.write(carried) == data
    trace = carried.trace()
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        assert set(stored) == {*PARTS, "tokens", "experiment"}
        for name in PARTS:
            np.testing.assert_array_equal(stored[name], getattr(trace, name))
        assert tuple(stored["tokens"]) == carried.experiment.tokens
        assert stored["tokens"].dtype.kind == stored["experiment"].dtype.kind == "U"
        same(json_file.read_text(stored["experiment"].item()), carried)
    same(npz_file.read(data), carried)


@pytest.mark.parametrize("scale", [True, False])
def test_the_stages_are_those_that_the_page_shows(scale):
    chosen = Settings(scale=scale, rule="ssmax", param=1.5, d="256", how="copies", row=0, causal=True, seed=3)
    scene = Scene(words_of("en"), chosen, from_example("love"))
    shown = scene.trace(WITH if scale else WITHOUT)
    assert Carried(scene.experiment, chosen).trace() is shown


def test_the_language_stays_with_the_reader():
    chinese = Carried(LOVE.experiment, replace(LOVE.settings, lang="zh"))
    for write, read in ((json_file.write, json_file.read), (npz_file.write, npz_file.read), (link.write, link.read)):
        assert write(chinese) == write(LOVE)
        assert read(write(chinese)).settings.lang is None


def test_an_experiment_and_settings_of_different_examples_are_not_carried():
    with pytest.raises(ValueError, match="expected meeting"):
        Carried(LOVE.experiment, Settings(example="meeting"))


@pytest.mark.parametrize("carried", edited())
def test_a_person_can_read_the_file_one_row_a_line(carried):
    lines = json_file.write(carried).decode().splitlines()
    assert lines[1:3] == ['  "format": "attention-lab experiment",', '  "version": 1,']
    for matrix in carried.experiment.matrices.values():
        for row in matrix.tolist():
            text = ", ".join(str(int(x)) if x == int(x) else repr(x) for x in row)
            assert any(line.strip(" ,") == f"[{text}]" for line in lines)


def test_a_link_of_this_version_opens_for_ever():
    """Recorded: were the dictionary or the format to change, this and every link that was ever sent would break."""
    recorded = (
        "1.QEPMbKNDPMIKM0SxaGSKXFZBItB4SEYgMM8YgggjC7hqUI4DZzQTw1h4JoJkMZgicAY1sYQIoUU1JAMDNZjCIh1khxk4qxrB4h"
        "Wcj8GZ2xThNpCJIM3mZKUKqLfABROsgMKk4Y4lpA4lkQEA"
    )
    same(link.read(recorded), edited()[1])


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_link_of_an_example_is_short(example):
    assert len(link.write(Carried(from_example(example), Settings(example=example, how="zeros", row=0)))) < 900


def test_the_largest_experiment_of_two_decimals_still_has_a_link():
    rng = np.random.default_rng(0)
    matrices = {name: np.round(rng.standard_normal((16, 16)), 2) for name in MATRICES}
    large = Experiment("love", tuple(f"token{i}" for i in range(16)), matrices)
    assert len(link.write(Carried(large, Settings()))) < 3000


@settings(max_examples=100)
@given(carrieds(d_codes=("typed", "64")), st.sampled_from(sorted(PARTS)))
def test_a_matrix_comes_back_from_csv(carried, name):
    table = tables.table(carried, name)
    if np.isfinite(table.matrix).all() and np.abs(table.matrix).max() <= 1e6 and max(table.matrix.shape) <= 16:
        back = csv_file.read(csv_file.write(table, name))
        assert back.matrix.tobytes() == table.matrix.tobytes()
        assert back.rows == table.rows


def test_the_numbers_of_a_json_file_are_those_that_python_reads():
    raw = json.loads(json_file.write(edited()[2]))
    for name in MATRICES:
        np.testing.assert_array_equal(raw["matrices"][name], edited()[2].experiment.matrices[name])
