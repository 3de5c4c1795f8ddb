"""The exact theory: mean concentration and entropy of a softmax over Gaussian scores, and where freezing starts.

n independent N(0, s²) scores are the energies of the Random Energy Model (Derrida, Phys. Rev. B 24, 2613,
1981; for attention Giorlandino & Goldt, arXiv:2505.24333). With y = e^{s x}, x ~ N(0, 1), and Z the sum of n
such y, every mean below follows from 1/Z = ∫ e^{−tZ} dt with t = e^u (derived for this project):

    φ(u) = E e^{−e^u y}            A(u) = E[a(u + s x)],  a(w) = e^{w − e^w}
    E Σp²    = 1 − n (n−1) ∫ A² φ^{n−2} du
    E H      = −n ∫ C φ^{n−1} du,  C(u) = E[(w + γ) a(w)],  w = u + s x,  γ Euler's constant

Both integrands keep their sign or cancel mildly, so tiny values keep their digits.
"""

from __future__ import annotations

from functools import lru_cache
from math import erfc

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.polynomial import chebyshev, hermite_e
from numpy.typing import ArrayLike

from attention_core.checks import FloatArray, as_floats
from attention_core.scaling import Scaling, get_scaling

MOST_KEYS, LARGEST_SPREAD = 10_000, 300.0
NARROW = 0.7  # below this spread the mean over x is a Gauss-Hermite sum, above it a convolution on one grid
STEP = 0.25  # of w and u; a's Fourier transform falls as e^{−π ω / 2}, so sums are exact to rounding
FINE = 0.1  # step of u in units of s, where the smoothing by s makes larger steps as exact
LOW, HIGH = -36.0, 4.0  # w outside of which a(w) < 1e-15
TAIL = 9.5  # |x| beyond which a standard normal is neglected
NODES, WEIGHTS = hermite_e.hermegauss(40)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
DEGREE = 159  # of the polynomial in ln s that the average over queries reads; its error is below 1e-9
REACH = 0.9  # of the largest spread that a typical query may have, so that few lie beyond
SMALLEST_SPREAD = 3e-3


def onset(n: int) -> float:
    """The d at which unscaled attention over n keys starts to freeze: s = √d reaches √(2 ln n), so d = 2 ln n.

    Source: the critical point of the Random Energy Model, Derrida (1981).
    """
    return float(2 * np.log(_keys(n)))


def expected_sensitivity(n: int, s: ArrayLike) -> FloatArray:
    """E[1 − Σp²] over n keys with independent N(0, s²) scores; the shape of s. See expected_concentration."""
    return _by_spread(n, s, 0)


def expected_concentration(n: int, s: ArrayLike) -> FloatArray:
    """E Σp² over n keys with independent N(0, s²) scores.

    Formula: 1 − n (n−1) ∫ A² φ^{n−2} du, in the terms at the head of this module.
    Shapes: n from 1 to 10,000; s from 0 to 300 of any shape -> that shape.
    Law: 1/n at s = 0; rises with s to 1; 1 for one key.
    Errors: ValueError for another n or s.
    Source: Derrida, Phys. Rev. B 24, 2613 (1981); the integral is derived for this project.
    """
    return np.asarray(1 - expected_sensitivity(n, s))


def expected_entropy(n: int, s: ArrayLike) -> FloatArray:
    """E H in nats over n keys with independent N(0, s²) scores.

    Formula: −n ∫ C φ^{n−1} du, in the terms at the head of this module; it equals E ln Z − s² (1 − E Σp²).
    Shapes and errors: as for expected_concentration.
    Law: ln n at s = 0; falls with s to 0; 0 for one key. exp(E H) is below E exp(H).
    Source: derived for this project.
    """
    return _by_spread(n, s, 1)


def expected_over_queries(measure: str, n: int, d_values: ArrayLike, rule: str | Scaling) -> FloatArray:
    """The same means when the query is random too: a row's spread is |q| · factor, with |q|² ~ χ²_d.

    `measure` is "concentration", "entropy" or "sensitivity"; shapes (D,) -> (D,).
    Errors: ValueError for a rule that does not multiply every score by one number, or an unknown measure.
    Source: given q, the scores of independent normal keys are N(0, |q|² factor²).
    """
    if measure not in ("concentration", "entropy", "sensitivity"):
        raise ValueError(f"unknown measure {measure!r}; expected concentration, entropy or sensitivity")
    rule, d = get_scaling(rule), np.atleast_1d(np.asarray(as_floats(d_values, "d_values"), dtype=np.float64))
    if d.ndim != 1 or not ((d >= 1) & np.isfinite(d)).all():
        raise ValueError(f"d_values has shape {d.shape}; expected numbers from 1 on along one axis")
    if (np.sqrt(d) * rule.factor(d, n)).max(initial=0) > REACH * LARGEST_SPREAD:
        raise ValueError(f"d_values reach a spread beyond {REACH * LARGEST_SPREAD:g}; expected a smaller d")
    spread, weight = _query_lengths(d)
    spread *= rule.factor(d, n)[:, None]
    sensitivity, entropy = _polynomials(_keys(n))
    x = _unit_interval(np.clip(spread, SMALLEST_SPREAD, LARGEST_SPREAD))
    with np.errstate(under="ignore"):
        mean = (chebyshev.chebval(x, entropy if measure == "entropy" else sensitivity) * weight).sum(axis=1)
    return np.asarray(1 - mean if measure == "concentration" else mean)


def _query_lengths(d: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Nodes |q| and weights of E f(|q|), |q|² ~ χ²_d. (D,) -> (D, nodes) twice.

    In ln |q| the density is e^{d w − e^{2w}/2}, smooth, so the plain sum over equal steps is exact to rounding.
    """
    sigma = 1 / np.sqrt(2 * d[:, None])
    w = np.log(d[:, None]) / 2 + sigma * np.linspace(-40, 9, 246)
    with np.errstate(under="ignore"):
        log_density = d[:, None] * w - np.exp(2 * w) / 2
        density = np.exp(log_density - log_density.max(axis=1, keepdims=True))
        return np.exp(w), density / density.sum(axis=1, keepdims=True)


def _unit_interval(s: FloatArray) -> FloatArray:
    """ln s, mapped to −1 … 1."""
    low, high = np.log(SMALLEST_SPREAD), np.log(LARGEST_SPREAD)
    return np.asarray((2 * np.log(s) - low - high) / (high - low))


@lru_cache(maxsize=64)
def _polynomials(n: int) -> tuple[FloatArray, FloatArray]:
    """Chebyshev series in ln s of mean sensitivity and mean entropy."""
    points = chebyshev.chebpts1(DEGREE + 1)
    low, high = np.log(SMALLEST_SPREAD), np.log(LARGEST_SPREAD)
    values = np.array([_means(n, s) for s in np.exp((points * (high - low) + low + high) / 2).tolist()])
    series = chebyshev.chebvander(points, DEGREE).T @ values * (2 / (DEGREE + 1))
    series[0] /= 2
    return series[:, 0], series[:, 1]


def _by_spread(n: int, s: ArrayLike, which: int) -> FloatArray:
    spread = np.asarray(as_floats(s, "s"), dtype=np.float64)
    if not ((spread >= 0) & (spread <= LARGEST_SPREAD)).all():
        raise ValueError(f"s of shape {spread.shape} has entries outside 0 to {LARGEST_SPREAD:g}; expected a spread")
    n = _keys(n)
    distinct, where = np.unique(spread, return_inverse=True)
    values = np.array([_means(n, s)[which] for s in distinct.tolist()])
    return np.asarray(values[where].reshape(spread.shape))


def _keys(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= MOST_KEYS:
        raise ValueError(f"n is {n!r}; expected a whole number of keys from 1 to {MOST_KEYS}")
    return int(n)


@lru_cache(maxsize=4096)
def _means(n: int, s: float) -> tuple[float, float]:
    """Mean sensitivity and mean entropy (nats) of n keys at one spread."""
    if n == 1:
        return 0.0, 0.0
    with np.errstate(under="ignore"):
        step, phi, A, C = _smoothed(s)
        phi = np.clip(phi, 0, 1)
        sensitivity = n * (n - 1) * step * (A * A * phi ** (n - 2)).sum()
        entropy = -n * step * (C * phi ** (n - 1)).sum()
    return float(sensitivity), float(max(entropy, 0.0))


@lru_cache(maxsize=512)
def _smoothed(s: float) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """The step of u, and φ, A and C at each u; the same for every n."""
    return _smoothed_directly(s) if s < NARROW else _smoothed_on_a_grid(s)


def _smoothed_directly(s: float) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Each mean over x as a Gauss-Hermite sum."""
    u = np.arange(LOW - TAIL * s, HIGH + TAIL * s, STEP)
    w = u[:, None] + s * NODES
    a = np.exp(w - np.exp(w))
    return STEP, np.exp(-np.exp(w)) @ WEIGHTS, a @ WEIGHTS, ((w + np.euler_gamma) * a) @ WEIGHTS


def _smoothed_on_a_grid(s: float) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """The same as sums over w: A(u) = ∫ a(w) N(w − u; s²) dw and φ(u) = ∫ a(w) P(u + s x < w) dw.

    u takes every `stride`-th place of the grid of w, so that w − u stays on that grid.
    """
    w = np.arange(LOW, HIGH, STEP)
    a = STEP * np.exp(w - np.exp(w))
    margin = int(np.ceil(TAIL * s / STEP))
    apart = STEP * np.arange(1 - len(w) - margin, len(w) + margin) / s  # w − u, in units of s
    density = np.exp(-(apart**2) / 2) / (s * np.sqrt(2 * np.pi))
    below = np.array([0.5 * erfc(-x) for x in (apart / np.sqrt(2)).tolist()])
    stride = max(1, int(FINE * s / STEP))
    near, under = (sliding_window_view(values, len(w))[::-stride] for values in (density, below))
    return stride * STEP, under @ a, near @ a, near @ ((w + np.euler_gamma) * a)
