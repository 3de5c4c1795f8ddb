"""Steps of the worked example as matrices that can be asked cell by cell."""

from __future__ import annotations

from typing import Any

from attention_core.checks import FloatArray
from attention_ui.lessons import data
from attention_ui.text import Words

Numbers = dict[str, Any]


def steps(words: Words) -> Numbers:
    """From X to the output."""
    trace, example = data.trace_of("love"), data.love(words.language)
    name = list(example.tokens)
    X, Q, K, V = (_matrix(each, getattr(trace, each), name) for each in "XQKV")
    weight_frames = [
        _product(each, X, _weights_matrix(each, getattr(example, f"W_{each}")), target)
        for each, target in (("Q", Q), ("K", K), ("V", V))
    ]
    S, scaled, A = (_matrix(letter, values, name, name) for letter, values in (
        ("S", trace.scores), ("S′", trace.scaled), ("A", trace.weights)))  # fmt: skip
    frames = [
        *weight_frames,
        _pair_frame(words),
        {"label": "÷ √d", "kind": "scale", "left": S, "sign": "÷ √d =", "root": trace.d_k, "result": scaled},
        {"label": "softmax", "kind": "softmax", "left": scaled, "sign": "→", "result": A},
        _product("A·V", A, V, _matrix("O", trace.output, name)),
    ]
    return {"frames": frames, "picked": [0, 1]}


def _pair_frame(words: Words) -> Numbers:
    trace, name = data.trace_of("love"), list(data.love(words.language).tokens)
    K_T = {"name": "Kᵀ", "rows": counts(trace.d_k), "columns": name, "values": trace.K.T.tolist()}
    return _product("QKᵀ", _matrix("Q", trace.Q, name), K_T, _matrix("S", trace.scores, name, name))


def pairs(words: Words) -> Numbers:
    """Every query with every key."""
    return {"frames": [_pair_frame(words)], "picked": [0, 1]}


def _product(label: str, left: Numbers, right: Numbers, result: Numbers) -> Numbers:
    return {"label": label, "kind": "dot", "left": left, "right": right, "result": result}


def _matrix(name: str, values: FloatArray, rows: list[str], columns: list[str] | None = None) -> Numbers:
    return {"name": name, "rows": rows, "columns": columns or counts(values.shape[1]), "values": values.tolist()}


def _weights_matrix(subscript: str, values: FloatArray) -> Numbers:
    return {**_matrix("W", values, counts(values.shape[0])), "subscript": subscript}


def counts(n: int) -> list[str]:
    """1, 2, 3 …"""
    return [str(i + 1) for i in range(n)]
