"""Frees what ended sessions leave behind, beside the runs and not in them.

An ended session is a knot of objects that refer to one another, with its uploaded files; Python unties such knots by
itself only when very many objects are new, and few large ones are never many. A collection after each run would
cost more than the run; so a thread of its own does it, once a minute and a moment after an upload.
"""

from __future__ import annotations

import gc
import time
from threading import Event, Lock, Thread

EVERY = 60.0  # seconds
PAUSE = 2.0  # seconds from an upload to the collection, in which its run ends and others may follow

_asked, _starting = Event(), Lock()


def start() -> None:
    """Start the thread, once in a process; it ends with the process."""
    with _starting:
        if not _thread.is_alive():
            _thread.start()


def soon() -> None:
    """Ask for a collection in a moment."""
    start()
    _asked.set()


def _collect() -> None:
    while True:
        if _asked.wait(EVERY):
            time.sleep(PAUSE)
            _asked.clear()
        gc.collect()


_thread = Thread(target=_collect, name="collector", daemon=True)
