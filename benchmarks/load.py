"""How many visitors the server carries: simulated sessions that each change something every half second.

Each visitor is a Streamlit session of its own over the websocket, as a browser opens it: it sends the changed
widget with its fragment and waits until the run has finished. Most moves are of the d slider, some of the ÷ √d
toggle and the row in focus, now and then another example. Measured: from sending to the script's end. A run
counts as an error when it shows an exception, draws no chart, or does not end in time.

The server is a process of its own on this machine and is started anew for each number of visitors; nothing but
127.0.0.1 is called, and each load ends by itself.

    python -m benchmarks.load [visitors ...]
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field

from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.report import median, p95, show, verdict
from benchmarks.server import lab

VISITORS = (1, 10, 30, 100)
SECONDS = 15.0  # of load for each number of visitors
ARRIVAL = 5.0  # seconds over which they arrive
PACE = 0.5  # seconds from one change to the next
PATIENCE = 60.0  # seconds until a run counts as lost
TARGETS = {30: 500.0}  # ms, 95th percentile
MIX = {"d": 0.65, "scale": 0.17, "row": 0.15, "example": 0.03}
ENDED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass
class Measured:
    """Milliseconds of first pages and of changes, and what went wrong."""

    first: list[float] = field(default_factory=list)
    changes: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Visitor:
    """One session: the widgets it has seen by key, each with its message and its fragment."""

    def __init__(self, socket: ClientConnection, seed: int) -> None:
        self.socket = socket
        self.random = random.Random(seed)
        self.widgets: dict[str, tuple[Message, str]] = {}
        self.on = True

    async def open(self) -> None:
        """Ask for the page, as a browser does when it connects."""
        await self._run(BackMsg())

    async def change(self) -> None:
        """Move one widget and wait for the answer."""
        key = self.random.choices(list(MIX), list(MIX.values()))[0]
        widget, fragment = self.widgets[key]
        message = BackMsg()
        message.rerun_script.fragment_id = fragment
        state = message.rerun_script.widget_states.widgets.add(id=widget.id)
        if key == "d":
            state.string_array_value.data.append(self.random.choice(widget.options))
        elif key == "scale":
            self.on = state.bool_value = not self.on
        else:
            state.string_value = self.random.choice(widget.options)
        await self._run(message)

    async def _run(self, message: BackMsg) -> None:
        """Send, and read until the run has ended; a callback's own run ends early and is followed by another."""
        message.rerun_script.SetInParent()
        await self.socket.send(message.SerializeToString())
        charts = 0
        async with asyncio.timeout(PATIENCE):
            while True:
                answer = ForwardMsg.FromString(await self.socket.recv(decode=False))
                kind = answer.WhichOneof("type")
                if kind == "delta":
                    charts += self._see(answer)
                elif kind == "script_finished" and answer.script_finished in ENDED:
                    break
        if not charts:
            raise RuntimeError("no chart was drawn")

    def _see(self, answer: ForwardMsg) -> bool:
        """Remember a widget; True for a chart."""
        kind = answer.delta.new_element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(answer.delta.new_element.exception.message)
        element = getattr(answer.delta.new_element, kind) if kind else None
        key = getattr(element, "id", "").rpartition("-")[2]
        if key in MIX:
            self.widgets[key] = element, answer.delta.fragment_id
        return kind == "vega_lite_chart"


async def visit(address: str, seed: int, arrival: float, crowd: asyncio.Barrier, measured: Measured) -> None:
    """Arrive, open the page, wait for the others, and change something at the pace for a while."""
    try:
        await asyncio.sleep(arrival)
        url = f"ws://{address}/_stcore/stream"
        options = {"compression": None, "max_size": None, "open_timeout": PATIENCE, "ping_interval": None}
        async with connect(url, subprotocols=["streamlit"], **options) as socket:
            visitor = Visitor(socket, seed)
            await _timed(visitor.open(), measured.first)
            await crowd.wait()
            await _use(visitor, measured)
    except (RuntimeError, TimeoutError, OSError, WebSocketException, asyncio.BrokenBarrierError) as error:
        measured.errors.append(f"{type(error).__name__}: {error}")
        await crowd.abort()


async def _use(visitor: Visitor, measured: Measured) -> None:
    """Change something at the pace, each visitor with a beat of its own."""
    end = time.monotonic() + SECONDS
    await asyncio.sleep(visitor.random.uniform(0, PACE))
    while time.monotonic() < end:
        took = await _timed(visitor.change(), measured.changes)
        await asyncio.sleep(max(0.0, PACE - took))


async def _timed(action: Awaitable[None], times: list[float]) -> float:
    """Wait for the action; seconds it took, kept in milliseconds."""
    start = time.perf_counter()
    await action
    took = time.perf_counter() - start
    times.append(1000 * took)
    return took


async def load(address: str, visitors: int) -> Measured:
    """Visitors who arrive one after the other and, once all have their page, use it at the same time."""
    measured, crowd = Measured(), asyncio.Barrier(visitors)
    gap = ARRIVAL / visitors
    await asyncio.gather(*(visit(address, seed, seed * gap, crowd, measured) for seed in range(visitors)))
    return measured


def main(numbers: list[int]) -> None:
    rows = []
    for visitors in numbers:
        with lab() as address:
            measured = asyncio.run(load(address, visitors))
        rows.append(_row(visitors, measured))
        for error in sorted(set(measured.errors)):
            print(f"{visitors} visitors: {error}")
    head = ["visitors", "first page p50 ms", "p95 ms", "changes", "p50 ms", "p95 ms", "target", "errors"]
    show("From sending a change to the end of its run", head, rows)


def _row(visitors: int, measured: Measured) -> list[object]:
    first, changes = measured.first, measured.changes
    target = verdict(p95(changes), TARGETS[visitors]) if visitors in TARGETS else ""
    numbers = [median(first), p95(first), len(changes), median(changes), p95(changes)]
    return [visitors, *numbers, target, len(measured.errors)]


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:]] or list(VISITORS))
