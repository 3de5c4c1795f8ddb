"""A head from a stranger's file: what is accepted, each fault by its code, and bounds on memory and time."""

import copy
import io
import math
import pickle
import re
import struct
import time
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core import Head, HeadProblem, head_weights, load_head, read_head
from attention_core.head_files import LARGEST_FILE, PROBLEMS
from attention_core.heads import FOLDER, RECORDED, write_template

TEMPLATE = write_template()
PARTS = ("X", "W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V")
MEMORY = 200 * 10**6


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


# --- what is accepted ---


def test_the_template_is_read_exactly():
    head = read_head(TEMPLATE)
    assert write_template() == TEMPLATE
    assert head.tokens == ("The", "cat", "sat", "on", "the", "mat")
    assert (head.X.shape, head.d_k, head.layer, head.expected) == ((6, 16), 4, None, None)
    with np.load(io.BytesIO(TEMPLATE), allow_pickle=False) as stored:
        assert set(stored) == {*PARTS, "tokens"}
        for name in PARTS:
            np.testing.assert_array_equal(getattr(head, name), stored[name])


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_file_is_read_as_an_upload(name):
    head, recorded = read_head((FOLDER / f"minilm_{name}.npz").read_bytes()), load_head(name)
    assert head.tokens == recorded.tokens
    for part in PARTS:
        np.testing.assert_array_equal(getattr(head, part), getattr(recorded, part))


@pytest.mark.parametrize("compressed", [False, True])
def test_only_three_arrays_are_required(compressed):
    head = read_head(npz(compressed, **parts()))
    assert head.tokens == ("1", "2", "3", "4")
    assert head.W_V is head.b_V is None
    assert not head.b_Q.any()
    assert head_weights(head)[1].shape == (4, 4)


@pytest.mark.parametrize("dtype", ["<f2", "<f4", ">f4", "<f8", ">f8", "<i1", ">i2", "<u4", "<i8", ">i8", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_real_type_and_order(dtype, order):
    X = np.arange(24).reshape(4, 6).astype(dtype, order=order)
    head = read_head(npz(**parts(X=X)))
    assert head.X.dtype == float
    np.testing.assert_array_equal(head.X, X.astype(float))


@pytest.mark.parametrize("tokens", [["a", "猫", "Ġthe", "👩\u200d🚀"], ["<b>", "a" * 24, "##ed", "it's"]])
@pytest.mark.parametrize("order", "<>")
def test_tokens(tokens, order):
    array = np.array(tokens)
    assert read_head(npz(**parts(tokens=array.astype(array.dtype.newbyteorder(order))))).tokens == tuple(tokens)


def test_a_bias_of_values_that_are_not_there_is_left_alone():
    assert read_head(npz(**parts(b_V=np.ones(3)))).b_V is None


def test_values_may_have_a_width_of_their_own():
    head = read_head(npz(**parts(W_V=np.ones((6, 5)), b_V=np.ones(5))))
    assert head.W_V.shape == (6, 5)


def test_other_small_members_are_never_opened():
    data = zipped([*((f"{name}.npy", npy(array)) for name, array in parts().items()), ("notes.pkl", b"\x80cos\n")])
    assert isinstance(read_head(data), Head)


def test_a_name_that_climbs_out_is_only_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    members = [(f"{name}.npy", npy(array)) for name, array in parts().items()]
    assert isinstance(read_head(zipped([*members, ("../../W_V.npy", b"x"), ("/etc/passwd", b"x")])), Head)
    found = problem(zipped([(f"../{name}", data) for name, data in members]))
    assert (found.code, found.values) == ("missing", {"name": "X"})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("compressed", "dtype"), [(False, "f4"), (True, "f8")])
def test_the_largest_head_of_all_stays_within_memory(compressed, dtype):
    """512 tokens, d_model 4096, d_k 512: 34 MB as float32, and 67 MB of even numbers in a much smaller file."""
    shapes = {"X": (512, 4096), "W_Q": (4096, 512), "W_K": (4096, 512), "W_V": (4096, 512)}
    arrays = {name: np.full(shape, 0.5, dtype) for name, shape in shapes.items()}
    data = npz(compressed, **arrays, tokens=np.array(["word"] * 512))
    tracemalloc.start()
    start = time.process_time()
    try:
        head = read_head(data)
        seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    np.testing.assert_array_equal(head.W_V, arrays["W_V"])
    assert peak < MEMORY
    assert seconds < 1


# --- what is refused ---

STRUCTURED = np.zeros((4, 6), dtype=[("a", "f4"), ("b", "f4")])
BAD_ARRAYS = {
    "X missing": ({"X": None}, "missing", {"name": "X"}),
    "W_K missing": ({"W_K": None}, "missing", {"name": "W_K"}),
    "X of one axis": ({"X": np.ones(6)}, "shape", {"name": "X", "shape": "(6,)", "expected": "(n, d_model)"}),
    "X of three axes": (
        {"X": np.ones((1, 4, 6))},
        "shape",
        {"name": "X", "shape": "(1, 4, 6)", "expected": "(n, d_model)"},
    ),
    "X a number": ({"X": np.float64(3)}, "shape", {"name": "X", "shape": "()", "expected": "(n, d_model)"}),
    "no tokens at all": (
        {"X": np.ones((0, 6))},
        "shape",
        {"name": "X", "shape": "(0, 6)", "expected": "(n, d_model)"},
    ),
    "W_Q of other rows": (
        {"W_Q": np.ones((5, 3))},
        "shape",
        {"name": "W_Q", "shape": "(5, 3)", "expected": "(6, d_k)"},
    ),
    "W_Q transposed": (
        {"W_Q": np.ones((3, 6))},
        "transposed",
        {"name": "W_Q", "shape": "(3, 6)", "expected": "(6, d_k)"},
    ),
    "W_K transposed": (
        {"W_K": np.ones((3, 6))},
        "transposed",
        {"name": "W_K", "shape": "(3, 6)", "expected": "(6, 3)"},
    ),
    "W_K of other columns": (
        {"W_K": np.ones((6, 4))},
        "shape",
        {"name": "W_K", "shape": "(6, 4)", "expected": "(6, 3)"},
    ),
    "W_V of other rows": (
        {"W_V": np.ones((5, 3))},
        "shape",
        {"name": "W_V", "shape": "(5, 3)", "expected": "(6, d_v)"},
    ),
    "b_Q too long": ({"b_Q": np.ones(4)}, "shape", {"name": "b_Q", "shape": "(4,)", "expected": "(3,)"}),
    "b_V too long": (
        {"W_V": np.ones((6, 2)), "b_V": np.ones(3)},
        "shape",
        {"name": "b_V", "shape": "(3,)", "expected": "(2,)"},
    ),
    "a token too few": ({"tokens": np.array(["a"])}, "shape", {"name": "tokens", "shape": "(1,)", "expected": "(4,)"}),
    "513 tokens": ({"X": np.ones((513, 6))}, "too_many_tokens", {"count": 513, "most": 512}),
    "d_model 4097": ({"X": np.ones((4, 4097))}, "too_wide", {"name": "d_model", "size": 4097, "most": 4096}),
    "d_k 513": ({"W_Q": np.ones((6, 513))}, "too_wide", {"name": "d_k", "size": 513, "most": 512}),
    "d_v 513": ({"W_V": np.ones((6, 513))}, "too_wide", {"name": "d_v", "size": 513, "most": 512}),
    "complex": ({"X": np.ones((4, 6), complex)}, "dtype", {"name": "X", "dtype": "complex128"}),
    "structured": ({"X": STRUCTURED}, "dtype", {"name": "X", "dtype": "void64"}),
    "dates": ({"W_Q": np.ones((6, 3), "M8[s]")}, "dtype", {"name": "W_Q", "dtype": "datetime64[s]"}),
    "text": ({"X": np.full((4, 6), "1")}, "dtype", {"name": "X", "dtype": "str32"}),
    "tokens as bytes": ({"tokens": np.array([b"a"] * 4)}, "dtype", {"name": "tokens", "dtype": "bytes8"}),
    "tokens as numbers": ({"tokens": np.arange(4)}, "dtype", {"name": "tokens", "dtype": "int64"}),
    "pickled X": ({"X": np.full((4, 6), 1.0, dtype=object)}, "pickled", {"name": "X"}),
    "pickled tokens": ({"tokens": np.array(["a", "b", "c", None])}, "pickled", {"name": "tokens"}),
    "a pickle in a field": ({"X": np.zeros((4, 6), dtype=[("a", "O")])}, "pickled", {"name": "X"}),
    "a long token": (
        {"tokens": np.array(["a", "b", "c", "d" * 25])},
        "long_token",
        {"length": 25, "most": 24},
    ),
    "a very long token": (
        {"tokens": np.array(["a", "b", "c", "d" * 5000])},
        "long_token",
        {"length": 5000, "most": 24},
    ),
    "an empty token": ({"tokens": np.array(["a", "", "c", "d"])}, "token_text", {"position": 2}),
    "a blank token": ({"tokens": np.array(["a", "b", "\u3000 ", "d"])}, "token_text", {"position": 3}),
    "a control character": ({"tokens": np.array(["a\x07", "b", "c", "d"])}, "token_text", {"position": 1}),
    "a direction override": ({"tokens": np.array(["a", "b", "c", "\u202ed"])}, "token_text", {"position": 4}),
    "half a surrogate pair": ({"tokens": np.array(["a", "b", "c", "\ud800"])}, "token_text", {"position": 4}),
}


@pytest.mark.parametrize(("changes", "code", "values"), BAD_ARRAYS.values(), ids=BAD_ARRAYS)
@pytest.mark.parametrize("compressed", [False, True])
def test_arrays_that_do_not_fit(changes, code, values, compressed):
    found = problem(npz(compressed, **parts(**changes)))
    assert (found.code, found.values) == (code, values)


@pytest.mark.parametrize("name", ["X", "W_Q", "W_K", "W_V"])
@pytest.mark.parametrize(
    ("value", "code"), [(math.nan, "not_finite"), (-math.inf, "not_finite"), (1e31, "too_extreme")]
)
def test_entries_that_no_score_can_be_made_of(name, value, code):
    array = np.ones((4, 6) if name == "X" else (6, 3))
    array[2, 1] = value
    found = problem(npz(**parts(**{name: array})))
    assert (found.code, found.values["name"], found.values["index"]) == (code, name, "[2, 1]")


def test_a_bias_that_is_no_number():
    assert problem(npz(**parts(b_Q=np.array([0, math.nan, 0])))).values == {"name": "b_Q", "index": "[1]"}


def test_a_longer_float_than_64_bits_is_refused():
    if np.dtype(np.longdouble).itemsize > 8:
        assert problem(npz(**parts(X=np.ones((4, 6), np.longdouble)))).code == "dtype"


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("number", [0x110000, 2**32 - 1, 0xDC00])
def test_a_number_that_is_no_character(order, number):
    tokens = np.array([97, 98, number, 99], f"{order}u4").view(f"{order}U1")
    found = problem(npz(**parts(tokens=tokens)))
    assert (found.code, found.values) == ("token_text", {"position": 3})


def test_entries_at_the_limit_give_scores():
    big = {name: np.full(shape, 1e30) for name, shape in (("X", (4, 6)), ("W_Q", (6, 3)), ("W_K", (6, 3)))}
    head = read_head(npz(**parts(**big)))
    for components in (None, 2):
        assert np.isfinite(head_weights(head, "none", components=components)[1]).all()


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


HEADER = "{'descr': '<f8', 'fortran_order': False, 'shape': %s}\n"
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
    """A quarter of a gigabyte of zeros in 256 kB, under a name that counts and under one that does not."""
    zeros = io.BytesIO()
    with zipfile.ZipFile(zeros, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("X.npy", "w") as stream:
        stream.write(raw_npy(HEADER % "(512, 65536)"))
        for _ in range(64):
            stream.write(bytes(2**22))
    data = zeros.getvalue()
    assert len(data) < 3 * 10**5
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


# --- cut off, mutated ---


@pytest.mark.parametrize("compressed", [False, True])
def test_a_file_cut_off_anywhere(compressed):
    data = npz(compressed, **parts())
    for length in range(0, len(data), 7):
        code = "empty" if length == 0 else "not_npz" if length < 4 else "truncated"
        assert problem(data[:length]).code == code


def mutated(data, rng):
    """The bytes with one to four changes, most of them where the structure is: elsewhere they only hit numbers."""
    data = bytearray(data)
    for _ in range(rng.integers(1, 5)):
        marks = [found.start() for found in re.finditer(rb"PK|NUMPY|descr|shape", data)]
        at = rng.integers(len(data)) if rng.random() < 0.3 or not marks else rng.choice(marks) + rng.integers(60)
        at = min(int(at), len(data) - 1)
        action = rng.integers(4)
        if action == 0:
            data[at] = rng.integers(256)
        elif action == 1:
            data[at] ^= 1 << int(rng.integers(8))
        elif action == 2:
            del data[at : at + int(rng.integers(1, 20))]
        else:
            data[at:at] = rng.bytes(int(rng.integers(1, 20)))
    return bytes(data)


def test_2000_mutated_templates():
    """Each gives a head or a HeadProblem, nothing else; every third has a checksum that fits what was changed."""
    rng, codes = np.random.default_rng(0), []
    with np.load(io.BytesIO(TEMPLATE), allow_pickle=False) as stored:
        members, compressed = [(f"{name}.npy", npy(array)) for name, array in stored.items()], npz(True, **stored)
    for number in range(2000):
        if number % 3 < 2:
            data = mutated((TEMPLATE, compressed)[number % 3], rng)
        else:
            at = rng.integers(len(members))
            data = zipped([(name, mutated(of, rng) if at == place else of) for place, (name, of) in enumerate(members)])
        start = time.process_time()
        try:
            assert np.isfinite(head_weights(read_head(data))[1]).all()
            codes.append("read")
        except HeadProblem as found:
            codes.append(found.code)
        assert time.process_time() - start < 1
    assert {"truncated", "damaged", "header", "missing", "bomb", "read"} <= set(codes)


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_any_bytes_behind_an_arrays_name(data):
    assert problem(with_member("X", data)).code in {"header", "damaged", "bomb", "dtype", "shape", "pickled"}


@settings(max_examples=200)
@given(st.text(max_size=120))
def test_any_header(text):
    header = text.encode("utf-8").decode("latin1")
    assert problem(with_member("X", raw_npy(header))).code == "header"


# --- the problems themselves ---


def test_a_problem_can_be_copied_and_sent():
    found = problem(npz(**parts(X=None)))
    for other in (copy.copy(found), pickle.loads(pickle.dumps(found))):
        assert (type(other), other.code, other.values, str(other)) == (
            HeadProblem,
            "missing",
            {"name": "X"},
            str(found),
        )


def test_every_code_has_a_case():
    """Each sentence of PROBLEMS is one that some test here asks for."""
    source = Path(__file__).read_text(encoding="utf-8")
    assert [code for code in PROBLEMS if f'"{code}"' not in source] == []
