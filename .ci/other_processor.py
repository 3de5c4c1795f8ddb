"""Runs the tests that need neither Streamlit nor a browser as another processor would round.

numpy multiplies matrices with the kernel that OpenBLAS picks for the processor, and adds and exponentiates with the
instructions that it finds. Here it gets another kernel than the machine's own, and none of its faster instructions;
what a test or a page says must hold under both. OTHER_KERNEL names a kernel to try.

    python .ci/other_processor.py [pytest's arguments]
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy._core import _multiarray_umath as umath

ROOT = Path(__file__).parents[1]
KERNELS = ("Nehalem", "Sandybridge", "ARMV8", "NEOVERSEN1")  # which every x86-64 or ARM processor of today can run
SESSIONS = re.compile(r"^(from|import) (streamlit|playwright|tests import sessions|tests\.sessions)", re.MULTILINE)
HELPERS = re.compile(r"^from (tests\.[\w.]+) import", re.MULTILINE)
NOT_NUMBERS = re.compile(r"test_(quality|layers|exchange_.*)\.py")  # the same on every processor, and slow
REPORT = f"import runpy; print(runpy.run_path({__file__!r})['kernel']())"


def kernel() -> str:
    """The kernel that OpenBLAS works with in this process, as the library itself tells."""
    for path in sorted(Path(np.__file__).parents[1].glob("numpy.libs/*openblas*")):
        library = ctypes.CDLL(str(path))
        for name in ("scipy_openblas_get_corename64_", "scipy_openblas_get_corename", "openblas_get_corename"):
            if hasattr(library, name):
                told = getattr(library, name)
                told.restype = ctypes.c_char_p
                return str(told().decode())
    return "unknown"


def another(own: str) -> str | None:
    """A kernel that is not the machine's own and that numpy takes when asked to."""
    for name in KERNELS:
        asked = {**os.environ, "OPENBLAS_CORETYPE": name}
        done = subprocess.run([sys.executable, "-c", REPORT], env=asked, capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip().lower() == name.lower() != own.lower():
            return name
    return None


def instructions() -> list[str]:
    """The faster instructions that numpy found and can do without."""
    return [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name)]


def tests() -> list[str]:
    """The files of tests that open no session and no browser."""
    files = (path.relative_to(ROOT) for path in sorted((ROOT / "tests").rglob("test_*.py")))
    return [
        str(path)
        for path in files
        if "browser" not in path.parts and not NOT_NUMBERS.fullmatch(path.name) and not opens_session(path)
    ]


def opens_session(path: Path) -> bool:
    """By itself, or by a helper of the tests that it takes something from."""
    text = (ROOT / path).read_text("utf-8")
    helpers = (Path(*name.split(".")).with_suffix(".py") for name in HELPERS.findall(text))
    return bool(SESSIONS.search(text)) or any(opens_session(helper) for helper in helpers)


def main(arguments: list[str]) -> int:
    own, without = kernel(), instructions()
    chosen = os.environ.get("OTHER_KERNEL") or another(own)
    settings = {"NPY_DISABLE_CPU_FEATURES": " ".join(without)} if without else {}
    settings |= {"OPENBLAS_CORETYPE": chosen} if chosen else {}
    print(f"own kernel: {own}; now under: {chosen or 'the same, since no other was found'}", flush=True)
    print(f"numpy without: {', '.join(without) or 'nothing less, since it found nothing faster'}", flush=True)
    command = [sys.executable, "-m", "pytest", *arguments, *tests()]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
