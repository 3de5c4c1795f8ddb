"""The real head's settings to an address and back."""

import gc
from dataclasses import replace
from itertools import product
from urllib.parse import parse_qsl
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import SCALINGS, Head, get_scaling
from attention_core.head_kept import KeptHead
from attention_core.heads import ENDINGS, RECORDED, load_head
from attention_ui import address, head_frames, head_results
from attention_ui import head_settings as lab
from attention_ui.head_scene import HeadScene, chosen
from attention_ui.head_settings import OWN, HeadSettings
from attention_ui.head_shelf import OwnHead
from attention_ui.text import LANGUAGES, words_of

SETTINGS = st.builds(
    HeadSettings,
    lang=st.none() | st.sampled_from(LANGUAGES),
    head=st.sampled_from(RECORDED),
    ending=st.sampled_from(ENDINGS),
    scale=st.booleans(),
    rule=st.sampled_from(address.RULES),
    temperature=st.sampled_from(lab.TEMPERATURES),
    components=st.none() | st.integers(1, 32),
    token=st.none() | st.integers(0, 15),
)


@given(SETTINGS)
def test_an_address_brings_back_the_same_settings(now: HeadSettings) -> None:
    read, problems = lab.read(dict(parse_qsl(lab.write(now))))
    assert not problems
    assert read == now


@given(SETTINGS)
def test_an_address_holds_all_but_the_uploaded_head_and_what_only_it_has(now: HeadSettings) -> None:
    query = lab.write(replace(now, head=OWN, components=300, token=7))
    assert query == lab.write(replace(now, head=RECORDED[0], components=None, token=None))


@pytest.mark.parametrize(("components", "kept"), [(None, None), (1, 1), (31, 31), (32, None), (300, None)])
def test_a_head_keeps_no_more_components_than_it_has(components: int | None, kept: int | None) -> None:
    settings = HeadSettings(components=components)
    assert settings.kept(32) == kept
    assert HeadScene(words_of("en"), settings).components == kept


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


@pytest.mark.parametrize("name", RECORDED)
def test_random_weights_have_scores_of_the_size_of_the_law(name: str) -> None:
    assert head_results.fresh(load_head(name)).spread == pytest.approx(1, abs=0.12)


def test_all_components_make_the_whole_head() -> None:
    head = load_head("L4H5")
    assert head_results.missed(head, 32) < 1e-6
    assert head_results.missed(head, 1) > head_results.missed(head, 31)


def own_head(size: float = 1.0, n: int = 6, d_model: int = 8, d_k: int = 4) -> Head:
    rng = np.random.default_rng(4)
    W_Q, W_K = size * rng.normal(0, d_model**-0.5, (2, d_model, d_k))
    return Head(tuple(map(str, range(n))), rng.standard_normal((n, d_model)), W_Q, W_K)


def test_results_are_kept_as_long_as_their_head_and_no_longer() -> None:
    head, rule = own_head(), get_scaling("sqrt")
    results = head_results.weights(head, rule, 1.0, 2), head_results.spectrum(head)
    assert head_results.weights(head, rule, 1.0, 2) is results[0]
    assert head_results.weights(own_head(), rule, 1.0, 2) is not results[0]
    assert head_results.spectrum(head) is results[1]
    head_results.missed(head, 1), head_results.figures(head, rule, 1.0, None), head_results.fresh(head)
    watched = [ref(head), ref(head.X), *map(ref, results)]
    del head, results
    gc.collect()
    assert [there() for there in watched] == [None] * 4


@pytest.mark.parametrize("components", [None, 2])
def test_few_of_a_heads_weights_are_kept(components: int | None) -> None:
    head, rule = own_head(), get_scaling("sqrt")
    first = ref(head_results.weights(head, rule, 1.0, components))
    for temperature in range(2, 11):
        head_results.weights(head, rule, float(temperature), components)
    gc.collect()
    assert first() is None


@pytest.mark.parametrize(
    ("sizes", "draws"),
    [((16, 384, 32), 50), ((16, 4096, 128), 12), ((512, 768, 64), 22), ((512, 4096, 128), 4), ((512, 4096, 512), 3)],
)
def test_the_largest_heads_are_drawn_less_often(sizes: tuple[int, int, int], draws: int) -> None:
    n, d_model, d_k = sizes
    weights = np.zeros((d_model, d_k))
    assert head_results.draws(Head(("a",) * n, np.zeros((n, d_model)), weights, weights)) == draws


@pytest.mark.parametrize("name", RECORDED)
@pytest.mark.parametrize("rule", SCALINGS)
def test_every_figure_is_a_number_in_its_range(name: str, rule: str) -> None:
    for temperature, components in product((lab.TEMPERATURES[0], 1.0, lab.TEMPERATURES[-1]), (None, 1, 31)):
        now = head_results.figures(load_head(name), get_scaling(rule), temperature, components)
        assert 0 <= now.entropy <= np.log(16)
        assert 1 <= now.effective <= 16
        assert 1 / 16 <= now.largest <= 1
        assert 0 <= now.sensitivity <= 15 / 16
        assert 0 <= now.dead <= 1
        assert 0 < now.spread < 20


def test_scores_too_small_to_square_have_a_size() -> None:
    rule, usual = get_scaling("sqrt"), own_head()
    spread = head_results.figures(usual, rule, 1.0, None).spread
    assert spread == pytest.approx(np.sqrt(np.mean((usual.Q @ usual.K.T) ** 2) / 4), rel=1e-12)
    assert head_results.figures(own_head(1e-100), rule, 1.0, None).spread == pytest.approx(1e-200 * spread, rel=1e-12)


def test_the_strongest_keys_come_first_and_none_without_a_share() -> None:
    assert head_results.strongest(np.array([0.2, 0.5, 0.0, 0.3]), 3) == [1, 3, 0]
    assert head_results.strongest(np.array([0.5, 0.0, 0.5]), 3) == [0, 2]


def test_the_shares_that_the_page_tells_of_the_recorded_heads() -> None:
    nouns = head_results.nouns("L3H1")
    wanted = {"tired_animal": 0.677, "wide_animal": 0.281, "swapped_street": 0.645, "swapped_animal": 0.137}
    assert {key: nouns[key] for key in wanted} == pytest.approx(wanted, abs=5e-4)
    assert head_results.first("L4H5")["tired_first"] == pytest.approx(0.90, abs=5e-3)


def test_the_head_that_is_asked_for() -> None:
    own = OwnHead(KeptHead.of(own_head()), head_results.fresh(own_head()), None, ())
    assert chosen(HeadSettings(head=OWN), own) is own.kept
    assert chosen(HeadSettings(head="L0H2", ending="wide"), own) is load_head("L0H2", "wide")


def test_a_rule_is_named_with_its_own_parameter() -> None:
    scene = HeadScene(words_of("en"), HeadSettings())
    assert scene.rule_label(get_scaling("power")) == "1/dᵃ (a = 0.25)"
    assert scene.rule_label(get_scaling("power", a=0.4)) == "1/dᵃ (a = 0.4)"
