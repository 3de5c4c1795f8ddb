"""What a sweep over random rows finds: its records, and how parts of a sweep are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from attention_core.checks import FloatArray
from attention_core.ensembles import IntArray
from attention_core.saturation import DEAD


@dataclass(frozen=True, eq=False)
class SaturationSweep:
    """Rows of attention at every d: R rows, D values of d, row = query with keys of its own.

    Each (R, D): largest weight, concentration Σp², entropy (nats), sensitivity 1 − Σp², gradient = |∂L/∂q| for
    an upstream gradient of independent N(0, 1) entries, the scale of the rule included, aligned = weight of
    key 0, zeros = share of weights that are exactly 0. top (D, T): mean weight of the largest keys.
    """

    d_values: IntArray
    largest: FloatArray
    concentration: FloatArray
    entropy: FloatArray
    sensitivity: FloatArray
    gradient: FloatArray
    aligned: FloatArray
    zeros: FloatArray
    top: FloatArray

    @property
    def effective_keys(self) -> FloatArray:
        """exp(H) of each row, (R, D)."""
        return np.asarray(np.exp(self.entropy))

    def dead(self, measure: str = "sensitivity") -> FloatArray:
        """Share of rows with less than 1e-3 of `measure`, "sensitivity" or "gradient", at every d. (D,)"""
        return np.asarray((getattr(self, measure) < DEAD).mean(axis=0))


@dataclass(frozen=True, eq=False)
class ScoreSpread:
    """Raw scores at every d, key 0 left out when it is aligned.

    counts (D, bins) between BINS · √d; outside (D,) beyond them; mean size of a score (D,), 0 when none is counted;
    mean score of key 0 (D,).
    """

    counts: IntArray
    outside: IntArray
    size: FloatArray
    aligned: FloatArray


def join(parts: Sequence[SaturationSweep], sizes: Sequence[int]) -> SaturationSweep:
    """The parts' rows one after the other."""
    arrays = {item.name: [getattr(part, item.name) for part in parts] for item in fields(SaturationSweep)}
    means = {"top": np.average(arrays.pop("top"), axis=0, weights=sizes), "d_values": arrays.pop("d_values")[0]}
    return SaturationSweep(**means, **{name: np.concatenate(each) for name, each in arrays.items()})


def join_spreads(parts: Sequence[ScoreSpread], sizes: Sequence[int]) -> ScoreSpread:
    """The parts' rows taken together."""
    mean = {name: np.average([getattr(part, name) for part in parts], axis=0, weights=sizes)
            for name in ("size", "aligned")}  # fmt: skip
    return ScoreSpread(np.sum([part.counts for part in parts], axis=0),
                       np.sum([part.outside for part in parts], axis=0), **mean)  # fmt: skip
