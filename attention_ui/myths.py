"""Claims about the scaling and the numbers that answer them, computed with the run's number of keys and its seed.

Each claim has a right verdict, the options of its switch, and a function from an option to the values that fill
its sentences in content/<language>/myths.toml.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np

from attention_core import SaturationSweep, saturation_sweep, self_attention, self_attention_backward, softmax
from attention_core.checks import FloatArray
from attention_core.saturation import DEAD
from attention_core.scaling import PowerScaling
from attention_ui.numbers import counted, fixed, measure, percent, share, significant
from attention_ui.read_only import read_only

LARGE, SMALL = 4096, 64
ODD = 2048  # its roots are no powers of two, so that rounding shows
FEW = 3  # keys, and d, of a worked example
ROWS = 400
SAMPLES = 1000
BAND = (10, 90)  # percentiles
RARE = 1  # per cent of the rows, those with the largest gradient
RATE = 0.5  # learning rate of the one step in `weights`
VERDICTS = ("true", "half", "false")
Values = dict[str, object]


@dataclass(frozen=True)
class Myth:
    """A claim: whether it is true, half true or false, the switch's options, and the numbers for an option."""

    verdict: str
    options: tuple[str, ...]
    values: Callable[[int, int, str], Values]


def _root(n: int, seed: int, option: str) -> Values:
    found = {rule: significant(float(_sweep(n, seed, rule).largest.mean())) for rule in ("none", "sqrt", "linear")}
    return {"d": LARGE, "n": n, "root": fixed(sqrt(LARGE), 0), "uniform": significant(1 / n), "value": found[option],
            **found}  # fmt: skip


def _maximum(n: int, seed: int, option: str) -> Values:
    scores = _row(n, seed)[2]
    scaled = scores / sqrt(LARGE)
    largest = {
        "neither": _plain(scores), "subtract": _plain(scores - scores.max()),
        "divide": _plain(scaled), "both": _plain(scaled - scaled.max()),
    }  # fmt: skip
    gap = float(np.diff(np.sort(scores))[-1])
    return {"d": LARGE, "n": n, "value": significant(float(largest[option].max())), "gap": fixed(gap, 2),
            "small_gap": fixed(gap / sqrt(LARGE), 3), "raw": significant(float(largest["neither"].max())),
            "subtracted": significant(float(largest["subtract"].max())),
            "divided": significant(float(largest["divide"].max()))}  # fmt: skip


def _plain(scores: FloatArray) -> FloatArray:
    """Softmax without its own subtraction; scores at d = 4096 stay far below the overflow of float64."""
    weights = np.exp(scores)
    return np.asarray(weights / weights.sum())


def _which_d(n: int, seed: int, option: str) -> Values:
    power = {"key": 0.5, "model": 1.0}  # √4096 = 64, so dividing by √d_model is dividing by d_k
    found = {name: _sweep(n, seed, PowerScaling(a), d=SMALL) for name, a in power.items()}
    spread = {"key": 1.0, "model": sqrt(SMALL / LARGE)}
    return {"d": SMALL, "model": LARGE, "n": n, "value": fixed(float(found[option].effective_keys.mean()), 1),
            "spread": fixed(spread[option], 3), "key_effective": fixed(float(found["key"].effective_keys.mean()), 1),
            "model_effective": fixed(float(found["model"].effective_keys.mean()), 1),
            "model_spread": fixed(spread["model"], 3)}  # fmt: skip


def _after(n: int, seed: int, option: str) -> Values:
    scores = _row(n, seed, SMALL)[2]
    weights = {"before": softmax(scores / sqrt(SMALL)), "after": softmax(scores) / sqrt(SMALL)}
    sums = {name: float(p.sum()) for name, p in weights.items()}
    part = {name: percent(float(p.max() / p.sum())) for name, p in weights.items()}
    return {"d": SMALL, "value": fixed(sums[option], 3), "share": part[option], "sum_after": fixed(sums["after"], 3),
            "share_after": part["after"], "share_before": part["before"]}  # fmt: skip


def _both(n: int, seed: int, option: str) -> Values:
    q, K, scores = _row(n, seed, ODD)
    root, fourth = sqrt(ODD), ODD**0.25
    weights = {
        "scores": softmax(scores / root), "query": softmax(K @ (q / root)),
        "both": softmax((K / fourth) @ (q / fourth)),
    }  # fmt: skip
    apart = max(float(np.abs(weights[name] - weights["scores"]).max()) for name in ("query", "both"))
    return {"d": ODD, "root": fixed(root, 2), "fourth": fixed(fourth, 2),
            "value": fixed(float(weights[option].max()), 12), "apart": _tiny(apart)}  # fmt: skip


def _tiny(difference: float) -> str:
    """A difference that is rounding or nothing at all."""
    return "0" if difference == 0 else measure(difference, 12)


def _sample(n: int, seed: int, option: str) -> Values:
    rng = np.random.default_rng(seed)
    Q, K = rng.standard_normal((2, SAMPLES, 2, 2))
    scores = Q @ K.swapaxes(1, 2)  # (samples, 2, 2)
    variances = scores.reshape(SAMPLES, 4).var(axis=1)
    low, high = np.percentile(variances, BAND)
    count = int(option)
    return {"d": 2, "count": count, "value": fixed(float(np.mean(scores[:count] ** 2)), 2),
            "first": fixed(float(variances[0]), 2), "low": fixed(float(low), 2), "high": fixed(float(high), 2),
            "all": SAMPLES, "middle": share(BAND[1] - BAND[0]),
            "mean": fixed(float(np.mean(scores**2)), 2)}  # fmt: skip


def _still(n: int, seed: int, option: str) -> Values:
    found = {c: _sweep(n, seed, "sqrt", cosine=float(c)).aligned.mean() for c in ("0", "0.3")}
    linear = _sweep(n, seed, "linear", cosine=0.3).aligned.mean()
    return {"d": LARGE, "n": n, "c": option, "value": significant(float(found[option])), "strong": "0.3",
            "aligned": significant(float(found["0.3"])), "linear": significant(float(linear)),
            "independent": significant(float(found["0"])), "uniform": significant(1 / n)}  # fmt: skip


def _small(n: int, seed: int, option: str) -> Values:
    """As many keys as a worked example has."""
    d = int(option)
    found = {rule: significant(float(_sweep(FEW, seed, rule, d=d).largest.mean())) for rule in ("none", "sqrt")}
    return {"d": d, "few": FEW, "root": fixed(sqrt(d), 2), "small_root": fixed(sqrt(FEW), 2), "small": FEW,
            "uniform": significant(1 / FEW), **found}  # fmt: skip


def _weights(n: int, seed: int, option: str) -> Values:
    """One step of gradient descent with the rule, and with smaller weights and a smaller learning rate instead."""
    rng, d = np.random.default_rng(seed), SMALL
    X, target = rng.standard_normal((4, 8)), rng.standard_normal((4, 8))
    W_Q, W_K = rng.standard_normal((2, 8, d)) / sqrt(8)
    shrink = d**-0.25
    with_rule = _step(X, W_Q, W_K, target, "sqrt", RATE)
    smaller = _step(X, shrink * W_Q, shrink * W_K, target, "none", RATE / sqrt(d))
    apart = [float(np.abs(a - b).max()) for a, b in zip(with_rule, smaller, strict=True)]
    value = apart[0] if option == "start" else apart[1]
    return {"d": d, "fourth": fixed(1 / shrink, 2), "root": fixed(sqrt(d), 0), "value": _tiny(value),
            "start": _tiny(apart[0]), "step": _tiny(apart[1])}  # fmt: skip


def _step(
    X: FloatArray, W_Q: FloatArray, W_K: FloatArray, target: FloatArray, rule: str, rate: float
) -> tuple[FloatArray, FloatArray]:
    """Attention weights before and after one step of W_Q and W_K on half the squared error of the output."""
    identity = np.eye(X.shape[1])
    before = self_attention(X, W_Q, W_K, identity, rule)
    slope = self_attention_backward(before, before.output - target)
    after = self_attention(X, W_Q - rate * slope.W_Q, W_K - rate * slope.W_K, identity, rule)
    return before.weights, after.weights


def _vanish(n: int, seed: int, option: str) -> Values:
    gradient = {rule: _sweep(n, seed, rule).gradient[:, 0] for rule in ("none", "sqrt")}
    numbers = {rule: _distribution(each) for rule, each in gradient.items()}
    now, none, root = numbers[option], numbers["none"], numbers["sqrt"]
    return {"d": LARGE, "n": n, "limit": measure(DEAD), "rare": share(RARE),
            "value": now["median"], "share": now["dead"], "largest": now["top"], **none,
            "root_median": root["median"], "root_mean": root["mean"]}  # fmt: skip


def _distribution(gradient: FloatArray) -> dict[str, str]:
    """Median, mean, the size that only a few rows exceed, and the share of dead rows."""
    return {
        "median": significant(float(np.median(gradient))),
        "mean": significant(float(gradient.mean())),
        "top": significant(float(np.percentile(gradient, 100 - RARE))),
        "dead": counted(float((gradient < DEAD).mean())),
    }


MYTHS = {
    "root": Myth("false", ("none", "sqrt", "linear"), _root),
    "maximum": Myth("false", ("neither", "subtract", "divide", "both"), _maximum),
    "which_d": Myth("false", ("key", "model"), _which_d),
    "after": Myth("false", ("before", "after"), _after),
    "both": Myth("true", ("scores", "query", "both"), _both),
    "sample": Myth("false", ("1", "10", "1000"), _sample),
    "still": Myth("false", ("0", "0.3"), _still),
    "small": Myth("half", ("3", "64", "4096"), _small),
    "weights": Myth("half", ("start", "step"), _weights),
    "vanish": Myth("half", ("none", "sqrt"), _vanish),
}


@lru_cache(maxsize=512)
def values(myth: str, n: int, seed: int, option: str) -> Values:
    """What fills a claim's sentences."""
    return MYTHS[myth].values(n, seed, option)


@lru_cache(maxsize=128)
def _sweep(n: int, seed: int, rule: str | PowerScaling, cosine: float = 0.0, d: int = LARGE) -> SaturationSweep:
    return read_only(saturation_sweep([d], n, ROWS, np.random.default_rng(seed), rule, cosine))


def _row(n: int, seed: int, d: int = LARGE) -> tuple[FloatArray, FloatArray, FloatArray]:
    """One random query, n keys, and their scores."""
    rng = np.random.default_rng(seed)
    q, K = rng.standard_normal(d), rng.standard_normal((n, d))
    return q, K, K @ q
