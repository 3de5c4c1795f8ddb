"""No run cuts in while the session is read or written, or drops what another has drawn."""

from collections.abc import Callable
from typing import NoReturn

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.state import SafeSessionState, SessionState

from attention_ui import undisturbed


class CutOffError(Exception):
    """What Streamlit does to a run while another one waits."""


def cut_off() -> NoReturn:
    raise CutOffError


ACCESSES: dict[str, Callable[[SafeSessionState], object]] = {
    "read": lambda session: session["lesson"],
    "read an attribute": lambda session: session.lesson,
    "write": lambda session: session.__setitem__("lesson", 12),
    "write an attribute": lambda session: setattr(session, "lesson", 12),
    "look": lambda session: "lesson" in session,
    "delete": lambda session: session.__delitem__("lesson"),
    "call back": lambda session: session.on_script_will_rerun(None),
}


def session_with_a_waiting_run() -> SafeSessionState:
    state = SessionState()
    state["lesson"] = 5
    return SafeSessionState(state, cut_off)


@pytest.mark.parametrize("access", ACCESSES.values(), ids=ACCESSES)
def test_no_access_makes_way_to_a_waiting_run(access: Callable[[SafeSessionState], object]) -> None:
    undisturbed.settle()
    access(session_with_a_waiting_run())


def test_what_an_access_does_stays() -> None:
    undisturbed.settle()
    session = session_with_a_waiting_run()
    assert session["lesson"] == 5
    session["lesson"] = 12
    assert session.lesson == 12
    del session["lesson"]
    assert "lesson" not in session
    with pytest.raises(KeyError):
        session["lesson"]


def test_a_run_still_makes_way_where_it_draws() -> None:
    """Otherwise a setting changed in the middle of a long run would have to wait for its end."""
    undisturbed.settle()
    with pytest.raises(CutOffError):
        session_with_a_waiting_run().register_widget(None, None)


def drawn(text: str) -> ForwardMsg:
    """A text at the first place of the page."""
    message = ForwardMsg()
    message.metadata.delta_path[:] = [0, 0]
    message.delta.fragment_id = "outer"
    message.delta.new_element.text.body = text
    return message


@pytest.mark.parametrize(
    ("fragments", "sent"),
    [(["outer"], ["old", "new"]), (["other"], ["old", "new"]), (None, ["new"])],
    ids=["the same", "others", "the whole script"],
)
def test_a_run_of_fragments_leaves_what_waits_to_be_sent(fragments: list[str] | None, sent: list[str]) -> None:
    """And stands behind it. A run of the whole script draws all of it again, and so may drop it."""
    undisturbed.settle()
    queue = ForwardMsgQueue()
    queue.enqueue(drawn("old"))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=fragments)
    queue.enqueue(drawn("new"))
    assert [message.delta.new_element.text.body for message in queue.flush()] == sent
    assert queue.is_empty()
