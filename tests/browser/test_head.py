"""The real head in a real browser: a click on a word, the upload of the template, a phone."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from attention_core.heads import read_head
from attention_ui.text import words_of
from tests.phone import nothing_is_wider


@pytest.fixture
def open_lab(visit: Callable[..., Page]) -> Callable[..., Page]:
    """open_lab(query) -> a page on which the lab is drawn."""
    return lambda query="", **options: visit(
        f"head{query}", ".st-key-spectrum svg.marks", **{"viewport": {"width": 1280, "height": 900}, **options}
    )


def test_a_click_on_a_word_looks_from_it(open_lab: Callable[..., Page]) -> None:
    page = open_lab("?head=L0H2")
    expect(page.get_by_text("“it” looks at “because”")).to_be_visible()
    word = page.locator(".st-key-graph svg.marks .mark-text text").filter(has_text=re.compile("^cross$")).first
    edges = word.bounding_box()
    page.mouse.click(edges["x"] + edges["width"] / 2, edges["y"] + edges["height"] / 2)
    expect(page.get_by_text("“cross” looks at “t”")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/head\?lang=en&head=L0H2&token=6$"))
    page.reload()
    expect(page.get_by_text("“cross” looks at “t”")).to_be_visible()


def test_the_template_comes_back_as_it_went(open_lab: Callable[..., Page], tmp_path: Path) -> None:
    page = open_lab("?lang=zh")
    with page.expect_download() as waiting:
        page.locator(".st-key-head_template button").click()
    path = tmp_path / "head.npz"
    waiting.value.save_as(path)
    head = read_head(path.read_bytes())
    page.locator(".st-key-head_file input[type=file]").set_input_files(path)
    sizes = {"n": len(head.tokens), "d_model": head.d_model, "d_k": head.d_k}
    expect(page.get_by_text(words_of("zh")("head.upload.taken", **sizes))).to_be_visible()
    for token in head.tokens:
        expect(page.locator(".st-key-graph svg.marks")).to_contain_text(token)
    bad = tmp_path / "bad.npz"
    bad.write_bytes(path.read_bytes()[:100])
    page.locator(".st-key-head_file input[type=file]").set_input_files(bad)
    expect(page.get_by_role("alert").filter(has_text=words_of("zh")("head.problems.truncated"))).to_be_visible()
    page.locator(".st-key-head_file button[aria-label^=Remove]").first.click()
    expect(page.get_by_role("alert").filter(has_text=words_of("zh")("head.problems.truncated"))).to_have_count(0)
    expect(page.locator(".st-key-graph svg.marks")).to_contain_text("animal")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(open_lab: Callable[..., Page], scheme: str) -> None:
    page = open_lab("", viewport={"width": 390, "height": 844}, color_scheme=scheme)
    nothing_is_wider(page)
