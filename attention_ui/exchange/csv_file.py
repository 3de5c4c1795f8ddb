"""One matrix as a CSV file that a spreadsheet opens as it is, and back from what spreadsheets make of it."""

from __future__ import annotations

import csv
import io
import math
import re

from attention_ui.exchange import csv_cells, csv_text
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.exchange.tables import Table, is_table
from attention_ui.experiment import LARGEST_SIZE
from attention_ui.numbers import fixed

# A cell that starts so is a formula to a spreadsheet, full-width signs in Chinese and Japanese ones too; an
# apostrophe in front makes it text, and one more is put before ours so that each can be taken off again.
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def write(table: Table, name: str) -> bytes:
    """A CSV file: the matrix's name and the columns' in the first line, then each row's name and its numbers.

    Shapes: matrix (r, c) with r row and c column names. UTF-8 with a BOM, commas, CRLF, '.' and every digit.
    Law: read(write(table, name)) has the same finite numbers, bit for bit, and the same row names.
    Text that a spreadsheet would run as a formula has an apostrophe in front; numbers are left as they are. A
    masked score is the text −∞, since -inf would begin one.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(map(_neutral, (name, *table.columns)))
    for row_name, row in zip(table.rows, table.matrix.tolist(), strict=True):
        writer.writerow([_neutral(row_name), *(x if math.isfinite(x) else fixed(x, 0) for x in row)])
    return b"\xef\xbb\xbf" + file.getvalue().encode()


def read(data: bytes) -> Table:
    """The one matrix of a CSV file, and its row names if it has any.

    Shapes: (r, c), both from 1 to 16, float64. Comma, semicolon or tab; a header line, row names, a line sep=;
    may be there; a decimal comma where the comma does not separate; any minus sign.
    Law: for every bytes the answer or an ExchangeProblem; a file beyond 128 kB is not looked at.
    Errors: ExchangeProblem with the line, and the column in it, where the file does not fit, both from 1.
    """
    lines = csv_text.lines(csv_text.decoded(data))
    first = lines.records[0]
    below = tuple(record[0] for record in lines.records[1:])
    ours = len(first) > 1 and is_table(first[0], below, tuple(first[1:]))  # then the first column has names, even 1, 2
    header = ours or all(csv_cells.is_name(cell) for cell in first[first[0] == "" and len(first) > 1 :])
    framed = ours or (header and first[0] == "")
    body = list(zip(lines.numbers, lines.records, strict=True))[header:]
    if not body:
        raise ExchangeProblem("csv_only_text")
    named = framed or (len(first) > 1 and all(csv_cells.is_name(record[0]) for _, record in body))
    columns = len(first) - named
    if not (len(body) <= LARGEST_SIZE and columns <= LARGEST_SIZE):
        raise ExchangeProblem("csv_size", rows=len(body), columns=columns, most=LARGEST_SIZE)
    matrix = csv_cells.numbers([(number, record[named:]) for number, record in body], 1 + named, lines.delimiter)
    rows = tuple(_plain(record[0]) for _, record in body) if named else ()
    return Table(matrix, rows, name=first[0] if ours else "", commas=lines.delimiter == ",")


def _neutral(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return "'" + text if _FORMULA.match(text) else text


def _plain(cell: str) -> str:
    """The text that `_neutral` was given."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
