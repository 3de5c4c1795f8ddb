"""What the README says is so: the printed result of its Python, and the files it names."""

import contextlib
import io
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


def test_the_python_prints_what_is_printed_below_it() -> None:
    names: dict[str, object] = {}  # the second block goes on where the first ended
    for code, wanted in zip(blocks("python"), [text for text in blocks("text") if "→" not in text], strict=True):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), names)
        assert printed.getvalue() == wanted


def test_every_file_it_names_exists() -> None:
    named = re.findall(r"`([a-z_]+(?:/[a-z_]*)*(?:\.py|\.toml|\.txt|/))`", README)
    assert len(named) > 10
    homes = [ROOT, ROOT / "attention_core", ROOT / "attention_ui"]
    assert not [name for name in named if not any((home / name).exists() for home in homes)]


def test_the_commands_are_one_line_each() -> None:
    assert re.search(r"```sh\npython3 -m venv .*streamlit run dashboard.py\n```", README)
    assert re.search(r"```sh\npython3 -m venv .*pytest.*\n```", README)
