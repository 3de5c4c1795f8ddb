"""Sentences to tokens, and tokens to names on an axis."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_ui import tokens
from attention_ui.tokens import Problem


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I love AI", ("I", "love", "AI")),
        ("  I \t love\nAI ", ("I", "love", "AI")),
        ("我爱AI", ("我", "爱", "AI")),
        ("我 爱 AI", ("我", "爱", "AI")),
        ("我爱北京。", ("我", "爱", "北", "京", "。")),
        ("$x$ <b> =1+1 ![a](b) 🙂", ("$x$", "<b>", "=1+1", "![a](b)", "🙂")),
        ("a\u202eb\x00c", ("abc",)),
    ],
)
def test_split(sentence: str, expected: tuple[str, ...]) -> None:
    assert tokens.split(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "key"),
    [
        ("", "sentence.empty"),
        (" \u3000\n", "sentence.empty"),
        ("\x00", "sentence.empty"),
        ("\u200d \ufe0f \u3164 \u2800", "sentence.empty"),
        ("a " * 17, "sentence.too_many"),
        ("x" * 25, "sentence.long_token"),
        ("x" * 10_000, "sentence.too_long"),
    ],
)
def test_what_is_wrong_is_named(sentence: str, key: str) -> None:
    problem = tokens.split(sentence)
    assert isinstance(problem, Problem)
    assert problem.key == key


def test_sixteen_tokens_fit() -> None:
    assert len(tokens.split("a " * 16)) == 16


@given(st.text(max_size=60))
def test_a_split_sentence_splits_into_the_same_tokens_again(sentence: str) -> None:
    split = tokens.split(sentence)
    if not isinstance(split, Problem):
        assert tokens.split(tokens.join(split)) == split


@given(st.lists(st.sampled_from(["the", "the₁", "the₂", "a", "the₁′"]), min_size=1, max_size=16).map(tuple))
def test_names_are_all_different(words: tuple[str, ...]) -> None:
    names = tokens.names(words)
    assert len(set(names)) == len(words)
    assert all(name.startswith(word) for name, word in zip(names, words, strict=True))


def test_a_repeated_token_gets_its_count_and_others_stay() -> None:
    assert tokens.names(("the", "cat", "the")) == ("the₁", "cat", "the₂")
