"""A Streamlit server of its own for each page that is measured, on a free port of this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAB = ROOT / "dashboard.py"
BARE_PAGE = Path(__file__).with_name("bare_page.py")
QUIET = [
    "--server.headless=true", "--server.fileWatcherType=none", "--browser.gatherUsageStats=false",
    "--logger.level=warning",
]  # fmt: skip
PATIENCE = 30.0  # seconds until a server must answer


@contextmanager
def lab() -> Iterator[str]:
    """The address of the app, run with the repository's config."""
    with _served(LAB, ROOT) as address:
        yield address


@contextmanager
def bare_page() -> Iterator[str]:
    """The address of the bare page, run where no config is found."""
    with tempfile.TemporaryDirectory() as folder, _served(BARE_PAGE, Path(folder)) as address:
        yield address


@contextmanager
def _served(script: Path, folder: Path) -> Iterator[str]:
    address = f"127.0.0.1:{_free_port()}"
    host, port = address.split(":")
    options = [*QUIET, f"--server.address={host}", f"--server.port={port}"]
    command = [sys.executable, "-m", "streamlit", "run", str(script), *options]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as server:
        try:
            _wait(address)
            yield address
        finally:
            server.terminate()
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(f"http://{address}/_stcore/health", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
