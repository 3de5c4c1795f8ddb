"""The programs run, and print the weights and outputs that the page shows, to their last digit."""

import ast
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attention_core.growth import HOWS
from attention_ui.address import RULES, Settings
from attention_ui.exchange import snippets
from attention_ui.exchange.carried import Carried
from attention_ui.experiment import Experiment, from_example, resize, with_tokens
from tests.playground.exchange_cases import edited, some_settings

ROOT = Path(__file__).parents[2]
# Each program in a namespace of its own, all in one process.
RUNNER = """
import sys
for path in sys.argv[1:]:
    exec(compile(open(path, "rb").read(), path, "exec"), {})
    print("--")
"""
TOKENS = ("'", '"""', "\\", "{token}", "#爱", "'];exit()")


def cases():
    """Every rule with its parameter, masked or not, and every way to grow; one with tied matrices and a zero query."""
    found = [replace(each, settings=replace(each.settings, how="independent")) for each in edited()]
    rng = np.random.default_rng(0)
    for i, rule in enumerate(RULES):
        for causal in (False, True):
            chosen = replace(some_settings(rng, "random_8", 8), rule=rule, param=None, causal=causal, scale=True)
            grown = replace(chosen, d=("typed", "64", "512")[(i + causal) % 3], how=HOWS[(i + causal) % 3])
            found.append(Carried(from_example("random_8"), grown))
    tied = (Settings(example="one_matrix", d="128", how=how, seed=5) for how in HOWS)
    found += [Carried(from_example("one_matrix"), each) for each in tied]
    odd = with_tokens(resize(from_example("love"), "d_emb", 3, 1), TOKENS, 0)
    zero = replace(odd, matrices={**odd.matrices, "X": np.vstack([np.zeros((1, 3)), odd.matrices["X"][1:]])})
    found += [Carried(zero, Settings(rule=rule, causal=True)) for rule in ("qknorm", "ssmax", "softcap")]
    return [*found, Carried(zero, Settings(scale=False)), *extremes()]


def extremes():
    """A query whose square is too small for a float, under the rule that divides by its length; entries up to a
    million, with outputs that no library adds to the last of six decimals."""
    tiny = {"X": [[1e-200, 1], [1, 0]], "W_Q": [[1], [0]], "W_K": [[0], [1e6]], "W_V": [[1], [2]]}
    large = {name: np.random.default_rng(3).uniform(-1e6, 1e6, (3, 3)) for name in tiny}
    found = [Experiment("love", tuple("abc")[: len(each["X"])], {k: np.array(W, float) for k, W in each.items()})
             for each in (tiny, large)]  # fmt: skip
    return [Carried(each, Settings(rule=rule)) for each in found for rule in ("qknorm", "sqrt")]


def expected(carried):
    """What every program prints."""
    lines = []
    for name in ("weights", "output"):
        rows = getattr(carried.trace(), name).tolist()
        lines.append(name)
        for token, row in zip(carried.experiment.tokens, rows, strict=True):
            shown = (f"{x:.10g}" if abs(x) >= 1e4 else f"{round(x, 6) + 0.0:.6f}" for x in row)
            lines.append(" ".join([token, *shown]))
    return lines


@pytest.mark.parametrize("kind", snippets.KINDS)
def test_programs_print_what_the_page_shows(kind, tmp_path):
    if kind == "torch":
        pytest.importorskip("torch")
    paths = []
    for i, carried in enumerate(cases()):
        paths.append(tmp_path / f"{i}.py")
        paths[-1].write_text(snippets.write(kind, carried, "注释"), encoding="utf-8")
    command = [sys.executable, "-W", "error", "-X", "utf8", "-c", RUNNER, *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split("--\n")[:-1]
    for carried, text in zip(cases(), printed, strict=True):
        assert text.splitlines() == expected(carried), carried.settings


def test_a_query_too_small_to_be_squared_still_has_a_direction():
    """Worked out by hand: the query (1e-200) and the keys (1e6), (0) have the cosines 1 and 0, so with g = 10 the
    first row's weights are 1/(1 + e^-10) and 1/(1 + e^10); had the length become 0 they would be one half each."""
    assert expected(extremes()[0])[1] == "a 0.999955 0.000045"


def test_a_program_runs_as_a_file_of_its_own(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(snippets.write("numpy", cases()[0], "-*- coding: utf-7 -*-"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, path], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout.splitlines()) == (0, expected(cases()[0]))


@pytest.mark.parametrize("kind", snippets.KINDS)
def test_no_token_and_no_comment_gets_out_of_its_place(kind):
    """A program's statements are the same whatever the tokens and the comment say."""
    plain, odd = cases()[0], with_tokens(from_example("love"), TOKENS[:3], 0)
    odd = Carried(replace(odd, matrices=plain.experiment.matrices), plain.settings)
    source = snippets.write(kind, odd, "one\r\nimport os\x0b\x0c\u2028\u0085\x00\ud800 # two")
    assert "# one import os # two\n" in source
    (names,) = (node for node in ast.parse(source).body if ast.unparse(node).startswith("tokens = "))
    assert ast.literal_eval(names.value) == list(TOKENS[:3])
    assert statements(source) == statements(snippets.write(kind, plain))


def statements(source):
    """What a program does, but for its tokens."""
    found = ast.parse(source).body
    return [ast.dump(node) for node in found if not ast.unparse(node).startswith("tokens = ")]


def test_every_number_stands_there_exactly():
    for carried in cases():
        body = ast.parse(snippets.write("numpy", carried)).body
        assigned = {ast.unparse(node.targets[0]): node.value for node in body if isinstance(node, ast.Assign)}
        for name, matrix in carried.experiment.matrices.items():
            assert np.array(ast.literal_eval(assigned[name].args[0])).tobytes() == matrix.tobytes()


def test_every_program_for_torch_can_be_parsed():
    """Also where PyTorch is not installed and none is run."""
    for carried in cases():
        ast.parse(snippets.write("torch", carried))
