"""From a typed sentence to tokens, and from tokens to names that can stand on an axis."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MOST_TOKENS = 16
LONGEST_TOKEN = 24
LONGEST_SENTENCE = 1000
# Chinese, Japanese and Korean characters stand for themselves; everything else goes by words.
_PIECES = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]|"
    r"[^\s\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]+"
)
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0\ufe0f"  # letters and marks by their category, but invisible
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Problem:
    """What is wrong with a setting: the key of its sentence and what fills it."""

    key: str
    values: dict[str, object]


def split(sentence: str) -> tuple[str, ...] | Problem:
    """The tokens of a sentence: words, and single characters for Chinese; or what is wrong with it."""
    if len(sentence) > LONGEST_SENTENCE:
        return Problem("sentence.too_long", {"length": len(sentence), "most": LONGEST_SENTENCE})
    tokens = tuple(piece for piece in _PIECES.findall(_visible(sentence)) if not _is_blank(piece))
    if not tokens:
        return Problem("sentence.empty", {"most": MOST_TOKENS})
    if len(tokens) > MOST_TOKENS:
        return Problem("sentence.too_many", {"count": len(tokens), "most": MOST_TOKENS})
    for position, token in enumerate(tokens, start=1):
        if len(token) > LONGEST_TOKEN:
            values = {"position": position, "token": shorten(token), "length": len(token), "most": LONGEST_TOKEN}
            return Problem("sentence.long_token", values)
    return tokens


def join(tokens: tuple[str, ...]) -> str:
    """The sentence that splits into these tokens again."""
    return " ".join(tokens)


def names(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """One name a token, all different: a token that comes again gets its count, as in the₁ the₂."""
    taken: set[str] = set(tokens)
    seen: dict[str, int] = {}
    result = []
    for token in tokens:
        seen[token] = seen.get(token, 0) + 1
        name = token
        if tokens.count(token) > 1:
            name = token + str(seen[token]).translate(_SUBSCRIPTS)
            while name in taken:
                name += "′"
            taken.add(name)
        result.append(name)
    return tuple(result)


def shorten(text: str, most: int = LONGEST_TOKEN) -> str:
    """Text cut to `most` characters, the cut shown."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _visible(sentence: str) -> str:
    """Without control characters and direction overrides, which could reorder what others read."""
    return "".join(
        " " if char.isspace() else char
        for char in sentence
        if char.isspace() or unicodedata.category(char)[0] != "C" or char == "\u200d"  # joins emoji
    )


def _is_blank(piece: str) -> bool:
    """True when nothing of it would be seen."""
    return all(unicodedata.category(char)[0] in "CZ" or char in _BLANKS for char in piece)
