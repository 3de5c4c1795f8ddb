"""The linter, the formatter and the type checker find nothing, with the settings in pyproject.toml; no file is long."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("attention_core", "attention_ui", "tests", "benchmarks", "data/heads")
MOST_LINES = 250
SLOW = pytest.param("mypy", marks=pytest.mark.slow)


@pytest.mark.parametrize("command", ["ruff check .", "ruff format --check .", SLOW])
def test_nothing_to_complain_about(command):
    done = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def test_no_file_is_longer_than_one_can_keep_in_mind():
    files = [ROOT / "dashboard.py", *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in files
        if path.suffix in (".py", ".js", ".css")
    }
    assert len(lines) > 200
    assert not {name: count for name, count in lines.items() if count > MOST_LINES}
