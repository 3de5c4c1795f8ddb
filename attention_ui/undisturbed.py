"""What runs do to one another: none cuts into another's reads and writes of the session, none drops what another drew.

While a run of the whole script waits, Streamlit ends the present one at the next place that allows it, and counts every
access of st.session_state among these places. A callback would be left with half of what it changes, or lose the click
before its first change: the interruption is taken for a st.rerun() of its own. A session could start half filled.
Drawing is still cut off, at the next element.

When a run of fragments begins, Streamlit drops what still waits to be sent of these fragments, as they will be drawn
again. But a callback may narrow the run to parts of them; the parts then came without what they stand in, and at such
a message the browser stops for good.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.state.safe_session_state import SafeSessionState

_CLEAR = ForwardMsgQueue.clear


def settle() -> None:
    """From now on the session's accesses, and the start of a run's callbacks, do not make way, and all that waits to be
    sent is sent."""
    setattr(ForwardMsgQueue, "clear", _clear_for_whole_runs)  # noqa: B010  (a method, to the type checker)
    for change in (_get, _set, _delete, _has, _call_callbacks):
        setattr(SafeSessionState, NAMES[change], change)


def _get(self: SafeSessionState, key: str) -> Any:
    with self._lock:
        return self._state[key]


def _set(self: SafeSessionState, key: str, value: Any) -> None:
    with self._lock:
        self._state[key] = value


def _delete(self: SafeSessionState, key: str) -> None:
    with self._lock:
        del self._state[key]


def _has(self: SafeSessionState, key: str) -> bool:
    with self._lock:
        return key in self._state


def _call_callbacks(self: SafeSessionState, *states: Any, **options: Any) -> None:
    with self._lock:
        self._state.on_script_will_rerun(*states, **options)


def _clear_for_whole_runs(
    self: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    if fragment_ids_this_run:
        self._delta_index_map = {}  # what comes now stands behind what waits, not in its place
    else:
        _CLEAR(self, retain_lifecycle_msgs, fragment_ids_this_run)


NAMES = {
    _get: "__getitem__",
    _set: "__setitem__",
    _delete: "__delitem__",
    _has: "__contains__",
    _call_callbacks: "on_script_will_rerun",
}
