"""The saturation lab's summaries as tidy tables, one a chart; what a chart adds to its curve are rows with a role."""

from __future__ import annotations

from math import erf, sqrt

import numpy as np
import pandas as pd

from attention_core.sweep_measures import BINS
from attention_core.theory import onset
from attention_ui.numbers import fixed, measure, percent, short
from attention_ui.saturation_results import DECADES, Outcome, Summary, freezes, place_of
from attention_ui.saturation_settings import D_VALUES

BROAD = 4.0  # reach of the histogram in units of √d
Labels = dict[str, str]


def board(summary: Summary, name: str, labels: Labels, notes: Labels) -> pd.DataFrame:
    """The board of one measure. Roles: title, curve, onset, weight, bar, tick, peak, aligned (see charts.board).

    `labels` are the rules' short names; `notes` are the sentences "onset" and "aligned", to be filled.
    """
    start = [{"role": "onset", "d": onset(summary.run.n), "text": notes["onset"]}] if freezes(summary.run) else []
    return pd.DataFrame.from_records(
        [
            {"role": "title", "d": D_VALUES[0]},
            *start,
            *_curves(summary, name),
            *_weights(summary, labels),
            *(row for d in D_VALUES for row in _scores(summary, d, notes)),
        ],
        columns=[
            "role", "d", "rule", "label", "line", "median", "low", "high", "mean", "theory", "place", "count", "rank",
            "value", "x0", "x1", "height", "normal", "text",
        ],
    )  # fmt: skip


def _curves(summary: Summary, name: str) -> list[dict[str, object]]:
    rows = []
    for line, (rule, outcome) in enumerate(summary.outcomes.items()):
        for column, row in curve(outcome, name).items():
            rows.append({"role": "curve", "d": column, "rule": rule, "line": line, **row})
    return rows


def curve(outcome: Outcome, name: str) -> dict[int, dict[str, float]]:
    """Median, band, mean and theory of one measure by d; a share of rows has no spread, its line is the share."""
    if name == "dead":
        return {d: {"mean": share, "median": share} for d, share in zip(D_VALUES, outcome.dead.tolist(), strict=True)}
    figures = outcome.figures[name]
    theory = outcome.theory.get(name, np.full(len(D_VALUES), np.nan))
    columns = {"median": figures.median, "low": figures.low, "high": figures.high, "mean": figures.mean}
    columns |= {"theory": theory}
    return {d: {key: float(values[i]) for key, values in columns.items()} for i, d in enumerate(D_VALUES)}


def _weights(summary: Summary, labels: Labels) -> list[dict[str, object]]:
    rows = []
    for line, (rule, outcome) in enumerate(summary.outcomes.items()):
        count = outcome.top.shape[1]
        for i, d in enumerate(D_VALUES):
            for place, value in enumerate(outcome.top[i].tolist()):
                rows.append(
                    {"role": "weight", "d": d, "rule": rule, "line": line, "place": place, "count": count,
                     "rank": str(place + 1), "value": value, "label": labels[rule], "text": fixed(value, 3)}
                )  # fmt: skip
    return rows


def _scores(summary: Summary, d: int, notes: Labels) -> list[dict[str, object]]:
    """The histogram at one d, placed as shares of the width and of the tallest bar."""
    at, root, spread = place_of(d), sqrt(d), summary.spread
    total = spread.counts[at].sum() + spread.outside[at]
    shares, law = spread.counts[at] / max(total, 1), normal_shares()
    peak = float(max(shares.max(), law.max()))
    mean = spread.aligned[at] / root
    low, high = -BROAD, max(BROAD, 1.08 * mean) if summary.run.c else BROAD
    places = (BINS - low) / (high - low)
    rows: list[dict[str, object]] = []
    for x0, x1, share, normal in zip(places[:-1], places[1:], shares / peak, law / peak, strict=True):
        rows.append({"role": "bar", "d": d, "x0": x0, "x1": x1, "height": share, "normal": normal})
    rows.append({"role": "peak", "d": d, "height": 1.0, "text": percent(peak)})
    ticks = [{"role": "tick", "d": d, "x0": (z - low) / (high - low), "text": short(z * root)}
             for z in (0.0, low, low / 2, high / 2, high)]  # fmt: skip
    rows.extend(ticks)
    if summary.run.c:
        text = notes["aligned"].format(mean=short(spread.aligned[at]))
        rows.append({"role": "aligned", "d": d, "x0": (mean - low) / (high - low), "text": text})
    return rows


def normal_shares() -> np.ndarray:
    """The share of N(0, d) in each bin; the bins are in units of √d, so it is the same at every d."""
    below = np.array([0.5 * (1 + erf(edge / sqrt(2))) for edge in BINS])
    return np.diff(below)


def lines(summary: Summary, name: str, d: int, labels: Labels, level: float | None, note: str) -> pd.DataFrame:
    """One number for each rule against d: "zeros" or "aligned", the chosen d, and a level with its name."""
    rows: list[dict[str, object]] = [{"role": "now", "d": d}]
    if level is not None:
        rows.append({"role": "level", "value": level, "text": note})
    for rule, outcome in summary.outcomes.items():
        figures = None if name == "zeros" else outcome.figures[name]
        values = outcome.zeros if figures is None else figures.mean
        for i, column in enumerate(D_VALUES):
            row = {"role": "line", "d": column, "rule": rule, "label": labels[rule], "value": float(values[i])}
            if figures is not None:
                row |= {"low": float(figures.low[i]), "high": float(figures.high[i])}
            rows.append(row | {"text": measure(float(values[i]))})
    return pd.DataFrame.from_records(rows, columns=["role", "d", "rule", "label", "value", "low", "high", "text"])


def gradient(summary: Summary, d: int, labels: Labels, dead: float) -> pd.DataFrame:
    """Rows by size of the gradient at one d, a strip for each rule, the first on top.

    Roles: bar (from low to high, base to top), name, median, rms, dead (the limit below which a row counts as dead).
    """
    at, lowest = place_of(d), 10.0 ** float(DECADES[0])
    edges = np.concatenate([[lowest / 10], 10.0**DECADES, [10.0 ** float(DECADES[-1] + 1)]])
    rows: list[dict[str, object]] = [{"role": "dead", "low": dead}]
    for line, (rule, outcome) in enumerate(summary.outcomes.items()):
        base = float(len(summary.outcomes) - 1 - line)
        shares, figures = outcome.gradients[at], outcome.figures["gradient"]
        common = {"rule": rule, "base": base}
        rows.append({**common, "role": "name", "top": base + 0.97, "text": labels[rule]})
        for low, high, share in zip(edges[:-1], edges[1:], shares.tolist(), strict=True):
            if share:
                top = base + 0.78 * share / shares.max()
                rows.append({**common, "role": "bar", "low": low, "high": high, "top": top, "share": share,
                             "text": f"{labels[rule]}: {percent(share)}"})  # fmt: skip
        for role, value in (("median", figures.median[at]), ("rms", figures.rms[at])):
            rows.append({**common, "role": role, "low": max(float(value), lowest / 3)})
    return pd.DataFrame.from_records(rows, columns=["role", "rule", "base", "top", "low", "high", "share", "text"])
