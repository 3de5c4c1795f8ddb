"""How saturated a row of attention weights is: four measures along the last axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import FloatArray, as_rows

DEAD = 1e-3  # a row with less sensitivity, or less gradient, counts as dead


def concentration(weights: ArrayLike) -> FloatArray:
    """Σ p²: 1 for a one-hot row, 1/n for a uniform row of n keys.

    Shapes: (…, n) -> (…). Law: between 1/n and 1.
    Source: the inverse participation ratio Y₂ of the Random Energy Model, Derrida, Phys. Rev. B 24, 2613 (1981).
    """
    p = as_rows("weights", weights)
    with np.errstate(under="ignore"):
        return np.asarray((p * p).sum(axis=-1))


def entropy(weights: ArrayLike) -> FloatArray:
    """H = −Σ p ln p in nats, with 0 ln 0 = 0.

    Shapes: (…, n) -> (…). Law: between 0 (one-hot) and ln n (uniform).
    Source: Shannon, A Mathematical Theory of Communication (1948).
    """
    p = as_rows("weights", weights)
    with np.errstate(under="ignore"):
        terms = p * np.log(np.where(p > 0, p, 1))
    return np.asarray(np.maximum(-terms.sum(axis=-1), 0))


def effective_keys(weights: ArrayLike) -> FloatArray:
    """exp(H): the number of keys that share the attention.

    Shapes: (…, n) -> (…). Law: between 1 (one-hot) and n (uniform).
    Source: the exponential of Shannon's entropy, the Hill number of order 1 (Hill, Ecology 54, 427, 1973).
    """
    return np.asarray(np.exp(entropy(weights)))


def sensitivity(weights: ArrayLike) -> FloatArray:
    """tr J = Σ p(1 − p) = 1 − Σ p²: how strongly the weights still react to their scores.

    Shapes: (…, n) -> (…). Law: between 0 (one-hot) and 1 − 1/n (uniform).
    1 − p of the largest weight is taken as the sum of the others, so that 1e-30 is not rounded to 0.
    Source: the trace of the softmax Jacobian J = diag(p) − p pᵀ.
    """
    p = as_rows("weights", weights)
    largest = p.argmax(axis=-1)[..., None]
    top = np.take_along_axis(p, largest, axis=-1)
    others = p.copy()
    np.put_along_axis(others, largest, 0, axis=-1)
    rest = others.sum(axis=-1)
    with np.errstate(under="ignore"):
        return np.asarray(top[..., 0] * rest + (others * (1 - others)).sum(axis=-1))
