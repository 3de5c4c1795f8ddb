"""The matrix editor on a page of its own, as it is at first for each test."""

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.browser.editor.hand import APP, Editor


@pytest.fixture(scope="module")
def page_and_complaints(browser, serve):
    """One page for the tests of a file, as opening it takes longer than most of them; and its console's complaints."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(20_000)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(serve(APP))
    page.locator(".st-key-received code").wait_for()
    matrix = page.locator("[data-matrix=X]")
    matrix.evaluate("element => { element.dataset.mark = 'the first' }")
    yield page, complaints
    # Streamlit calls the component's cleanup also while it is in use; that must not have built the editor anew.
    assert matrix.get_attribute("data-mark") == "the first"
    context.close()


@pytest.fixture
def editor(page_and_complaints):
    """The editor as it is at first; a complaint in the console fails the test."""
    page, complaints = page_and_complaints
    page.set_viewport_size({"width": 1280, "height": 900})
    editor = Editor(page)
    before = editor.received()["revision"]
    page.get_by_role("button", name="start over", exact=True).click()
    editor.wait_for("got.revision === want", before + 1)
    expect(editor.cell("X", 0, 0)).to_have_value("0.30000000000000004")
    editor.first = before + 1
    yield editor
    assert complaints == []
