"""Any text packed as an archive or a link: with checksums that fit, whatever it carries."""

import base64
import io
import zlib

import numpy as np

from attention_ui.exchange import json_file, link
from tests.playground.exchange_cases import LOVE

LOVE_JSON = json_file.write(LOVE)
DEEP = 200_000


def archive(text):
    """An .npz file with this document alone."""
    file = io.BytesIO()
    np.savez(file, experiment=np.array(text))
    return file.getvalue()


def linked(text):
    """A link with a checksum that fits, whatever it carries."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=link._DICTIONARY)
    return sealed(deflate.compress(text.encode("utf-8", "surrogatepass")) + deflate.flush())


def sealed(packed):
    return "1." + base64.urlsafe_b64encode(zlib.crc32(packed).to_bytes(4, "big") + packed).rstrip(b"=").decode()
