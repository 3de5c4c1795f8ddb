"""The experiment as a program: in numpy, in PyTorch, and with attention_core; all print the same lines."""

from __future__ import annotations

from attention_core.checks import FloatArray
from attention_ui.exchange import snippet_core, snippet_numpy, snippet_torch
from attention_ui.exchange.carried import Carried
from attention_ui.experiment import MATRICES

KINDS = {"numpy": snippet_numpy, "torch": snippet_torch, "core": snippet_core}
_SHOW = """\
for name, matrix in (("weights", weights), ("output", output)):
    print(name)
    for token, row in zip(tokens, matrix.tolist()):
        print(token, *(f"{x:.10g}" if abs(x) >= 1e4 else f"{round(x, 6) + 0.0:.6f}" for x in row))
"""


def write(kind: str, carried: Carried, comment: str = "") -> str:
    """A program that prints weights and output at the present d under the rule in force: six decimals, and of numbers
    from 10,000 on ten digits, since more are left to the order in which a library adds.

    `kind` is one of KINDS; `comment`, in the reader's language, becomes one line. The typed matrices stand there
    in full; columns beyond them are made again by the same law from the same seed, so the numbers are the same.
    Tokens are a stranger's: they stand as string literals that nothing in them can end.
    Errors: KeyError for an unknown kind.
    """
    program, experiment = KINDS[kind], carried.experiment
    typed = [f"tokens = {list(experiment.tokens)!r}\n"]
    typed += [_matrix(name, experiment.matrices[name], program.ARRAY) for name in MATRICES]
    blocks = [program.imports(carried), _comment(comment) + "".join(typed), program.grow(carried)]
    return "\n".join(block for block in (*blocks, program.attend(carried), _SHOW) if block)


def _comment(text: str) -> str:
    """One line of comment; it stands behind an import, where Python looks for no encoding in it."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return f"# {line}\n" if line else ""


def _matrix(name: str, matrix: FloatArray, array: str) -> str:
    """An assignment with a row a line, each number so that it is read back exactly."""
    rows = "".join(f"    {row!r},\n" for row in matrix.tolist())
    return f"{name} = " + array.format(f"[\n{rows}]") + "\n"
