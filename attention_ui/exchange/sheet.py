"""A printed sheet as one HTML text that needs nothing else: its frame, texts that are filled safely, a matrix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import numpy as np

from attention_core.checks import FloatArray
from attention_ui.columns import shown_columns
from attention_ui.numbers import HUGE, fixed
from attention_ui.text import Words

_CSS = (Path(__file__).parent / "sheet.css").read_text(encoding="utf-8")
_PAGE = """\
<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{css}</style>
</head>
<body>
{body}
</body>
</html>
"""
# The charts' colours of numbers above and below 0, and of weights without and with scaling.
POSITIVE, NEGATIVE, WITHOUT, WITH = (47, 111, 222), (184, 92, 0), (194, 65, 124), (11, 124, 126)
_STRONGEST = 0.5  # of a colour behind a number: dark text stays easy to read on it
_WIDEST = 118  # characters side by side on A4; a wider matrix goes on below
_NAME = 10  # characters of a row's or column's name that stand on one line
_LANGUAGES = {"zh": "zh-CN"}
ELLIPSIS = "…"
_MATRIX = re.compile(r"(?<!{)W_([QKV])")


class Html(str):
    """Text that is markup already and is not escaped again."""


def safe(value: object) -> Html:
    """Anything as markup: what is none yet is escaped."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def say(words: Words, key: str, /, **values: object) -> Html:
    """A text of the sheets, filled; texts and values are escaped unless they are markup."""
    text = _MATRIX.sub(r"W<sub>\1</sub>", escape(words(f"sheets.{key}")))
    return Html(text.format(**{name: safe(value) for name, value in values.items()}))


def page(words: Words, title: str, parts: Iterable[Html]) -> str:
    """The whole document."""
    language = _LANGUAGES.get(words.language, words.language)
    return _PAGE.format(language=language, title=escape(title), css=_CSS, body="\n".join(parts))


def element(tag: str, content: object, css: str = "") -> Html:
    """One element around its content."""
    return Html(f"<{tag}{f' class={chr(34)}{css}{chr(34)}' if css else ''}>{safe(content)}</{tag}>")


def token(name: str) -> Html:
    """A token's name, kept apart from the direction of the text around it."""
    return Html(f"<bdi>{escape(name)}</bdi>")


def number(text: str) -> Html:
    """A number that no line break cuts."""
    return element("span", text, "n")


def matrix(
    caption: Html,
    values: FloatArray,
    decimals: int,
    rows: Sequence[str],
    columns: Sequence[str] = (),
    *,
    full: float | None = None,
    color: tuple[int, int, int] = POSITIVE,
    typed: int = 0,
) -> Html:
    """A matrix as shaded tables, one below the other where it is too wide for the paper.

    `full` is the value of full shade, else the largest one is; columns without names are counted. Of very many
    columns the first ones, all `typed` ones among them, and the last stand there.
    """
    names = columns or [str(j + 1) for j in range(values.shape[1])]
    finite = np.abs(values[np.isfinite(values)])
    full = full or float(finite.max(initial=0)) or 1.0
    places = decimals if finite.max(initial=0) >= HUGE else _places(finite, decimals)
    shown = shown_columns(values.shape[1], typed)
    texts = [[ELLIPSIS if j is None else fixed(float(row[j]), places) for j in shown] for row in values]
    head = [ELLIPSIS if j is None else names[j] for j in shown]
    shades = [["" if j is None else _shade(float(row[j]), full, color) for j in shown] for row in values]
    tables = (
        _table(rows, head[a:b], [row[a:b] for row in texts], [row[a:b] for row in shades])
        for a, b in _blocks(rows, head, texts)
    )
    return Html(f"<figure><figcaption>{caption}</figcaption>{''.join(tables)}</figure>")


def _places(values: FloatArray, most: int) -> int:
    """As many decimals as the values need, all of them the same."""
    return next((places for places in range(most) if (np.round(values, places) == values).all()), most)


def _table(rows: Sequence[str], head: list[str], texts: list[list[str]], shades: list[list[str]]) -> str:
    lines = "".join(
        f'<tr><th scope="row">{token(name)}</th>'
        + "".join(f"<td{shade}>{text}</td>" for text, shade in zip(line, shaded, strict=True))
        + "</tr>"
        for name, line, shaded in zip(rows, texts, shades, strict=True)
    )
    names = "".join(f'<th scope="col">{token(name)}</th>' for name in head)
    return f'<div class="wide"><table><thead><tr><td></td>{names}</tr></thead><tbody>{lines}</tbody></table></div>'


def _blocks(rows: Sequence[str], head: list[str], texts: list[list[str]]) -> list[tuple[int, int]]:
    """Where each table starts and ends so that it fits on the paper."""
    room = _WIDEST - min(max(map(len, rows)), _NAME)
    ends, used = [0], 0
    for j, name in enumerate(head):
        width = 2 + max(min(len(name), _NAME), *(len(row[j]) for row in texts))
        if used and used + width > room:
            ends.append(j)
            used = 0
        used += width
    return list(zip(ends, [*ends[1:], len(head)], strict=True))


def _shade(value: float, full: float, color: tuple[int, int, int]) -> str:
    """The background of a cell: its colour mixed with the paper."""
    part = _STRONGEST * min(abs(value) / full, 1.0) if np.isfinite(value) else 0.0
    mixed = (round(255 + part * (tone - 255)) for tone in (NEGATIVE if value < 0 else color))
    return f' style="background:#{"".join(f"{tone:02x}" for tone in mixed)}"'
