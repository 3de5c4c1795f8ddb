"""The real head's settings to an address and back."""

from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core.heads import ENDINGS, RECORDED, load_head
from attention_ui import head_frames, head_results
from attention_ui import head_settings as lab
from attention_ui.head_settings import HeadSettings
from attention_ui.text import LANGUAGES, words_of

SETTINGS = st.builds(
    HeadSettings,
    lang=st.none() | st.sampled_from(LANGUAGES),
    head=st.sampled_from(RECORDED),
    ending=st.sampled_from(ENDINGS),
    scale=st.booleans(),
    rule=st.sampled_from(lab.RULES),
    temperature=st.sampled_from(lab.TEMPERATURES),
    components=st.none() | st.integers(1, 32),
    token=st.none() | st.integers(0, 15),
)


@given(SETTINGS)
def test_an_address_brings_back_the_same_settings(now: HeadSettings) -> None:
    read, problems = lab.read(dict(parse_qsl(lab.write(now))))
    assert not problems
    assert read == now


@pytest.mark.parametrize(
    ("code", "raw"),
    [("head", "own"), ("head", "../x"), ("ending", "sad"), ("scale", "yes"), ("rule", "none"), ("temperature", "3"),
     ("components", "33"), ("components", "0"), ("token", "16")],
)  # fmt: skip
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_value_keeps_the_default_and_is_named(code: str, raw: str, language: str) -> None:
    read, (problem,) = lab.read({code: raw})
    assert read == HeadSettings()
    assert words_of(language)(problem.key, **problem.values).startswith(f"{code} = “{raw}”")


def test_the_graph_holds_the_chosen_rows_weights() -> None:
    head = load_head("L3H1")
    p = head_results.weights(head, HeadSettings().scaling, 1.0, None)
    table = head_frames.graph(p, head.tokens, 10, 0)
    edges = table[table.role == "edge"]
    np.testing.assert_array_equal(edges.value, p[10])
    assert set(edges.y) == {10.0}
    assert table[table.chosen].text.tolist() == ["it"]
    assert table[table.role == "key"].text.tolist() == list(head.tokens)


def test_fewer_components_keep_the_strongest() -> None:
    values = head_results.spectrum(load_head("L3H1"))
    table = head_frames.spectrum(values, 3)
    assert table[table.kept]["rank"].tolist() == [1, 2, 3]
    assert table.value.tolist() == sorted(values, reverse=True)


def test_random_weights_have_scores_of_the_size_of_the_law() -> None:
    for name in RECORDED:
        assert head_results.fresh_size(load_head(name)) == pytest.approx(1, abs=0.12)


def test_all_components_make_the_whole_head() -> None:
    head = load_head("L4H5")
    assert head_results.missed(head, 32) < 1e-6
    assert head_results.missed(head, 1) > head_results.missed(head, 31)
