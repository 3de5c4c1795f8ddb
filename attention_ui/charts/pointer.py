"""What charts against d share: the d under the pointer, or the chosen one, and what stands at it."""

from __future__ import annotations

import json

import altair as alt

from attention_ui.charts.style import INK, table
from attention_ui.text import Words

HERE = "isValid(hover.d) ? datum.d == hover.d[0] : datum.current"
TICKS = [2**power for power in range(13)]
LEFT, CELL = "width * datum.place / datum.count", "width / datum.count"  # of a key's weight above the plot


def over() -> alt.Parameter:
    """The d that is nearest to the pointer."""
    return alt.selection_point(
        name="hover", fields=["d"], on="pointermove", nearest=True, clear="pointerout", empty=False
    )


def caption(words: Words, y: int, after: str = "") -> alt.Chart:
    """Which d is shown, and that it is only a preview while the pointer is on the curve."""
    preview, now, rest = (json.dumps(text) for text in (words("charts.preview"), words("charts.now"), after))
    return (
        table()
        .transform_filter("datum.role == 'weight' && datum.line == 0 && datum.place == 0")
        .transform_filter(HERE)
        .transform_calculate(caption=f"(isValid(hover.d) ? {preview} : {now}) + datum.d + {rest}")
        .mark_text(color=INK, x=0, y=y, align="left", fontSize=13, fontWeight="bold")
        .encode(text="caption:N")
    )
