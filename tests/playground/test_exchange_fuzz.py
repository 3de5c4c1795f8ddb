"""Ten thousand mutated inputs for each reader, each in a process whose peak memory is its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXPECTED = {
    "json": {"read", "encoding", "json_syntax", "json_truncated", "nested", "long_number", "unknown", "not_finite"},
    "csv": {"read", "csv_text", "csv_ragged", "csv_quotes", "csv_encoding", "csv_binary", "csv_ambiguous"},
    "link": {"read", "link_truncated", "link_tampered", "link_alphabet", "newer", "json_truncated", "setting_choice"},
    "npz": {"read", "npz_truncated", "npz_damaged", "npz_not_npz", "json_truncated", "nested", "shape"},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", EXPECTED)
def test_nothing_but_an_answer_or_a_problem_within_200_megabytes_and_a_second(kind):
    command = [sys.executable, "-m", "tests.playground.exchange_fuzz", kind, "10000"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert sum(found["codes"].values()) == 10_000
    assert EXPECTED[kind] <= set(found["codes"])
    assert found["peak"] < 200
    assert found["longest"] < 1  # second of processor time, not of the clock: a limit of the readers themselves
