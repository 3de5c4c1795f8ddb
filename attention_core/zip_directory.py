"""What the directory of a stranger's .npz file may say: checked before anything in the file is believed.

Source: the zip format, PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 and 4.4.
"""

from __future__ import annotations

import math
import re
import struct
import zipfile
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

PROBLEMS: dict[str, str] = {
    "empty": "the file is empty; expected an .npz file",
    "too_large": "the file has {size} MB; expected at most {most} MB",
    "not_npz": "the file is no .npz file; expected one as numpy.savez writes it",
    "truncated": "the file is cut off, or its list of arrays is damaged",
    "too_many_members": "the file lists {count} or more arrays; expected at most {most}",
    "duplicate": "{name} is in the file twice; expected every name once",
    "encrypted": "{name} is encrypted; expected an .npz file without a password",
    "compression": "{name} is compressed in an unusual way; expected numpy.savez or numpy.savez_compressed",
    "extra": "{name} has {size} MB and is not asked for; expected at most {most} MB of anything else",
    "missing": "{name} is missing",
    "bomb": "{name} would inflate to more than its header or its compressed bytes announce",
    "damaged": "{name} is damaged or cut off: its bytes do not fit its header or its checksum",
    "header": "{name} has a header that cannot be read; expected an array as numpy.save writes it",
    "pickled": "{name} holds pickled Python objects, which are never opened; expected numbers or text",
}
"""Every code with its English sentence; the names in braces are the problem's values."""

_LARGEST_DIRECTORY = 2**16
_BEST_RATIO = 1032  # of deflate: 258 bytes from two bits
_END = struct.Struct("<4s4H2LH")  # end of central directory: signature, disks and counts, size, offset, comment
_ZIP64 = b"PK\x06\x07"


class ArchiveProblem(ValueError):
    """What is wrong with a file: a code of `sentences` and the values that fill its sentence in any language."""

    sentences: ClassVar[dict[str, str]] = PROBLEMS

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(self.sentences[code].format(**values))
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[object, ...]:
        """Copied and sent between processes with its values."""
        return _rebuild, (type(self), self.code, self.values)


def _rebuild(kind: type[ArchiveProblem], code: str, values: dict[str, object]) -> ArchiveProblem:
    return kind(code, **values)


@dataclass(frozen=True)
class Rules:
    """What an archive may hold: array names, those it must have, limits in bytes, and the kind of its problems."""

    wanted: frozenset[str]
    required: tuple[str, ...]
    largest_file: int
    largest_extra: int = 2**20  # of a member that is not wanted
    most_members: int = 64
    problem: type[ArchiveProblem] = ArchiveProblem

    @cached_property
    def files(self) -> dict[str, str]:
        """The wanted arrays' names by those of their files in the archive."""
        return {f"{name}.npy": name for name in self.wanted}


def check_frame(data: bytes, rules: Rules) -> None:
    """The file's size, its first bytes and its last 22, which say how long the zip's directory is.

    A zip comment and the 64-bit form are refused: then these bytes are the ones that zipfile goes by.
    """
    if not data:
        raise rules.problem("empty")
    if len(data) > rules.largest_file:
        raise rules.problem("too_large", size=_megabytes(len(data)), most=rules.largest_file // 2**20)
    if not data.startswith(b"PK\x03\x04"):
        raise rules.problem("not_npz")
    if len(data) < _END.size:
        raise rules.problem("truncated")
    signature, _, _, _, count, size, _, comment = _END.unpack(data[-_END.size :])
    if signature != b"PK\x05\x06" or comment or data[-_END.size - 20 :].startswith(_ZIP64):
        raise rules.problem("truncated")
    if count > rules.most_members or size > _LARGEST_DIRECTORY:
        raise rules.problem("too_many_members", count=max(count, rules.most_members + 1), most=rules.most_members)


def directory(archive: zipfile.ZipFile, size: int, rules: Rules) -> dict[str, zipfile.ZipInfo]:
    """The wanted arrays' places, after a look at every member of the archive."""
    infos = archive.infolist()
    if len(infos) > rules.most_members:
        raise rules.problem("too_many_members", count=len(infos), most=rules.most_members)
    seen: set[str] = set()
    for info in infos:
        if info.filename in seen:
            raise rules.problem("duplicate", name=_name(info))
        seen.add(info.filename)
        _check_member(info, size, rules)
    wanted = {rules.files[info.filename]: info for info in infos if info.filename in rules.files}
    for name in rules.required:
        if name not in wanted:
            raise rules.problem("missing", name=name)
    return wanted


def names(archive: zipfile.ZipFile) -> tuple[str, ...]:
    """The names of all that is in the archive, such as can stand in a sentence."""
    return tuple(_name(info) for info in archive.infolist())


def _check_member(info: zipfile.ZipInfo, size: int, rules: Rules) -> None:
    """What the directory says of one member of a file of `size` bytes, believed only where it speaks against it."""
    if info.flag_bits & 0x41:
        raise rules.problem("encrypted", name=_name(info))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others may ask for gigabytes
        raise rules.problem("compression", name=_name(info))
    if info.filename not in rules.files and info.file_size > rules.largest_extra:
        sizes = {"size": _megabytes(info.file_size), "most": _megabytes(rules.largest_extra)}
        raise rules.problem("extra", name=_name(info), **sizes)
    if info.compress_size > size:
        raise rules.problem("damaged", name=_name(info))
    if info.file_size > _BEST_RATIO * (info.compress_size + 1):
        raise rules.problem("bomb", name=_name(info))


def _name(info: zipfile.ZipInfo) -> str:
    """A member's name that can stand in a sentence: short, and without marks that a page would obey."""
    return cut(re.sub(r"[^\w./ -]", "?", info.filename.removesuffix(".npy")))


def _megabytes(size: int) -> float:
    """Rounded up to a tenth, so that a size beyond a limit is never written as the limit."""
    return math.ceil(size / 2**20 * 10) / 10


def cut(text: str, most: int = 40) -> str:
    """Text cut to `most` characters, the cut shown."""
    return text if len(text) <= most else text[: most - 1] + "…"
