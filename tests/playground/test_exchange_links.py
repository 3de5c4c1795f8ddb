"""Links that carry nothing: each fault by its code and place."""

import pytest

from attention_ui.exchange import link
from tests.playground.exchange_cases import edited, problem
from tests.playground.exchange_packed import DEEP, linked

LINK = link.write(edited()[1])


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
