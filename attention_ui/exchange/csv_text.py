"""From the bytes of a CSV file to its cells: what kind of file it is, its encoding, its delimiter, its lines."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

from attention_ui.exchange import file_text
from attention_ui.exchange.csv_cells import is_name
from attention_ui.exchange.problems import ExchangeProblem, shown

LARGEST_FILE = 128 * 1024  # no more than csv takes as one cell; a matrix with all digits has 6 kB
DELIMITERS = ("\t", ";", ",")  # the first one there counts, since a comma may also be in the numbers
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .xls
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # what Excel calls Unicode text
_QUOTED = re.compile(r'"[^"]*+"')
_OTHER = re.compile(r"[0-9][ |:/]+[-+.0-9]")  # numbers with something else between them
_SEPARATOR = re.compile(r'"?sep=(.?)"?\r?(?:\n|\Z)', re.IGNORECASE)


@dataclass(frozen=True)
class Lines:
    """The lines that are not blank: their numbers in the file, from 1, and their cells, equally many in each."""

    numbers: list[int]
    records: list[list[str]]
    delimiter: str


def decoded(data: bytes) -> str:
    """The file's text, from UTF-8 or, as its first bytes say, UTF-16; a workbook and other bytes are told apart."""
    file_text.check_size(data, LARGEST_FILE)
    if data.startswith(_WORKBOOKS):
        raise ExchangeProblem("csv_workbook")
    text = file_text.decoded(data, "utf-16" if data.startswith(_UTF_16) else "utf-8", "csv_encoding")
    if "\0" in text:
        raise ExchangeProblem("csv_binary")
    return text


def lines(text: str) -> Lines:
    """The cells of each line, split at the one delimiter that the file uses."""
    separator = _SEPARATOR.match(text)
    if separator and separator[1] not in DELIMITERS:
        raise ExchangeProblem("csv_separator", raw=shown(separator[1]))
    body = text[separator.end() :] if separator else text
    skipped = 1 if separator else 0
    if not body.strip():
        raise ExchangeProblem("empty")
    if separator:
        return _even(_split(body, separator[1], skipped))
    bare = _QUOTED.sub("", body)
    if not any(delimiter in bare for delimiter in DELIMITERS) and _OTHER.search(bare):
        raise ExchangeProblem("csv_delimiter", raw=shown(body.strip().splitlines()[0]))
    present = [delimiter for delimiter in DELIMITERS if delimiter in bare] or [","]
    split = [_split(body, delimiter, skipped) for delimiter in present]
    even = [found for found in split if _is_even(found)]
    if even and (even[0] is not split[0] or _in_a_name([found.delimiter for found in even[1:]], split[0])):
        raise ExchangeProblem("csv_ambiguous")
    return _even(split[0])


def _split(text: str, delimiter: str, skipped: int) -> Lines:
    """Cells without the blanks around them, of the lines that have any."""
    numbers, records = [], []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for record in reader:
            cells = [cell.strip() for cell in record]
            if any(cells):
                numbers.append(reader.line_num + skipped)
                records.append(cells)
    except csv.Error:
        raise ExchangeProblem("csv_quotes", line=reader.line_num + skipped) from None
    if not records:
        raise ExchangeProblem("empty")
    return Lines(numbers, records, delimiter)


def _is_even(found: Lines) -> bool:
    """True when the delimiter is in every line, equally often."""
    return len(found.records[0]) > 1 and len({len(record) for record in found.records}) == 1


def _in_a_name(delimiters: list[str], found: Lines) -> bool:
    """True when one of the delimiters stands in the first line or column, and not as a number's decimal mark."""
    names = [cell for cell in (*found.records[0], *(record[0] for record in found.records)) if is_name(cell)]
    return any(delimiter in name for delimiter in delimiters for name in names)


def _even(found: Lines) -> Lines:
    """Lines with equally many cells."""
    expected = len(found.records[0])
    for number, record in zip(found.numbers, found.records, strict=True):
        if len(record) != expected:
            raise ExchangeProblem("csv_ragged", line=number, count=len(record), expected=expected)
    return found
