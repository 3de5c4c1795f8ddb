"""From a file's bytes to its text; both are a stranger's, so size and encoding are checked first."""

from __future__ import annotations

from attention_ui.exchange.problems import ExchangeProblem

_MARK = "\ufeff"  # of byte order; some programs put a second one before the first


def check_size(data: bytes, largest: int) -> None:
    """Something, and no more bytes than are read.

    Errors: ExchangeProblem "empty" or "too_large".
    """
    if not data:
        raise ExchangeProblem("empty")
    if len(data) > largest:
        raise ExchangeProblem("too_large", size=-(-len(data) // 1024), most=largest // 1024)


def decoded(data: bytes, encoding: str, code: str) -> str:
    """The text without marks of byte order at its beginning; at least one character of it is not blank.

    Errors: ExchangeProblem of that code with the line of the first byte that does not fit, or "empty".
    """
    try:
        text = data.decode(encoding).lstrip(_MARK)
    except UnicodeDecodeError as error:
        raise ExchangeProblem(code, line=data[: error.start].count(b"\n") + 1) from None
    if not text.strip():
        raise ExchangeProblem("empty")
    return text
