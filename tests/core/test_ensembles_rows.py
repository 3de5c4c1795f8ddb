"""A row of random vectors does not depend on what is beside it, nor on chunks and threads; memory stays bounded."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attention_core import ensembles as ensembles_module
from attention_core.ensembles import BLOCK
from attention_core.sweep import sweep_parts
from tests.core.ensembles_cases import PER_ROW
from tests.floats import all_but_underflow_raises  # noqa: F401

ROOT = Path(__file__).parents[2]


# --- a row does not depend on what is beside it ---


def sweep(n_rows=21, rules=("sqrt",), seed=3, **options):
    parts = list(sweep_parts([1, 5, 64], 7, n_rows, np.random.default_rng(seed), rules, **options))
    return {name: np.concatenate([getattr(part.sweeps[0], name) for part in parts]) for name in PER_ROW}


def assert_equal_rows(a, b):
    for name in PER_ROW:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@pytest.mark.parametrize("entries", ["normal", "uniform", "signs"])
@pytest.mark.parametrize("rule", ["none", "qknorm", "softcap"])
@pytest.mark.parametrize("cosine", [0, 0.4])
def test_chunks_do_not_change_rows(entries, rule, cosine, monkeypatch):
    whole = sweep(rules=(rule,), entries=entries, cosine=cosine)
    for chunk in (1, BLOCK * 3 * 7 * 2):
        monkeypatch.setattr(ensembles_module, "CHUNK", chunk)
        assert_equal_rows(sweep(rules=(rule,), entries=entries, cosine=cosine), whole)


def test_chunks_hold_whole_blocks(monkeypatch):
    monkeypatch.setattr(ensembles_module, "CHUNK", BLOCK * 3 * 7 * 2)
    parts = list(sweep_parts([1, 5, 64], 7, 40, np.random.default_rng(0), ["sqrt"]))
    assert [part.done for part in parts] == [2 * BLOCK, 4 * BLOCK, 40]


@pytest.mark.parametrize("entries", ["normal", "uniform", "signs"])
@pytest.mark.parametrize("n_rows", [1, BLOCK - 1, BLOCK, BLOCK + 1, 20])
def test_a_shorter_run_is_the_front_of_a_longer_one(entries, n_rows):
    long = sweep(n_rows=33, entries=entries)
    assert_equal_rows(sweep(n_rows=n_rows, entries=entries), {name: values[:n_rows] for name, values in long.items()})


@pytest.mark.parametrize("entries", ["normal", "uniform", "signs"])
@pytest.mark.parametrize("rule", ["none", "linear", "softcap"])
def test_other_rules_do_not_change_rows(entries, rule):
    alone = sweep(rules=(rule,), entries=entries)
    assert_equal_rows(sweep(rules=(rule, "qknorm", "ssmax"), entries=entries), alone)


def test_the_same_seed_gives_the_same_rows_and_another_does_not():
    assert_equal_rows(sweep(), sweep())
    assert (sweep()["largest"] != sweep(seed=4)["largest"]).all()


def in_a_process(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_number_of_threads_does_not_change_rows():
    """Not by a bit for normal entries; sums of real vectors may be added up in another order."""
    code = """
import numpy as np
from attention_core.sweep import saturation_sweep
for entries in ("normal", "uniform"):
    rows = saturation_sweep([1, 64, 2048], 128, 3, np.random.default_rng(0), "qknorm", 0.2, entries)
    print(*np.concatenate([rows.largest, rows.entropy, rows.gradient, rows.concentration]).ravel().tolist())
"""
    one, two = (
        [np.array(line.split(), float) for line in in_a_process(code, OPENBLAS_NUM_THREADS=count).splitlines()]
        for count in "12"
    )
    np.testing.assert_array_equal(one[0], two[0])
    np.testing.assert_allclose(one[1], two[1], rtol=1e-10, atol=1e-10)


# --- memory ---


@pytest.mark.parametrize(
    ("entries", "n_rows", "megabytes"),
    [("uniform", 2, 300), ("signs", 2, 300), ("normal", 600, 120)],
    ids=["uniform", "signs", "normal"],
)
def test_memory_stays_bounded(entries, n_rows, megabytes):
    """1024 keys and every plotted d up to 4096, parts dropped as they come; python and numpy themselves included.

    A row of real vectors has 4 million entries, 34 MB; 600 rows of normal ones have 15 million scores, 118 MB.
    """
    rules = '"none"' if entries == "normal" else '"none", "qknorm"'
    code = f"""
import resource
from pathlib import Path
import numpy as np
from attention_core.sweep import sweep_parts
d_values = [int(d) for d in np.unique(np.rint(2.0 ** (np.arange(25) / 2)))]
for part in sweep_parts(d_values, 1024, {n_rows}, np.random.default_rng(0), [{rules}], entries={entries!r}):
    pass
status = Path("/proc/self/status")
if status.exists():  # where there is one, since ru_maxrss begins with that of the process that started this one
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM")).split()[1]
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(float(peak) / 1024)
"""
    assert float(in_a_process(code)) < megabytes
