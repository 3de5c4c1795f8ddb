"""Take it with you in a real browser: a link with edited matrices, every file out and in again, copies and pictures."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from attention_ui.address import Settings
from attention_ui.exchange import csv_file, json_file, link, npz_file
from attention_ui.exchange.carried import Carried
from attention_ui.experiment import from_example, with_values
from attention_ui.numbers import fixed
from attention_ui.text import words_of
from tests.browser.hands import press

READY = ".st-key-growth_largest svg.marks"
WORDS = words_of("en")


def edited() -> Carried:
    """“I love AI” at d = 64 with a number that no short text holds."""
    love = from_example("love")
    X = love.matrices["X"].copy()
    X[0] = [1 / 3, -2.5, 0.0, 1.0]
    return Carried(with_values(love, {"X": X}, {}), replace(Settings(), d="64", how="independent", row=0, scale=False))


def weights(page: Page) -> list[str]:
    texts = page.locator(".st-key-weights_without svg.marks .role-mark.mark-text text").all_text_contents()
    return sorted(text for text in texts if re.fullmatch(r"\d\.\d+", text))


def expected(carried: Carried) -> list[str]:
    return sorted(fixed(float(value), 3) for value in carried.trace().weights.ravel())


def open_tab(page: Page, name: str) -> None:
    if not page.locator(".st-key-take [role=tab]").count():
        page.locator(".st-key-take summary").click()
    press(page.locator(".st-key-take").get_by_role("tab", name=WORDS(f"take.tabs.{name}"), exact=True))


def save(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as waiting:
        page.locator(button).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def bring(page: Page, path: Path) -> None:
    """Upload a file; a click while the field of files still changes its height could miss what it aims at."""
    open_tab(page, "bring")
    page.locator(".st-key-take input[type=file]").set_input_files(path)
    expect(page.get_by_text(path.name)).to_be_visible()
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()


def test_a_link_and_every_file_bring_the_same_weights_back(visit: Callable[..., Page], tmp_path: Path) -> None:
    carried = edited()
    page = visit(f"?x={link.write(carried)}", READY)
    assert weights(page) == expected(carried)
    expect(page).to_have_url(re.compile(r"\?lang=en&x=1\."))
    open_tab(page, "files")
    files = {kind: save(page, f".st-key-save_experiment_{kind} button", tmp_path) for kind in ("json", "npz")}
    table = save(page, ".st-key-save_X_csv button", tmp_path)
    assert json_file.read(files["json"].read_bytes()).experiment == carried.experiment
    np.testing.assert_array_equal(np.load(files["npz"])["weights"], carried.trace().weights)
    assert npz_file.read(files["npz"].read_bytes()).experiment == carried.experiment
    assert csv_file.read(table.read_bytes()).matrix.tobytes() == carried.experiment.matrices["X"].tobytes()

    fresh = visit("?d=64&scale=off", READY)
    plain = weights(fresh)
    assert plain != expected(carried)
    for path in (*files.values(), table):
        bring(fresh, path)
        press(fresh.locator(".st-key-take_over button"))
        expect(fresh.locator(".st-key-weights_without svg.marks")).to_contain_text(expected(carried)[4])
        assert weights(fresh) == expected(carried)
        expect(fresh).to_have_url(re.compile(r"\?lang=en&x=1\."))
        fresh.locator(".st-key-undo button").first.click()
        expect(fresh).to_have_url(re.compile(r"\?lang=en&scale=off&d=64$"))
        expect(fresh.locator(".st-key-weights_without svg.marks")).not_to_contain_text(expected(carried)[4])
        assert weights(fresh) == plain


def test_the_link_is_copied_and_follows_what_changes(visit: Callable[..., Page]) -> None:
    page = visit("?stage=weights", READY, permissions=["clipboard-read", "clipboard-write"])
    open_tab(page, "link")
    field = page.locator(".st-key-copy_link input")
    expect(field).to_have_value(re.compile(r"/\?lang=en&stage=weights$"))
    page.locator(".st-key-scale label").first.click()
    expect(field).to_have_value(re.compile(r"/\?lang=en&scale=off&stage=weights$"))
    page.locator(".st-key-copy_link button").click()
    expect(page.locator(".st-key-copy_link .told")).to_have_text(WORDS("take.link.copied"))
    assert page.evaluate("navigator.clipboard.readText()") == field.input_value()
    _copy_again(page)
    page.locator(".st-key-next button").click()
    expect(field).to_have_value(re.compile(r"/\?lang=en&scale=off&stage=output$"))
    expect(page).to_have_url(field.input_value())
    cell = page.locator("[data-matrix=X] input").first
    cell.fill("0.5")
    cell.press("Enter")
    expect(field).to_have_value(re.compile(r"/\?lang=en&x=1\.[\w-]+$"))
    value = field.input_value().partition("x=")[2]
    assert link.read(value).experiment.matrices["X"][0, 0] == 0.5


def _copy_again(page: Page) -> None:
    """The words of the second click are not taken away by the first one's timer."""
    told = page.locator(".st-key-copy_link .told")
    first = told.evaluate("told => told.clearing")
    page.evaluate("window.cleared = []; clearTimeout = (own => id => (window.cleared.push(id), own(id)))(clearTimeout)")
    page.locator(".st-key-copy_link button").click()
    page.wait_for_function("first => window.cleared.includes(first)", arg=first)
    assert told.evaluate("told => told.clearing") != first
    expect(told).to_have_text(WORDS("take.link.copied"))


def test_a_bad_file_keeps_the_page_and_an_edited_cell_survives_a_reload(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit("?lang=en", READY)
    cell = page.locator("[data-matrix=X] input").first
    cell.fill("0.25")
    cell.press("Enter")
    expect(page).to_have_url(re.compile(r"x=1\."))
    shown = weights(page)
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "attention-lab experiment", "version": 99}')
    bring(page, bad)
    expect(page.get_by_role("alert")).to_contain_text(WORDS("exchange.newer", version=99, known=1))
    assert weights(page) == shown
    page.reload()
    expect(page.locator("[data-matrix=X] input").first).to_have_value("0.25")
    expect(page.locator(READY)).to_be_visible()


def _save_picture(page: Page, kind: str, folder: Path) -> bytes:
    button = page.locator(".st-key-save_picture").get_by_role("button", name=WORDS(f"take.pictures.{kind}"))
    with page.expect_download() as waiting:
        button.click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.name == f"without.{kind}"
    return path.read_bytes()


def test_a_chart_is_saved_as_a_picture_with_title_and_settings(visit: Callable[..., Page], tmp_path: Path) -> None:
    page = visit("?d=64", READY, color_scheme="dark")
    open_tab(page, "pictures")
    png = _save_picture(page, "png", tmp_path)
    assert png.startswith(b"\x89PNG")
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert width > 1000
    assert height > 500
    drawing = ElementTree.fromstring(_save_picture(page, "svg", tmp_path).decode())
    labels = [each for each in drawing.iter("{http://www.w3.org/2000/svg}text") if each.text in ("I", "love", "AI")]
    assert {each.get("fill") for each in labels} == {"#1c2430"}  # ink, though the page is dark
    text = " ".join(drawing.itertext())
    assert f"{WORDS('take.pictures.weights')}: {WORDS('rules.none.with')}" in text
    assert "d = 64" in text
    assert all(number in text for number in weights(page))


def test_another_language_keeps_the_preview_open(visit: Callable[..., Page], tmp_path: Path) -> None:
    page = visit("?lang=en", READY)
    path = tmp_path / "experiment.json"
    path.write_bytes(json_file.write(edited()))
    bring(page, path)
    expect(page.get_by_text(WORDS("take.bring.would"))).to_be_visible()
    page.locator(".st-key-lang button").nth(1).click()
    zh = words_of("zh")
    expect(page.get_by_text(zh("take.bring.would"))).to_be_visible()
    change = {"name": zh("take.settings.scale"), "old": zh("take.values.on"), "new": zh("take.values.off")}
    expect(page.get_by_text(zh("take.bring.setting", **change))).to_be_visible()
    press(page.locator(".st-key-take_over button"))
    expect(page.get_by_text(zh("take.bring.taken"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?lang=zh&x=1\."))


def test_the_embedded_code_shows_the_figure_alone(visit: Callable[..., Page]) -> None:
    page = visit("?d=256", READY)
    open_tab(page, "embed")
    code = page.locator(".st-key-copy_embed textarea").input_value()
    address = re.search('src="(.*?)"', code)[1].replace("&amp;", "&")
    alone = visit(address.partition("/?")[2] and "?" + address.partition("/?")[2], ".st-key-weights_with svg.marks")
    expect(alone.locator("svg.marks")).to_have_count(2)
    expect(alone.locator("header")).not_to_be_visible()
    assert alone.locator("[data-testid=stMain]").evaluate("main => main.scrollWidth <= main.clientWidth")


def test_a_phone_reaches_every_part(visit: Callable[..., Page]) -> None:
    page = visit("?lang=en", READY, viewport={"width": 390, "height": 844})
    for name in WORDS.section("take.tabs"):
        open_tab(page, name)
        assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollWidth <= main.clientWidth"), name


LABS = {
    "saturation": ("[class*='st-key-board_'] svg.marks", 3),
    "head": (".st-key-spectrum svg.marks", 3),
}


@pytest.mark.parametrize("lab", LABS)
def test_every_chart_of_a_lab_is_saved_with_its_settings(lab: str, visit: Callable[..., Page], tmp_path: Path) -> None:
    ready, count = LABS[lab]
    page = visit(f"{lab}?lang=zh", ready, color_scheme="dark")
    page.locator(f".st-key-pictures_{lab} summary").click()
    saver = page.locator(f".st-key-save_{lab}")
    expect(saver.locator("option")).to_have_count(count)
    for place in range(count):
        saver.locator("select").select_option(str(place))
        with page.expect_download() as waiting:
            saver.get_by_role("button").first.click()
        path = tmp_path / f"{place}.svg"
        waiting.value.save_as(path)
        text = " ".join(ElementTree.fromstring(path.read_text(encoding="utf-8")).itertext())
        assert saver.locator("option").nth(place).inner_text() in text
        assert "scale = on" in text or "seed = 0" in text


def test_every_press_opens_its_tab(visit: Callable[..., Page]) -> None:
    page = visit("?lang=en", READY)
    for name in ("files", "bring", "code", "link", "files", "link"):
        open_tab(page, name)
        tab = page.locator(".st-key-take").get_by_role("tab", name=WORDS(f"take.tabs.{name}"), exact=True)
        expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
        page.wait_for_timeout(300)  # a tab that snaps back does so after the run
        expect(tab).to_have_attribute("aria-selected", "true")
