"""What the real-head page shows of a head, computed once for each head and setting; the caches are bounded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attention_core import Scaling, effective_keys, entropy, get_scaling, sensitivity
from attention_core.checks import FloatArray
from attention_core.heads import Head, head_scores, head_weights, random_head, singular_values
from attention_core.saturation import DEAD

MOST_SHOWN = 16  # tokens that are drawn, as many as a heat map has columns
FRESH_DRAWS = 50
FRESH_SEED = 0  # of the random weights beside the trained ones


@dataclass(frozen=True)
class HeadFigures:
    """Means over the rows, the share of dead rows, and the root mean square of the raw scores in units of √d_k."""

    entropy: float
    effective: float
    largest: float
    sensitivity: float
    dead: float
    spread: float


@lru_cache(maxsize=256)
def weights(head: Head, rule: Scaling, temperature: float, components: int | None) -> FloatArray:
    """The attention weights (n, n)."""
    return np.asarray(head_weights(head, rule, temperature, components)[1])


@lru_cache(maxsize=256)
def figures(head: Head, rule: Scaling, temperature: float, components: int | None) -> HeadFigures:
    """The figures of all rows."""
    p = weights(head, rule, temperature, components)
    scores = head_scores(head, components)
    rows = sensitivity(p)
    return HeadFigures(
        entropy=float(entropy(p).mean()),
        effective=float(effective_keys(p).mean()),
        largest=float(p.max(axis=1).mean()),
        sensitivity=float(rows.mean()),
        dead=float((rows < DEAD).mean()),
        spread=size(scores, head.d_k),
    )


def size(scores: FloatArray, d_k: int) -> float:
    """Root mean square of raw scores in units of √d_k: 1 for independent entries of unit variance."""
    return float(np.sqrt(np.mean(scores * scores) / d_k))


@lru_cache(maxsize=32)
def fresh_size(head: Head) -> float:
    """The same over many draws of random weights."""
    rng = np.random.default_rng(FRESH_SEED)
    squares = [size(head_scores(random_head(head, rng)), head.d_k) ** 2 for _ in range(FRESH_DRAWS)]
    return float(np.sqrt(np.mean(squares)))


@lru_cache(maxsize=32)
def fresh(head: Head) -> Head:
    """Fresh random weights on the same hidden states."""
    return random_head(head, np.random.default_rng(FRESH_SEED))


@lru_cache(maxsize=32)
def spectrum(head: Head) -> FloatArray:
    """The singular values of W_Q W_Kᵀ, the largest first."""
    return np.asarray(singular_values(head))


@lru_cache(maxsize=128)
def missed(head: Head, components: int) -> float:
    """Largest difference between the weights of the whole head under 1/√d and those of its strongest components."""
    rule = get_scaling("sqrt")
    return float(np.abs(weights(head, rule, 1.0, components) - weights(head, rule, 1.0, None)).max())


def place(head: Head, word: str, default: int = 0) -> int:
    """Where a word stands first among the tokens."""
    return head.tokens.index(word) if word in head.tokens else default
