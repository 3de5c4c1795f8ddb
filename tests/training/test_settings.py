"""The training lab's settings to an address and back."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_ui import training_settings as lab
from attention_ui.text import LANGUAGES, words_of
from attention_ui.training_settings import TrainingSettings

SETTINGS = st.builds(
    TrainingSettings,
    lang=st.none() | st.sampled_from(LANGUAGES),
    rules=st.lists(st.sampled_from(lab.RULES), min_size=1, unique=True).map(lab.ordered),
    d=st.sampled_from(lab.D_VALUES),
    rate=st.sampled_from(lab.RATES),
    gain=st.sampled_from(lab.GAINS),
    steps=st.sampled_from(lab.STEPS),
    seed=st.integers(0, 9999),
    measure=st.sampled_from(lab.MEASURES),
    watch=st.sampled_from(lab.RULES),
)


@given(SETTINGS)
def test_an_address_brings_back_the_same_settings(now: TrainingSettings) -> None:
    read, problems = lab.read(dict(parse_qsl(lab.write(now))))
    assert not problems
    assert read == now


@pytest.mark.parametrize(
    ("code", "raw"),
    [("rules", "none.unheard"), ("d", "65"), ("rate", "0.2"), ("rate", "1e1"), ("gain", "3"), ("steps", "1000000"),
     ("seed", "-1"), ("measure", "<b>"), ("watch", "qknorm")],
)  # fmt: skip
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_value_keeps_the_default_and_is_named(code: str, raw: str, language: str) -> None:
    read, (problem,) = lab.read({code: raw})
    assert read == TrainingSettings()
    assert words_of(language)(problem.key, **problem.values).startswith(f"{code} = “{raw}”")


def test_the_watched_rule_is_one_that_is_trained() -> None:
    assert TrainingSettings(rules=("none",), watch="linear").watched == "none"
    assert TrainingSettings(watch="linear").watched == "linear"
