"""Sentences that may hold what people typed: always shown as text, never as markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

import streamlit as st

STYLE = """<style>
/* Streamlit leaves more room than the bar with the pages needs. */
[data-testid="stMainBlockContainer"] { padding-top: 4rem; }
/* The raw table and the spec behind a chart mean nothing to a learner. */
[data-testid="stElementToolbarButton"]:has([aria-label^="Show data"]),
[data-testid="stElementToolbarButton"]:has([aria-label^="Copy Vega"]) { display: none; }
[data-testid="stLatex"], .stLatex { overflow-x: auto; }
[data-testid="stPageLink"] p { white-space: normal; }
[data-testid="stMarkdownContainer"] blockquote { color: inherit; opacity: 1; }
.notice { border-left: 4px solid #d97512; padding: .45rem .75rem; border-radius: 4px;
  background: color-mix(in srgb, #d97512 12%, transparent); overflow-wrap: anywhere; }
.notice p { margin: 0; } .notice ul { margin: .2rem 0 0 1.1rem; padding: 0; }
.legend { margin: .6rem 0 0; } .legend.inline { margin: 0; } .legend.inline .quiet { display: inline-block; }
p.caption + p { margin-top: .4rem; }
.quiet { opacity: .8; font-size: .875rem; margin: 0; }
.sample { display: inline-flex; gap: .4rem; align-items: center; margin-right: 1.5rem; font-weight: 600; }
.sample .line { width: 2rem; height: 3px; display: inline-block; }
.spoken { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
.claim { font-size: 1.1rem; font-weight: 600; margin: 0; }
.caption { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
.lab-head { display: flex; gap: .25rem 1rem; align-items: baseline; flex-wrap: wrap; }
.lab-head h1 { font-size: 1.5rem; margin: 0; padding: 0; }
.lab-head p { margin: 0; opacity: .85; }
.side { display: flex; gap: .5rem; align-items: center; margin: 0; font-weight: 600; min-height: 1.6rem; }
.side .mark { width: .8rem; height: .8rem; flex: none; }
.side .force { font-weight: 600; font-size: .8rem; border: 1.5px solid currentColor; border-radius: 99px;
  padding: .05rem .55rem; white-space: nowrap; }
table.figures { border-collapse: collapse; width: 100%; table-layout: fixed; font-variant-numeric: tabular-nums; }
table.figures th, table.figures td { padding: .3rem .4rem; text-align: right; border-bottom: 1px solid #8a8f9855; }
table.figures th:first-child { text-align: left; font-weight: 500; }
table.figures td:first-child, table.figures th:first-child { width: 46%; }
table.figures thead th { word-break: keep-all; }
table.figures thead th { font-size: .85rem; font-weight: 600; vertical-align: bottom; overflow-wrap: anywhere; }
table.figures td { font-size: 1.15rem; white-space: nowrap; }
table.figures.dense td { font-size: 1rem; } table.figures.dense th:first-child { width: 34%; }
@media (max-width: 640px) {
  table.figures.dense td { font-size: .72rem; } table.figures.dense thead th { font-size: .68rem; }
  table.figures.dense :is(td, th) { padding-inline: .1rem; } table.figures.dense tbody th { font-size: .8rem; }
  table.figures.dense :is(th, td):first-child { width: 30%; }
}
table.figures .on { font-weight: 700; }
table.figures small { display: block; opacity: .75; font-weight: 400; line-height: 1.25; }
/* Paper is white, and needs nothing that can only be pressed. */
@media print {
  * { --st-text-color: #111 !important; --st-background-color: #fff !important;
    --st-secondary-background-color: #f4f4f4 !important; }
  .stApp, .stApp :is(div, p, span, li, h1, h2, h3, section, label) { color: #111 !important; }
  .stApp :is(div, section) { background-color: transparent !important; }
  html, body, #root, .stApp { background: #fff !important; color-scheme: light !important; }
  header, .st-key-lang, .st-key-contents, .st-key-around, .st-key-way_back, [class*="st-key-skip_"],
  [data-testid="stIconMaterial"] { display: none !important; }
  [data-testid="stHorizontalBlock"] > div:has(.st-key-contents) { display: none !important; }
  [class*="st-key-guess_"] { break-inside: avoid; }
}
</style>"""


ALONE = """<style>
/* An embedded figure has no menu. */
header { display: none !important; }
[data-testid="stMainBlockContainer"] { padding-top: .75rem; }
</style>"""


@dataclass(frozen=True)
class Column:
    """A column of a table of figures: its name, the sign and colour of its curve, and whether it is the chosen one."""

    label: str
    sign: str = ""
    color: str = ""
    on: bool = False


def figures(columns: Sequence[Column], rows: Mapping[str, Sequence[str]]) -> None:
    """A table of figures: a row for each name, a number for each column."""
    chosen = [' class="on"' if column.on else "" for column in columns]
    head = "".join(
        f'<th scope="col"{on}>{_sign(column)}{escape(column.label)}</th>'
        for column, on in zip(columns, chosen, strict=True)
    )
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td{on}>{escape(value)}</td>" for value, on in zip(values, chosen, strict=True))
        + "</tr>"
        for name, values in rows.items()
    )
    st.html(f'<table class="figures dense"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>')


def _sign(column: Column) -> str:
    return f'<span style="color:{column.color}">{column.sign}</span> ' if column.sign else ""


def warn(lead: str, items: Iterable[str] = ()) -> None:
    """A warning in a box that screen readers announce."""
    listed = "".join(f"<li>{escape(item)}</li>" for item in items)
    st.html(f'<div class="notice" role="alert"><p>{escape(lead)}</p>{f"<ul>{listed}</ul>" if listed else ""}</div>')


def listed(lead: str, items: Iterable[str]) -> None:
    """A sentence and a list below it."""
    st.html(f'<p class="caption">{escape(lead)}</p><ul>{"".join(f"<li>{escape(item)}</li>" for item in items)}</ul>')


def curve_sample(color: str, sign: str, dash: tuple[int, ...], label: str) -> str:
    """A legend's entry as HTML: a piece of the line with its dashes and gaps in pixels, its sign, its name."""
    ends = list(accumulate(dash * 2))  # a lone dash needs its pattern twice to make a gradient
    stripes = ", ".join(
        f"{color if i % 2 == 0 else 'transparent'} {start}px {end}px"
        for i, (start, end) in enumerate(zip([0, *ends], ends, strict=False))
    )
    line = f"background: repeating-linear-gradient(90deg, {stripes})" if dash[1] else f"background: {color}"
    return (
        f'<span class="sample"><span class="line" style="{line}"></span>'
        f'<span style="color:{color}">{sign}</span>{escape(label)}</span>'
    )


def legend(lead: str, samples: Iterable[str], inline: bool = False) -> None:
    """A quiet sentence and the legend's entries, below it or where there is room on one line."""
    entries = "".join(samples)
    if inline:
        note = f'<span class="quiet">{escape(lead)}</span>' if lead else ""
        st.html(f'<p class="legend inline">{entries}{note}</p>')
        return
    st.html(f'<p class="quiet">{escape(lead)}</p><p class="legend">{entries}</p>')


def say(*sentences: str, kind: str = "caption", note: str = "", spoken: Iterable[str] = ()) -> None:
    """Sentences, each a paragraph; `kind` is "caption" or "quiet", and `note` a quiet last one.

    `spoken` are for screen readers alone: the numbers of a chart, whose own alternative text must stay the same,
    since Streamlit draws a chart anew when that changes.
    """
    paragraphs = [*((text, kind) for text in sentences), *([(note, "quiet")] if note else [])]
    html = "".join(f'<p class="{kind}">{escape(text)}</p>' for text, kind in paragraphs) + unseen(spoken)
    if html:
        st.html(html)


def unseen(texts: Iterable[str]) -> str:
    """Paragraphs that only screen readers meet, as HTML."""
    return "".join(f'<p class="spoken">{escape(text)}</p>' for text in texts)
