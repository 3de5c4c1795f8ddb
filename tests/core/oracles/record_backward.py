"""Record what PyTorch's autograd returns for self-attention under each rule, for tests/core/test_gradients.py.

Run by hand where PyTorch is installed; the tests read only the JSON file and never import torch:

    python tests/core/oracles/record_backward.py

The rules are written here once more, in torch and from their published formulas. Each case holds the rule with its
parameters, the mask, the inputs, the output, and the gradients of Σ d_output ∘ output for X, W_Q, W_K and W_V, all
float64. Numbers are written so that they read back to the same bits.
"""

import json
import math
from pathlib import Path

import numpy as np
import torch

OUT = Path(__file__).with_name("backward_torch.json")
rng = np.random.default_rng(20250102)


def dot(q, k):
    return q @ k.T


def unit(vectors):
    """Each row divided by its length; the length of a zero row counts as 1."""
    length = torch.linalg.vector_norm(vectors, dim=1, keepdim=True)
    return vectors / torch.where(length == 0, 1.0, length)


RULES = {
    "none": lambda q, k, n_keys: dot(q, k),
    "sqrt": lambda q, k, n_keys: dot(q, k) / math.sqrt(q.shape[1]),
    "power": lambda q, k, n_keys, a=0.25: dot(q, k) / q.shape[1] ** a,
    "linear": lambda q, k, n_keys: dot(q, k) / q.shape[1],
    "ssmax": lambda q, k, n_keys, c=0.43: c * torch.log(n_keys) * dot(q, k) / math.sqrt(q.shape[1]),
    "qknorm": lambda q, k, n_keys, g=10.0: g * dot(unit(q), unit(k)),
    "softcap": lambda q, k, n_keys, c=50.0: c * torch.tanh(dot(q, k) / math.sqrt(q.shape[1]) / c),
}


def attention(X, W_Q, W_K, W_V, rule, parameters, is_causal):
    allowed = torch.ones(len(X), len(X), dtype=torch.bool)
    if is_causal:
        allowed = allowed.tril()
    n_keys = allowed.sum(dim=1, keepdim=True).double()
    scaled = RULES[rule](X @ W_Q, X @ W_K, n_keys, **parameters)
    return torch.softmax(scaled.masked_fill(~allowed, -math.inf), dim=1) @ (X @ W_V)


def normal(*shape):
    return np.round(rng.standard_normal(shape), 3)


def arrays(n=4, d_emb=3, d_k=2, d_v=3):
    shapes = {"X": (n, d_emb), "W_Q": (d_emb, d_k), "W_K": (d_emb, d_k), "W_V": (d_emb, d_v), "d_output": (n, d_v)}
    return {name: normal(*shape) for name, shape in shapes.items()}


def with_zero(name):
    """The first token's query or key is the zero vector: it has only the embedding whose row of weights is 0."""
    given = arrays()
    given["X"][0] = [0, 0, 1]
    given[name][2] = 0
    return given


def cases():
    for is_causal in (False, True):
        mask = "causal" if is_causal else "no mask"
        for rule in RULES:
            yield f"{rule}, {mask}", arrays(), rule, {}, is_causal
        yield f"power 0.8, {mask}", arrays(), "power", {"a": 0.8}, is_causal
        yield f"softcap that bends, {mask}", arrays(), "softcap", {"c": 0.5}, is_causal
        yield f"qknorm, zero query, {mask}", with_zero("W_Q"), "qknorm", {}, is_causal
        yield f"qknorm, zero key, {mask}", with_zero("W_K"), "qknorm", {}, is_causal
    yield "d_k 5, d_v 1", arrays(n=3, d_emb=4, d_k=5, d_v=1), "sqrt", {}, False
    yield "one token", arrays(n=1), "sqrt", {}, False


def written(array):
    """A flat list with its shape."""
    return {"shape": array.shape, "values": array.astype(object).ravel().tolist()}


def record(name, given, rule, parameters, is_causal):
    tensors = {key: torch.from_numpy(array) for key, array in given.items()}
    d_output = tensors.pop("d_output")
    for tensor in tensors.values():
        tensor.requires_grad_()
    output = attention(*tensors.values(), rule, parameters, is_causal)
    gradients = torch.autograd.grad(output, list(tensors.values()), d_output)
    return {
        "name": name,
        "rule": rule,
        "parameters": parameters,
        "is_causal": is_causal,
        "arrays": {key: written(array) for key, array in given.items()},
        "output": written(output.detach().numpy()),
        "gradients": {key: written(g.numpy()) for key, g in zip(tensors, gradients, strict=True)},
    }


if __name__ == "__main__":
    entries = [record(*case) for case in cases()]
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    OUT.write_text(f'{{"torch": "{torch.__version__}", "cases": [\n{lines}\n]}}\n')
    print(len(entries), "cases")
