"""Records one step of training from PyTorch's autograd, for tests/core/test_training_steps.py.

    python tests/core/oracles/record_training.py     (with torch 2.13; writes tests/core/oracles/training_torch.json)

The task is written here from its description, in double precision and without the core.
"""

import json
from pathlib import Path

import numpy as np
import torch

N_KEYS, D_MODEL, BATCH, D = 5, 4, 6, 7
FACTORS = {"none": 1.0, "sqrt": D**-0.5, "linear": 1 / D}
RATE = 0.7


def main() -> None:
    rng = np.random.default_rng(11)
    keys = rng.standard_normal((BATCH, N_KEYS, D_MODEL))
    places = rng.integers(N_KEYS, size=BATCH)
    W_Q, W_K = rng.standard_normal((2, D_MODEL, D)) / 2
    given = {"keys": keys, "places": places, "W_Q": W_Q, "W_K": W_K, "rate": RATE}
    cases = {rule: step(factor, keys, places, W_Q, W_K) for rule, factor in FACTORS.items()}
    record = {
        "torch": torch.__version__,
        "given": {k: np.asarray(v).tolist() for k, v in given.items()},
        "cases": cases,
    }
    path = Path(__file__).with_name("training_torch.json")
    path.write_text(json.dumps(record, indent=1), encoding="utf-8")


def step(factor: float, keys: np.ndarray, places: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray) -> dict[str, object]:
    x, where = torch.tensor(keys), torch.tensor(places)
    q_weight, k_weight = (torch.tensor(W, requires_grad=True) for W in (W_Q, W_K))
    query = x[torch.arange(BATCH), where] @ q_weight
    scores = torch.einsum("bd,bnd->bn", query, x @ k_weight) * factor
    weights = torch.softmax(scores, dim=-1)
    wanted = torch.nn.functional.one_hot(where, N_KEYS).double()
    loss = ((weights - wanted) ** 2).sum(dim=-1).mean()
    loss.backward()
    after = [(W - RATE * W.grad).detach() for W in (q_weight, k_weight)]
    length = torch.sqrt(q_weight.grad.square().sum() + k_weight.grad.square().sum())
    return {
        "loss": loss.item(),
        "weights": weights.tolist(),
        "gradient": length.item(),
        "W_Q": after[0].tolist(),
        "W_K": after[1].tolist(),
    }


if __name__ == "__main__":
    main()
