"""The playground by AppTest: other settings, and what screen readers are told of its charts."""

import re
from html import unescape

from streamlit.testing.v1 import AppTest

from tests import sessions
from tests.sessions import html


def put(app: AppTest, **changes: object) -> AppTest:
    return sessions.put(app, "settings", **changes)


def charts(app: AppTest) -> list[str]:
    """What screen readers are told of each chart; the numbers of the figure are in it."""
    told = [unescape(text) for text in re.findall(r'<p class="spoken">(.*?)</p>', html(app), re.DOTALL)]
    assert len(told) == len(app.get("vega_lite_chart"))
    return told
