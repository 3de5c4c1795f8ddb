"""The saturation lab's settings to an address and back."""

import itertools
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import SCALINGS, get_scaling
from attention_ui import saturation_settings as lab
from attention_ui.myths import MYTHS
from attention_ui.saturation_settings import SaturationSettings
from attention_ui.text import LANGUAGES, words_of

HUNDREDTHS = st.integers(0, 100).map(lambda n: n / 100)
SETTINGS = st.builds(
    SaturationSettings,
    lang=st.none() | st.sampled_from(LANGUAGES),
    d=st.sampled_from(lab.D_VALUES),
    n=st.sampled_from(lab.KEYS),
    c=HUNDREDTHS,
    rules=st.lists(st.sampled_from(lab.RULES), min_size=1, max_size=lab.MOST_RULES, unique=True).map(lab.ordered),
    a=HUNDREDTHS,
    rows=st.sampled_from(lab.ROWS),
    entries=st.sampled_from(("normal", "uniform", "signs")),
    format=st.sampled_from(("float64", "float32", "float16")),
    seed=st.integers(0, 9999),
    measure=st.sampled_from(lab.MEASURES),
    myth=st.sampled_from(list(MYTHS)),
)


FOUR = ("none", "power", "qknorm", "softcap")
WORST = {"n": "1024", "entries": "uniform", "rules": ".".join(FOUR), "format": "float16"}


@given(SETTINGS)
def test_an_address_brings_back_the_same_settings_up_to_the_bound_of_the_work(now: SaturationSettings) -> None:
    read, problems = lab.read(dict(parse_qsl(lab.write(now))))
    assert read == lab.bounded(now)
    assert [problem.key for problem in problems] == ["address.too_many_rows"] * (read != now)
    assert lab.read(dict(parse_qsl(lab.write(read)))) == (read, [])


@pytest.mark.parametrize("entries", ["normal", "uniform", "signs"])
@pytest.mark.parametrize("number_format", ["float64", "float16"])
def test_the_work_is_bounded_whatever_an_address_asks_for(entries: str, number_format: str) -> None:
    """As many rows are allowed as the bound has room for, and not one stop of the slider more."""
    for n, rules in itertools.product(lab.KEYS, (("none",), ("qknorm",), FOUR)):
        now = SaturationSettings(n=n, rules=rules, entries=entries, format=number_format)
        allowed, each = lab.allowed_rows(now), lab.row_work(now)
        assert allowed == lab.ROWS[: len(allowed)]
        assert allowed[-1] * each <= lab.MOST_WORK
        assert all(rows * each > lab.MOST_WORK for rows in lab.ROWS[len(allowed) :])


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_at_the_bound_stands_and_one_beyond_it_is_told(language: str) -> None:
    most = lab.allowed_rows(lab.read({**WORST, "rows": "50"})[0])[-1]
    assert lab.ROWS[0] < most < lab.ROWS[-1]
    beyond = lab.ROWS[lab.ROWS.index(most) + 1]
    assert lab.read({**WORST, "rows": str(most)})[1] == []
    for rows in (beyond, lab.ROWS[-1]):
        read, (problem,) = lab.read({**WORST, "rows": str(rows)})
        sentence = words_of(language)(problem.key, **problem.values)
        assert read.rows == most
        assert sentence.startswith(f"rows = “{rows}”")
        assert f" {most}" in sentence
    assert lab.read(WORST)[0].rows == most  # where the default would be too much


def test_more_of_anything_is_more_work_and_the_default_is_far_from_the_bound() -> None:
    small = SaturationSettings(n=8, rules=("sqrt",))
    for more in (
        {"n": 64},
        {"rules": ("none", "sqrt")},
        {"rules": ("qknorm",)},
        {"format": "float16"},
        {"entries": "signs"},
    ):
        assert lab.row_work(replace(small, **more)) > lab.row_work(small)
    uniform, signs = (replace(small, entries=entries) for entries in ("uniform", "signs"))
    assert lab.row_work(uniform) > lab.row_work(signs)
    assert lab.allowed_rows(SaturationSettings()) == lab.ROWS


def test_defaults_leave_an_empty_address() -> None:
    assert lab.write(SaturationSettings()) == ""


def test_codes_know_no_language() -> None:
    written = lab.write(SaturationSettings(lang="zh", d=64, n=8, c=0.3, rules=("none", "power"), a=0.5))
    assert written == "lang=zh&d=64&n=8&c=0.3&rules=none.power&a=0.5"


@pytest.mark.parametrize(
    ("code", "raw"),
    [
        ("d", "63"), ("d", "1e3"), ("n", "0"), ("n", "1025"), ("c", "1.01"), ("c", "-0.1"), ("c", "nan"),
        ("rules", ""), ("rules", "none.none"), ("rules", "none.sqrt.power.linear.ssmax"), ("rules", "<b>"),
        ("rules", "none." * 10_000), ("a", "2"), ("rows", "501"), ("entries", "cauchy"), ("format", "float8"),
        ("seed", "10000"), ("measure", "x"), ("myth", "x"), ("lang", "fr"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_value_keeps_the_default_and_is_named(code: str, raw: str, language: str) -> None:
    read, (problem,) = lab.read({code: raw})
    assert read == SaturationSettings()
    sentence = words_of(language)(problem.key, **problem.values)
    assert sentence.startswith(f"{code} = “{raw[:20]}")
    assert len(sentence) < 250


def test_the_exponent_belongs_to_its_rule_alone() -> None:
    rules = SaturationSettings(rules=lab.ordered(["power", "none"]), a=0.75).scalings
    assert rules == (get_scaling("none"), get_scaling("power", a=0.75))
    assert set(lab.RULES) == set(SCALINGS)


def test_the_plotted_d_are_two_an_octave_with_every_power_of_two() -> None:
    assert (lab.D_VALUES[0], lab.D_VALUES[-1]) == (1, 4096)
    assert {2**power for power in range(13)} <= set(lab.D_VALUES)
    assert list(lab.D_VALUES) == sorted(set(lab.D_VALUES))
