"""Uploaded heads of all sessions, kept within one budget of bytes.

A session holds a ticket, and the head behind it stays here: until the session ends, or until newer heads need the
room and this one was looked at the longest ago. Counted are a head and all that may be computed from it.
"""

from __future__ import annotations

from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from threading import Lock
from weakref import finalize

from attention_core.head_agreement import Agreement, best_agreement
from attention_core.head_kept import KeptHead
from attention_core.heads import read_head_and_names
from attention_ui import head_results
from attention_ui.head_results import HeadFigures

BUDGET = 128 * 2**20  # bytes
USED = {"X", "W_Q", "W_K", "b_Q", "b_K", "tokens", "pos_bias", "expected_weights"}  # no figure shows V


@dataclass(frozen=True, eq=False)
class OwnHead:
    """What is kept of a file: the head without hidden states and weights, the figures of fresh weights on its hidden
    states, how its weights agree with those that the file expects (None when it expects none), and the names of
    arrays that no figure uses."""

    kept: KeptHead
    fresh: HeadFigures
    agreement: Agreement | None
    unused: tuple[str, ...]

    @property
    def nbytes(self) -> int:
        """Bytes of the head and of all results that are kept with it."""
        return self.kept.nbytes + head_results.most_bytes(self.kept)


class Ticket:
    """What a session holds in place of its head; when nobody holds it any more, the head goes."""

    def __init__(self, number: Hashable) -> None:
        self.number = number


class Shelf:
    """Heads within `budget` bytes, the one looked at last at the end."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self._heads: dict[Hashable, OwnHead] = {}
        self._numbers = count()
        self._lock = Lock()

    def put(self, own: OwnHead) -> Ticket:
        """A ticket for the head; those looked at the longest ago give way to it."""
        ticket = Ticket(next(self._numbers))
        finalize(ticket, self._heads.pop, ticket.number, None)  # without the lock: it may come at any moment
        with self._lock:
            self._heads[ticket.number] = own
            for number in list(self._heads)[:-1]:
                if self.nbytes <= self.budget:
                    break
                self._heads.pop(number, None)
        return ticket

    def get(self, ticket: Ticket) -> OwnHead | None:
        """The head behind a ticket, None when it has given way."""
        with self._lock:
            own = self._heads.pop(ticket.number, None)
            if own is not None:
                self._heads[ticket.number] = own
            return own

    @property
    def nbytes(self) -> int:
        """Bytes of all heads and of what may be computed from them."""
        return sum(own.nbytes for own in list(self._heads.values()))


SHELF = Shelf()
# One file at a time, always in the same thread: each thread that reads would keep the room of large arrays to itself.
_reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="heads")


def read(data: bytes) -> OwnHead:
    """What is kept of the bytes of an .npz file; many at once need no more memory than one.

    Errors: HeadProblem.
    """
    return _reader.submit(_read, data).result()


def _read(data: bytes) -> OwnHead:
    head, names = read_head_and_names(data)
    unused = tuple(name for name in names if name not in USED)
    agreement = None if head.expected is None else best_agreement(head)
    return OwnHead(KeptHead.of(head), head_results.fresh(head), agreement, unused)
