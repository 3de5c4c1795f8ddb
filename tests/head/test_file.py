"""A head from a stranger's file: what is accepted, and that nothing but a head or a HeadProblem comes of any bytes."""

import copy
import io
import pickle
import re
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core import Head, HeadProblem, head_weights, load_head, read_head
from attention_core.head_files import PROBLEMS
from attention_core.heads import FOLDER, RECORDED, write_template
from tests.head.archives import (
    MEMORY,
    PARTS,
    TEMPLATE,
    npy,
    npz,
    parts,
    problem,
    raw_npy,
    with_member,
    zipped,
)

# --- what is accepted ---


def test_the_template_is_read_exactly():
    head = read_head(TEMPLATE)
    assert write_template() == TEMPLATE
    assert head.tokens == ("The", "cat", "sat", "on", "the", "mat")
    assert (head.X.shape, head.d_k, head.layer) == ((6, 16), 4, None)
    with np.load(io.BytesIO(TEMPLATE), allow_pickle=False) as stored:
        assert set(stored) == {*PARTS, "tokens", "pos_bias", "expected_weights"}
        for name in (*PARTS, "pos_bias"):
            np.testing.assert_array_equal(getattr(head, name), stored[name])
        np.testing.assert_array_equal(head.expected, stored["expected_weights"])


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
    """512 tokens, d_model 4096, d_k 128: 34 MB as float64, and 17 MB of numbers in a much smaller file."""
    shapes = {"X": (512, 4096), "W_Q": (4096, 128), "W_K": (4096, 128), "W_V": (4096, 128)}
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
    """Each sentence of PROBLEMS is one that some test of the files asks for."""
    source = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_file*.py"))
    assert [code for code in PROBLEMS if f'"{code}"' not in source] == []
