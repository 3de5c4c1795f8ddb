"""Archives that hold no experiment: each fault by its code."""

import io
import pickle
import zipfile

import numpy as np
import pytest

from attention_ui.exchange import npz_file
from tests.playground.exchange_cases import LOVE, problem
from tests.playground.exchange_packed import LOVE_JSON, archive


def zipped(*members, compression=zipfile.ZIP_DEFLATED):
    """An archive of (name, bytes) pairs."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as whole:
        for name, data in members:
            whole.writestr(name, data)
    return file.getvalue()


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def bomb(size=2**26):
    """An array that inflates to far more than its header says."""
    return zipped(("experiment.npy", npy(np.array("{}")) + bytes(size)))


GOOD = npz_file.write(LOVE)
MARKED = GOOD.replace(b"PK\x01\x02\x2d\x03\x2d\x00\x00\x00", b"PK\x01\x02\x2d\x03\x2d\x00\x01\x00")
CHARACTERS = np.array([0x110000], "<u4").view("<U1").reshape(())
BAD_ARCHIVES = {
    "nothing": (b"", "empty"),
    "JSON": (LOVE_JSON, "npz_not_npz"),
    "a pickle": (pickle.dumps(LOVE_JSON), "npz_not_npz"),
    "9 MB": (GOOD + bytes(2**23), "npz_too_large"),
    "cut off": (GOOD[:-30], "npz_truncated"),
    "65 arrays": (zipped(*((f"{i}.npy", b"") for i in range(65))), "npz_too_many_members"),
    "only the stages": (zipped(("X.npy", npy(np.eye(3)))), "npz_missing"),
    "an array of objects": (zipped(("experiment.npy", npy(np.array([{}]), allow_pickle=True))), "npz_pickled"),
    "a zip bomb": (bomb(), "npz_bomb"),
    "a large array beside it": (zipped(("a.npy", bytes(2**21)), ("experiment.npy", npy(np.array("")))), "npz_extra"),
    "encrypted": (MARKED, "npz_encrypted"),
    "bzip2": (zipped(("experiment.npy", b""), compression=zipfile.ZIP_BZIP2), "npz_compression"),
    "no array": (zipped(("experiment.npy", LOVE_JSON)), "npz_header"),
    "numbers": (zipped(("experiment.npy", npy(np.eye(3)))), "npz_document"),
    "several texts": (zipped(("experiment.npy", npy(np.array(["{}", "{}"])))), "npz_document"),
    "no text": (zipped(("experiment.npy", npy(np.array("")))), "json_syntax"),
    "no characters": (zipped(("experiment.npy", npy(CHARACTERS))), "npz_document"),
    "a long text": (zipped(("experiment.npy", npy(np.array("x" * 2**18 + "x")))), "too_large"),
    "cut off text": (archive(LOVE_JSON.decode()[:500]), "json_truncated"),
}


@pytest.mark.parametrize(("data", "code"), BAD_ARCHIVES.values(), ids=BAD_ARCHIVES)
def test_archives_that_hold_no_experiment(data, code):
    assert problem(npz_file.read, data).code == code


def test_a_name_that_comes_twice_in_an_archive():
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = zipped(("experiment.npy", b""), ("experiment.npy", b""))
    assert problem(npz_file.read, data).code == "npz_duplicate"


def test_a_changed_byte_in_the_document_of_an_archive():
    data = archive(LOVE_JSON.decode()).replace("love".encode("utf-32-le"), "lobe".encode("utf-32-le"))
    assert problem(npz_file.read, data).code == "npz_damaged"


@pytest.mark.parametrize("order", "<>")
def test_an_archive_of_either_byte_order_and_of_the_document_alone(order):
    text = np.array(LOVE_JSON.decode())
    assert npz_file.read(zipped(("experiment.npy", npy(text.astype(text.dtype.newbyteorder(order)))))) == LOVE
