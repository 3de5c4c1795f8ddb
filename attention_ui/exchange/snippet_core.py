"""The lines of a program with this project's own core; see attention_ui.exchange.snippets."""

from __future__ import annotations

from attention_ui.exchange.carried import Carried

ARRAY = "np.array({})"
_REST = """\
trace = self_attention(X, W_Q, W_K, W_V, {rule}, is_causal={causal})
weights, output = trace.weights, trace.output
"""


def imports(carried: Carried) -> str:
    """What the program needs; it runs where attention_core can be found."""
    names = ["self_attention"]
    if carried.rule.parameters:
        names.insert(0, "get_scaling")
    if _grows(carried):
        names.append("widen_pair")
    return f"import numpy as np\n\nfrom attention_core import {', '.join(names)}\n"


def grow(carried: Carried) -> str:
    """W_Q and W_K at d; nothing at the typed size."""
    if not _grows(carried):
        return ""
    return f"W_Q, W_K = widen_pair(W_Q, W_K, {carried.d}, {carried.settings.seed}, {carried.how!r})\n"


def attend(carried: Carried) -> str:
    """Weights and output under the rule in force."""
    rule = carried.rule
    parameters = "".join(f", {name}={value!r}" for name, value in rule.parameters.items())
    text = f"get_scaling({rule.name!r}{parameters})" if parameters else repr(rule.name)
    return _REST.format(rule=text, causal=carried.settings.causal)


def _grows(carried: Carried) -> bool:
    return carried.d > carried.experiment.sizes["d_k"]
