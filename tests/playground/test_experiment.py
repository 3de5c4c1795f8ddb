"""The changes a learner can make, each a new experiment that loses nothing of what stays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import EXAMPLES, self_attention
from attention_ui.experiment import (
    AXES,
    MATRICES,
    SIZES,
    Experiment,
    from_example,
    randomise,
    reset,
    resize,
    with_tokens,
    with_values,
)

LOVE = from_example("love")


def fits(experiment: Experiment) -> None:
    """Matrices have the sizes they share, and attention can be computed."""
    sizes = experiment.sizes
    assert len(experiment.tokens) == sizes["tokens"]
    for name in MATRICES:
        assert experiment.matrices[name].shape == tuple(sizes[axis] for axis in AXES[name])
        assert (
            experiment.fresh.get(name, np.zeros(experiment.matrices[name].shape)).shape
            == experiment.matrices[name].shape
        )
    self_attention(*(experiment.matrices[name] for name in MATRICES))


@given(st.sampled_from(list(EXAMPLES)), st.sampled_from(SIZES), st.integers(1, 16), st.integers(0, 50))
def test_a_new_size_keeps_what_stays_and_marks_what_is_new(example: str, size: str, to: int, seed: int) -> None:
    old = from_example(example)
    new = resize(old, size, to, seed)
    fits(new)
    for name in MATRICES:
        before, after = old.matrices[name], new.matrices[name]
        rows, columns = np.minimum(before.shape, after.shape)
        np.testing.assert_array_equal(after[:rows, :columns], before[:rows, :columns])
        if size in AXES[name]:
            expected = np.ones(after.shape, bool)
            expected[:rows, :columns] = False
            np.testing.assert_array_equal(new.fresh[name], expected)


def test_growing_again_with_the_same_seed_brings_the_same_new_cells() -> None:
    once = resize(LOVE, "d_k", 6, 3)
    again = resize(resize(once, "d_k", 4, 3), "d_k", 6, 3)
    assert again == once


def test_equal_renaming_keeps_all_numbers() -> None:
    renamed = with_tokens(LOVE, ("我", "爱", "AI"), 0)
    np.testing.assert_array_equal(renamed.matrices["X"], LOVE.matrices["X"])
    assert not renamed.fresh["X"].any()


def test_a_word_that_stays_carries_its_row() -> None:
    moved = with_tokens(LOVE, ("AI", "I", "love"), 0)
    np.testing.assert_array_equal(moved.matrices["X"], LOVE.matrices["X"][[2, 0, 1]])


def test_a_repeated_word_copies_its_row() -> None:
    new = with_tokens(LOVE, ("I", "love", "AI", "I", "love"), 0)
    np.testing.assert_array_equal(new.matrices["X"], LOVE.matrices["X"][[0, 1, 2, 0, 1]])


def test_a_new_word_gets_a_drawn_row_marked_fresh_and_its_repetition_copies_it() -> None:
    new = with_tokens(LOVE, ("I", "love", "AI", "cats", "cats"), 5)
    fits(new)
    np.testing.assert_array_equal(new.matrices["X"][3], new.matrices["X"][4])
    assert new.fresh["X"].tolist() == [[False] * 4] * 3 + [[True] * 4] * 2


def test_removing_a_word_in_the_middle_keeps_the_other_rows() -> None:
    new = with_tokens(LOVE, ("I", "AI"), 0)
    np.testing.assert_array_equal(new.matrices["X"], LOVE.matrices["X"][[0, 2]])


@given(st.lists(st.sampled_from(["I", "love", "AI", "x", "y"]), min_size=1, max_size=16).map(tuple), st.integers(0, 9))
def test_any_sentence_gives_an_experiment_that_fits(words: tuple[str, ...], seed: int) -> None:
    new = with_tokens(LOVE, words, seed)
    fits(new)
    for i, first in enumerate(map(words.index, words)):  # equal words, equal rows
        np.testing.assert_array_equal(new.matrices["X"][i], new.matrices["X"][first])


def test_a_touched_cell_is_no_longer_fresh() -> None:
    grown = resize(LOVE, "d_v", 4, 0)
    values = {name: grown.matrices[name] for name in MATRICES}
    touched = {name: np.zeros(values[name].shape, bool) for name in MATRICES}
    touched["W_V"][0, 3] = True
    assert with_values(grown, values, touched).fresh["W_V"][:, 3].tolist() == [False, True, True, True]


@pytest.mark.parametrize("name", MATRICES)
def test_reset_brings_the_example_back(name: str) -> None:
    drawn = randomise(LOVE, name, 4)
    assert drawn != LOVE
    assert drawn.seeds == {name: 4}
    assert reset(drawn, name, 0) == LOVE
    assert reset(drawn, name, 0).seeds == {}


def test_reset_after_other_changes_fits_the_present_sizes() -> None:
    changed = with_tokens(resize(LOVE, "d_emb", 6, 0), ("AI", "I", "new", "love"), 0)
    again = reset(randomise(changed, "X", 9), "X", 0)
    fits(again)
    np.testing.assert_array_equal(again.matrices["X"][:, :4][[1, 3, 0]], LOVE.matrices["X"])


def test_random_weights_keep_the_queries_near_unit_size() -> None:
    draws = np.concatenate(
        [randomise(resize(LOVE, "d_emb", 16, 0), "W_Q", s).matrices["W_Q"].ravel() for s in range(200)]
    )
    # 200 · 16 · 3 normals: the variance's standard error is 1/16 · √(2/9600) = 0.0009; four of them
    assert draws.var() == pytest.approx(1 / 16, abs=0.0036)


def test_edited_tells_an_untouched_example_from_a_changed_one() -> None:
    assert not LOVE.edited
    assert randomise(LOVE, "X", 1).edited
    assert with_tokens(LOVE, ("a", "b", "c"), 0).edited
