"""The lines of a program in PyTorch, in 64 bits as the lab computes; see attention_ui.exchange.snippets."""

from __future__ import annotations

from attention_ui.exchange import snippet_numpy
from attention_ui.exchange.carried import Carried
from attention_ui.rules import RULES

ARRAY = "torch.tensor({}, dtype=torch.float64)"
_KEYS_BEFORE = "torch.arange(1, len(X) + 1, dtype=torch.float64).log()[:, None]"
_ALL_KEYS = "math.log(len(X))"
_MASK = "scaled = scaled.masked_fill(torch.ones_like(scaled, dtype=torch.bool).triu(1), -math.inf)\n"
_REST = "weights = torch.softmax(scaled, dim=1)\noutput = weights @ V\n"
_TO_NUMPY = "W_Q, W_K = W_Q.numpy(), W_K.numpy()\n"
_FROM_NUMPY = "W_Q, W_K = torch.from_numpy(W_Q), torch.from_numpy(W_K)\n"


def imports(carried: Carried) -> str:
    """What the program needs; numpy only to grow the matrices, since PyTorch draws other numbers from a seed."""
    math = "import math\n\n" if "math." in attend(carried) else ""
    numpy = "import numpy as np\n" if any(snippet_numpy.growth(carried)) else ""
    return f"{math}{numpy}import torch\n"


def grow(carried: Carried) -> str:
    """W_Q and W_K at d by numpy's lines; nothing at the typed size."""
    definition, line = snippet_numpy.growth(carried)
    return definition + _TO_NUMPY + line + _FROM_NUMPY if line else ""


def attend(carried: Carried) -> str:
    """From Q, K, V to the output under the rule in force."""
    causal, rule = carried.settings.causal, carried.rule
    scaled = RULES[rule.name].torch.format(n_keys=_KEYS_BEFORE if causal else _ALL_KEYS, **rule.parameters)
    return snippet_numpy.START + scaled + (_MASK if causal else "") + _REST
