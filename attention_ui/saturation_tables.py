"""The saturation lab's tables ready to be drawn, cached as Arrow tables, and as CSV to take away."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from attention_core.saturation import DEAD
from attention_core.sweep_measures import BINS
from attention_ui import saturation_frames as frames
from attention_ui.saturation_results import DECADES, Run, Summary, place_of, summary
from attention_ui.saturation_settings import D_VALUES, MEASURES
from attention_ui.text import words_of


def short_names(language: str, run: Run) -> dict[str, str]:
    """The rules' names, short enough for a chart's margin."""
    words = words_of(language)
    return {rule.name: words(f"rules.{rule.name}.short") for rule in run.scalings}


def board(run: Run, name: str, language: str, d: int) -> pa.Table:
    """The board of one measure; only which d is current depends on d."""
    table = _board(run, name, language)
    return table.append_column("current", pc.equal(table["d"], float(d)))


@lru_cache(maxsize=64)
def _board(run: Run, name: str, language: str) -> pa.Table:
    words = words_of(language)
    notes = {"onset": words("lab.charts.onset"), "aligned": words("lab.charts.aligned_mean")}
    return _arrow(frames.board(summary(run), name, short_names(language, run), notes))


@lru_cache(maxsize=128)
def lines(run: Run, name: str, language: str, d: int) -> pa.Table:
    """Share of weights that are 0, or weight of the aligned key, against d."""
    uniform = 1 / run.n if name == "aligned" else None
    note = words_of(language)("lab.charts.uniform")
    return _arrow(frames.lines(summary(run), name, d, short_names(language, run), uniform, note))


@lru_cache(maxsize=128)
def gradient(run: Run, language: str, d: int) -> pa.Table:
    """Rows by the size of the gradient that reaches the query."""
    return _arrow(frames.gradient(summary(run), d, short_names(language, run), DEAD))


def csv(run: Run, name: str, d: int) -> bytes:
    """The table behind a chart: "scores", "weights", "curves", "gradient", "zeros" or "aligned"."""
    made = {
        "scores": _scores, "weights": _weights, "curves": _curves, "gradient": _gradients, "zeros": _zeros,
        "aligned": _aligned,
    }[name](summary(run), place_of(d))  # fmt: skip
    settings = {"n": run.n, "alignment": run.c, "rows": run.rows, "entries": run.entries, "format": run.format}
    made = made.assign(**settings, seed=run.seed)
    if "rule" in made:
        exponents = {rule.name: next(iter(rule.parameters.values()), None) for rule in run.scalings}
        made = made.assign(parameter=made["rule"].map(exponents))
    return made.to_csv(index=False, lineterminator="\n").encode()


def file_name(run: Run, name: str, d: int) -> str:
    """Says which run the table is of; those that hold every d have none in their name."""
    at = f"_d{d}" if name in ("scores", "weights", "gradient") else ""
    return f"{name}{at}_n{run.n}_c{run.c:g}_{run.entries}_{run.format}_seed{run.seed}.csv"


def _scores(made: Summary, at: int) -> pd.DataFrame:
    spread, root = made.spread, np.sqrt(D_VALUES[at])
    law = frames.normal_shares()
    return pd.DataFrame({"d": D_VALUES[at], "score_from": BINS[:-1] * root, "score_to": BINS[1:] * root,
                         "count": spread.counts[at], "normal_share": law})  # fmt: skip


def _weights(made: Summary, at: int) -> pd.DataFrame:
    return pd.concat(
        pd.DataFrame({"d": D_VALUES[at], "rule": rule, "rank": range(1, outcome.top.shape[1] + 1),
                      "mean_weight": outcome.top[at]})
        for rule, outcome in made.outcomes.items()
    )  # fmt: skip


def _curves(made: Summary, at: int) -> pd.DataFrame:
    names = {"low": "percentile_10", "high": "percentile_90"}
    return pd.concat(
        pd.DataFrame.from_dict(frames.curve(outcome, name), orient="index")
        .rename(columns=names)
        .rename_axis("d")
        .reset_index()
        .assign(rule=rule, measure=name)
        for rule, outcome in made.outcomes.items()
        for name in MEASURES
    )


def _gradients(made: Summary, at: int) -> pd.DataFrame:
    edges = 10.0**DECADES
    low, high = np.concatenate([[0.0], edges]), np.concatenate([edges, [np.inf]])
    return pd.concat(
        pd.DataFrame({"d": D_VALUES[at], "rule": rule, "gradient_from": low, "gradient_to": high,
                      "share_of_rows": outcome.gradients[at]})
        for rule, outcome in made.outcomes.items()
    )  # fmt: skip


def _zeros(made: Summary, at: int) -> pd.DataFrame:
    return pd.concat(
        pd.DataFrame({"d": D_VALUES, "rule": rule, "share_of_zero_weights": outcome.zeros})
        for rule, outcome in made.outcomes.items()
    )


def _aligned(made: Summary, at: int) -> pd.DataFrame:
    figures = {rule: outcome.figures["aligned"] for rule, outcome in made.outcomes.items()}
    return pd.concat(
        pd.DataFrame({"d": D_VALUES, "rule": rule, "mean": each.mean, "median": each.median,
                      "percentile_10": each.low, "percentile_90": each.high})
        for rule, each in figures.items()
    )  # fmt: skip


def _arrow(table: pd.DataFrame) -> pa.Table:
    """Half the width is enough for a picture."""
    numbers = {name: np.float32 for name in table.select_dtypes("float64").columns if name != "d"}
    return pa.Table.from_pandas(table.astype(numbers), preserve_index=False)
