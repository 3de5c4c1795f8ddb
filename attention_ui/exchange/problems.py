"""What is wrong with something that was brought back, as a code whose sentence stands in content/*/exchange.toml."""

from __future__ import annotations

from attention_ui.tokens import shorten

_UNSEEN = "\N{REPLACEMENT CHARACTER}"


class ExchangeProblem(ValueError):
    """The one error of every reader here: `code` names the sentence exchange.<code>, `values` fill it."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(f"{code} {values}" if values else code)
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[object, ...]:
        """Copied and sent between processes with its values."""
        return _rebuild, (self.code, self.values)


def _rebuild(code: str, values: dict[str, object]) -> ExchangeProblem:
    return ExchangeProblem(code, **values)


def shown(raw: object) -> str:
    """A stranger's text or value, short enough for a sentence and without characters that cannot be shown."""
    text = raw[:100] if isinstance(raw, str) else repr(raw)[:100]
    return shorten("".join(char if char.isprintable() else _UNSEEN for char in text))
