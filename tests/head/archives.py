"""Heads in .npz files for the tests: whole ones, and ones that were tampered with."""

import io
import re
import struct
import time
import tracemalloc
import zipfile

import numpy as np
import pytest

from attention_core import HeadProblem, read_head
from attention_core.head_files import PROBLEMS
from attention_core.heads import write_template

TEMPLATE = write_template()
PARTS = ("X", "W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V")
MEMORY = 200 * 10**6
HEADER = "{'descr': '<f8', 'fortran_order': False, 'shape': %s}\n"


def parts(n=4, d_model=6, d_k=3, **changes):
    """Arrays of a valid file, some of them changed; None takes one away."""
    rng = np.random.default_rng(0)
    arrays = {
        "X": rng.standard_normal((n, d_model)),
        "W_Q": rng.standard_normal((d_model, d_k)),
        "W_K": rng.standard_normal((d_model, d_k)),
    }
    return {name: array for name, array in (arrays | changes).items() if array is not None}


def npz(compressed=False, **arrays):
    file = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(file, **arrays)
    return file.getvalue()


def zipped(members, compression=zipfile.ZIP_STORED):
    """An archive of (name, bytes) pairs."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return file.getvalue()


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def raw_npy(header, data=b"", version=1):
    """An .npy file with any header at all."""
    text = header.encode("latin1")
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


def with_member(name, data):
    """A valid file but for one member's bytes."""
    members = [(f"{part}.npy", npy(array)) for part, array in parts().items() if part != name]
    return zipped([*members, (f"{name}.npy", data)])


def in_directory(data, name, offset, value, form="<L"):
    """The file with one field changed in a member's entry of the zip's directory."""
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(name.encode()))
    return data[: at + offset] + struct.pack(form, value) + data[at + offset + struct.calcsize(form) :]


def problem(data):
    """The problem with a file, checked: its values fill its sentence, and it is found in bounded memory and time."""
    tracemalloc.start()
    start = time.process_time()
    try:
        with pytest.raises(HeadProblem) as caught:
            read_head(data)
        seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    found = caught.value
    assert set(found.values) == set(re.findall(r"{(\w+)}", PROBLEMS[found.code]))
    assert str(found) == PROBLEMS[found.code].format(**found.values)
    assert peak < MEMORY
    assert seconds < 1
    return found
