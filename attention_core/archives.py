"""Reading arrays from an .npz file that a stranger wrote.

Nothing is unpickled, and nothing is inflated before it is known to fit: first the file's size, then the zip's
directory, then the .npy header of each wanted array, and only then, once its reader has compared the shapes,
the data, piece by piece into an array of exactly the announced size. Whatever is wrong is an ArchiveProblem.

Source: the .npy format, numpy.lib.format.
"""

from __future__ import annotations

import io
import math
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.zip_directory import Rules, check_frame, directory, names

_LARGEST_HEADER = 4096
_PIECE = 2**18
_FAULTS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError, OverflowError)


@dataclass(frozen=True)
class Member:
    """One wanted array: where it is, where its data begin, and what its header announces."""

    name: str
    info: zipfile.ZipInfo
    start: int
    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[np.generic]


class Archive:
    """An open .npz file: its wanted arrays' headers in `members`, their data one by one, and all `names` in it."""

    def __init__(self, archive: zipfile.ZipFile, size: int, rules: Rules) -> None:
        self._archive, self._problem = archive, rules.problem
        self.members = {name: self._header(name, info) for name, info in directory(archive, size, rules).items()}
        self.names = names(archive)

    def load(self, member: Member) -> NDArray[np.generic]:
        """The array, read piece by piece; zipfile stops at the announced size and compares the checksum there.

        Law: no more is held than the header announces, and no more is inflated than the directory says.
        Errors: "bomb" or "damaged" when header, directory and data do not agree to the byte.
        """
        self._check_size(member)
        array = np.empty(math.prod(member.shape), member.dtype)
        target = array.view(np.uint8)
        try:
            with self._archive.open(member.info) as stream:
                stream.read(member.start)
                done = 0
                while done < len(target):
                    piece = stream.read(min(_PIECE, len(target) - done))
                    if not piece:
                        raise EOFError
                    target[done : done + len(piece)] = np.frombuffer(piece, np.uint8)
                    done += len(piece)
        except _FAULTS:
            raise self._problem("damaged", name=member.name) from None
        return array.reshape(member.shape, order="F" if member.fortran else "C")

    def check_sizes(self) -> None:
        """Every wanted member against its header, before any of them is loaded."""
        for member in self.members.values():
            self._check_size(member)

    def _check_size(self, member: Member) -> None:
        """The directory's size of a member must be that of its header and data, to the byte."""
        size = member.start + math.prod(member.shape) * member.dtype.itemsize
        if member.info.file_size != size:
            raise self._problem("bomb" if member.info.file_size > size else "damaged", name=member.name)

    def _header(self, name: str, info: zipfile.ZipInfo) -> Member:
        """What the .npy header of one array announces, read from its first bytes alone."""
        try:
            with self._archive.open(info) as stream:
                head = io.BytesIO(stream.read(_LARGEST_HEADER))
        except _FAULTS:
            raise self._problem("damaged", name=name) from None
        try:
            readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
            reader = readers[np.lib.format.read_magic(head)]
            shape, fortran, dtype = reader(head, max_header_size=_LARGEST_HEADER)
        except Exception:  # it evaluates literals and builds a type: too many kinds of failure to list
            raise self._problem("header", name=name) from None
        if dtype.hasobject:
            raise self._problem("pickled", name=name)
        return Member(name, info, head.tell(), shape, fortran, dtype)


@contextmanager
def opened(data: bytes, rules: Rules) -> Iterator[Archive]:
    """The archive behind the bytes of an .npz file, its directory and headers checked and no data read.

    Law: for every input an Archive or a problem of the kind that `rules` names.
    Errors: that problem, with a code of zip_directory.PROBLEMS.
    """
    check_frame(data, rules)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _FAULTS:
        raise rules.problem("truncated") from None
    with archive:
        yield Archive(archive, len(data), rules)


def texts(array: NDArray[np.generic]) -> list[str | None]:
    """The strings of a text array (n,) of type U, None for one with a number beyond Unicode."""
    numbers = array.view(np.dtype(np.uint32).newbyteorder(array.dtype.byteorder)).reshape(len(array), -1)
    # beyond Unicode numpy would make a string that fails only when it is used
    no_character = np.asarray((numbers > sys.maxunicode).any(axis=1))
    return [None if no_character[row] else str(array[row]) for row in range(len(array))]
