"""Settings to an address and back, and what is said of an address that cannot be read."""

from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import EXAMPLES, SCALINGS, get_example
from attention_ui import address
from attention_ui.address import D_CODES, RULES, Settings, completed
from attention_ui.stages import STAGES
from attention_ui.text import LANGUAGES, words_of


@st.composite
def settings(draw: st.DrawFn) -> Settings:
    example, rule = draw(st.sampled_from(list(EXAMPLES))), draw(st.sampled_from(RULES))
    name = address.parameter_of(rule)
    bounds = SCALINGS[rule].bounds.get(name or "")
    param = (
        draw(st.none() | st.integers(int(bounds.low * 100), int(bounds.high * 100)).map(lambda n: n / 100))
        if bounds
        else None
    )
    return Settings(
        lang=draw(st.none() | st.sampled_from(LANGUAGES)),
        example=example,
        scale=draw(st.booleans()),
        rule=rule,
        param=param,
        d=draw(st.sampled_from(D_CODES)),
        how=draw(st.none() | st.sampled_from(["independent", "copies", "zeros"])),
        row=draw(st.none() | st.integers(0, len(get_example(example).tokens) - 1)),
        causal=draw(st.booleans()),
        seed=draw(st.integers(0, 9999)),
        stage=draw(st.sampled_from(list(STAGES))),
        show_all=draw(st.booleans()),
        measure=draw(st.sampled_from(address.MEASURES)),
        decimals=draw(st.integers(0, 6)),
    )


@given(settings())
def test_an_address_brings_back_the_same_settings(now: Settings) -> None:
    read, problems = address.read(dict(parse_qsl(address.write(now))))
    assert not problems
    assert read == now


def test_defaults_leave_an_empty_address() -> None:
    assert address.write(Settings()) == ""


def test_codes_are_short_and_know_no_language() -> None:
    written = address.write(Settings(lang="zh", example="love_zh", scale=False, d="4096", causal=True, seed=7, row=1))
    assert written == "lang=zh&example=love_zh&scale=off&d=4096&row=2&causal=on&seed=7"


@pytest.mark.parametrize(
    ("code", "raw"),
    [
        ("d", "63.5"), ("d", "-1"), ("d", "0"), ("d", "١٢٨"), ("d", ""), ("d", "8192"), ("d", "nan"),
        ("example", "nothing"), ("example", "<script>alert(1)</script>"), ("lang", "fr"), ("scale", "yes"),
        ("rule", "none"), ("rule", "unheard"), ("seed", "-1"), ("seed", "1e3"), ("seed", "99999999999999999999"),
        ("seed", "1.5"), ("causal", "1"), ("how", "magic"), ("row", "0"), ("row", "17"), ("row", "x" * 100_000),
        ("stage", "softmax"), ("show_all", "1"), ("measure", "entropy"), ("decimals", "7"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_value_is_named_and_the_default_stands(code: str, raw: str, language: str) -> None:
    read, problems = address.read({code: raw})
    assert read == Settings()
    assert [problem.key for problem in problems] == [f"address.{code}"]
    sentence = words_of(language)(problems[0].key, **problems[0].values)
    assert sentence.startswith(f"{code} = ")
    assert len(sentence) < 300


def test_a_parameter_without_a_rule_that_has_one_is_named() -> None:
    read, problems = address.read({"param": "0.3"})
    assert read == Settings()
    assert words_of("en")(problems[0].key, **problems[0].values) == "param = “0.3”: the rule sqrt has no parameter."


def test_a_parameter_is_checked_against_its_rule() -> None:
    good, none = address.read({"rule": "power", "param": "0.25"})
    assert (good.param, none) == (0.25, [])
    for bad in ("1.5", "-0.1", "nan", "1e-1", "0,5"):
        read, problems = address.read({"rule": "power", "param": bad})
        assert read.param is None
        assert problems[0].values["high"] == 1.0


def test_an_unknown_setting_is_left_alone() -> None:
    assert address.read({"utm_source": "mail"}) == (Settings(), [])


def test_the_examples_own_row_is_one_of_the_tokens_that_came_with_it() -> None:
    asked = Settings(example="meeting")
    assert completed(asked, "en", 4).row == get_example("meeting").row == 2
    assert completed(asked, "en", 2).row == 1
    assert completed(replace(asked, row=0), "en", 2).row == 0
