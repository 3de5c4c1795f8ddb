"""The numbers that fill a lesson's text, by lesson; all come from the core or from the figures' own data."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import pi, sqrt

import numpy as np

from attention_core import get_example, softmax
from attention_ui.lessons import data
from attention_ui.lessons.written import listed, point, whole
from attention_ui.numbers import fixed, percent, plain, share, significant
from attention_ui.text import Words, words_of

Values = dict[str, str]
ROW, OTHER = 0, 2  # the tokens that the texts compare: the first and the third


@lru_cache(maxsize=64)
def values(name: str, language: str) -> Values:
    """What fills the lesson of that name. Errors: KeyError for an unknown lesson."""
    found = _tokens(language) | _VALUES[name](words_of(language))
    return {key: text.replace(" %", "\N{NO-BREAK SPACE}%") for key, text in found.items()}


def _tokens(language: str) -> Values:
    """What any lesson may name: the worked example and its tokens."""
    first, second, third = data.love(language).tokens
    sentence = " ".join((first, second, third))
    return {"love": data.name_of_love(language), "sentence": sentence, "first": first, "second": second, "third": third}


def _example(words: Words) -> Values:
    trace, raw = data.trace_of("love"), data.trace_of("love", "none")
    return {
        "d": str(trace.d_k),
        "root": fixed(sqrt(trace.d_k), 3),
        "scores": listed(trace.scores[ROW], 3),
        "weights": listed(trace.weights[ROW], 3),
        "scaled": fixed(float(trace.weights[ROW].max()), 3),
        "unscaled": fixed(float(raw.weights[ROW].max()), 3),
    }


def _problem(words: Words) -> Values:
    """Where the head's “it” looks in each of its sentences."""

    def given(ending: str, word: str) -> str:
        tokens, weights = data.head("L3H1", ending)
        return percent(float(weights[tokens.index("it"), tokens.index(word)]))

    endings, nouns = ("tired", "wide", "swapped"), ("animal", "street")
    found = {f"{ending}_{noun}": given(ending, noun) for ending in endings for noun in nouns}
    return {**found, "tired_tired": given("tired", "tired"), "wide_start": given("wide", "[CLS]")}


def _rnn(words: Words) -> Values:
    n = data.TOKENS
    return {"n": str(n), "path": str(n - 1), "scores": str(n * n)}


def _self(words: Words) -> Values:
    weights = data.trace_of("love").weights
    masked = data.trace_of("love", is_causal=True).weights
    return {
        "weights": listed(weights[OTHER], 3),
        "own": fixed(float(weights[OTHER, OTHER]), 3),
        "there": fixed(float(weights[ROW, OTHER]), 3),
        "back": fixed(float(weights[OTHER, ROW]), 3),
        "masked": plain(float(masked[ROW, ROW]), 3),
    }


def _meeting(words: Words) -> Values:
    trace = data.trace_of("meeting", "none")
    shares = trace.weights[2]
    result = shares @ trace.V
    distances = np.linalg.norm(trace.V - result, axis=1)
    letters = "abcd"
    return {
        **{letter: share(round(float(weight) * 100, 6)) for letter, weight in zip(letters, shares, strict=True)},
        **{f"w{letter}": f"{weight:.1f}" for letter, weight in zip(letters, shares, strict=True)},
        "result": point(result),
        "distances": ", ".join(fixed(float(value), 2) for value in distances),
        "whole": share(round(float(shares.sum()) * 100, 6)),
    }


def _text(words: Words) -> Values:
    example = data.love(words.language)
    n, d = example.X.shape
    return {
        "tokens": words("lab.comma").join(example.tokens),
        "ids": listed(data.IDS, 0),
        "first_id": str(data.IDS[0]),
        "last_id": str(data.IDS[-1]),
        "n": str(n),
        "d": str(d),
    }


def _projections(words: Words) -> Values:
    d = data.D_VALUES[-1]
    return {"d": whole(d), "parameters": whole(d * d), "three": whole(3 * d * d)}


def _learned(words: Words) -> Values:
    run, task = data.run(), data.TASK
    return {
        "n": str(task.n_keys), "steps": str(data.RUN_STEPS), "d": str(data.RUN_D), "rate": f"{data.RUN_RATE:g}",
        "uniform": share(100 / task.n_keys),
        "start": percent(data.right_share(run[0])),
        "right": percent(data.right_share(run[-1])),
        "loss_start": fixed(run[0].loss, 2),
        "loss_end": fixed(run[-1].loss, 3),
        "loss_uniform": fixed(task.uniform_loss, 2),
        "large": str(data.LARGE_D),
        "large_rate": str(data.LARGE_RATE),
    }  # fmt: skip


def _search(words: Words) -> Values:
    found, names = data.search(), words.section("lesson.search")
    order = np.argsort(-found.weights[0])
    return {
        "query": names["query_1"],
        **{f"title_{i + 1}": names[f"title_{i + 1}"] for i in range(len(data.TITLES))},
        "best_score": plain(float(found.scores[0].max()), 2),
        "best_share": percent(float(found.weights[0][order[0]])),
        "next_share": percent(float(found.weights[0][order[1]])),
    }


def _one(words: Words) -> Values:
    tied, free = data.tied(True, False), data.tied(False, False)
    return {
        "same": plain(float(tied.scores[ROW, OTHER]), 3),
        "there": plain(float(free.scores[ROW, OTHER]), 3),
        "back": plain(float(free.scores[OTHER, ROW]), 3),
        "n": str(len(tied.X)),
        "equal_own": str(data.own_tops(tied.weights)),
        "long_own": str(data.own_tops(data.tied(True, True).weights)),
        "times": f"{data.LONGER:g}",
    }


def _pairs(words: Words) -> Values:
    n, d = data.KEYS, data.D_VALUES[1]
    return {"n": str(n), "d": str(d), "nd": str(n * d), "pairs": str(n * n)}


def _dot(words: Words) -> Values:
    a, b = get_example("arrows").X[:2]
    terms = " + ".join(f"{plain(x, 1)} · {plain(y, 1)}" for x, y in zip(a, b, strict=True))
    return {
        "a": point(a), "b": point(b), "one": plain(1, 0), "zero": plain(float(a @ b), 0), "minus": plain(-1, 0),
        "sum": f"{terms} = {plain(float(a @ b), 0)}",
    }  # fmt: skip


def _scaling(words: Words) -> Values:
    small, large = data.D_VALUES[0], data.D_VALUES[-1]
    scores = np.array(data.FAMOUS)
    return {
        "small": str(small), "large": str(large),
        "factor": f"{large / small:g}", "root_factor": f"{sqrt(large / small):g}",
        "sd_small": f"{sqrt(small):g}", "sd_large": f"{sqrt(large):g}",
        "typical_small": fixed(sqrt(2 * small / pi), 1), "typical_large": fixed(sqrt(2 * large / pi), 0),
        "scores": listed(scores, 0),
        "single": listed(softmax(scores.astype(np.float32)), 0),
        "raw": f"[{', '.join(significant(float(weight)) for weight in softmax(scores))}]",
        "sharp": listed(softmax(scores / sqrt(large)), 4),
    }  # fmt: skip


def _softmax(words: Words) -> Values:
    scores = data.trace_of("scores_285", "none").scores[0]
    lead = float(scores[1] - scores[2])
    easy = np.array([2.0, 1.0, 1.0])
    names = [words(f"lesson.capital.{word}") for word in ("france", "capital", "paris")]
    return {
        "scores": listed(scores, 0),
        "proportional": listed(scores / scores.sum(), 3),
        "weights": listed(softmax(scores), 3),
        "hard": listed(np.eye(3)[int(scores.argmax())], 0),
        "e": fixed(float(np.e), 2),
        "lead": plain(lead, 0),
        "factor": fixed(float(np.exp(lead)), 1),
        "easy": listed(easy, 0),
        "printed": listed(easy / easy.sum(), 2),
        "right": listed(softmax(easy), 3),
        "two": plain(float(easy[0] / easy[1]), 0),
        "capital": words("lab.comma").join(
            f"{name} {share(round(float(part) * 100, 6))}" for name, part in zip(names, data.CAPITAL, strict=True)
        ),
    }


def _mixing(words: Words) -> Values:
    return {"weights": listed(data.SHARES, 1), "output": point(data.SHARES @ data.TRIANGLE)}


def _graph(words: Words) -> Values:
    tokens, weights = data.head("L4H5", "tired")
    arriving = weights.mean(axis=0)
    top = int(arriving.argmax())
    return {"favourite": tokens[top], "share": percent(float(arriving[top]))}


def _flow(words: Words) -> Values:
    trace = data.trace_of("love")
    n, d_emb = trace.X.shape
    return {
        "n": str(n), "d_emb": str(d_emb), "d_k": str(trace.d_k), "root": f"√{trace.d_k}",
        "sums": words("lab.comma").join(plain(float(value), 2) for value in trace.scores.sum(axis=1)),
    }  # fmt: skip


def _essence(words: Words) -> Values:
    found = {rule: fixed(data.mean_largest(rule), 2) for rule in ("none", "sqrt", "linear")}
    return found | {
        "n": str(data.KEYS), "d": str(data.D_VALUES[-1]), "uniform": fixed(1 / data.KEYS, 3), "shift": "100",
    }  # fmt: skip


_VALUES: dict[str, Callable[[Words], Values]] = {
    "00-example": _example,
    "01-problem": _problem,
    "02-rnn": _rnn,
    "03-self-attention": _self,
    "04-meeting": _meeting,
    "05-from-text-to-x": _text,
    "06-projections": _projections,
    "07-learned": _learned,
    "08-three-matrices": _search,
    "09-one-matrix": _one,
    "10-pairs": _pairs,
    "11-dot-product": _dot,
    "12-scaling": _scaling,
    "13-softmax": _softmax,
    "14-values": _mixing,
    "15-routing": lambda words: {},
    "16-graph": _graph,
    "17-flow": _flow,
    "18-essence": _essence,
}
