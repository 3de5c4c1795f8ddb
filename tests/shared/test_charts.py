"""Chart specs: constant, without data, made for the tables they are drawn with, readable in both themes."""

import itertools
import json
import re

import numpy as np
import pandas as pd
import pytest

from attention_core.scaling import SCALINGS, SqrtScaling, get_scaling
from attention_ui import (
    charts,
    frames,
    head_frames,
    rules,
    saturation_results,
    saturation_settings,
    saturation_tables,
    tables,
    training_live,
    training_tables,
)
from attention_ui.charts.style import DARK_SHADE
from attention_ui.experiment import from_example
from attention_ui.results import Grown
from attention_ui.text import LANGUAGES, words_of

MEASURES = ("largest", "effective", "sensitivity")
MATRIX = frames.matrix_table(np.eye(2), ["a", "b"], ["c", "d"], 3)
GROWN = Grown(from_example("love"), SqrtScaling(), 64, 0, "independent", False)
CURVE = tables.growth("largest", 3, GROWN, 0)
STAGE = tables.stage("Q", (0, 1), 2, 3, GROWN.start)
KINDS = ("pairs", "dimensions")
RULES = tuple(get_scaling(rule) for rule in ("none", "sqrt", "linear"))
RUN = saturation_results.Run(8, 0.3, RULES, 50, "normal", "float32", 0)
LINES = ("zeros", "aligned")
LIVE, MAP = (
    training_live.Live(training_live.Plan(("sqrt",), 64, 1.0, 1.0, 100, 0)),
    training_live.Map(training_live.MapPlan(1.0, 100, 0)),
)
LIVE.advance(3)
SPECS = [
    *((charts.matrix_chart(language, kind, False), MATRIX) for language in LANGUAGES for kind in KINDS),
    *((charts.matrix_chart(language, kind, True), STAGE) for language in LANGUAGES for kind in KINDS),
    *((charts.growth_chart(language, measure), CURVE) for language in LANGUAGES for measure in MEASURES),
    *(
        (charts.board_chart(language, measure, len(RULES)), saturation_tables.board(RUN, measure, language, 64))
        for language in LANGUAGES
        for measure in saturation_settings.MEASURES
    ),
    *(
        (charts.lines_chart(language, name), saturation_tables.lines(RUN, name, language, 64))
        for language in LANGUAGES
        for name in LINES
    ),
    *(
        (charts.course_chart(language, name, 100), training_tables.course(words_of(language), LIVE, name))
        for language in LANGUAGES
        for name in ("loss", "accuracy", "gradient")
    ),
    *((charts.watched_chart(language, "sqrt"), training_tables.watched(LIVE, "sqrt")) for language in LANGUAGES),
    *((charts.identity_chart(language), training_tables.identity(LIVE, "sqrt")) for language in LANGUAGES),
    *((charts.map_chart(language), training_tables.grid(words_of(language), MAP)) for language in LANGUAGES),
    *((charts.graph_chart(language, 16), head_frames.graph(np.eye(16), ["x"] * 16, 3, 1)) for language in LANGUAGES),
    *((charts.spectrum_chart(language), head_frames.spectrum(np.arange(5.0), 2)) for language in LANGUAGES),
    *((charts.gradient_chart(language, 3), saturation_tables.gradient(RUN, language, 64)) for language in LANGUAGES),
]


def walk(node: object) -> list[dict]:
    """Every dict in a spec."""
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return ([node] if isinstance(node, dict) else []) + [found for child in inner for found in walk(child)]


@pytest.mark.parametrize(("spec", "table"), SPECS)
def test_a_spec_holds_no_data_and_asks_for_svg(spec: dict, table: object) -> None:
    assert not [part for part in walk(spec) if "values" in part.get("data", {}) or "datasets" in part]
    assert spec["usermeta"]["embedOptions"]["renderer"] == "svg"
    json.dumps(spec)


@pytest.mark.parametrize(("spec", "table"), SPECS)
def test_every_field_it_draws_or_filters_on_is_in_its_table(spec: dict, table: object) -> None:
    made = {part["as"] for part in walk(spec) if "calculate" in part}
    fields = {part["field"] for part in walk(spec) if isinstance(part.get("field"), str)}
    text = re.sub(r'"labelExpr": "[^"]*"', "", json.dumps(spec))  # there datum is a tick of the axis
    fields |= set(re.findall(r"datum\.([a-z][a-z0-9]*)", text))
    assert fields - made <= set(table.columns if isinstance(table, pd.DataFrame) else table.column_names)


@pytest.mark.parametrize(("spec", "table"), SPECS)
def test_every_axis_has_a_title(spec: dict, table: object) -> None:
    channels = [part[axis] for part in walk(spec) for axis in ("x", "y") if isinstance(part.get(axis), dict)]
    titled = [channel.get("title") for channel in channels if "field" in channel and channel.get("title")]
    assert len(set(titled)) >= 2


def test_a_spec_is_built_once() -> None:
    assert charts.matrix_chart("en", "pairs", True) is charts.matrix_chart("en", "pairs", True)


def test_the_chosen_cell_is_marked_and_no_other() -> None:
    marked = STAGE.to_pandas().query("selected")
    assert marked[["i", "j", "choices"]].to_numpy().tolist() == [[0, 1, 2]]


def test_the_current_d_is_marked_and_no_other() -> None:
    marked = CURVE.to_pandas().query("current")
    assert set(marked["d"]) == {64}
    assert sorted(marked["role"]) == ["curve"] * 2 + ["weight"] * 6


def luminance(color: np.ndarray) -> float:
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def rgb(code: str) -> np.ndarray:
    return np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


PAGES = {"light": (rgb("#ffffff"), rgb("#1c2430")), "dark": (rgb("#12171d"), rgb("#e8ecf0"))}
HUES = {hue: charts.PALETTE[hue] for hue in ("plus", "minus", "without", "with")}
HUES |= {rule: form.look.color for rule, form in rules.RULES.items()}


@pytest.mark.parametrize(("hue", "page"), list(itertools.product(HUES, PAGES)))
def test_a_number_can_be_read_on_every_shade(hue: str, page: str) -> None:
    """Contrast of at least 3 (WCAG's bound for large or bold text and marks) on each shade, in both themes."""
    paper, ink = PAGES[page]
    for shade in np.linspace(0, 1, 101):
        opacity = 0.03 + 0.97 * shade
        cell = opacity * rgb(HUES[hue]) + (1 - opacity) * paper
        text = ink if shade < DARK_SHADE else np.ones(3)
        assert contrast(text, cell) >= 3, (shade, contrast(text, cell))


@pytest.mark.parametrize(("hue", "page"), list(itertools.product(HUES, PAGES)))
def test_curves_stand_out_from_the_page(hue: str, page: str) -> None:
    assert contrast(rgb(HUES[hue]), PAGES[page][0]) >= 3


def test_every_rule_has_a_look_of_its_own() -> None:
    for part in ("color", "sign", "shape", "dash"):
        assert len({getattr(form.look, part) for form in rules.RULES.values()}) == len(SCALINGS)
