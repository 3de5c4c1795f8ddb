"""The scaling rules: what happens to the scores QKᵀ before the softmax.

A rule is a small frozen object; attention_core.rule says what all of them have in common.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.checks import FloatArray
from attention_core.rule import Bounds, Given, Scaling

__all__ = ["SCALINGS", "Bounds", "Scaling", "get_scaling", "row_lengths"]


def row_lengths(vectors: FloatArray) -> FloatArray:
    """Euclidean length of each row, also where its square would overflow or underflow. (n, d) -> (n, 1)."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    unit = np.where(largest == 0, 1, largest)
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(unit * np.linalg.norm(vectors / unit, axis=1, keepdims=True))


@dataclass(frozen=True)
class NoScaling(Scaling):
    """q·k as it is; with independent unit-variance entries its standard deviation is √d_k."""

    name = "none"
    latex = r"q \cdot k"
    source = "arXiv:1706.03762, section 3.2.1 (the unscaled dot product)"

    def multiplier(self, given: Given) -> FloatArray:
        return np.ones_like(given.d_k)


@dataclass(frozen=True)
class SqrtScaling(Scaling):
    """q·k / √d_k; with independent unit-variance entries its standard deviation is 1 at every d_k."""

    name = "sqrt"
    latex = r"\dfrac{q \cdot k}{\sqrt{d_k}}"
    source = "arXiv:1706.03762, eq. 1"

    def multiplier(self, given: Given) -> FloatArray:
        return np.asarray(1 / np.sqrt(given.d_k))


@dataclass(frozen=True)
class PowerScaling(Scaling):
    """q·k / d_k^a: a = ½ is the usual rule, a = 0 none, a = 1 linear; spread d_k^(½−a)."""

    a: float = 0.25

    name = "power"
    latex = r"\dfrac{q \cdot k}{d_k^{\,a}}"
    source = "the family that contains none, 1/√d and 1/d"
    bounds = {"a": Bounds(0.0, 1.0)}

    def multiplier(self, given: Given) -> FloatArray:
        return np.asarray(given.d_k**-self.a)


@dataclass(frozen=True)
class LinearScaling(Scaling):
    """q·k / d_k, for query and key that grow aligned in training; spread 1/√d_k at the start."""

    name = "linear"
    latex = r"\dfrac{q \cdot k}{d_k}"
    source = "muP, arXiv:2203.03466"

    def multiplier(self, given: Given) -> FloatArray:
        return np.asarray(1 / given.d_k)


@dataclass(frozen=True)
class ScalableSoftmax(Scaling):
    """c · ln n · q·k / √d_k, where n is the number of keys the query may look at."""

    c: float = 0.43

    name = "ssmax"
    latex = r"c \, \ln n \cdot \dfrac{q \cdot k}{\sqrt{d_k}}"
    source = "Scalable-Softmax, arXiv:2501.19399"
    bounds = {"c": Bounds(0.0, 4.0)}

    def multiplier(self, given: Given) -> FloatArray:
        return np.asarray(self.c * np.log(given.n_keys) / np.sqrt(given.d_k))


@dataclass(frozen=True)
class QKNorm(Scaling):
    """g · cos(q, k): lengths are divided out, so scores stay within ±g; a zero vector scores 0."""

    g: float = 10.0

    name = "qknorm"
    latex = r"g \cdot \dfrac{q \cdot k}{\lVert q \rVert \, \lVert k \rVert}"
    source = "Query-Key Normalization, arXiv:2010.04245"
    bounds = {"g": Bounds(0.0, 100.0)}
    only_multiplies = False
    uses_lengths = True

    def scaled(self, scores: FloatArray, given: Given) -> FloatArray:
        cosine = scores
        for length in (given.q_norm, given.k_norm):  # one after the other: their product could overflow
            cosine = cosine / np.where(length == 0, 1, length)
        return np.asarray(self.g * cosine)

    def slopes(self, scores: FloatArray, given: Given) -> FloatArray:
        return self.scaled(np.ones_like(scores), given)


@dataclass(frozen=True)
class SoftCap(Scaling):
    """c · tanh(q·k / (√d_k · c)): nearly 1/√d_k for small scores, never beyond ±c."""

    c: float = 50.0

    name = "softcap"
    latex = r"c \, \tanh \dfrac{q \cdot k}{c \sqrt{d_k}}"
    source = "Gemma 2, arXiv:2408.00118 (c = 50)"
    bounds = {"c": Bounds(0.1, 100.0)}
    only_multiplies = False

    def scaled(self, scores: FloatArray, given: Given) -> FloatArray:
        with np.errstate(over="ignore"):  # tanh of an overflow to ∞ is 1, which is right
            return np.asarray(self.c * np.tanh(scores / (np.sqrt(given.d_k) * self.c)))

    def slopes(self, scores: FloatArray, given: Given) -> FloatArray:
        """sech²(q·k / (√d_k · c)) / √d_k, written so that it neither overflows nor cancels: (e^x + e^−x)/2 = cosh x."""
        root = np.sqrt(given.d_k)
        with np.errstate(over="ignore", under="ignore"):
            decay = np.exp(-2 * np.abs(scores / (root * self.c)))
            return np.asarray(4 * decay / (1 + decay) ** 2 / root)


SCALINGS: dict[str, type[Scaling]] = {
    rule.name: rule for rule in (NoScaling, SqrtScaling, PowerScaling, LinearScaling, ScalableSoftmax, QKNorm, SoftCap)
}


def get_scaling(scaling: str | Scaling, **parameters: float) -> Scaling:
    """The rule of that name, with parameters if it takes them; an object is returned as it is.

    Errors: ValueError for an unknown name, which lists the known ones, an unknown parameter, a parameter
        outside its range, or parameters beside an object, which has its own.
    """
    if isinstance(scaling, Scaling):
        if parameters:
            raise ValueError(f"{scaling} has its own parameters; expected no {', '.join(parameters)} beside it")
        return scaling
    if not isinstance(scaling, str) or scaling not in SCALINGS:
        raise ValueError(f"unknown scaling {scaling!r}; expected one of {', '.join(SCALINGS)}, or a Scaling object")
    rule = SCALINGS[scaling]
    unknown = sorted(set(parameters) - set(rule.bounds))
    if unknown:
        raise ValueError(f"{scaling} has no parameter {unknown[0]!r}; expected {sorted(rule.bounds) or 'none'}")
    return rule(**parameters)
