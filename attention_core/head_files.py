"""Reading an attention head from an .npz file that a stranger wrote.

The archive is opened by attention_core.archives, which neither unpickles nor inflates what does not fit; here
the arrays' types and shapes are compared before any data are read. Whatever is wrong is a HeadProblem.
"""

from __future__ import annotations

import math
import unicodedata
from typing import NamedTuple

import numpy as np

from attention_core import archives, zip_directory
from attention_core.archives import Archive, Member
from attention_core.checks import FloatArray
from attention_core.zip_directory import ArchiveProblem, Rules, cut

LARGEST_FILE = 40 * 2**20
MOST_TOKENS = 512
LARGEST_D_MODEL = 4096
LARGEST_D_K = 512
LONGEST_TOKEN = 24
MOST_ENTRIES = 5 * 10**6  # of all arrays together, 40 MB as float64; a head of d_model 4096 and d_k 128 has 4.2 million
LARGEST_ENTRY = 1e30  # scores are products of four entries and sums of at most 4096² · 512: far from 1.8e308

PROBLEMS: dict[str, str] = {
    **zip_directory.PROBLEMS,
    "extra": "{name} has {size} MB and is no part of a head; expected at most {most} MB of anything else",
    "missing": "{name} is missing; expected X, W_Q and W_K",
    "pickled": "{name} holds pickled Python objects, which are never opened; expected numbers (tokens: text)",
    "dtype": "{name} has type {dtype}; expected real numbers of at most 64 bits (tokens: text)",
    "shape": "{name} has shape {shape}; expected {expected}",
    "transposed": "{name} has shape {shape}, which is transposed; expected {expected}",
    "too_many_tokens": "X has {count} tokens; expected at most {most}",
    "too_wide": "{name} is {size}; expected at most {most}",
    "too_many_entries": "the arrays have {count} entries together; expected at most {most}",
    "not_finite": "{name}{index} is infinite or not a number; expected finite numbers",
    "too_extreme": "{name}{index} is beyond ±{most}; expected smaller numbers",
    "no_share": "{name}{index} is {value}; expected a weight from 0 to 1",
    "no_row_of_shares": "row {row} of {name} sums to {total}; expected 1, as weights do",
    "long_token": "the longest token has {length} characters; expected at most {most}",
    "token_text": "token {position} is blank or has characters that cannot be shown",
}
"""Every code with its English sentence; the names in braces are the problem's values."""

_SQUARE = ("pos_bias", "expected_weights")  # a row and a column for each token
_FLOATS = ("X", "W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", *_SQUARE)
_ROUGH = 0.01  # of weights that were computed with 16 bits, and of the sum of a row of them
_WIDEST_TEXT = 256  # characters of one token that are looked at, to say how long it is


class HeadProblem(ArchiveProblem):
    """What is wrong with a file: a code of PROBLEMS and the values that fill its sentence in any language."""

    sentences = PROBLEMS


_RULES = Rules(frozenset({*_FLOATS, "tokens"}), ("X", "W_Q", "W_K"), LARGEST_FILE, problem=HeadProblem)


class HeadArrays(NamedTuple):
    """What a file holds: a head's arrays by name, as float64, its tokens, and the names of all that is in it."""

    arrays: dict[str, FloatArray]
    tokens: tuple[str, ...]
    names: tuple[str, ...]


def read_arrays(data: bytes) -> HeadArrays:
    """The arrays and tokens of a head; the tokens are 1, 2, … when the file has none.

    Shapes: X (n, d_model); W_Q, W_K (d_model, d_k); W_V (d_model, d_v); b_Q, b_K (d_k,); b_V (d_v,); tokens (n,);
        pos_bias and expected_weights (n, n), of which the rows of the latter are weights: from 0 to 1, with sum 1.
    Law: for every input the answer or a HeadProblem; at most 100 MB are held beside the input. The shapes are
        compared, and their entries counted, before anything is inflated.
    Errors: HeadProblem with a code of PROBLEMS.
    """
    with archives.opened(data, _RULES) as archive:
        members = archive.members
        for member in members.values():
            _check_type(member.name, member.dtype)
        _check_shapes({name: member.shape for name, member in members.items()})
        _check_entries([member.shape for name, member in members.items() if name != "tokens"])
        archive.check_sizes()
        arrays = {name: _floats(archive, members[name]) for name in _FLOATS if name in members}
        if "expected_weights" in arrays:
            _check_shares("expected_weights", arrays["expected_weights"])
        numbered = tuple(str(position) for position in range(1, len(arrays["X"]) + 1))
        tokens = _tokens(archive, members["tokens"]) if "tokens" in members else numbered
        return HeadArrays(arrays, tokens, archive.names)


def _check_type(name: str, dtype: np.dtype[np.generic]) -> None:
    if name == "tokens":
        if dtype.kind != "U" or dtype.itemsize == 0:
            raise HeadProblem("dtype", name=name, dtype=dtype.name)
        if dtype.itemsize > 4 * _WIDEST_TEXT:
            raise HeadProblem("long_token", length=dtype.itemsize // 4, most=LONGEST_TOKEN)
    elif dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise HeadProblem("dtype", name=name, dtype=dtype.name)


def _check_shapes(shapes: dict[str, tuple[int, ...]]) -> None:
    """All shapes against the limits and against one another, before any data are read."""
    _expect(len(shapes["X"]) == 2 and min(shapes["X"]) > 0, "X", shapes, "(n, d_model)")
    n, d_model = shapes["X"]
    if n > MOST_TOKENS:
        raise HeadProblem("too_many_tokens", count=n, most=MOST_TOKENS)
    _check_width("d_model", d_model, LARGEST_D_MODEL)
    d_k = _columns("W_Q", shapes, d_model, "d_k")
    d_v = _columns("W_V", shapes, d_model, "d_v") if "W_V" in shapes else d_k
    expected: dict[str, tuple[int, ...]] = {"W_K": (d_model, d_k), "b_Q": (d_k,), "b_K": (d_k,), "b_V": (d_v,)}
    for name, shape in {**expected, "tokens": (n,), **dict.fromkeys(_SQUARE, (n, n))}.items():
        if shapes.get(name, shape) != shape:
            transposed = name == "W_K" and shapes[name] == shape[::-1]
            _expect(False, name, shapes, str(shape), transposed)


def _columns(name: str, shapes: dict[str, tuple[int, ...]], d_model: int, width: str) -> int:
    """The columns of a weight matrix that must have d_model rows."""
    shape, expected = shapes[name], f"({d_model}, {width})"
    _expect(len(shape) == 2 and min(shape) > 0, name, shapes, expected)
    _expect(shape[0] == d_model, name, shapes, expected, transposed=shape[1] == d_model)
    _check_width(width, shape[1], LARGEST_D_K)
    return shape[1]


def _expect(
    right: bool, name: str, shapes: dict[str, tuple[int, ...]], expected: str, transposed: bool = False
) -> None:
    if not right:
        shape = cut(str(shapes[name]))
        raise HeadProblem("transposed" if transposed else "shape", name=name, shape=shape, expected=expected)


def _check_width(name: str, size: int, most: int) -> None:
    if size > most:
        raise HeadProblem("too_wide", name=name, size=size, most=most)


def _check_entries(shapes: list[tuple[int, ...]]) -> None:
    """Small compressed bytes may stand for many entries, so what is announced counts and not the file's size."""
    count = sum(math.prod(shape) for shape in shapes)
    if count > MOST_ENTRIES:
        raise HeadProblem("too_many_entries", count=f"{count:,}", most=f"{MOST_ENTRIES:,}")


def _check_shares(name: str, weights: FloatArray) -> None:
    """Rows of attention weights, to the rounding of 16 bits."""
    wrong = (weights < 0) | (weights > 1 + _ROUGH)
    if wrong.any():
        index = np.argwhere(wrong)[0].tolist()
        raise HeadProblem("no_share", name=name, index=str(index), value=f"{weights[tuple(index)]:.4g}")
    totals = weights.sum(axis=1)
    row = int(np.abs(totals - 1).argmax())
    if abs(totals[row] - 1) > _ROUGH:
        raise HeadProblem("no_row_of_shares", name=name, row=row + 1, total=f"{totals[row]:.4g}")


def _floats(archive: Archive, member: Member) -> FloatArray:
    """The array as float64, every entry finite and within ±LARGEST_ENTRY."""
    with np.errstate(invalid="ignore"):
        array = np.ascontiguousarray(archive.load(member), dtype=np.float64)
    if not (array.min() >= -LARGEST_ENTRY and array.max() <= LARGEST_ENTRY):
        index = np.argwhere(~(np.abs(array) <= LARGEST_ENTRY))[0].tolist()
        if np.isfinite(array[tuple(index)]):
            raise HeadProblem("too_extreme", name=member.name, index=str(index), most=f"{LARGEST_ENTRY:g}")
        raise HeadProblem("not_finite", name=member.name, index=str(index))
    return array


def _tokens(archive: Archive, member: Member) -> tuple[str, ...]:
    """The tokens, each short and visible."""
    tokens = tuple(text or "" for text in archives.texts(archive.load(member)))
    for position, token in enumerate(tokens, start=1):
        if not _can_be_shown(token):
            raise HeadProblem("token_text", position=position)
    longest = max(map(len, tokens))
    if longest > LONGEST_TOKEN:
        raise HeadProblem("long_token", length=longest, most=LONGEST_TOKEN)
    return tokens


def _can_be_shown(token: str) -> bool:
    """False for blank text, half a surrogate pair, control characters and marks that reorder what others read."""
    kinds = [unicodedata.category(char) for char in token if char not in "\u200c\u200d"]  # joiners of letters, emoji
    return not token.isspace() and bool(kinds) and not {"Cc", "Cf", "Cs"} & set(kinds)
