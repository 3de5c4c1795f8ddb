"""What the lessons show, computed once by the core: traces, a trained head, a training run, growing vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attention_core import Trace, get_example, head_weights, load_head, saturation_sweep, self_attention, softmax, train
from attention_core.checks import FloatArray
from attention_core.examples import Example
from attention_core.training import TrainingStep
from attention_core.training_task import Task
from attention_ui.read_only import read_only

IDS = (101, 205, 666)  # of the worked example's tokens in the source article
D_VALUES = (64, 128, 256, 512, 1024, 2048, 4096)
KEYS = 8
TOKENS = 20  # of the text in which first and last are counted apart
ALIGNMENT = 0.3  # correlation of the first key with the query, in the aligned case
SEED = 1004  # a typical draw: its scores spread within a fifth of √d at every d
# The training run: where it is calm, so that it can be met again in the training lab.
RUN_D, RUN_RATE, RUN_STEPS = 64, 1.0, 200
LARGE_D, LARGE_RATE = 1024, 10  # where the rules part in the training lab
FAMOUS = (3000.0, 2800.0, 2500.0)  # scores that tutorials print for a saturated softmax
TRIANGLE = np.array([[-1.5, -1.0], [1.5, -1.0], [0.0, 1.6]])
SHARES = np.array([0.1, 0.2, 0.7])
CAPITAL = np.array([0.8, 0.15, 0.05])  # France, capital, Paris in the source article
# Topics of the search: animals, cooking, stars. Titles promise (keys), texts deliver (values).
QUERIES = np.array([[2.0, 1.5, 0.0], [0.0, 2.0, 0.0], [0.5, 0.0, 2.0]])
TITLES = np.array([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.5, 1.5, 0.0], [0.0, 0.0, 2.0]])
TEXTS = np.array([[3.0, 0.5, 0.0], [0.2, 3.0, 0.0], [1.5, 2.5, 0.0], [0.1, 0.0, 3.0]])
LONGER = 3.0  # times as long as it is: the last token's row, where rows of different lengths are compared


def love(language: str) -> Example:
    """The worked example with the language's tokens."""
    return get_example(name_of_love(language))


def name_of_love(language: str) -> str:
    """The worked example's name, also in the address."""
    return "love_zh" if language == "zh" else "love"


@lru_cache
def trace_of(name: str, scaling: str = "sqrt", is_causal: bool = False) -> Trace:
    """Every stage of an example."""
    example = get_example(name)
    return read_only(self_attention(example.X, example.W_Q, example.W_K, example.W_V, scaling, is_causal))


@lru_cache
def head(name: str, ending: str) -> tuple[tuple[str, ...], FloatArray]:
    """Tokens and weights (n, n) of a trained head under the rule it was trained with."""
    recorded = load_head(name, ending)
    return read_only((recorded.tokens, head_weights(recorded, "sqrt", 1.0)[1]))


@lru_cache
def run() -> tuple[TrainingStep, ...]:
    """A training run; the record at place k is the state after k updates."""
    return read_only(tuple(train(RUN_D, RUN_RATE, "sqrt", steps=RUN_STEPS + 1)))


def right_share(record: TrainingStep) -> float:
    """Mean weight that the watched queries give to their right keys."""
    return float(record.weights[np.arange(len(record.places)), record.places].mean())


TASK = Task()


@lru_cache
def grown(aligned: bool) -> tuple[FloatArray, ...]:
    """Scores (n,) of one query with its keys at every d of D_VALUES: the first d entries of the same vectors."""
    rng = np.random.default_rng(SEED)
    q, K = rng.standard_normal(D_VALUES[-1]), rng.standard_normal((KEYS, D_VALUES[-1]))
    if aligned:
        K[0] = ALIGNMENT * q + np.sqrt(1 - ALIGNMENT**2) * K[0]
    return read_only(tuple(K[:, :d] @ q[:d] for d in D_VALUES))


@lru_cache
def mean_largest(scaling: str) -> float:
    """Mean largest weight over KEYS random keys at the largest d; so many rows leave an error below 0.001."""
    return float(saturation_sweep([D_VALUES[-1]], KEYS, 20_000, np.random.default_rng(0), scaling).largest.mean())


@dataclass(frozen=True, eq=False)
class Search:
    """Scores, scaled scores and weights (queries, titles), and what comes back (queries, topics)."""

    scores: FloatArray
    scaled: FloatArray
    weights: FloatArray
    output: FloatArray


@lru_cache
def search() -> Search:
    """The search box as attention with d_k = 3."""
    scores = QUERIES @ TITLES.T
    scaled = scores / np.sqrt(TITLES.shape[1])
    weights = softmax(scaled)
    return read_only(Search(scores, scaled, weights, weights @ TEXTS))


@lru_cache
def tied(one_matrix: bool, longer: bool) -> Trace:
    """The worked example with one matrix for all or its three, the last row as long as the others or LONGER."""
    example = get_example("one_matrix" if one_matrix else "love")
    X = example.X * [[1.0], [1.0], [LONGER if longer else 1.0]]
    return read_only(self_attention(X, example.W_Q, example.W_K, example.W_V))


def own_tops(weights: FloatArray) -> int:
    """How many tokens give themselves the largest weight, alone."""
    others = np.where(np.eye(len(weights), dtype=bool), -np.inf, weights)
    return int((np.diag(weights) > others.max(axis=1) + 1e-12).sum())
