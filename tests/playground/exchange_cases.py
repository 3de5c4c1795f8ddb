"""What the tests of attention_ui.exchange share: experiments of every kind, and how a problem is caught and checked."""

import string

import numpy as np
import pytest
from hypothesis import strategies as st

from attention_core import EXAMPLES
from attention_core.growth import HOWS
from attention_ui import address, tokens
from attention_ui.address import Settings
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.experiment import AXES, MATRICES, SIZES, Experiment, from_example, randomise, resize
from attention_ui.stages import STAGES
from attention_ui.text import LANGUAGES, words_of

WORDS = (
    "I", "爱", "AI", "naïve", "Straße", "привет", "مرحبا", "שלום", "नमस्ते", "สวัสดี", "こんにちは", "안녕", "Γειά",
    "👩\u200d🚀", "🇨🇳", "𝒳", "=1+1", "'quoted", '"', "\\n", "##ed", "</script>", "-5", "3", "NaN", "x,y", "a;b",
)  # fmt: skip
SPECIAL = np.array([0.0, -0.0, 5e-324, -5e-324, 1e6, -1e6, 0.1, 1 / 3, 2.5, -1, 1e-300, np.nextafter(1e6, 0)])
LOVE = Carried(from_example("love"), Settings())


def drawn(rng, shape):
    """A matrix of one of four kinds: two decimals, all digits, any size at all, and what is special about floats."""
    kind = rng.integers(4)
    if kind == 0:
        return np.round(rng.standard_normal(shape), 2)
    if kind == 1:
        return rng.standard_normal(shape)
    if kind == 2:
        return rng.uniform(-1, 1, shape) * 10.0 ** rng.integers(-20, 7, shape)
    return rng.choice(SPECIAL, shape)


def sentence(rng, text):
    """Tokens of any language, some text among them, as the sentence field would make them."""
    found = tokens.split(" ".join([*rng.choice(WORDS, rng.integers(1, 13)).tolist(), text]))
    return found if isinstance(found, tuple) else ("我", "爱", "AI")


def some_settings(rng, example, n_tokens, d_codes=address.D_CODES):
    """Settings that an address could ask for."""
    rule = str(rng.choice(address.RULES))
    bounds = address._bounds(Settings(rule=rule))
    param = None if bounds is None or rng.random() < 0.3 else round(rng.uniform(bounds.low, bounds.high), 2)
    scale, causal, show_all = rng.integers(2, size=3).astype(bool).tolist()
    return Settings(
        example=example,
        scale=scale,
        rule=rule,
        param=param,
        d=str(rng.choice(d_codes)),
        how=[None, *HOWS][rng.integers(4)],
        row=None if rng.random() < 0.3 else int(rng.integers(n_tokens)),
        causal=causal,
        seed=int(rng.integers(address.LARGEST_SEED + 1)),
        stage=str(rng.choice(list(STAGES))),
        show_all=show_all,
        measure=str(rng.choice(address.MEASURES)),
        decimals=int(rng.integers(address.MOST_DECIMALS + 1)),
    )


def some_experiment(rng, text=""):
    """Any experiment, its cells in part fresh: all from one generator, which is far quicker than drawing each part."""
    example, words = str(rng.choice(list(EXAMPLES))), sentence(rng, text)
    sizes = {"tokens": len(words)} | {size: int(rng.integers(1, 17)) for size in SIZES}
    shapes = {name: tuple(sizes[axis] for axis in AXES[name]) for name in MATRICES}
    return Experiment(
        example,
        words,
        {name: drawn(rng, shape) for name, shape in shapes.items()},
        {name: rng.random(shapes[name]) < 0.5 for name in MATRICES if rng.random() < 0.5},
        {name: int(rng.integers(2**31)) for name in MATRICES if rng.random() < 0.5},
    )


@st.composite
def carrieds(draw, d_codes=address.D_CODES):
    """Any experiment with any settings."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    experiment = some_experiment(rng, draw(st.text(max_size=8)))
    return Carried(experiment, some_settings(rng, experiment.example, len(experiment.tokens), d_codes))


def edited():
    """A few experiments as learners make them."""
    grown = resize(from_example("love"), "d_k", 5, 1)
    mixed = randomise(resize(from_example("random_8"), "d_emb", 9, 2), "W_Q", 7)
    return [
        LOVE,
        Carried(grown, Settings(d="64", rule="power", param=0.25, row=2)),
        Carried(mixed, Settings(example="random_8", causal=True, stage="weights")),
    ]


def too_long():
    """All digits random in the largest matrices: no address holds them."""
    rng = np.random.default_rng(0)
    return Experiment("love", tuple("abcdefghijklmnop"), {name: rng.random((16, 16)) for name in MATRICES})


def same(one, other):
    """Equal bit for bit, and in every setting."""
    assert one.settings == other.settings
    a, b = one.experiment, other.experiment
    assert (a.example, a.tokens, a.seeds) == (b.example, b.tokens, b.seeds)
    for name in MATRICES:
        assert a.matrices[name].shape == b.matrices[name].shape
        assert a.matrices[name].tobytes() == b.matrices[name].tobytes()
    assert a.fresh.keys() == b.fresh.keys()
    assert all(np.array_equal(a.fresh[name], b.fresh[name]) for name in a.fresh)


def filled(found):
    """A problem's sentence in both languages, filled by exactly its values and fit to be shown."""
    for language in LANGUAGES:
        sentence = words_of(language)(f"exchange.{found.code}")
        assert {name for _, name, _, _ in string.Formatter().parse(sentence) if name} == set(found.values)
        text = sentence.format(**found.values)
        assert text.isprintable()
        assert len(text.encode()) < 600


def problem(read, raw):
    """The problem that reading this raises."""
    with pytest.raises(ExchangeProblem) as caught:
        read(raw)
    filled(caught.value)
    return caught.value
