"""Mutated files and links for one reader, in a process of its own: python -m tests.playground.exchange_fuzz json 10000.

Prints how often each code came, the longest time of one input in seconds and the process's peak memory in MB.
"""

import io
import json
import random
import re
import resource
import sys
import time
import warnings
import zlib
from collections import Counter
from pathlib import Path

import numpy as np

from attention_ui.exchange import csv_file, json_file, link, npz_file, tables
from attention_ui.exchange.problems import ExchangeProblem
from tests.playground.exchange_cases import edited

SPLICES = {
    "json": (
        b"NaN", b"-Infinity", b"1e999", b"9" * 5000, b"1e6", b"-0.0", b"1e-400", b"null", b"true", b"{}", b"[]", b'""',
        b"[" * 2000, b'{"a":' * 2000, b'"\\ud800"', b'"\\u202e"', b"\xff", b"\x00", b"\xef\xbb\xbf", b'"X":', b",",
        b'"version": 2,', b'"seeds": {"X": -1},', b"\\", b'"', b" " * 1000, b"on", b"1.5", b"-", b"0", b'"3"',
    ),
    "csv": (
        b"NaN", b"inf", b"1e999", b"9" * 5000, b"=1+1", b"'=", b";", b"\t", b",", b'"', b"\r", b"\n\n", b"\x00",
        b"sep=|\n", b"PK\x03\x04", b"\xef\xbb\xbf", b"1,5", "−".encode(), "∞".encode(), "爱".encode(), b"," * 5000,
        b"\n1" * 5000, b"1.5", b"-", b"0", b"2e6", b"\xff\xfe",
    ),
}  # fmt: skip
SPLICES["link"] = (b"1.", b"2.", b"=", b"+", b"/", b"A" * 500, b"%", "爱".encode(), b".", b"-_", b"\x00")
SPLICES["npz"] = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"\x93NUMPY", b"\xff" * 4, b"\x00" * 8, b"|O", b"<U9")


def mutated(data, rng, splices):
    """The bytes with one to three changes: cut off, flipped, inserted, two parts swapped, a special value put in."""
    data, binary = bytearray(data), splices is SPLICES["npz"]
    for _ in range(rng.randint(1, 3)):
        at, to = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
        action = rng.randrange(9)
        if action == 0:
            del data[at:]
        elif action == 1 and at < len(data):
            data[at] ^= 1 << rng.randrange(8 if binary else 7)
        elif action == 2:
            data[at:at] = bytes(rng.choices(range(256) if binary else range(32, 127), k=rng.randint(1, 8)))
        elif action == 3:
            data[:] = data[to:] + data[at:to] + data[:at]
        elif action == 4:
            data[at : min(to, at + 20)] = b""
        else:
            data[at : at + rng.randrange(3)] = rng.choice(splices)
    return bytes(data)


def packed(data):
    """A link whose checksum fits, whatever it carries."""
    deflate = zlib.compressobj(1, zlib.DEFLATED, -15, 9, zdict=link._DICTIONARY)
    body = deflate.compress(data) + deflate.flush()
    return "1." + link.base64.urlsafe_b64encode(link._checksum(body) + body).rstrip(b"=").decode()


def zipped(data):
    """An archive that is whole, whatever its document is."""
    file = io.BytesIO()
    np.savez(file, experiment=np.array(data.decode("utf-8", "replace")))
    return file.getvalue()


def inputs(kind, rng):
    """Endless inputs for a reader; of links and archives every other one is whole, with its document mutated."""
    carried = edited()
    documents = [json_file.write(each) for each in carried]
    if kind == "csv":
        whole = [csv_file.write(tables.table(each, name), name) for each in carried for name in ("X", "W_V", "scores")]
        whole += [b"sep=;\r\n1,5;2,5\r\n3;-4,25\r\n", "a\tb\n1\t2\n".encode("utf-16"), b",x,y\na,1,2\nb,3,4\n"]
    else:
        write = {"json": json_file.write, "link": lambda each: link.write(each).encode(), "npz": npz_file.write}[kind]
        whole = [write(each) for each in carried]
    number = 0
    while True:
        number += 1
        if kind in ("link", "npz") and number % 2:
            data = mutated(rng.choice(documents), rng, SPLICES["json"])
            yield (packed if kind == "link" else zipped)(data)
        else:
            data = mutated(rng.choice(whole), rng, SPLICES[kind])
            yield data.decode("utf-8", "replace") if kind == "link" else data


def run(kind, count):
    """Read them all; anything but an answer or an ExchangeProblem ends the process with its traceback."""
    read = {"json": json_file.read, "csv": csv_file.read, "link": link.read, "npz": npz_file.read}[kind]
    codes, longest = Counter(), 0.0
    for _, raw in zip(range(count), inputs(kind, random.Random(0)), strict=False):
        start = time.process_time()
        try:
            read(raw)
            codes["read"] += 1
        except ExchangeProblem as found:
            codes[found.code] += 1
            str(found.values).encode()
        longest = max(longest, time.process_time() - start)
    print(json.dumps({"codes": codes, "longest": longest, "peak": peak()}))


def peak():
    """The largest memory this process had, in megabytes; ru_maxrss begins with that of the process that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1]) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    warnings.simplefilter("error")
    run(sys.argv[1], int(sys.argv[2]))
