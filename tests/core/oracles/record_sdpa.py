"""Record what torch.nn.functional.scaled_dot_product_attention returns, for tests/core/test_scaled_dot_product.py.

Run by hand where PyTorch is installed; the tests read only the JSON file and never import torch:

    python tests/core/oracles/record_sdpa.py

Each case holds its inputs, its dtype, the other arguments, and torch's output or "error": true. Numbers are written so
that they read back to the same bits (a float32 is written as the double that equals it).
"""

import json
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

OUT = Path(__file__).with_name("sdpa_torch.json")
INF = float("inf")
rng = np.random.default_rng(20250101)


def normal(*shape):
    return np.round(rng.standard_normal(shape), 3)


def qkv(lead=(), L=3, S=4, d_k=2, d_v=3):
    return {"query": normal(*lead, L, d_k), "key": normal(*lead, S, d_k), "value": normal(*lead, S, d_v)}


def cases():
    some = np.array([[1, 0, 1, 1], [0, 1, 0, 0], [1, 1, 1, 1]], bool)
    dead = np.array([[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 1, 1]], bool)
    yield "default scale", qkv(), {}
    yield "scale 0", qkv(), {"scale": 0.0}
    yield "scale 0.7", qkv(), {"scale": 0.7}
    yield "negative scale", qkv(), {"scale": -1.3}
    yield "causal, L = S", qkv(L=4), {"is_causal": True}
    yield "causal, L < S", qkv(), {"is_causal": True}
    yield "causal, L > S", qkv(L=5, S=2), {"is_causal": True}
    yield "boolean mask", qkv(), {"attn_mask": some}
    yield "boolean mask of one axis", qkv(), {"attn_mask": np.array([True, False, True, True])}
    yield "float mask", qkv(), {"attn_mask": normal(3, 4)}
    yield "float mask, one column", qkv(), {"attn_mask": normal(3, 1)}
    yield "float mask with scale", qkv(), {"attn_mask": normal(3, 4), "scale": 2.0}
    yield "row masked everywhere by a boolean", qkv(), {"attn_mask": dead}
    yield "row masked everywhere by -inf", qkv(), {"attn_mask": np.where(dead, 0.0, -INF)}
    yield "row of finite -1e4", qkv(), {"attn_mask": np.where(dead, 0.0, -1e4)}
    yield "batch axes (2, 3)", qkv((2, 3)), {}
    yield "batch axes (2, 3), causal", qkv((2, 3)), {"is_causal": True}
    yield "batch axes (2, 3), boolean mask", qkv((2, 3)), {"attn_mask": some}
    yield "mask with a batch axis", qkv((2,)), {"attn_mask": np.stack([some, dead])}
    broadcast = {"query": normal(2, 1, 3, 2), "key": normal(3, 4, 2), "value": normal(1, 3, 4, 2)}
    yield "leading axes broadcast", broadcast, {}
    yield "no keys", qkv(S=0), {}
    yield "no queries", qkv(L=0), {}
    yield "large scores", {name: 200 * array for name, array in qkv().items()}, {"scale": 1.0}
    yield "mask and is_causal", qkv(), {"attn_mask": some, "is_causal": True}
    yield "whole-number mask", qkv(), {"attn_mask": np.zeros((3, 4), np.int64)}
    yield "mask wider than the scores", qkv(L=1), {"attn_mask": np.zeros((3, 4))}
    yield "mask with too many axes", qkv(), {"attn_mask": np.ones((2, 3, 4), bool)}
    yield "mask that does not fit", qkv(), {"attn_mask": np.ones((3, 3), bool)}
    yield "one axis only", {"query": normal(2), "key": normal(4, 2), "value": normal(4, 3)}, {}
    yield "d_k differs", {"query": normal(3, 2), "key": normal(4, 3), "value": normal(4, 3)}, {}
    yield "keys and values differ", {"query": normal(3, 2), "key": normal(4, 2), "value": normal(5, 3)}, {}
    unlike = {"query": normal(2, 3, 2), "key": normal(3, 4, 2), "value": normal(3, 4, 2)}
    yield "leading axes do not broadcast", unlike, {}


def tensor(array, dtype):
    array = np.asarray(array)
    return torch.from_numpy(array.astype(dtype) if array.dtype.kind == "f" else array)


def written(array):
    """Nested lists with their shape and kind, which an empty array would lose."""
    array = np.asarray(array)
    return {"shape": array.shape, "kind": array.dtype.kind, "values": array.astype(object).ravel().tolist()}


def record(name, arrays, arguments, dtype):
    arrays = {key: tensor(array, dtype) for key, array in arrays.items()}
    arguments = {k: tensor(v, dtype) if isinstance(v, np.ndarray) else v for k, v in arguments.items()}
    entry = {
        "name": name,
        "dtype": dtype,
        "arrays": {key: written(array.numpy()) for key, array in arrays.items()},
        "arguments": {k: written(v.numpy()) if isinstance(v, torch.Tensor) else v for k, v in arguments.items()},
    }
    try:
        entry["output"] = written(scaled_dot_product_attention(*arrays.values(), **arguments).numpy())
    except (RuntimeError, ValueError):
        entry["error"] = True
    return entry


if __name__ == "__main__":
    entries = [record(*case, dtype) for case in cases() for dtype in ("float64", "float32")]
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    OUT.write_text(f'{{"torch": "{torch.__version__}", "cases": [\n{lines}\n]}}\n')
    print(len(entries), "cases,", sum("error" in entry for entry in entries), "errors")
