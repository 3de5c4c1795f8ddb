"""The training lab's tables as Arrow tables, ready to be drawn."""

from __future__ import annotations

import pyarrow as pa

from attention_ui import training_frames as frames
from attention_ui.arrow import arrow
from attention_ui.text import Words
from attention_ui.training_live import Live, Map


def labels(words: Words, live: Live) -> dict[str, str]:
    """The rules' short names."""
    return {rule: words(f"rules.{rule}.short") for rule in live.runs}


def course(words: Words, live: Live, name: str) -> pa.Table:
    """One measure against the step."""
    return arrow(frames.course(live, name, labels(words, live), words("train.charts.uniform")))


def watched(live: Live, rule: str) -> pa.Table:
    """The watched weights of one rule's run."""
    step = live.runs[rule].last
    assert step is not None  # drawn only after the first step
    return arrow(frames.attention(step))


def identity(live: Live, rule: str) -> pa.Table:
    """M of one rule's run."""
    step = live.runs[rule].last
    assert step is not None  # drawn only after the first step
    return arrow(frames.matrix(step.M))


def grid(words: Words, made: Map) -> pa.Table:
    """The map of final losses."""
    return arrow(frames.grid(made, {rule: words(f"rules.{rule}.short") for rule in frames.RULES}))
