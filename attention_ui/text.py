"""The words of the interface, by language, from content/<language>/*.toml; fills the numbers in."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

CONTENT = Path(__file__).parent.parent / "content"
LANGUAGES = ("en", "zh")
DEFAULT_LANGUAGE = "en"


class Words:
    """The words of one language: words("bar.example"), words("picture.caption", d=64)."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = _load(language)

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of a key; values fill its {placeholders}. An unknown key is a KeyError."""
        text = self._texts[key]
        return text.format(**values) if values else text

    def section(self, name: str) -> dict[str, str]:
        """All texts of one section by their last name, for a component that fills them itself."""
        prefix = f"{name}."
        return {key.removeprefix(prefix): text for key, text in self._texts.items() if key.startswith(prefix)}


@lru_cache
def words_of(language: str) -> Words:
    """The words of that language, loaded once."""
    return Words(language)


def language_of(locale: str | None) -> str:
    """The interface language for a browser's locale such as zh-CN; English when it is neither."""
    prefix = (locale or "").replace("_", "-").split("-")[0].lower()
    return prefix if prefix in LANGUAGES else DEFAULT_LANGUAGE


@lru_cache
def _load(language: str) -> dict[str, str]:
    """Every text as section.key, from all files of the language; a file's name is its section."""
    texts: dict[str, str] = {}
    for path in sorted((CONTENT / language).glob("*.toml")):
        with path.open("rb") as file:
            content = tomllib.load(file)
        texts |= _flat(content, prefix="" if path.stem == "interface" else f"{path.stem}.")
    return texts


def _flat(content: dict[str, Any], prefix: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for key, value in content.items():
        if isinstance(value, dict):
            texts |= _flat(value, f"{prefix}{key}.")
        else:
            texts[f"{prefix}{key}"] = value
    return texts
