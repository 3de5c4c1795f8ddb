"""What a scaling rule is: one interface from raw to scaled scores, and what a rule may depend on."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import FloatArray, as_floats


@dataclass(frozen=True)
class Bounds:
    """The range in which a rule's parameter makes sense, ends included."""

    low: float
    high: float


class Given(NamedTuple):
    """What a rule may depend on besides the scores: d_k, the number of keys a query may look at, and the lengths of
    the query and key vectors. Each broadcasts against the scores."""

    d_k: FloatArray
    n_keys: FloatArray
    q_norm: FloatArray
    k_norm: FloatArray

    @classmethod
    def of(cls, d_k: ArrayLike, n_keys: ArrayLike = 1, q_norm: ArrayLike = 1.0, k_norm: ArrayLike = 1.0) -> Given:
        """The same as arrays of floats."""
        return cls(*(as_floats(values) for values in (d_k, n_keys, q_norm, k_norm)))


@dataclass(frozen=True)
class Scaling:
    """A rule from raw to scaled scores.

    `latex` is the scaled score of one pair, `source` where the rule was published, `bounds` the range of
    each parameter. A parameter outside its range is a ValueError.

    A rule that only multiplies says by what in `multiplier`; another one gives `scaled` and `slopes`.
    """

    name: ClassVar[str]
    latex: ClassVar[str]
    source: ClassVar[str]
    bounds: ClassVar[dict[str, Bounds]] = {}
    only_multiplies: ClassVar[bool] = True  # scaled = factor · scores, so the exact theory of Gaussian scores holds
    uses_lengths: ClassVar[bool] = False  # the scaled score falls as 1/|q| and 1/|k| while the raw score stays

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

    @property
    def parameter(self) -> float:
        """The value of the rule's one parameter, 0 for a rule that has none."""
        return next(iter(self.parameters.values()), 0.0)

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
        return _as_type(self.scaled(values, Given.of(d_k, n_keys, q_norm, k_norm)), values)

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
        slopes = _as_type(self.slopes(values, Given.of(d_k, n_keys, q_norm, k_norm)), values)
        return np.asarray(np.broadcast_to(slopes, np.broadcast_shapes(values.shape, slopes.shape)))

    def factor(self, d_k: ArrayLike, n_keys: ArrayLike = 1) -> FloatArray:
        """What the rule multiplies a raw score by, for rules that only multiply."""
        return np.asarray(self.multiplier(Given.of(d_k, n_keys)))

    def multiplier(self, given: Given) -> FloatArray:
        """`factor`, of each rule."""
        raise ValueError(f"{self.name} does not multiply every score by one number")

    def scaled(self, scores: FloatArray, given: Given) -> FloatArray:
        """`apply`, of each rule, in any type."""
        return np.asarray(scores * self.multiplier(given))

    def slopes(self, scores: FloatArray, given: Given) -> FloatArray:
        """`slope`, of each rule, in any type and in any shape that broadcasts against the scores."""
        return self.multiplier(given)


def _as_type(result: FloatArray, scores: FloatArray) -> FloatArray:
    return np.asarray(result).astype(scores.dtype, copy=False)
