"""The import law: what importing a module really loads, read from a fresh interpreter.

The flow is core (arrays) -> frames (tables) -> views <- charts (constant specs).
"""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UI = ROOT / "attention_ui"
WITHOUT_STREAMLIT = {
    "address", "arithmetic", "arrow", "captions", "charts", "codes", "columns", "exchange", "experiment", "frames",
    "head_frames", "head_results", "head_scene", "head_settings", "head_shelf", "head_tables", "lesson_settings",
    "lessons", "mathml", "myths", "numbers", "read_only", "results", "rules", "saturation_frames",
    "saturation_results", "saturation_scene", "saturation_settings", "saturation_tables", "scene", "stages", "tables",
    "text", "tokens", "training_frames", "training_live", "training_settings", "training_tables",
}  # fmt: skip
FOUND = sorted(path.stem for path in UI.glob("*") if path.suffix == ".py" or (path / "__init__.py").exists())
LAW_MODULES = [name for name in FOUND if name in WITHOUT_STREAMLIT]


@cache
def loaded_by(module):
    """Top-level names of all modules that `import module` loads in a new interpreter."""
    code = f"import sys; import {module}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = set(done.stdout.split())
    assert module.partition(".")[0] in names
    return names


def first_to_load(library, modules):
    """The first of these modules of the UI, imported in this order in one new interpreter, that loads the library."""
    code = (
        "import importlib, sys\n"
        f"for name in {list(modules)}:\n"
        "    importlib.import_module(f'attention_ui.{name}')\n"
        f"    if {library!r} in sys.modules: print(name); break"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def imported_in(path):
    """Dotted names of all modules that a file's own import statements name, at any depth."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module or ''}.{alias.name}".strip(".") for alias in node.names}
    return names


def test_the_modules_under_the_law_are_found():
    """Were the folder moved, every test below would pass by finding nothing."""
    assert {"text", "frames", "charts"} <= set(LAW_MODULES)


def test_the_core_loads_numpy_and_the_standard_library_only():
    strangers = loaded_by("attention_core") - set(sys.stdlib_module_names) - loaded_by("numpy")
    assert strangers == {"attention_core"}


def test_no_streamlit_behind_the_modules_under_the_law():
    assert not first_to_load("streamlit", LAW_MODULES)


def test_no_streamlit_and_no_tables_behind_any_part_of_the_exchange():
    """The package itself imports nothing, so its parts are asked for by name."""
    parts = [f"attention_ui.exchange.{path.stem}" for path in sorted((UI / "exchange").glob("[a-z]*.py"))]
    assert len(parts) > 10
    assert not {"streamlit", "pandas", "altair"} & loaded_by(", ".join(parts))


@pytest.mark.parametrize("module", ["rules", "stages"])
def test_no_arrays_behind_what_is_written_of_rules_and_stages(module):
    """The charts read it, and know none."""
    assert not {"numpy", "pandas", "altair", "streamlit", "attention_core"} & loaded_by(f"attention_ui.{module}")


def test_frames_load_no_altair():
    assert not first_to_load("altair", ["frames", "saturation_frames", "training_frames", "head_frames"])


def test_the_first_module_that_breaks_the_law_is_named():
    assert first_to_load("altair", ["frames", "charts", "numbers"]) == "charts"


def test_charts_know_no_arrays_and_no_data():
    """Altair itself may load numpy and pandas, so the charts' own import statements are read instead."""
    files = [UI / "charts.py"] if (UI / "charts.py").exists() else sorted((UI / "charts").rglob("*.py"))
    assert files
    for path in files:
        names = imported_in(path)
        assert names
        assert not [name for name in names if name.split(".")[0] in {"numpy", "pandas", "attention_core"}]
        assert not [name for name in names if "frames" in name.split(".")]
