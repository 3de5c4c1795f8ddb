"""What the browser says was picked or uploaded is taken only where a page could have sent it, and else left quietly."""

from typing import Any

import pytest
import streamlit as st
from streamlit.elements.vega_charts import VegaLiteStateSerde
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec

from attention_ui import arrived, edits, matrix_editor, own_head, state
from attention_ui.experiment import from_example
from attention_ui.lessons.figures import SHOWN
from attention_ui.panels import board, head_picture, head_upload, lesson, take_files

HUGE = 10**400
POINTS: list[Any] = [
    None, 7, "word", True, {}, [], [None], [[]], ["i"], [{}], [{"i": None}], [{"i": "1"}], [{"i": True}],
    [{"i": 1.0}], [{"i": float("nan")}], [{"i": float("inf")}], [{"i": -1}], [{"i": 3}], [{"i": HUGE}], [{"i": -HUGE}],
    [{"i": [1]}], [{"i": {}}], [{"j": 1}], {"i": 1}, [{"i": 1}, None],
]  # fmt: skip
STATES: list[Any] = [None, 7, "x", [], {}, {"selection": None}, {"selection": []}, {"selection": {"other": [{"i": 1}]}}]


class Session(dict[str, Any]):
    """A session's state, with names as attributes too."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session of one's own in place of Streamlit's."""
    made = Session(choices=0, cell=None)
    monkeypatch.setattr(st, "session_state", made)
    return made


class Scene:
    """A playground with scores of 3 queries and 3 keys."""

    force = "with"

    def trace(self, _: str) -> Any:
        return type("Trace", (), {"scores": type("Matrix", (), {"shape": (3, 3)})})


def selected(points: object) -> dict[str, object]:
    return {"selection": {"word": points, "cell": points}}


@pytest.mark.parametrize("raw", [*STATES, *map(selected, POINTS)], ids=repr)
def test_a_selection_that_no_page_sends_is_none(session: Session, raw: object) -> None:
    session["chart"] = raw
    assert arrived.picked("chart", "word", i=range(3)) is None


def test_the_last_point_of_a_selection() -> None:
    st.session_state.clear()
    sent = '{"selection": {"word": [{"i": 0, "choices": 4}, {"i": 2, "j": -1}]}}'
    st.session_state["chart"] = VegaLiteStateSerde(["word"]).deserialize(sent)
    assert arrived.picked("chart", "word", i=range(3)) == (2,)
    assert arrived.picked("chart", "word", i=range(3), j=range(-1, 2)) == (2, -1)
    assert arrived.picked("chart", "word", i=range(3), j=range(2)) is None
    assert arrived.picked("none", "word", i=range(3)) is None
    st.session_state.clear()


@pytest.mark.parametrize("raw", [*STATES, *map(selected, POINTS)], ids=repr)
def test_charts_leave_a_selection_that_no_page_sends(session: Session, monkeypatch: Any, raw: object) -> None:
    """A word of the head's sentence with 3 tokens, and a cell of a matrix with 3 rows."""

    def put(*_: object) -> None:
        pytest.fail("it was taken")

    monkeypatch.setattr(state, "scene", Scene)
    monkeypatch.setattr(state, "put", put)
    session |= {"graph_chart": raw, "cell_scores": raw}
    head_picture._pick(3)
    board.choose("scores")
    assert (session["choices"], session["cell"]) == (0, None)


@pytest.mark.parametrize("key", own_head.FIELDS)
def test_a_file_that_the_session_does_not_have_changes_nothing(session: Session, monkeypatch: Any, key: str) -> None:
    def taken(*_: object) -> None:
        pytest.fail("it was taken")

    monkeypatch.setattr(own_head, "take", taken)
    monkeypatch.setattr(own_head, "drop", taken)
    session |= {key: DeletedFile("../../etc/passwd"), "brought": "before"}
    assert arrived.is_stray(key)
    head_upload._take(key)
    take_files._read(key)
    assert session["brought"] == "before"


def test_a_file_that_the_session_has(session: Session) -> None:
    file = UploadedFile(UploadedFileRec("1", "head.npz", "", b"x"), FileURLs())
    session |= {"field": file, "empty": None}
    assert (arrived.uploaded("field"), arrived.is_stray("field")) == (file, False)
    assert (arrived.uploaded("empty"), arrived.is_stray("empty")) == (None, False)


@pytest.mark.parametrize("raw", [None, 7, True, [], ["X"], {}, {"X": 1}, float("nan"), HUGE, "nothing", *SHOWN])
def test_only_a_stage_of_a_lessons_figure_opens(session: Session, raw: object) -> None:
    lesson._open(raw)
    assert session.get("wanted_stage") == (raw if isinstance(raw, str) and raw in SHOWN else None)


@pytest.mark.parametrize("raw", [7, [], {}, "x", {"edit": HUGE}, {"edit": "1"}, {"edit": [1]}, {"n": HUGE}])
def test_a_message_of_the_editor_that_no_page_sends(session: Session, raw: object) -> None:
    session |= {"editor": {"draft": raw}, "revision": 3, "draft_problem": False, "experiment": from_example("love")}
    assert matrix_editor.waiting_draft("editor") == raw
    assert not edits.take_draft(raw)
    edits.take_command(raw)
    assert session["draft_problem"]


def test_a_cell_and_a_word_that_were_clicked(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same reading takes what a page does send; −1 is the ellipsis of a wide matrix, which closes."""
    monkeypatch.setattr(state, "scene", Scene)
    put: dict[str, object] = {}
    monkeypatch.setattr(state, "put", put.__setitem__)
    session |= {"graph_chart": selected([{"i": 2, "choices": 0}]), "cell_scores": selected([{"i": 2, "j": 0}])}
    head_picture._pick(3)
    board.choose("scores")
    assert (put, session["cell"], session["choices"]) == ({"head_token": 2}, ("scores", 2, 0), 2)
    session["cell_scores"] = selected([{"i": 0, "j": -1}])
    board.choose("scores")
    assert session["cell"] is None
