"""Plain gradient descent on W_Q and W_K, followed in their products.

With G = ∂L/∂M the step is W_Q − η G W_K and W_K − η Gᵀ W_Q, so M = W_Q W_Kᵀ, P = W_Q W_Qᵀ and R = W_K W_Kᵀ follow by
themselves:

    M' = M − η (P G + G R) + η² G Mᵀ G
    P' = P − η (M Gᵀ + G Mᵀ) + η² G R Gᵀ
    R' = R − η (Mᵀ G + Gᵀ M) + η² Gᵀ P G

A step costs O(d_model³) whatever d is, and is the same step (derived for this project, tested against W_Q and W_K).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.checks import FloatArray
from attention_core.training_task import Task


@dataclass(frozen=True, eq=False)
class Products:
    """M = W_Q W_Kᵀ, P = W_Q W_Qᵀ and R = W_K W_Kᵀ of one or several runs, each (…, d_model, d_model)."""

    M: FloatArray
    P: FloatArray
    R: FloatArray

    @classmethod
    def of(cls, W_Q: FloatArray, W_K: FloatArray) -> Products:
        """The products of W_Q and W_K, each (d_model, d)."""
        return cls(W_Q @ W_K.T, W_Q @ W_Q.T, W_K @ W_K.T)


def initial_weights(
    d: int, gain: float = 1.0, seed: int = 0, task: Task | None = None
) -> tuple[FloatArray, FloatArray]:
    """W_Q and W_K as a run starts with them, gain · N(0, 1/d_model), each (d_model, d)."""
    task = task or Task()
    drawn = np.random.default_rng([seed, d]).standard_normal((2, task.d_model, d))
    W_Q, W_K = gain / np.sqrt(task.d_model) * drawn
    return W_Q, W_K


def initial_products(task: Task, d: int, gain: float, seed: int) -> Products:
    """The products of these weights; infinite when the gain is too large for floats."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return Products.of(*initial_weights(d, gain, seed, task))


def descend(products: Products, G: FloatArray, rate: FloatArray | np.float64) -> Products:
    """One step of gradient descent on W_Q and W_K, in their products."""
    M, P, R = products.M, products.P, products.R
    M_T, G_T = M.swapaxes(-1, -2), G.swapaxes(-1, -2)
    PG, GR, GM_T, M_TG = P @ G, G @ R, G @ M_T, M_T @ G
    return Products(
        M - rate * (PG + GR) + rate * rate * (GM_T @ G),
        P - rate * (GM_T + GM_T.swapaxes(-1, -2)) + rate * rate * (GR @ G_T),
        R - rate * (M_TG + M_TG.swapaxes(-1, -2)) + rate * rate * (G_T @ PG),
    )


def gradient_square(products: Products, G: FloatArray) -> FloatArray:
    """|∂L/∂W_Q|² + |∂L/∂W_K|² = tr(G R Gᵀ) + tr(Gᵀ P G)."""
    square = np.sum(G * (G @ products.R), axis=(-2, -1)) + np.sum(G * (products.P @ G), axis=(-2, -1))
    return np.asarray(np.maximum(square, 0))


def finite(products: Products) -> NDArray[np.bool_]:
    """Whether a run is still within the range of floats, for each of the leading axes: (…, m, m) -> (…)."""
    inside = [np.isfinite(each).all(axis=(-2, -1)) for each in (products.M, products.P, products.R)]
    return np.asarray(np.logical_and.reduce(inside))
