"""Real Streamlit servers: started, killed and started again, and a line to them that can be cut."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[2]
DASHBOARD = ROOT / "dashboard.py"
SERVER = {
    "server.headless": "true",
    "server.address": "127.0.0.1",
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
    "runner.postScriptGC": "false",
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(app: Path, port: int, more: Mapping[str, str] = MappingProxyType({})) -> subprocess.Popen[bytes]:
    options = [word for name, value in {**SERVER, **more}.items() for word in (f"--{name}", value)]
    command = [sys.executable, "-m", "streamlit", "run", str(app), "--server.port", str(port), *options]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})


def wait_for(address: str, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def stop_server(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(timeout=5)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


class Server:
    """The lab on a port of its own; killed, it may start again there as a stranger."""

    def __init__(self, **options: str) -> None:
        self.port, self.options = free_port(), {name.replace("__", "."): value for name, value in options.items()}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Server:
        self.process = start_server(DASHBOARD, self.port, self.options)
        wait_for(f"http://127.0.0.1:{self.port}")
        return self

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        stop_server(self.process)


class Line:
    """A line from one address to the first of the servers that answers."""

    def __init__(self, *servers: Server) -> None:
        self.servers, self.open, self.ends = servers, True, []
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.threads = [threading.Thread(target=self._accept, daemon=True)]
        self.threads[0].start()

    def cut(self) -> None:
        """Nothing goes through any more."""
        self.open = False
        for end in self.ends:
            _hang_up(end)

    def mend(self) -> None:
        self.open = True

    def close(self) -> None:
        self.cut()
        _hang_up(self.door)
        for thread in self.threads:
            thread.join()
        for end in (self.door, *self.ends):
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.door.accept()
                self.ends.append(near)
                far = self._server() if self.open else None
                if far is None:
                    _hang_up(near)
                    continue
                self.ends.append(far)
                for ends in ((near, far), (far, near)):
                    self.threads.append(threading.Thread(target=_carry, args=ends, daemon=True))
                    self.threads[-1].start()

    def _server(self) -> socket.socket | None:
        for server in self.servers:
            with suppress(OSError):
                return socket.create_connection(("127.0.0.1", server.port))
        return None


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    _hang_up(source)
    _hang_up(target)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
