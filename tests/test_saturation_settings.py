"""The saturation lab's settings to an address and back."""

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


@given(SETTINGS)
def test_an_address_brings_back_the_same_settings(now: SaturationSettings) -> None:
    read, problems = lab.read(dict(parse_qsl(lab.write(now))))
    assert not problems
    assert read == now


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
