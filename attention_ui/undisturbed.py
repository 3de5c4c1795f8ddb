"""The session is read and written without another run cutting in.

While a run of the whole script waits, Streamlit ends the present one at the next place that allows it, and counts every
access of st.session_state among these places. A callback would be left with half of what it changes, or lose the click
before its first change: the interruption is taken for a st.rerun() of its own. A session could start half filled.
Drawing is still cut off, at the next element.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime.state.safe_session_state import SafeSessionState


def settle() -> None:
    """From now on the session's accesses, and the start of a run's callbacks, do not make way."""
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


NAMES = {
    _get: "__getitem__",
    _set: "__setitem__",
    _delete: "__delitem__",
    _has: "__contains__",
    _call_callbacks: "on_script_will_rerun",
}
