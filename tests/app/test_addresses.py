"""Addresses below a page lead to the page; whatever else the server has stays where it is."""

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_ui.addresses import OWN, Addresses, page_above

HTML = [(b"accept", b"text/html,*/*;q=0.8")]


def answer(path, query=b"", headers=HTML, kind="http"):
    """What the middleware does: "passed on", or where it leads."""
    sent = []

    async def app(scope, receive, send):
        sent.append("passed on")

    async def send(message):
        if message["type"] == "http.response.start":
            sent.append(dict(message["headers"])[b"location"].decode("ascii"))

    scope = {"type": kind, "path": path, "query_string": query, "headers": headers, "method": "GET"}
    with pytest.raises(StopIteration):  # nothing waits, so that the first step is the last
        Addresses(app)(scope, None, send).send(None)
    (only,) = sent
    return only


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/lesson-12/x", "/lesson-12"),
        ("/lesson-12/x/", "/lesson-12"),
        ("/lesson-12/x/y/z", "/lesson-12"),
        ("/head/_stcore/x", "/head"),
        ("/课程/x", "/%E8%AF%BE%E7%A8%8B"),
    ],
)
def test_below_a_page_is_the_page_with_its_query(path, to):
    found = answer(path, b"lang=zh&done=1.2")
    assert urljoin(f"http://lab{path}", found) == f"http://lab{to}?lang=zh&done=1.2"
    assert urljoin(f"http://lab/behind/a/proxy{path}", answer(path)) == f"http://lab/behind/a/proxy{to}"


@pytest.mark.parametrize(
    "path", ["/", "/lesson-12", "/lesson-12/", "//evil.example/x", "/../x", *(f"/{own}/x" for own in sorted(OWN))]
)
def test_the_servers_own_and_the_pages_themselves_are_passed_on(path):
    assert answer(path) == "passed on"


def test_only_a_page_that_is_asked_for_is_moved():
    """Health below a page stays a 404, from which the browser side learns where its server is."""
    assert answer("/head/_stcore/health", headers=[(b"accept", b"*/*")]) == "passed on"
    assert answer("/head/_stcore/stream", kind="websocket") == "passed on"


@given(st.text(max_size=40))
def test_no_address_leads_out_of_the_lab(path):
    page = page_above(f"/{path}")
    if page is None:
        assert answer(f"/{path}") == "passed on"
    else:
        to = urlsplit(urljoin("http://lab/", answer(f"/{path}")))
        assert (to.scheme, to.netloc) == ("http", "lab")
