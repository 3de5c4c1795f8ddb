"""Self-attention of worked examples: plain Python loops and printed numbers, stage by stage.

Every call runs with numpy told to raise on overflow, underflow and invalid operations, and pytest turns each
warning into an error, so "never warns" is part of every test here.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from attention_core import get_example, scaled_dot_product_attention, self_attention, softmax
from tests.core.attention_cases import STAGES, case_name
from tests.floats import assert_close, floating_trouble_raises  # noqa: F401

CASES = json.loads((Path(__file__).parent / "cases" / "worked_examples.json").read_text())


def by_loops(X, W_Q, W_K, W_V):
    """Self-attention in plain Python numbers, with nothing of numpy's: an independent oracle."""

    def times(A, B):
        return [
            [math.fsum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A
        ]

    Q, K, V = times(X, W_Q), times(X, W_K), times(X, W_V)
    scores = times(Q, list(zip(*K, strict=True)))
    scaled = [[s / math.sqrt(len(Q[0])) for s in row] for row in scores]
    weights = []
    for row in scaled:
        powers = [math.exp(s) for s in row]
        weights.append([p / math.fsum(powers) for p in powers])
    return {"Q": Q, "K": K, "V": V, "scores": scores, "scaled": scaled, "weights": weights, "output": times(weights, V)}


@pytest.mark.parametrize("name", ["love", "one_matrix", "arrows", "random_8"])
def test_every_stage_equals_plain_python_loops(name):
    chosen = get_example(name)
    parts = [getattr(chosen, part) for part in ("X", "W_Q", "W_K", "W_V")]
    trace = self_attention(*parts)
    for stage, expected in by_loops(*(part.tolist() for part in parts)).items():
        assert_close(getattr(trace, stage), expected, rtol=1e-14, atol=1e-15, err_msg=stage)


LOVE = {
    "Q": [[2, 0, 1], [0, 2, 1], [1, 1, 1]],
    "K": [[0, 1, 1], [2, 1, 1], [1, 1, 1]],
    "V": [[1, 0, 1], [1, 2, 0], [1, 1, 0]],
    "scores": [[1, 5, 3], [3, 3, 3], [2, 4, 3]],
    "scaled": [[0.577, 2.887, 1.732], [1.732, 1.732, 1.732], [1.155, 2.309, 1.732]],
    "weights": [[0.070, 0.707, 0.223], [0.333, 0.333, 0.333], [0.168, 0.533, 0.299]],
    "output": [[1.000, 1.637, 0.070], [1.000, 1.000, 0.333], [1.000, 1.365, 0.168]],
}


@pytest.mark.parametrize("stage", LOVE)
def test_i_love_ai_to_three_decimals(stage):
    """Source: Amit Shekhar, "Math behind Attention: Q, K and V", 2026-04-03."""
    chosen = get_example("love")
    trace = self_attention(chosen.X, chosen.W_Q, chosen.W_K, chosen.W_V)
    np.testing.assert_array_equal(np.round(getattr(trace, stage), 3), LOVE[stage])


def computed(case):
    """All stages of a printed example, through whichever public function its inputs fit."""
    scale = case["scale"]
    if "X" in case:
        d_k = len(case["W_Q"][0])
        rule = {1.0: "none", d_k**-0.5: "sqrt"}[scale]
        trace = self_attention(*(case[part] for part in ("X", "W_Q", "W_K", "W_V")), scaling=rule)
        return {stage: getattr(trace, stage) for stage in STAGES}
    if "Q" in case:
        parts = [np.array(case[part]) for part in ("Q", "K", "V")]
        output = scaled_dot_product_attention(*parts, scale=scale)
        identity = np.eye(len(parts[2]))  # with the identity as value, attention returns its weights
        return {"output": output, "weights": scaled_dot_product_attention(*parts[:2], identity, scale=scale)}
    return {"weights": softmax(scale * np.array(case["scores"]))}


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_printed_examples(case):
    stages = computed(case)
    assert set(case["expected"]) - {"scores"} <= set(stages)
    for stage in stages.keys() & (case["expected"].keys() | case.keys()):
        expected = case["expected"].get(stage, case.get(stage))
        assert_close(stages[stage], expected, rtol=0, atol=case["tolerance"], err_msg=stage)


def test_the_printed_examples_are_all_there():
    assert len(CASES) == 7
    assert len({case["name"] for case in CASES}) == 7


@pytest.mark.parametrize("case", [case for case in CASES if "Q" in case], ids=case_name)
def test_attention_of_printed_queries_keys_and_values(case):
    output = scaled_dot_product_attention(case["Q"], case["K"], case["V"], scale=case["scale"])
    assert_close(output, case["expected"]["output"], rtol=0, atol=case["tolerance"])
    np.testing.assert_array_equal(np.array(case["Q"]) @ np.array(case["K"]).T, case["scores"])
