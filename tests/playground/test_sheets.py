"""The sheets to print: well-formed and self-contained whatever the experiment."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core import EXAMPLES
from attention_ui.address import RULES, Settings
from attention_ui.exchange import exercise, report
from attention_ui.exchange.carried import Carried
from attention_ui.experiment import AXES, MATRICES, Experiment, from_example
from attention_ui.text import LANGUAGES, words_of
from tests.playground.exchange_cases import LOVE, carrieds, too_long
from tests.playground.sheet_cases import ADDRESS, VARIANTS, Parsed, both, sound

HOSTILE = ("<script>alert(1)</script>", "\"&'", "<b>", "{d}", "&lt;i&gt;")


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_gives_sound_sheets(example, variant):
    """Each example and each variant in both languages, each pair of them in one."""
    language = LANGUAGES[(list(EXAMPLES).index(example) + VARIANTS.index(variant)) % len(LANGUAGES)]
    carried = Carried(from_example(example), Settings(example=example, **variant))
    pages = [sound(html, carried.experiment.tokens) for html in both(carried, language)]
    for parsed in pages:
        assert ("lang", "zh-CN" if language == "zh" else "en") in parsed.attributes
        assert ("name", "color-scheme") in parsed.attributes
        assert parsed.tags.count("h1") == 1
    assert 6 <= pages[1].tags.count("li") / 2 <= 8  # questions, each with its answer


@settings(max_examples=12, deadline=None)
@given(carrieds(d_codes=("typed", "64")), st.sampled_from(LANGUAGES))
def test_any_experiment_gives_sound_sheets(carried, language):
    words = words_of(language)
    for html in (report.write(carried, words, ADDRESS), exercise.write(carried, words)):
        parsed = sound(html, carried.experiment.tokens)
    assert 4 <= parsed.tags.count("li") / 2 <= 8


@st.composite
def odd(draw):
    """Experiments of few sizes and few values: one token, 1×1 matrices, zeros, a million, ties."""
    n, *sizes = (draw(st.sampled_from([1, 2, 3])) for _ in range(4))
    size = {"tokens": n, **dict(zip(("d_emb", "d_k", "d_v"), sizes, strict=True))}
    values = draw(st.sampled_from([(0.0,), (1.0,), (1e6,), (1e6, -1e6, 0.0), (0.0, 1.0, -1.0), (1e-300, 1.0)]))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    matrices = {name: rng.choice(values, tuple(size[axis] for axis in AXES[name])) for name in MATRICES}
    chosen = {"rule": draw(st.sampled_from(RULES)), "scale": draw(st.booleans()), "causal": draw(st.booleans())}
    chosen |= {"d": draw(st.sampled_from(["typed", "64"])), "decimals": draw(st.integers(0, 6))}
    return Carried(Experiment("love", HOSTILE[:n], matrices), Settings(**chosen))


@settings(max_examples=30, deadline=None)
@given(odd(), st.sampled_from(LANGUAGES))
def test_odd_experiments_with_hostile_tokens(carried, language):
    words = words_of(language)
    for html in (report.write(carried, words, ADDRESS), exercise.write(carried, words)):
        parsed = sound(html, carried.experiment.tokens)
        assert " ".join(carried.experiment.tokens) in parsed.text
        assert "<script" not in html
    assert 4 <= parsed.tags.count("li") / 2 <= 8


def test_the_same_experiment_gives_the_same_bytes():
    again = Carried(from_example("random_8"), Settings(example="random_8", d="64", causal=True))
    for language in LANGUAGES:
        first, second = (both(again, language) for _ in range(2))
        assert first == second


def test_an_address_too_long_to_be_typed_can_be_clicked_but_is_not_printed():
    for length, printed in ((100, True), (2000, False)):
        address = "https://example.org/?x=" + "a" * length
        html = report.write(LOVE, words_of("en"), address)
        assert f'href="{address}"' in html
        assert (html.count(address) == 2) == printed


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_no_address_holds_the_experiment_the_report_asks_for_a_file(language):
    words = words_of(language)
    parsed = sound(report.write(Carried(too_long(), Settings()), words, None), too_long().tokens)
    assert words("sheets.report.no_link") in parsed.text
    assert "a" not in parsed.tags


@pytest.mark.parametrize("address", ["javascript:alert(1)", '"><script>', "data:text/html,x"])
def test_only_an_address_of_the_web_can_be_clicked(address):
    html = report.write(LOVE, words_of("en"), address)
    parsed = Parsed(html)
    assert "a" not in parsed.tags
    assert address in parsed.text
