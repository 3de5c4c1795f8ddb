"""What the README says is so: the printed result of its Python, and the files it names."""

import contextlib
import io
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(kind: str) -> str:
    return re.search(rf"```{kind}\n(.*?)```", README, re.DOTALL).group(1)


def test_the_python_prints_what_is_printed_below_it() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block("python"), "README.md", "exec"), {})
    assert printed.getvalue() == block("text")


def test_every_file_it_names_exists() -> None:
    named = re.findall(r"`([a-z_]+(?:/[a-z_]*)*(?:\.py|\.toml|\.txt|/))`", README)
    assert len(named) > 10
    homes = [ROOT, ROOT / "attention_core", ROOT / "attention_ui"]
    assert not [name for name in named if not any((home / name).exists() for home in homes)]


def test_the_commands_are_one_line_each() -> None:
    assert re.search(r"```sh\npython3 -m venv .*streamlit run dashboard.py\n```", README)
    assert re.search(r"```sh\npython3 -m venv .*pytest.*\n```", README)
