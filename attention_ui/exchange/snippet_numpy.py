"""The lines of a program in numpy alone; see attention_ui.exchange.snippets."""

from __future__ import annotations

from attention_core.growth import is_tied
from attention_ui.exchange.carried import Carried
from attention_ui.rules import RULES

ARRAY = "np.array({})"
_DRAW = """\
def widen(W, stream):
    largest = np.abs(W).max() or 1.0
    size = largest * np.sqrt(np.mean((W / largest) ** 2))
    new = np.random.default_rng([{seed}, stream]).standard_normal(({new}, {d_emb}))
    return np.hstack([W, new.T * size])


"""
_DRAWN = "W_Q, W_K = widen(W_Q, 0), widen(W_K, {stream})\n"
_COPY = "W_Q, W_K = (W[:, np.arange({d}) % {d_k}] for W in (W_Q, W_K))\n"
_PAD = "W_Q, W_K = (np.pad(W, ((0, 0), (0, {new}))) for W in (W_Q, W_K))\n"
_GROWTH = {"independent": (_DRAW, _DRAWN), "copies": ("", _COPY), "zeros": ("", _PAD)}
START = "Q, K, V = X @ W_Q, X @ W_K, X @ W_V\nscores = Q @ K.T\n"  # the same in PyTorch
_KEYS_BEFORE, _ALL_KEYS = "np.arange(1, len(X) + 1)[:, None]", "len(X)"
_MASK = "scaled = np.where(np.tri(len(X), dtype=bool), scaled, -np.inf)\n"
_REST = """\
weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
weights /= weights.sum(axis=1, keepdims=True)
output = weights @ V
"""


def imports(carried: Carried) -> str:
    """What the program needs."""
    return "import numpy as np\n"


def grow(carried: Carried) -> str:
    """W_Q and W_K at d, as attention_core.widen_pair makes them; nothing at the typed size."""
    return "".join(growth(carried))


def growth(carried: Carried) -> tuple[str, str]:
    """What is defined first, and the line that then widens W_Q and W_K; both empty at the typed size."""
    W_Q, W_K = (carried.experiment.matrices[name] for name in ("W_Q", "W_K"))
    d_emb, d_k = W_Q.shape
    if carried.d == d_k:
        return "", ""
    numbers = {"d": carried.d, "new": carried.d - d_k, "d_emb": d_emb, "d_k": d_k, "seed": carried.settings.seed}
    definition, line = _GROWTH[carried.how]
    return definition.format(**numbers), line.format(**numbers, stream=0 if is_tied(W_Q, W_K) else 1)


def attend(carried: Carried) -> str:
    """From Q, K, V to the output under the rule in force."""
    causal, rule = carried.settings.causal, carried.rule
    scaled = RULES[rule.name].numpy.format(n_keys=_KEYS_BEFORE if causal else _ALL_KEYS, **rule.parameters)
    return START + scaled + (_MASK if causal else "") + _REST
