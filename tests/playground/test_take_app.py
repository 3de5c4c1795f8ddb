"""Take it with you by AppTest: the whole experiment in the address, files brought back after a look, undone as one."""

import html as markup
import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_ui.address import VIEWS, Settings, completed
from attention_ui.exchange import csv_file, json_file, link, npz_file, tables
from attention_ui.exchange.carried import Carried
from attention_ui.experiment import with_values
from attention_ui.text import words_of
from tests import sessions
from tests.playground.exchange_cases import too_long
from tests.sessions import settled

WORDS = words_of("en")


def lab(**query: str) -> AppTest:
    return sessions.visit("", **query)


def html(app: AppTest) -> str:
    """The page's text in HTML, with quotes and signs as they are read."""
    return markup.unescape(sessions.html(app))


def told(app: AppTest, language: str, code: str) -> bool:
    """True when the sentence of that code stands on the page, with something in each of its places."""
    pieces = re.split(r"\{\w+\}", words_of(language)(f"exchange.{code}"))
    return bool(re.search(".+?".join(map(re.escape, pieces)), html(app)))


def opened(app: AppTest) -> AppTest:
    app.session_state["take"] = app.session_state["take_open"] = True
    return settled(app.run())


def tab(app: AppTest, name: str) -> AppTest:
    app.session_state["take_tab"] = app.session_state["take_first"] = name
    return opened(app)


def edited(app: AppTest, **settings: object) -> Carried:
    """Another experiment than the app's, with other settings."""
    now = app.session_state["experiment"]
    X = now.matrices["X"].copy()
    X[0, 0] = 0.1 + 0.2
    X[2, 3] = -0.0
    return Carried(with_values(now, {"X": X}, {}), replace(app.session_state["settings"], **settings))


def bring(app: AppTest, name: str, data: bytes) -> AppTest:
    uploader = app.file_uploader(key=f"take_file_{app.session_state['files']}")
    return settled(uploader.upload(name, data, "application/octet-stream").run())


def same(app: AppTest, carried: Carried) -> bool:
    now = app.session_state["experiment"]
    bits = all(now.matrices[name].tobytes() == matrix.tobytes() for name, matrix in carried.experiment.matrices.items())
    return bits and replace(app.session_state["settings"], lang=None) == replace(carried.settings, lang=None)


def test_an_address_opens_the_whole_experiment_to_the_last_bit() -> None:
    carried = edited(lab(example="random_8"), d="256", row=3, causal=True, rule="qknorm", param=4.0, decimals=5)
    app = lab(lang="zh", x=link.write(carried))
    assert same(app, carried)
    assert app.session_state["settings"].lang == "zh"
    assert 'role="alert"' not in html(app)


BAD_LINKS = {
    "link_empty": "", "link_truncated": "1.abc", "link_alphabet": "1.$$$$$$$$$$$", "newer": "2.AAAAAAAAAAAA",
    "link_longer": "x" * 9000, "link_version": "hello",
}  # fmt: skip


@pytest.mark.parametrize(("code", "language"), sessions.in_turn(BAD_LINKS))
def test_a_bad_link_is_told_and_the_example_stands(code: str, language: str) -> None:
    app = lab(x=BAD_LINKS[code], lang=language, d="64")
    assert told(app, language, code)
    assert app.session_state["experiment"].example == "love"
    assert app.session_state["settings"].d == "64"


def test_what_no_address_holds_is_told_wherever_one_is_offered() -> None:
    """Any address that stood there would open another experiment."""
    app = tab(lab(lang="zh"), "embed")
    offered = ["iframe" in each.proto.json for each in app.get("bidi_component")]
    app.session_state["experiment"] = too_long()
    settled(app.run())
    assert told(app, "zh", "link_too_long")
    assert (any(offered), any("iframe" in each.proto.json for each in app.get("bidi_component"))) == (True, False)
    app.session_state["view"] = "weights"
    settled(app.run())
    assert told(app, "zh", "link_too_long")
    assert not app.get("link_button")


def test_a_choice_stays_when_the_language_changes() -> None:
    app = tab(lab(), "embed")
    settled(app.radio(key="take_view").set_value("curve").run())
    tab(app, "files")
    settled(app.selectbox(key="take_table").set_value("scores").run())
    for language in ("zh", "en"):
        settled(app.button_group(key="lang").set_value(language).run())
        assert app.selectbox(key="take_table").value == "scores"
    tab(app, "embed")
    assert app.radio(key="take_view").value == "curve"


def test_the_section_makes_nothing_before_it_is_opened() -> None:
    app = lab()
    assert not app.get("download_button")
    tab(app, "files")
    assert len(app.get("download_button")) == 5


@pytest.mark.parametrize("write", [json_file.write, npz_file.write], ids=["json", "npz"])
def test_a_file_changes_nothing_before_it_is_taken_and_is_undone_as_one(write: object) -> None:
    app = tab(lab(d="64"), "bring")
    before = Carried(app.session_state["experiment"], app.session_state["settings"])
    carried = edited(app, d="1024", scale=False, seed=5)
    name = "experiment.json" if write is json_file.write else "experiment.npz"
    bring(app, name, write(carried))
    assert same(app, before)
    shown = html(app)
    assert WORDS("take.bring.cells", name="X", cells=2, all=12) in shown
    assert WORDS("take.bring.setting", name="d", old="64", new="1024") in shown
    settled(app.button(key="take_over").click().run())
    assert same(app, carried)
    settled(app.button(key="undo").click().run())
    assert same(app, before)


def test_a_file_that_is_left_changes_nothing_and_its_look_goes() -> None:
    app = tab(lab(), "bring")
    before = Carried(app.session_state["experiment"], app.session_state["settings"])
    bring(app, "a.json", json_file.write(edited(app)))
    settled(app.button(key="take_leave").click().run())
    assert same(app, before)
    assert WORDS("take.bring.would") not in html(app)
    bring(app, "a.npz", npz_file.write(before))
    assert WORDS("take.bring.nothing") in html(app)


def test_a_table_becomes_the_matrix_it_names_the_first_of_its_shape_or_the_chosen_one() -> None:
    app = tab(lab(), "bring")
    data = csv_file.write(tables.table(edited(app), "W_K"), "W_K").replace(b"0.0", b"7.5")
    bring(app, "table.csv", data)
    assert app.selectbox(key="take_matrix_0").value == "W_K"
    settled(app.button(key="take_over").click().run())
    assert np.count_nonzero(app.session_state["experiment"].matrices["W_K"] == 7.5) > 0
    bring(app, "table.csv", data.replace(b"W_K", b"", 1))
    assert app.selectbox(key="take_matrix_1").value == "W_Q"
    settled(app.selectbox(key="take_matrix_1").set_value("X").run())
    assert WORDS("exchange.csv_shape", name="X", shape="4 × 3", expected="3 × 4") in html(app)


BAD_FILES = {
    "empty": ("a.json", b""), "json_truncated": ("a.json", b"{"), "npz_truncated": ("a.npz", b"PK\x03\x04"),
    "csv_ragged": ("a.csv", b"1;2\n3"), "csv_workbook": ("a.csv", b"PK\x03\x04xlsx"),
    "csv_not_finite": ("a.CSV", b"1,nan"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "language"), sessions.in_turn(BAD_FILES))
def test_a_bad_file_is_told_and_what_was_there_stays(code: str, language: str) -> None:
    app = tab(lab(lang=language, d="512"), "bring")
    bring(app, *BAD_FILES[code])
    words = words_of(language)
    assert told(app, language, code)
    assert words("take.bring.stays") in html(app)
    assert app.session_state["settings"].d == "512"
    assert not app.session_state["history"]


def test_reset_all_shows_everything_as_it_was_at_first() -> None:
    app = lab(example="arrows", d="64", rule="power", param="0.25", scale="off", causal="on", seed="3", decimals="1")
    settled(app.button(key="reset_all").click().run())
    assert app.session_state["settings"] == completed(Settings(), "en", 3)
    shown = app.selectbox(key="example").value, app.select_slider(key="d").value, app.toggle(key="scale").value
    assert shown == ("love", "typed", True)
    assert (app.radio(key="rule").value, app.slider(key="decimals").value) == ("sqrt", 3)


def test_the_code_is_that_of_the_experiment() -> None:
    app = tab(lab(example="scores_285", d="64", scale="off"), "code")
    assert "scores_285" not in app.code[0].value
    assert "tokens = ['a', 'b', 'c']" in app.code[0].value
    settled(app.radio(key="take_library").set_value("torch").run())
    assert "import torch" in app.code[0].value


@pytest.mark.parametrize("view", VIEWS)
def test_an_embedded_page_shows_one_figure_and_the_way_to_all(view: str) -> None:
    app = lab(view=view, d="64", stage="weights")
    assert len(app.get("vega_lite_chart")) == (2 if view == "weights" else 1)
    assert not app.get("file_uploader")
    assert app.get("link_button")[0].proto.label == WORDS("take.embed.whole")


def test_an_unknown_view_is_told_and_the_whole_page_shown() -> None:
    app = lab(view="everything")
    assert "everything" in html(app)
    assert len(app.get("vega_lite_chart")) > 2


def test_an_embedded_figure_says_that_its_link_is_cut_off() -> None:
    app = lab(view="weights", x="1.abcdefghijk")
    assert WORDS("address.link_lead") in html(app)
    assert WORDS("address.link_lead") not in html(lab(view="weights", d="64"))
