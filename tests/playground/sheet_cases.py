"""What the tests of the sheets to print share: HTML taken apart, sound sheets, questions by their key."""

import re
from html.parser import HTMLParser

from attention_ui.address import RULES
from attention_ui.exchange import exercise, report
from attention_ui.text import words_of

ADDRESS = "https://lab.example/?experiment=1.abc&lang=en"
VARIANTS = [
    *({"rule": rule} for rule in RULES),
    {"scale": False},
    {"causal": True, "decimals": 0},
    {"d": "64", "how": "copies", "decimals": 6},
    {"d": "4096", "rule": "qknorm", "causal": True},
]


class Parsed(HTMLParser):
    """Every tag closed in its order; texts, tags and attributes kept."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts = [], [], [], []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.texts.append(data)

    @property
    def text(self):
        """Words, each element's apart from the next one's."""
        return " ".join(" ".join(self.texts).split())

    @property
    def line(self):
        """As it is read."""
        return "".join(self.texts)


def both(carried, language):
    """Report and exercise."""
    words = words_of(language)
    return report.write(carried, words, ADDRESS), exercise.write(carried, words)


def sound(html, names=()):
    """Well-formed, nothing from elsewhere, nothing left unfilled; gives what was parsed."""
    parsed = Parsed(html)
    text = parsed.text
    for name in names:
        text = text.replace(" ".join(name.split()), "")
    assert not re.search(r"\bnan\b|None|[{}](?!\s)|\binf\b|-\d", text), text
    assert not {"script", "img", "link", "iframe", "object"} & set(parsed.tags)
    assert not [name for name, _ in parsed.attributes if name in ("src", "srcset") or name.startswith("on")]
    assert [value for name, value in parsed.attributes if name == "href"] in ([], [ADDRESS])
    assert not re.search(r"url\(|@import", html)
    assert html.count("://") == (2 if "href" in html else 0)
    return parsed


def questions(carried, language="en"):
    """The questions by their key."""
    found = exercise.questions(report.scene_of(carried, words_of(language)))
    return {question.key: question for question in found}
