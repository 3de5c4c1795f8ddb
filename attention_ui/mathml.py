"""The pieces of a formula in MathML, which browsers draw without any font or script of ours."""

from __future__ import annotations


def ident(text: str) -> str:
    """A letter or a function."""
    return f"<mi>{text}</mi>"


def sign(text: str) -> str:
    """An operator or a bracket."""
    return f"<mo>{text}</mo>"


def number(text: str) -> str:
    """A number."""
    return f"<mn>{text}</mn>"


def row(*parts: str) -> str:
    """Parts that stay together."""
    return f"<mrow>{''.join(parts)}</mrow>"


def sub(letter: str, places: str) -> str:
    """A letter with a letter below it for each place."""
    return f"<msub>{ident(letter)}{row(*map(ident, places))}</msub>"


def power(base: str, exponent: str) -> str:
    """A base with its exponent."""
    return f"<msup>{base}{row(exponent)}</msup>"


def over(top: str, bottom: str) -> str:
    """A fraction."""
    return f"<mfrac>{row(top)}{row(bottom)}</mfrac>"


EQUALS, TIMES = sign("="), sign("·")
SPACE = '<mspace width="0.2em"></mspace>'
