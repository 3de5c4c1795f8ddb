"""Reading an attention head from an .npz file that a stranger wrote.

Nothing is unpickled, and nothing is inflated before it is known to fit: first the file's size, then the zip's
directory, then the .npy header of each wanted array, then their shapes against each other, and only then the
data, read piece by piece into an array of exactly the announced size. Whatever is wrong is a HeadProblem.

Sources: the .npy format, numpy.lib.format; the zip format, PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 and 4.4.
"""

from __future__ import annotations

import io
import math
import re
import struct
import sys
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.checks import FloatArray

LARGEST_FILE = 40 * 2**20
MOST_TOKENS = 512
LARGEST_D_MODEL = 4096
LARGEST_D_K = 512
LONGEST_TOKEN = 24
LARGEST_ENTRY = 1e30  # scores are products of four entries and sums of at most 4096² · 512: far from 1.8e308

PROBLEMS: dict[str, str] = {
    "empty": "the file is empty; expected an .npz file",
    "too_large": "the file has {size} MB; expected at most {most} MB",
    "not_npz": "the file is no .npz file; expected one as numpy.savez writes it",
    "truncated": "the file is cut off, or its list of arrays is damaged",
    "too_many_members": "the file lists {count} or more arrays; expected at most {most}",
    "duplicate": "{name} is in the file twice; expected every name once",
    "encrypted": "{name} is encrypted; expected an .npz file without a password",
    "compression": "{name} is compressed in an unusual way; expected numpy.savez or numpy.savez_compressed",
    "extra": "{name} has {size} MB and is no part of a head; expected at most {most} MB of anything else",
    "missing": "{name} is missing; expected X, W_Q and W_K",
    "bomb": "{name} would inflate to more than its header or its compressed bytes announce",
    "damaged": "{name} is damaged or cut off: its bytes do not fit its header or its checksum",
    "header": "{name} has a header that cannot be read; expected an array as numpy.save writes it",
    "pickled": "{name} holds pickled Python objects, which are never opened; expected numbers (tokens: text)",
    "dtype": "{name} has type {dtype}; expected real numbers of at most 64 bits (tokens: text)",
    "shape": "{name} has shape {shape}; expected {expected}",
    "transposed": "{name} has shape {shape}, which is transposed; expected {expected}",
    "too_many_tokens": "X has {count} tokens; expected at most {most}",
    "too_wide": "{name} is {size}; expected at most {most}",
    "not_finite": "{name}{index} is infinite or not a number; expected finite numbers",
    "too_extreme": "{name}{index} is beyond ±{most}; expected smaller numbers",
    "long_token": "the longest token has {length} characters; expected at most {most}",
    "token_text": "token {position} is blank or has characters that cannot be shown",
}
"""Every code with its English sentence; the names in braces are the problem's values."""

_FLOATS = ("X", "W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V")
_REQUIRED = ("X", "W_Q", "W_K")
_WANTED = {f"{name}.npy": name for name in (*_FLOATS, "tokens")}
_MOST_MEMBERS = 64
_LARGEST_DIRECTORY = 2**16
_LARGEST_EXTRA = 2**20
_LARGEST_HEADER = 4096
_WIDEST_TEXT = 256  # characters of one token that are looked at, to say how long it is
_PIECE = 2**18
_BEST_RATIO = 1032  # of deflate: 258 bytes from two bits
_END = struct.Struct("<4s4H2LH")  # end of central directory: signature, disks and counts, size, offset, comment
_ZIP64 = b"PK\x06\x07"
_FAULTS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError, OverflowError)


class HeadProblem(ValueError):
    """What is wrong with a file: a code of PROBLEMS and the values that fill its sentence in any language."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(PROBLEMS[code].format(**values))
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[object, ...]:
        """Copied and sent between processes with its values."""
        return _rebuild, (self.code, self.values)


def _rebuild(code: str, values: dict[str, object]) -> HeadProblem:
    return HeadProblem(code, **values)


@dataclass(frozen=True)
class _Member:
    """One wanted array: where it is, where its data begin, and what its header announces."""

    name: str
    info: zipfile.ZipInfo
    start: int
    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[np.generic]


def read_arrays(data: bytes) -> tuple[dict[str, FloatArray], tuple[str, ...]]:
    """The arrays of a head by name, as float64, and its tokens (1, 2, … when the file has none).

    Shapes: X (n, d_model); W_Q, W_K (d_model, d_k); W_V (d_model, d_v); b_Q, b_K (d_k,); b_V (d_v,); tokens (n,).
    Law: for every input the answer or a HeadProblem; at most 150 MB are held beside the input.
    Errors: HeadProblem with a code of PROBLEMS.
    """
    _check_frame(data)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _FAULTS:
        raise HeadProblem("truncated") from None
    with archive:
        members = {name: _header(archive, name, info) for name, info in _directory(archive, len(data)).items()}
        _check_shapes({name: member.shape for name, member in members.items()})
        for member in members.values():
            _check_size(member)
        arrays = {name: _floats(archive, members[name]) for name in _FLOATS if name in members}
        if "tokens" in members:
            return arrays, _tokens(archive, members["tokens"])
        return arrays, tuple(str(position) for position in range(1, len(arrays["X"]) + 1))


def _check_frame(data: bytes) -> None:
    """The file's size, its first bytes and its last 22, which say how long the zip's directory is.

    A zip comment and the 64-bit form are refused: then these bytes are the ones that zipfile goes by.
    """
    if not data:
        raise HeadProblem("empty")
    if len(data) > LARGEST_FILE:
        raise HeadProblem("too_large", size=_megabytes(len(data)), most=LARGEST_FILE // 2**20)
    if not data.startswith(b"PK\x03\x04"):
        raise HeadProblem("not_npz")
    if len(data) < _END.size:
        raise HeadProblem("truncated")
    signature, _, _, _, count, size, _, comment = _END.unpack(data[-_END.size :])
    if signature != b"PK\x05\x06" or comment or data[-_END.size - 20 :].startswith(_ZIP64):
        raise HeadProblem("truncated")
    if count > _MOST_MEMBERS or size > _LARGEST_DIRECTORY:
        raise HeadProblem("too_many_members", count=max(count, _MOST_MEMBERS + 1), most=_MOST_MEMBERS)


def _directory(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """The wanted arrays' places, after a look at every member of the archive."""
    infos = archive.infolist()
    if len(infos) > _MOST_MEMBERS:
        raise HeadProblem("too_many_members", count=len(infos), most=_MOST_MEMBERS)
    seen: set[str] = set()
    for info in infos:
        if info.filename in seen:
            raise HeadProblem("duplicate", name=_name(info))
        seen.add(info.filename)
        _check_member(info, size)
    wanted = {_WANTED[info.filename]: info for info in infos if info.filename in _WANTED}
    for name in _REQUIRED:
        if name not in wanted:
            raise HeadProblem("missing", name=name)
    return wanted


def _check_member(info: zipfile.ZipInfo, size: int) -> None:
    """What the directory says of one member of a file of `size` bytes, believed only where it speaks against it."""
    if info.flag_bits & 0x41:
        raise HeadProblem("encrypted", name=_name(info))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others may ask for gigabytes
        raise HeadProblem("compression", name=_name(info))
    if info.filename not in _WANTED and info.file_size > _LARGEST_EXTRA:
        raise HeadProblem("extra", name=_name(info), size=_megabytes(info.file_size), most=_megabytes(_LARGEST_EXTRA))
    if info.compress_size > size:
        raise HeadProblem("damaged", name=_name(info))
    if info.file_size > _BEST_RATIO * (info.compress_size + 1):
        raise HeadProblem("bomb", name=_name(info))


def _header(archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo) -> _Member:
    """What the .npy header of one array announces, read from its first bytes alone."""
    try:
        with archive.open(info) as stream:
            head = io.BytesIO(stream.read(_LARGEST_HEADER))
    except _FAULTS:
        raise HeadProblem("damaged", name=name) from None
    try:
        readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        reader = readers[np.lib.format.read_magic(head)]
        shape, fortran, dtype = reader(head, max_header_size=_LARGEST_HEADER)
    except Exception:  # it evaluates literals and builds a type: too many kinds of failure to list
        raise HeadProblem("header", name=name) from None
    _check_type(name, dtype)
    return _Member(name, info, head.tell(), shape, fortran, dtype)


def _check_type(name: str, dtype: np.dtype[np.generic]) -> None:
    if dtype.hasobject:
        raise HeadProblem("pickled", name=name)
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
    for name, shape in {**expected, "tokens": (n,)}.items():
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
        shape = _cut(str(shapes[name]))
        raise HeadProblem("transposed" if transposed else "shape", name=name, shape=shape, expected=expected)


def _check_width(name: str, size: int, most: int) -> None:
    if size > most:
        raise HeadProblem("too_wide", name=name, size=size, most=most)


def _check_size(member: _Member) -> None:
    """The directory's size of a member must be that of its header and data, to the byte."""
    size = member.start + int(np.prod(member.shape)) * member.dtype.itemsize
    if member.info.file_size != size:
        raise HeadProblem("bomb" if member.info.file_size > size else "damaged", name=member.name)


def _load(archive: zipfile.ZipFile, member: _Member) -> NDArray[np.generic]:
    """The array, read piece by piece; zipfile stops at the announced size and compares the checksum there."""
    array = np.empty(int(np.prod(member.shape)), member.dtype)
    target = array.view(np.uint8)
    try:
        with archive.open(member.info) as stream:
            stream.read(member.start)
            done = 0
            while done < len(target):
                piece = stream.read(min(_PIECE, len(target) - done))
                if not piece:
                    raise EOFError
                target[done : done + len(piece)] = np.frombuffer(piece, np.uint8)
                done += len(piece)
    except _FAULTS:
        raise HeadProblem("damaged", name=member.name) from None
    return array.reshape(member.shape, order="F" if member.fortran else "C")


def _floats(archive: zipfile.ZipFile, member: _Member) -> FloatArray:
    """The array as float64, every entry finite and within ±LARGEST_ENTRY."""
    with np.errstate(invalid="ignore"):
        array = np.ascontiguousarray(_load(archive, member), dtype=np.float64)
    if not (array.min() >= -LARGEST_ENTRY and array.max() <= LARGEST_ENTRY):
        index = np.argwhere(~(np.abs(array) <= LARGEST_ENTRY))[0].tolist()
        if np.isfinite(array[tuple(index)]):
            raise HeadProblem("too_extreme", name=member.name, index=str(index), most=f"{LARGEST_ENTRY:g}")
        raise HeadProblem("not_finite", name=member.name, index=str(index))
    return array


def _tokens(archive: zipfile.ZipFile, member: _Member) -> tuple[str, ...]:
    """The tokens, each short and visible."""
    array = _load(archive, member)
    numbers = array.view(np.dtype(np.uint32).newbyteorder(array.dtype.byteorder)).reshape(len(array), -1)
    # beyond Unicode numpy would make a string that fails only when it is used
    no_character = np.asarray((numbers > sys.maxunicode).any(axis=1))
    tokens = tuple("" if no_character[row] else str(array[row]) for row in range(len(array)))
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


def _name(info: zipfile.ZipInfo) -> str:
    """A member's name that can stand in a sentence: short, and without marks that a page would obey."""
    return _cut(re.sub(r"[^\w./ -]", "?", info.filename.removesuffix(".npy")))


def _cut(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _megabytes(size: int) -> float:
    """Rounded up to a tenth, so that a size beyond a limit is never written as the limit."""
    return math.ceil(size / 2**20 * 10) / 10
