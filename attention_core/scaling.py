"""The scaling rules: what happens to the scores QKᵀ before the softmax.

A rule is a small frozen object. `apply` needs only what a rule may depend on: the scores, d_k, the number
of keys a query may look at, and the lengths of the query and key vectors.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import FloatArray, as_floats


@dataclass(frozen=True)
class Bounds:
    """The range in which a rule's parameter makes sense, ends included."""

    low: float
    high: float


@dataclass(frozen=True)
class Scaling:
    """A rule from raw to scaled scores.

    `latex` is the scaled score of one pair, `source` where the rule was published, `bounds` the range of
    each parameter. A parameter outside its range is a ValueError.
    """

    name: ClassVar[str]
    latex: ClassVar[str]
    source: ClassVar[str]
    bounds: ClassVar[dict[str, Bounds]] = {}

    def __post_init__(self) -> None:
        for name, bounds in self.bounds.items():
            value = getattr(self, name)
            if not isinstance(value, float | int | np.floating | np.integer) or not bounds.low <= value <= bounds.high:
                raise ValueError(
                    f"{self.name}: {name} is {value!r}; expected a number from {bounds.low} to {bounds.high}"
                )

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters by name, empty for a rule that has none."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def apply(
        self,
        scores: ArrayLike,
        *,
        d_k: ArrayLike,
        n_keys: ArrayLike = 1,
        q_norm: ArrayLike = 1.0,
        k_norm: ArrayLike = 1.0,
    ) -> FloatArray:
        """Scaled scores; every argument broadcasts against `scores`, whose type is kept."""
        values = as_floats(scores)
        return np.asarray(values * self.factor(d_k, n_keys)).astype(values.dtype, copy=False)

    def factor(self, d_k: ArrayLike, n_keys: ArrayLike = 1) -> FloatArray:
        """What the rule multiplies a raw score by, for rules that only multiply."""
        raise ValueError(f"{self.name} does not multiply every score by one number")

    def slope(
        self,
        scores: ArrayLike,
        *,
        d_k: ArrayLike,
        n_keys: ArrayLike = 1,
        q_norm: ArrayLike = 1.0,
        k_norm: ArrayLike = 1.0,
    ) -> FloatArray:
        """∂ scaled / ∂ score of the same pair, lengths held fixed; broadcasts as `apply` does, type kept."""
        values = as_floats(scores)
        factor = np.asarray(self.factor(d_k, n_keys)).astype(values.dtype, copy=False)
        return np.asarray(np.broadcast_to(factor, np.broadcast_shapes(values.shape, factor.shape)))

    @property
    def only_multiplies(self) -> bool:
        """True when scaled = factor · scores, so the exact theory of Gaussian scores holds."""
        return True

    @property
    def uses_lengths(self) -> bool:
        """True when the scaled score falls as 1/|q| and 1/|k| while the raw score stays."""
        return False


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

    def factor(self, d_k: ArrayLike, n_keys: ArrayLike = 1) -> FloatArray:
        return np.ones_like(as_floats(d_k))


@dataclass(frozen=True)
class SqrtScaling(Scaling):
    """q·k / √d_k; with independent unit-variance entries its standard deviation is 1 at every d_k."""

    name = "sqrt"
    latex = r"\dfrac{q \cdot k}{\sqrt{d_k}}"
    source = "arXiv:1706.03762, eq. 1"

    def factor(self, d_k: ArrayLike, n_keys: ArrayLike = 1) -> FloatArray:
        return np.asarray(1 / np.sqrt(as_floats(d_k)))


@dataclass(frozen=True)
class PowerScaling(Scaling):
    """q·k / d_k^a: a = ½ is the usual rule, a = 0 none, a = 1 linear; spread d_k^(½−a)."""

    a: float = 0.25

    name = "power"
    latex = r"\dfrac{q \cdot k}{d_k^{\,a}}"
    source = "the family that contains none, 1/√d and 1/d"
    bounds = {"a": Bounds(0.0, 1.0)}

    def factor(self, d_k: ArrayLike, n_keys: ArrayLike = 1) -> FloatArray:
        return np.asarray(as_floats(d_k) ** -self.a)


@dataclass(frozen=True)
class LinearScaling(Scaling):
    """q·k / d_k, for query and key that grow aligned in training; spread 1/√d_k at the start."""

    name = "linear"
    latex = r"\dfrac{q \cdot k}{d_k}"
    source = "muP, arXiv:2203.03466"

    def factor(self, d_k: ArrayLike, n_keys: ArrayLike = 1) -> FloatArray:
        return np.asarray(1 / as_floats(d_k))


@dataclass(frozen=True)
class ScalableSoftmax(Scaling):
    """c · ln n · q·k / √d_k, where n is the number of keys the query may look at."""

    c: float = 0.43

    name = "ssmax"
    latex = r"c \, \ln n \cdot \dfrac{q \cdot k}{\sqrt{d_k}}"
    source = "Scalable-Softmax, arXiv:2501.19399"
    bounds = {"c": Bounds(0.0, 4.0)}

    def factor(self, d_k: ArrayLike, n_keys: ArrayLike = 1) -> FloatArray:
        return np.asarray(self.c * np.log(as_floats(n_keys)) / np.sqrt(as_floats(d_k)))


@dataclass(frozen=True)
class QKNorm(Scaling):
    """g · cos(q, k): lengths are divided out, so scores stay within ±g; a zero vector scores 0."""

    g: float = 10.0

    name = "qknorm"
    latex = r"g \cdot \dfrac{q \cdot k}{\lVert q \rVert \, \lVert k \rVert}"
    source = "Query-Key Normalization, arXiv:2010.04245"
    bounds = {"g": Bounds(0.0, 100.0)}

    def apply(
        self,
        scores: ArrayLike,
        *,
        d_k: ArrayLike,
        n_keys: ArrayLike = 1,
        q_norm: ArrayLike = 1.0,
        k_norm: ArrayLike = 1.0,
    ) -> FloatArray:
        cosine = values = as_floats(scores)
        for length in (as_floats(q_norm), as_floats(k_norm)):  # one after the other: their product could overflow
            cosine = cosine / np.where(length == 0, 1, length)
        return np.asarray(self.g * cosine).astype(values.dtype, copy=False)

    def slope(
        self,
        scores: ArrayLike,
        *,
        d_k: ArrayLike,
        n_keys: ArrayLike = 1,
        q_norm: ArrayLike = 1.0,
        k_norm: ArrayLike = 1.0,
    ) -> FloatArray:
        return self.apply(np.ones_like(as_floats(scores)), d_k=d_k, q_norm=q_norm, k_norm=k_norm)

    @property
    def only_multiplies(self) -> bool:
        return False

    @property
    def uses_lengths(self) -> bool:
        return True


@dataclass(frozen=True)
class SoftCap(Scaling):
    """c · tanh(q·k / (√d_k · c)): nearly 1/√d_k for small scores, never beyond ±c."""

    c: float = 50.0

    name = "softcap"
    latex = r"c \, \tanh \dfrac{q \cdot k}{c \sqrt{d_k}}"
    source = "Gemma 2, arXiv:2408.00118 (c = 50)"
    bounds = {"c": Bounds(0.1, 100.0)}

    def apply(
        self,
        scores: ArrayLike,
        *,
        d_k: ArrayLike,
        n_keys: ArrayLike = 1,
        q_norm: ArrayLike = 1.0,
        k_norm: ArrayLike = 1.0,
    ) -> FloatArray:
        values = as_floats(scores)
        with np.errstate(over="ignore"):  # tanh of an overflow to ∞ is 1, which is right
            capped = self.c * np.tanh(values / (np.sqrt(as_floats(d_k)) * self.c))
        return np.asarray(capped).astype(values.dtype, copy=False)

    def slope(
        self,
        scores: ArrayLike,
        *,
        d_k: ArrayLike,
        n_keys: ArrayLike = 1,
        q_norm: ArrayLike = 1.0,
        k_norm: ArrayLike = 1.0,
    ) -> FloatArray:
        """sech²(q·k / (√d_k · c)) / √d_k, written so that it neither overflows nor cancels: (e^x + e^−x)/2 = cosh x."""
        values, root = as_floats(scores), np.sqrt(as_floats(d_k))
        with np.errstate(over="ignore", under="ignore"):
            decay = np.exp(-2 * np.abs(values / (root * self.c)))
            slope = 4 * decay / (1 + decay) ** 2 / root
        return np.asarray(slope).astype(values.dtype, copy=False)

    @property
    def only_multiplies(self) -> bool:
        return False


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
