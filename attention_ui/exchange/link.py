"""The whole experiment in one value of the address: 1. and the deflated document in base64url.

The document is compact JSON, where a float's shortest exact text deflates to less than its eight bytes unless
all its digits are random. A dictionary with a document's usual words is given to deflate, so that they cost
next to nothing.
"""

from __future__ import annotations

import base64
import json
import re
import zlib

from attention_ui.exchange import document, json_file
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.problems import ExchangeProblem, shown

MOST_CHARACTERS = 8000  # of a whole address: what browsers, chats and servers let through
_VERSION = 1
_CHECKSUM = 4  # bytes
# Part of version 1: a changed dictionary would need a new version.
_DICTIONARY = (
    b'"param":"0.1","how":"copies","how":"zeros","rule":"linear","rule":"power","rule":"softcap","rule":"ssmax",'
    b'"rule":"qknorm","d":"64","d":"128","d":"256","d":"512","d":"1024","d":"2048","d":"4096","stage":"output",'
    b'"stage":"weights","stage":"masked","stage":"scaled","stage":"scores","stage":"QKV","scale":"off","causal":"on",'
    b'"show_all":"on","measure":"effective","measure":"sensitivity","example":"scores_3000","example":"scores_285",'
    b'"example":"random_8","example":"one_matrix","example":"love_zh","example":"meeting","example":"arrows",'
    b'"0111","0011","0001","1111"],"fresh":{"X":["0000","0000"]},"seeds":{"X":1,"W_Q":2,"W_K":3,"W_V":4}}'
    b"-0.5,-0.1,-0.2,-0.3,-0.4,-0.6,-0.7,-0.8,-0.9,-1.1,-1.2,0.5,0.25,0.75,1.5,2,-1,[1,0,0,0],[0,1,0,0],[0,0,0,1],"
    b'{"format":"attention-lab experiment","version":1,"example":"love","settings":{"scale":"on","rule":"sqrt",'
    b'"d":"typed","how":"independent","row":"1","causal":"off","seed":"0","stage":"X","show_all":"off",'
    b'"measure":"largest","decimals":"3"},"tokens":["I","love","AI"],"matrices":{"X":[[1,0,1,0],[0,1,0,1],[1,1,0,0]],'
    b'"W_Q":[[1,0,1],[0,1,0],[1,0,0],[0,1,1]],"W_K":[[0,1,0],[1,0,1],[0,0,1],[1,1,0]],'
    b'"W_V":[[1,0,0],[0,1,0],[0,0,1],[1,1,0]]},"fresh":{},"seeds":{}}'
)


def write(carried: Carried, beside: int = 0) -> str:
    """The value of the address for what is carried; `beside` is how many characters the address has without it.

    Law: read(write(carried)) is the same experiment, bit for bit, and the same settings but for the language.
    Errors: ExchangeProblem "link_too_long", with both lengths, beyond 8,000 characters of the whole address.
    """
    text = json.dumps(document.write(carried), ensure_ascii=False, separators=(",", ":"))
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=_DICTIONARY)
    packed = deflate.compress(text.encode()) + deflate.flush()
    value = f"{_VERSION}." + base64.urlsafe_b64encode(_checksum(packed) + packed).rstrip(b"=").decode()
    if len(value) + beside > MOST_CHARACTERS:
        raise ExchangeProblem("link_too_long", length=len(value) + beside, most=MOST_CHARACTERS)
    return value


def read(value: str) -> Carried:
    """What an address's value carries.

    Law: for every text the answer or an ExchangeProblem; at most 256 kB are inflated.
    Errors: ExchangeProblem, link_… for the link itself, else as for json_file.read.
    """
    if not value:
        raise ExchangeProblem("link_empty")
    if len(value) > MOST_CHARACTERS:
        raise ExchangeProblem("link_longer", length=len(value), most=MOST_CHARACTERS)
    packed = _bytes(_body(value))
    try:
        return json_file.read_text(_inflated(packed[_CHECKSUM:], packed[:_CHECKSUM]).decode())
    except UnicodeDecodeError:
        raise ExchangeProblem("link_tampered") from None


def _body(value: str) -> str:
    """What stands behind the version."""
    version = re.match(r"([0-9]{1,4})\.", value)
    if not version or version[1].startswith("0"):
        raise ExchangeProblem("link_version", raw=shown(value[:12]))
    if int(version[1]) > _VERSION:
        raise ExchangeProblem("newer", version=version[1], known=_VERSION)
    return value[version.end() :]


def _bytes(body: str) -> bytes:
    """base64url without padding, with no character that it does not have."""
    stranger = re.search(r"[^A-Za-z0-9_-]", body)
    if stranger:
        raise ExchangeProblem("link_alphabet", character=shown(stranger[0]), position=stranger.start() + 3)
    if len(body) % 4 == 1 or len(body) < 8:
        raise ExchangeProblem("link_truncated")
    return base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))


def _inflated(packed: bytes, checksum: bytes) -> bytes:
    """The document's bytes, no more of them than a JSON file may have."""
    inflate = zlib.decompressobj(-15, zdict=_DICTIONARY)
    try:
        data = inflate.decompress(packed, json_file.LARGEST_FILE + 1)
    except zlib.error:
        raise ExchangeProblem("link_tampered") from None
    if len(data) > json_file.LARGEST_FILE:
        raise ExchangeProblem("too_large", size=len(data) // 1024 + 1, most=json_file.LARGEST_FILE // 1024)
    if not inflate.eof:
        raise ExchangeProblem("link_truncated")
    if inflate.unused_data or checksum != _checksum(packed):
        raise ExchangeProblem("link_tampered")
    return data


def _checksum(packed: bytes) -> bytes:
    return zlib.crc32(packed).to_bytes(_CHECKSUM, "big")
