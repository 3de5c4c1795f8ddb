"""Every stage as arrays for numpy, with the document beside them, from which the experiment comes back."""

from __future__ import annotations

import io

import numpy as np

from attention_core import Trace, archives
from attention_core.archives import Archive
from attention_core.zip_directory import ArchiveProblem, Rules
from attention_ui.exchange import json_file
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.stages import PARTS

LARGEST_FILE = 8 * 2**20  # at d = 4096 a file has 2 MB
_DOCUMENT = "experiment"
_RULES = Rules(frozenset({_DOCUMENT}), (_DOCUMENT,), LARGEST_FILE)


def write(carried: Carried) -> bytes:
    """An .npz file with every stage at the present d under the rule in force, tokens, and the JSON document.

    Shapes: as in attention_core.Trace; tokens (n,) and experiment () are text.
    Law: the same experiment gives the same bytes; read(write(carried)) is what was carried but for the language.
    """
    arrays = stages(carried.trace())
    arrays["tokens"] = np.array(carried.experiment.tokens)
    arrays[_DOCUMENT] = np.array(json_file.write(carried).decode())
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def stages(trace: Trace) -> dict[str, np.ndarray]:
    """The arrays of a trace by name, in the order in which they are computed."""
    return {name: getattr(trace, name) for name in PARTS}


def read(data: bytes) -> Carried:
    """What an .npz file carries: its document alone counts, the stages follow from it.

    Law: for every bytes the answer or an ExchangeProblem; nothing is unpickled, and at most 1 MB is inflated.
    Errors: ExchangeProblem, npz_… for the archive and as for json_file.read for the document.
    """
    if not data:
        raise ExchangeProblem("empty")
    try:
        with archives.opened(data, _RULES) as archive:
            return json_file.read_text(_text(archive))
    except ArchiveProblem as found:
        raise ExchangeProblem(f"npz_{found.code}", **found.values) from None


def _text(archive: Archive) -> str:
    """The document's text, its length checked before it is inflated."""
    member = archive.members[_DOCUMENT]
    if member.dtype.kind != "U" or member.dtype.itemsize == 0 or member.shape != ():
        raise ExchangeProblem("npz_document", name=_DOCUMENT)
    if member.dtype.itemsize > 4 * json_file.LARGEST_FILE:
        size = -(-member.dtype.itemsize // 4096)
        raise ExchangeProblem("too_large", size=size, most=json_file.LARGEST_FILE // 1024)
    (text,) = archives.texts(archive.load(member).reshape(1))
    if text is None:
        raise ExchangeProblem("npz_document", name=_DOCUMENT)
    return text
