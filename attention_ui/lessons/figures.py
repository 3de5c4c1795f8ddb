"""The live figures by name: their kind, and the numbers that are sent to the browser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_core import softmax
from attention_core.checks import FloatArray
from attention_ui import tokens
from attention_ui.lessons import data, products
from attention_ui.lessons.products import Numbers, counts
from attention_ui.stages import STAGES, shown_stages
from attention_ui.text import Words

SHOWN = tuple(shown_stages(causal=False))  # as boxes of the flow


@dataclass(frozen=True)
class FigureOf:
    """What draws it in the browser, and what it is drawn from."""

    kind: str
    numbers: Callable[[Words], Numbers]


def _it(words: Words) -> Numbers:
    """The head that looks for the first noun, in its three sentences."""
    variants = []
    for ending in ("tired", "wide", "swapped"):
        sentence, weights = data.head("L3H1", ending)
        variants.append(_looker(words(f"head.endings.{ending}"), sentence, weights, sentence.index("it")))
    return {"variants": variants}


def _love(words: Words) -> Numbers:
    example = data.love(words.language)
    return {"variants": [_looker("", example.tokens, data.trace_of("love").weights, 0)]}


def _looker(label: str, sentence: tuple[str, ...], weights: FloatArray, picked: int) -> Numbers:
    names = list(tokens.names(sentence))
    return {"label": label, "tokens": names, "weights": np.round(weights, 5).tolist(), "picked": picked}


def _graph(words: Words) -> Numbers:
    """The worked example, random weights, and a trained head."""
    example = data.love(words.language)
    random = data.trace_of("random_8")
    sentence, weights = data.head("L4H5", "tired")
    return {
        "variants": [
            _looker(tokens.join(example.tokens), example.tokens, data.trace_of("love").weights, 0),
            _looker(
                words("lesson.graph.random", n=len(random.X)), data.get_example("random_8").tokens, random.weights, 0
            ),
            _looker(words("lesson.graph.trained"), sentence, weights, 0),
        ]
    }


def _meeting(words: Words) -> Numbers:
    trace, names = data.trace_of("meeting"), data.get_example("meeting").tokens
    points = [{"name": name, "at": place.tolist()} for name, place in zip(names, trace.V, strict=True)]
    weights = data.trace_of("meeting", "none").weights[2]
    return {"points": points, "weights": weights.tolist(), "result": "C′", "reach": 1.6}


def _values(words: Words) -> Numbers:
    points = [{"name": f"v{'₁₂₃'[i]}", "at": place} for i, place in enumerate(data.TRIANGLE.tolist())]
    return {"points": points, "weights": data.SHARES.tolist(), "result": "o", "reach": 2.2}


def _lookup(words: Words) -> Numbers:
    example = data.love(words.language)
    rows = zip(example.tokens, data.IDS, example.X.tolist(), strict=True)
    vocabulary = [{"token": token, "id": number, "row": row} for token, number, row in rows]
    return {"vocabulary": vocabulary, "columns": counts(example.X.shape[1]), "start": [0, 1, 2], "most": 6}


def _shapes(words: Words) -> Numbers:
    powers = [2**k for k in range(2, 13)]
    choices = {"n": powers, "d_model": powers, "d_k": powers}
    return {"choices": choices, "sizes": {"n": 16, "d_model": 4096, "d_k": 4096}}


def _learning(words: Words) -> Numbers:
    run = data.run()
    shown = [*range(0, 20, 2), *range(20, len(run), 10)]
    frames = [{"step": k, "weights": np.round(run[k].weights, 3).tolist(), "accuracy": run[k].accuracy} for k in shown]
    losses = [round(record.loss, 4) for record in run]
    places = run[0].places.tolist()
    return {"losses": losses, "frames": frames, "places": places, "uniform": data.TASK.uniform_loss}


def _search(words: Words) -> Numbers:
    found = data.search()
    names = words.section("lesson.search")
    queries = [
        {"name": names[f"query_{i + 1}"], "vector": data.QUERIES[i].tolist(), "raw": found.scores[i].tolist(),
         "scores": found.scaled[i].tolist(), "weights": found.weights[i].tolist(), "output": found.output[i].tolist()}
        for i in range(len(data.QUERIES))
    ]  # fmt: skip
    pairs = zip(data.TITLES.tolist(), data.TEXTS.tolist(), strict=True)
    books = [{"title": names[f"title_{i + 1}"], "key": key, "text": text} for i, (key, text) in enumerate(pairs)]
    topics = [names[f"topic_{i + 1}"] for i in range(data.TITLES.shape[1])]
    return {"topics": topics, "queries": queries, "books": books, "d": len(topics), "most": float(data.TEXTS.max())}


def _tied(words: Words) -> Numbers:
    variants = {}
    for one_matrix, first in ((True, "tied"), (False, "free")):
        for longer, second in ((False, "equal"), (True, "longer")):
            trace = data.tied(one_matrix, longer)
            variants[f"{first}_{second}"] = {
                "scores": np.round(trace.scores, 9).tolist(),
                "weights": trace.weights.tolist(),
                "own": data.own_tops(trace.weights),
            }
    return {"tokens": list(data.love(words.language).tokens), "times": data.LONGER, "variants": variants}


def _angle(words: Words) -> Numbers:
    return {"angle": 60, "a": 2.0, "b": 1.5, "reach": 3}


def _grow(words: Words) -> Numbers:
    return {
        "d": list(data.D_VALUES),
        "alignment": data.ALIGNMENT,
        "keys": [f"k{str(i + 1).translate(str.maketrans('12345678', '₁₂₃₄₅₆₇₈'))}" for i in range(data.KEYS)],
        "independent": [_at(*pair) for pair in zip(data.grown(False), data.D_VALUES, strict=True)],
        "aligned": [_at(*pair) for pair in zip(data.grown(True), data.D_VALUES, strict=True)],
    }


def _at(scores: FloatArray, d: int) -> Numbers:
    return {
        "scores": np.round(scores, 3).tolist(),
        "without": softmax(scores).tolist(),
        "with": softmax(scores / np.sqrt(d)).tolist(),
    }


def _sharp(words: Words) -> Numbers:
    return {"names": ["s₁", "s₂", "s₃"], "scores": list(data.FAMOUS), "divide": data.D_VALUES[-1]}


def _softmax(words: Words) -> Numbers:
    scores = data.trace_of("scores_285", "none").scores[0].tolist()
    return {"names": ["s₁", "s₂", "s₃"], "scores": scores, "low": -10, "high": 10, "step": 0.5}


def _capital(words: Words) -> Numbers:
    names = [words(f"lesson.capital.{word}") for word in ("france", "capital", "paris")]
    scores = np.round(np.log(data.CAPITAL / data.CAPITAL[-1]), 4)
    return {"names": names, "scores": scores.tolist(), "low": -5, "high": 5, "step": 0.01}


def _routing(words: Words) -> Numbers:
    trace, example = data.trace_of("love"), data.love(words.language)
    n, names = len(example.tokens), words.section("lesson.routing")
    routes = {"own": trace.weights, "self": np.eye(n), "next": np.roll(np.eye(n), 1, 1), "all": np.full((n, n), 1 / n)}
    cargos = {"own_values": trace.V, "mirror": trace.V[::-1], "names": np.eye(n)}
    return {
        "tokens": list(example.tokens),
        "columns": counts(trace.V.shape[1]),
        "routes": [{"label": names[key], "weights": weights.tolist()} for key, weights in routes.items()],
        "cargos": [{"label": names[key], "values": values.tolist()} for key, values in cargos.items()],
    }


def _flow(words: Words) -> Numbers:
    trace = data.trace_of("love")
    shapes = {stage: getattr(trace, next(iter(STAGES[stage].matrices))).shape for stage in SHOWN}
    symbols = {"X": "X", "QKV": "Q, K, V", "scores": "QKᵀ", "scaled": "QKᵀ / √dₖ", "weights": "A", "output": "A·V"}
    example = data.name_of_love(words.language)
    boxes = [
        {"stage": stage, "symbol": symbols[stage], "shape": " × ".join(map(str, shapes[stage])),
         "href": f"./?lang={words.language}&example={example}&stage={stage}"}
        for stage in SHOWN
    ]  # fmt: skip
    return {"boxes": boxes}


def _formula(words: Words) -> Numbers:
    example = data.love(words.language)
    return {"values": {"n": len(example.tokens), "d_k": data.trace_of("love").d_k}}


def _paths(words: Words) -> Numbers:
    return {"n": data.TOKENS, "most": 256}


FIGURES = {
    "steps": FigureOf("product", products.steps),
    "it": FigureOf("looks", _it),
    "paths": FigureOf("paths", _paths),
    "love": FigureOf("looks", _love),
    "meeting": FigureOf("blend", _meeting),
    "lookup": FigureOf("lookup", _lookup),
    "shapes": FigureOf("shapes", _shapes),
    "learning": FigureOf("learning", _learning),
    "search": FigureOf("search", _search),
    "tied": FigureOf("heats", _tied),
    "pairs": FigureOf("product", products.pairs),
    "angle": FigureOf("angle", _angle),
    "grow": FigureOf("grow", _grow),
    "sharp": FigureOf("softmax", _sharp),
    "softmax": FigureOf("softmax", _softmax),
    "capital": FigureOf("softmax", _capital),
    "values": FigureOf("blend", _values),
    "routing": FigureOf("routing", _routing),
    "graph": FigureOf("graph", _graph),
    "flow": FigureOf("flow", _flow),
    "formula": FigureOf("formula", _formula),
}
