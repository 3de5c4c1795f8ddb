"""Uploaded heads of all sessions within one budget of bytes: what is kept, what gives way, what goes."""

import gc
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, replace
from weakref import ref

import numpy as np
import pytest

from attention_core import Head, HeadProblem, get_scaling, load_head
from attention_core.head_kept import KeptHead
from attention_core.heads import FOLDER, read_head_and_names, write_template
from attention_ui import head_results, head_shelf
from attention_ui.head_shelf import BUDGET, OwnHead, Shelf, read
from tests.head.archives import npz, parts

OWN = read(write_template())


def another() -> OwnHead:
    return replace(OWN)


def large(n: int = 512, d_k: int = 64) -> OwnHead:
    """As large as its n and d_k make it, without the work of reading a file."""
    square, rows = np.zeros((n, n)), np.zeros((n, d_k))
    biases = np.zeros(n), np.zeros(n)
    kept = KeptHead(("a",) * n, 4096, rows, rows.copy(), (rows.copy(), rows.copy()), np.zeros(d_k), biases, square)
    return replace(OWN, kept=kept)


def test_the_budget_is_one_for_all_and_the_one_not_looked_at_gives_way() -> None:
    shelf = Shelf(budget=3 * OWN.nbytes)
    tickets = [shelf.put(another()) for _ in range(3)]
    assert shelf.get(tickets[0]) is not None
    tickets.append(shelf.put(another()))
    assert [shelf.get(ticket) is not None for ticket in tickets] == [True, False, True, True]
    assert shelf.nbytes == shelf.budget
    last = shelf.put(large(16))
    assert shelf.nbytes <= shelf.budget or shelf.get(last) is not None


def test_one_head_is_always_taken() -> None:
    shelf = Shelf(budget=1)
    ticket = shelf.put(another())
    assert shelf.get(ticket) is not None


def test_a_head_goes_with_its_ticket() -> None:
    shelf, own = Shelf(), another()
    there = ref(own)
    ticket = shelf.put(own)
    del own
    assert there() is not None
    del ticket
    gc.collect()
    assert (there(), shelf.nbytes) == (None, 0)


def test_the_largest_head_that_a_file_may_hold_fits_many_times() -> None:
    assert large(512, 512).nbytes < BUDGET / 8


@pytest.mark.parametrize("n", [4, 16, 100, 512])
def test_the_results_of_a_head_stay_within_what_is_counted(n: int) -> None:
    kept, rule = large(n, 2).kept, get_scaling("sqrt")
    held = [head_results.weights(kept, rule, float(t), None) for t in range(1, 20)]
    watched = [ref(each) for each in held]
    del held
    gc.collect()
    alive = [there() for there in watched if there() is not None]
    assert alive
    assert sum(each.nbytes for each in alive) + head_results.SMALL_BYTES <= head_results.most_bytes(kept)


def test_hidden_states_and_weights_are_let_go() -> None:
    """A wide head: X, W_Q and W_K are 12 MB, what stays is a few kB, and no more than the arrays are held at once."""
    data = npz(True, **parts(n=16, d_model=4096, d_k=180, W_V=np.ones((4096, 4))))
    read(data)  # what is loaded once is no part of it
    gc.collect()
    tracemalloc.start()
    try:
        own = read(data)
        gc.collect()
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert own.unused == ("W_V",)
    assert own.kept.nbytes < 100_000
    assert held < 300_000
    assert peak < 80 * 10**6


def test_what_is_kept_of_a_recorded_file_is_as_the_recorded_head() -> None:
    own, recorded = read((FOLDER / "minilm_L0H2.npz").read_bytes()), load_head("L0H2")
    assert own.agreement is not None
    assert (own.agreement.rule, own.agreement.decimals) == ("sqrt", 5)
    assert astuple(own.fresh) == pytest.approx(astuple(head_results.fresh(recorded)), rel=1e-9)
    assert set(own.unused) >= {"W_V", "b_V", "X_wide"}
    rule = get_scaling("sqrt")
    found = [astuple(head_results.figures(head, rule, 1.0, 3)) for head in (own.kept, recorded)]
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_files_are_read_one_at_a_time_and_a_bad_one_leaves_the_way_free(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most = [], []

    def watched(data: bytes) -> tuple[Head, tuple[str, ...]]:
        inside.append(1)
        most.append(len(inside))
        try:
            return read_head_and_names(data)
        finally:
            inside.pop()

    def found(data: bytes) -> str:
        try:
            return read(data).kept.tokens[0]
        except HeadProblem as problem:
            return problem.code

    monkeypatch.setattr(head_shelf, "read_head_and_names", watched)
    with ThreadPoolExecutor(8) as sessions:
        results = list(sessions.map(found, [write_template(), b"hello"] * 8))
    assert results == ["The", "not_npz"] * 8
    assert set(most) == {1}
