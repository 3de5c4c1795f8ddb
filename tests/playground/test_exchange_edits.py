"""What is taken over and taken back, without a page: the session is a plain dict here."""

from dataclasses import replace

import numpy as np
import pytest
import streamlit as st

from attention_ui import edits, session_start, sharing, state
from attention_ui.address import Settings
from attention_ui.exchange import link
from attention_ui.exchange.checks import LARGEST_DRAW
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.experiment import MATRICES, from_example, randomise, resize, with_values
from attention_ui.lesson_settings import NUMBERS
from tests.playground.exchange_cases import too_long


class Session(dict):
    """What the app asks of st.session_state."""

    __getattr__, __setattr__ = dict.__getitem__, dict.__setitem__


@pytest.fixture
def session(monkeypatch):
    """A session that began at the playground's bare address."""
    found = Session()
    monkeypatch.setattr(st, "session_state", found)
    session_start.start(state.PLAYGROUND, {}, "en")
    return found


def draft(session, name, cell, value):
    """An edit of one cell that the browser has sent and nobody took yet."""
    matrices = {each: matrix.tolist() for each, matrix in session.experiment.matrices.items()}
    touched = {each: [list(cell)] if each == name else [] for each in matrices}
    matrices[name][cell[0]][cell[1]] = value
    raw = {"revision": session.revision, "edit": 1, "matrices": matrices, "touched": touched}
    session[edits.EDITOR] = {"draft": raw}


def test_a_table_leaves_the_edit_that_came_with_the_press(session):
    draft(session, "W_V", (0, 0), 77.0)
    edits.take_matrix("X", np.full((3, 4), 9.0))
    assert (session.experiment.matrices["X"] == 9).all()
    assert session.experiment.matrices["W_V"][0, 0] == 77
    edits.undo()
    assert session.experiment.matrices["X"].tolist() == from_example("love").matrices["X"].tolist()
    assert session.experiment.matrices["W_V"][0, 0] == 77
    edits.undo()
    assert session.experiment == from_example("love")


def test_undo_of_a_table_leaves_the_settings_that_were_chosen_since(session):
    session.settings = replace(session.settings, d="64")
    edits.take_matrix("X", np.full((3, 4), 9.0))
    later = session.settings = replace(session.settings, d="1024", scale=False, decimals=5)
    edits.undo()
    assert session.settings == later
    assert session.experiment == from_example("love")


def test_a_table_that_no_longer_fits_changes_nothing(session):
    session.experiment = resize(session.experiment, "d_emb", 5, 0)
    before = session.experiment
    with pytest.raises(ExchangeProblem, match="csv_shape"):
        edits.take_matrix("X", np.ones((3, 4)))
    assert session.experiment is before
    assert not session.history


def test_reset_all_brings_back_everything_but_the_language_and_is_undone_as_one(session):
    first = session.settings
    chosen = Settings(
        "zh", "arrows", False, "power", 0.5, "1024", "copies", 2, True, 5, "weights", True, "effective", 1
    )
    session.settings, session.experiment = chosen, randomise(from_example("arrows"), "X", 3)
    before = session.experiment
    edits.reset_all()
    assert session.settings == replace(first, lang="zh")
    assert session.experiment == from_example("love")
    assert session.sentence == "I love AI"
    edits.undo()
    assert (session.settings, session.experiment) == (chosen, before)
    assert not session.history


def test_undo_of_reset_all_brings_back_row_and_growth_of_an_untouched_example(session):
    session.settings = replace(session.settings, how="copies", row=2)
    edits.reset_all()
    assert (session.settings.how, session.settings.row) == ("independent", 0)
    edits.undo()
    assert (session.settings.how, session.settings.row) == ("copies", 2)


@pytest.mark.parametrize("seeds", [(1,), (1, 2, 3), (LARGEST_DRAW, 1), (LARGEST_DRAW - 1, LARGEST_DRAW)])
def test_a_draw_is_new_whatever_seeds_an_experiment_arrived_with(session, seeds):
    """Law: a matrix drawn by the button is never the present one, and its seed is one that a file may carry."""
    for name, seed in zip(MATRICES, seeds, strict=False):
        session.experiment = randomise(session.experiment, name, seed)
    session.entry_seed = seeds[-1] - 1 if len(seeds) == 2 else 0
    for n in range(1, 7):
        before = session.experiment
        edits.take_command({"name": "randomise", "matrix": "X", "n": n})
        assert session.experiment.matrices["X"].tolist() != before.matrices["X"].tolist()
        assert 0 <= session.experiment.seeds["X"] <= LARGEST_DRAW
        assert session.experiment.seeds["X"] not in before.seeds.values()


# --- what an address can hold ---


def test_what_no_address_holds_has_no_address(session):
    assert sharing.whole_address().endswith("/?lang=en")
    session.experiment = too_long()
    assert sharing.too_long().code == "link_too_long"
    assert sharing.whole_address() is None


def test_a_link_leaves_room_for_what_is_added_to_it(session, monkeypatch):
    """Law: with the lessons' progress, the way back to one, or as an embedded figure it is not longer than allowed."""
    session.experiment = randomise(session.experiment, "X", 1)
    length = len(sharing.whole_address())
    monkeypatch.setattr(link, "MOST_CHARACTERS", length)
    session.whole = None
    assert sharing.whole_address() is None
    more = f"&done={'.'.join(NUMBERS)}&back=lesson-18&view=weights&embed=true"
    monkeypatch.setattr(link, "MOST_CHARACTERS", length + len(more))
    session.whole = None
    assert len(sharing.whole_address()) == length


def test_a_second_press_of_the_same_button_costs_no_second_undo(session):
    """Taking over, resetting a matrix, resetting all: done twice, each is one change."""
    first = session.experiment
    X = first.matrices["X"] + 1
    brought = with_values(first, {"X": X}, {})
    for press in (
        lambda: edits.take_over(brought, replace(Settings(), d="64")),
        lambda: edits.take_command({"name": "reset", "matrix": "X", "n": 1}),
        edits.reset_all,
    ):
        before = len(session.history)
        press()
        press()
        assert len(session.history) == before + 1
    for _ in range(3):
        edits.undo()
    assert session.history == ()
    assert session.experiment == first
