"""Whether the weights computed for a head are those that its model made, and under which rule."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from attention_core.checks import FloatArray
from attention_core.head_attention import head_weights
from attention_core.heads import Head

RULES = ("sqrt", "none")  # that models are trained with: most divide by √d_k, T5 by nothing
AGREES = 0.005  # largest difference of weights that agree to two decimals
MOST_DECIMALS = 5  # that are told; beyond them a model's own 32 bits are seen
_TIED = 1e-6  # weights this near to the largest count as the largest, which rounding may swap


@dataclass(frozen=True)
class Agreement:
    """The largest difference between a head's weights under `rule` and those expected, its query `row` and `key`
    (from 0), the two weights there, and in how many of the `rows` another key has the largest weight."""

    rule: str
    largest: float
    row: int
    key: int
    computed: float
    expected: float
    other_top: int
    rows: int

    @property
    def agrees(self) -> bool:
        """True when all weights agree to two decimals at least."""
        return self.largest <= AGREES

    @property
    def decimals(self) -> int:
        """To how many decimals all weights agree, at most 5: the largest difference is no more than half the last."""
        if self.largest <= 0.5 * 10.0**-MOST_DECIMALS:
            return MOST_DECIMALS
        return max(0, math.floor(-math.log10(2 * self.largest)))


def agreement(head: Head, rule: str = "sqrt") -> Agreement:
    """The head's weights at temperature 1, position bias included, beside those that its model computed.

    Errors: ValueError when the head has no expected weights, or for an unknown rule.
    """
    if head.expected is None:
        raise ValueError("the head has no expected weights to compare with")
    weights, expected = head_weights(head, rule)[1], head.expected
    difference = np.abs(weights - expected)
    row, key = (int(index) for index in np.unravel_index(difference.argmax(), difference.shape))
    same_top = (_top(weights) & _top(expected)).any(axis=1)
    return Agreement(
        rule, float(difference[row, key]), row, key, float(weights[row, key]), float(expected[row, key]),
        int((~same_top).sum()), len(weights),
    )  # fmt: skip


def best_agreement(head: Head) -> Agreement:
    """The agreement under the one of RULES that comes nearer; 1/√d_k when both agree, since it is the common one.

    Errors: ValueError when the head has no expected weights.
    """
    found = [agreement(head, rule) for rule in RULES]
    return found[0] if found[0].agrees else min(found, key=lambda each: each.largest)


def _top(weights: FloatArray) -> np.ndarray:
    """True where a row's largest weight is, or one that rounding may make it."""
    return np.asarray(weights >= weights.max(axis=1, keepdims=True) - _TIED)
