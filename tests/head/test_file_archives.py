"""Archives that hold no head: other files, headers that lie, bombs; bounds on memory and time."""

import io
import pickle
import struct
import zipfile

import numpy as np
import pytest

from attention_core.head_files import LARGEST_FILE
from tests.head.archives import (
    HEADER,
    TEMPLATE,
    in_directory,
    npy,
    npz,
    parts,
    problem,
    raw_npy,
    with_member,
    zipped,
)

NOT_A_HEAD = {
    "nothing": (b"", "empty"),
    "text": (b"X = [[1, 2], [3, 4]]", "not_npz"),
    "one array": (npy(np.eye(3)), "not_npz"),
    "a pickle": (pickle.dumps(np.eye(3)), "not_npz"),
    "a zip's end alone": (TEMPLATE[-22:], "not_npz"),
    "a zip's first bytes": (b"PK\x03\x04", "truncated"),
    "something after it": (TEMPLATE + b"\0", "truncated"),
    "no members that count": (zipped([("readme.txt", b"hello")]), "missing"),
    "a zip in a zip": (zipped([("head.npz", TEMPLATE)]), "missing"),
    "a zip in place of X": (with_member("X", TEMPLATE), "header"),
    "65 members": (zipped([(f"{i}.npy", b"") for i in range(65)]), "too_many_members"),
    "a million members": (zipped([("a", b"")])[:-22] + b"PK\x01\x02" * 10**7 + TEMPLATE[-22:], "truncated"),
    "bzip2": (zipped([("X.npy", npy(np.eye(3)))], zipfile.ZIP_BZIP2), "compression"),
    "lzma": (zipped([("X.npy", npy(np.eye(3)))], zipfile.ZIP_LZMA), "compression"),
    "no array in X": (with_member("X", b""), "header"),
    "text in X": (with_member("X", b"1,2\n3,4\n"), "header"),
    "half a header": (with_member("X", npy(np.eye(3))[:40]), "header"),
    "half the data": (with_member("X", npy(np.ones((4, 6)))[:-8]), "damaged"),
    "more than the data": (with_member("X", npy(np.ones((4, 6))) + b"\0"), "bomb"),
    "a pickle in X": (with_member("X", npy(np.array([[print]]), allow_pickle=True)), "pickled"),
}


@pytest.mark.parametrize(("data", "code"), NOT_A_HEAD.values(), ids=NOT_A_HEAD)
def test_files_that_hold_no_head(data, code):
    assert problem(data).code == code


BAD_HEADERS = {
    "negative": (HEADER % "(-4, 6)", "shape"),
    "enormous": (HEADER % f"({10**30}, 6)", "too_many_tokens"),
    "enormous and longer than a sentence": (HEADER % f"({'9' * 2000}, 6, 1)", "shape"),
    "too many digits": (HEADER % f"({'9' * 4200}, 6)", "header"),
    "not a tuple": (HEADER % "[4, 6]", "header"),
    "not whole": (HEADER % "(4.0, 6)", "header"),
    "padded to 60 kB": (HEADER % "(4, 6)" + " " * 60000, "header"),
    "deeply nested": (HEADER % ("(" * 1500 + ")" * 1500), "header"),
    "a chain of signs": (HEADER % ("(" + "-" * 3500 + "4, 6)"), "header"),
    "code": ("__import__('os').system('false')", "header"),
    "not closed": ("{'descr': '<f8'", "header"),
    "no such type": ("{'descr': '<q99', 'fortran_order': False, 'shape': (4, 6)}", "header"),
    "a huge type": ("{'descr': '<U99999999', 'fortran_order': False, 'shape': (4, 6)}", "dtype"),
    "an array type": ("{'descr': '(1000,1000)f8', 'fortran_order': False, 'shape': (4, 6)}", "dtype"),
    "objects": ("{'descr': '|O', 'fortran_order': False, 'shape': (4, 6)}", "pickled"),
}


@pytest.mark.parametrize(("header", "code"), BAD_HEADERS.values(), ids=BAD_HEADERS)
@pytest.mark.parametrize("version", [1, 2])
def test_headers_that_lie_or_are_none(header, code, version):
    assert problem(with_member("X", raw_npy(header, bytes(8 * 24), version))).code == code


def test_a_header_that_claims_four_gigabytes_for_itself():
    data = b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + (HEADER % "(4, 6)").encode()
    assert problem(with_member("X", data)).code == "header"


@pytest.mark.parametrize("version", [0, 3, 255])
def test_other_versions_of_the_format(version):
    data = npy(np.ones((4, 6)))
    assert problem(with_member("X", data[:6] + bytes([version]) + data[7:])).code == "header"


def test_a_name_that_comes_twice():
    members = [(f"{name}.npy", npy(array)) for name, array in parts().items()]
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = zipped([*members, members[0]])
    assert (problem(data).code, problem(data).values) == ("duplicate", {"name": "X"})


def test_a_strangers_name_is_shortened_and_without_marks():
    data = zipped([("<img src=x>\n*[a](b)`" + "z" * 60, bytes(2**21))])
    assert problem(data).values == {"name": "?img src?x????a??b??zzzzzzzzzzzzzzzzzzz…", "size": 2.0, "most": 1.0}


# --- sizes, bombs and lies ---


def test_more_than_40_megabytes():
    found = problem(TEMPLATE + bytes(LARGEST_FILE))
    assert (found.code, found.values) == ("too_large", {"size": 40.1, "most": 40})


def test_40_megabytes_of_directory():
    """A directory of 900,000 entries would take half a gigabyte to list."""
    entry = b"PK\x01\x02" + bytes(42)
    directory = entry * (LARGEST_FILE // len(entry) - 1)
    for count in (65535, 1):
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), 4, 0)
        assert problem(b"PK\x03\x04" + directory + end).code == "too_many_members"


def test_an_honest_bomb():
    """A quarter of a gigabyte of zeros in a megabyte, under a name that counts and under one that does not."""
    zeros = io.BytesIO()
    with (
        zipfile.ZipFile(zeros, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("X.npy", "w") as stream,
    ):
        stream.write(raw_npy(HEADER % "(512, 65536)"))
        for _ in range(64):
            stream.write(bytes(2**22))
    data = zeros.getvalue()
    assert len(data) < 2 * 10**6
    for name, code in ((b"Y.npy", "extra"), (b"X.npy", "missing")):
        assert problem(data.replace(b"X.npy", name)).code == code
    whole = io.BytesIO(data)
    with zipfile.ZipFile(whole, "a") as archive:
        for name in ("W_Q", "W_K"):
            archive.writestr(f"{name}.npy", npy(np.eye(3)))
    assert problem(whole.getvalue()).code == "too_wide"


def bomb(shape="(4, 6)", size=2**25):
    """A valid file but for an X that inflates to much more than its header says."""
    members = [(f"{name}.npy", npy(array)) for name, array in parts(X=None).items()]
    return zipped([*members, ("X.npy", raw_npy(HEADER % shape, bytes(size)))], zipfile.ZIP_DEFLATED)


def test_a_bomb_behind_a_small_header():
    assert problem(bomb()).code == "bomb"


def test_a_bomb_whose_directory_says_it_is_small():
    """Only what was announced is inflated; the checksum then tells the lie."""
    size = len(raw_npy(HEADER % "(4, 6)", bytes(8 * 24)))
    assert problem(in_directory(bomb(), "X.npy", 24, size)).code == "damaged"


def test_a_small_array_whose_directory_says_it_is_large():
    assert problem(in_directory(bomb(size=8 * 24), "X.npy", 24, 2**31)).code == "bomb"
    data = in_directory(npz(**parts()), "W_K.npy", 24, 10**5)
    assert problem(data).code == "bomb"


@pytest.mark.parametrize("offset", [16, 20, 24, 42], ids=["checksum", "compressed size", "size", "place"])
@pytest.mark.parametrize("value", [0, 1, 100, 2**31, 2**32 - 1])
def test_a_directory_that_lies_about_a_member(offset, value):
    for compressed in (False, True):
        data = in_directory(npz(compressed, **parts()), "W_Q.npy", offset, value)
        assert problem(data).code in {"damaged", "bomb", "truncated", "header"}


def test_an_encrypted_member():
    assert problem(in_directory(npz(**parts()), "W_Q.npy", 8, 1, "<H")).code == "encrypted"


def test_a_deflate_stream_that_never_says_anything():
    """Forty megabytes of empty blocks inflate to nothing at all."""
    blocks = b"\x00\x00\x00\xff\xff" * (LARGEST_FILE // 5 - 1000)
    data = with_member("X", blocks)
    data = in_directory(in_directory(data, "X.npy", 10, 8, "<H"), "X.npy", 24, 328)
    at = data.index(b"PK\x03\x04", data.index(b"W_K.npy"))
    data = data[: at + 8] + struct.pack("<H", 8) + data[at + 10 :]
    assert problem(data).code in {"damaged", "header"}


def test_members_that_share_their_bytes():
    """Overlapping members of a small file inflate to no more than the limits allow."""
    data = npz(True, **parts())
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"W_Q.npy"))
    offset = struct.unpack("<L", data[at + 42 : at + 46])[0]
    assert problem(in_directory(data, "W_K.npy", 42, offset)).code == "damaged"
