"""What the real-head page shows of a head, computed once for each head and setting.

Anybody may bring a head of their own, so results are kept as long as their head and no longer, and how many of its
weights are kept depends on their bytes: a recorded head stays, an uploaded one goes with its session.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, ref

import numpy as np

from attention_core import (
    Scaling,
    effective_keys,
    entropy,
    get_scaling,
    head_scores,
    head_weights,
    load_head,
    random_head,
    sensitivity,
    singular_values,
)
from attention_core.checks import FloatArray
from attention_core.head_attention import root_mean_square
from attention_core.head_kept import AnyHead
from attention_core.heads import ENDINGS, Head
from attention_core.saturation import DEAD
from attention_ui.read_only import read_only

MOST_SHOWN = 16  # tokens that are drawn, as many as a heat map has columns
FRESH_SEED = 0  # of the random weights beside the trained ones
FRESH_DRAWS = (3, 50)  # fewest and most
FRESH_WORK = 4e9  # multiplications that the draws may take: half a second, and one for the fewest of the largest head
A_NUMBER = 300  # multiplications that take as long as drawing a random number, or squaring and checking a score
FEW_WEIGHTS, MOST_WEIGHTS = 2, 8  # settings whose weights are kept for each head
WEIGHTS_BYTES = 2**22  # of them, unless two need more
SMALL_BYTES = 2**16  # of all other results of a head, a few numbers each, at most
TRAINED = get_scaling("sqrt")  # the rule that the recorded heads were trained with
Result = TypeVar("Result")


def most_weights(head: AnyHead) -> int:
    """For how many settings a head's weights are kept."""
    return int(np.clip(WEIGHTS_BYTES // _weights_bytes(head), FEW_WEIGHTS, MOST_WEIGHTS))


def most_bytes(head: AnyHead) -> int:
    """Bytes of all results that are ever kept for a head."""
    return most_weights(head) * _weights_bytes(head) + SMALL_BYTES


def _weights_bytes(head: AnyHead) -> int:
    return 8 * len(head.tokens) ** 2


def _kept(most: int | Callable[[AnyHead], int]) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Keeps the last results of a function of a head and settings, `most` for each head, until the head goes."""

    def keeping(function: Callable[..., Result]) -> Callable[..., Result]:
        of_head: WeakKeyDictionary[AnyHead, Callable[..., Result]] = WeakKeyDictionary()

        @wraps(function)
        def known(head: AnyHead, *settings: Any) -> Result:
            there = ref(head)  # were the head itself held here, it would never go
            limit = most if isinstance(most, int) else most(head)
            return of_head.setdefault(head, lru_cache(limit)(lambda *given: read_only(function(there(), *given))))(
                *settings
            )

        return known

    return keeping


@dataclass(frozen=True)
class HeadFigures:
    """Means over the rows, the share of dead rows, and the root mean square of the raw scores in units of √d_k."""

    entropy: float
    effective: float
    largest: float
    sensitivity: float
    dead: float
    spread: float


@_kept(most=most_weights)
def weights(head: AnyHead, rule: Scaling, temperature: float, components: int | None) -> FloatArray:
    """The attention weights (n, n)."""
    return np.asarray(head_weights(head, rule, temperature, components)[1])


@_kept(most=64)
def figures(head: AnyHead, rule: Scaling, temperature: float, components: int | None) -> HeadFigures:
    """The figures of all rows."""
    p = weights(head, rule, temperature, components)
    rows = sensitivity(p)
    return HeadFigures(
        entropy=float(entropy(p).mean()),
        effective=float(effective_keys(p).mean()),
        largest=float(p.max(axis=1).mean()),
        sensitivity=float(rows.mean()),
        dead=float((rows < DEAD).mean()),
        spread=size(head_scores(head, components), head.d_k),
    )


def size(scores: FloatArray, d_k: int) -> float:
    """Root mean square of raw scores in units of √d_k: 1 for independent entries of unit variance."""
    return root_mean_square(scores) / float(np.sqrt(d_k))


def draws(head: AnyHead) -> int:
    """How often random weights are drawn for a head: the larger it is, the more scores a single draw gives."""
    n, entries = len(head.tokens), 2 * head.d_model * head.d_k
    work = entries * (n + A_NUMBER) + n * n * (head.d_k + A_NUMBER)
    return int(np.clip(FRESH_WORK / work, *FRESH_DRAWS))


@_kept(most=1)
def fresh(head: Head) -> HeadFigures:
    """The figures of fresh random weights on the same hidden states; `spread` is that of several draws together."""
    rng = np.random.default_rng(FRESH_SEED)
    one = figures(random_head(head, rng), TRAINED, 1.0, None)
    others = [size(head_scores(random_head(head, rng)), head.d_k) for _ in range(1, draws(head))]
    return replace(one, spread=root_mean_square(np.array([one.spread, *others])))


@_kept(most=1)
def spectrum(head: AnyHead) -> FloatArray:
    """The singular values of W_Q W_Kᵀ, the largest first."""
    return np.asarray(singular_values(head))


@_kept(most=64)
def missed(head: AnyHead, components: int) -> float:
    """Largest difference between the weights of the whole head under 1/√d and those of its strongest components."""
    return float(np.abs(weights(head, TRAINED, 1.0, components) - weights(head, TRAINED, 1.0, None)).max())


def strongest(shares: FloatArray, most: int) -> list[int]:
    """The keys that get most, the largest share first; none that gets nothing."""
    return [int(j) for j in np.argsort(-shares, kind="stable")[:most] if shares[j] > 0]


def place(head: AnyHead, word: str, default: int = 0) -> int:
    """Where a word stands first among the tokens."""
    return head.tokens.index(word) if word in head.tokens else default


def nouns(name: str) -> dict[str, float]:
    """What a recorded head gives the two nouns of each sentence when it looks from "it": tired_animal and so on."""
    found = {}
    for ending in ENDINGS:
        head = load_head(name, ending)
        row = weights(head, TRAINED, 1.0, None)[place(head, "it")]
        found |= {f"{ending}_{word}": float(row[place(head, word)]) for word in ("animal", "street")}
    return found


def first(name: str) -> dict[str, float]:
    """What a recorded head gives the first token of each sentence on average: tired_first and so on."""
    found = {f"{ending}_first": weights(load_head(name, ending), TRAINED, 1.0, None)[:, 0] for ending in ENDINGS}
    return {key: float(shares.mean()) for key, shares in found.items()}
