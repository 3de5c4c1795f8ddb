"""What a browser may send, and that all that the pages send fits in it many times."""

import json
import tomllib
from pathlib import Path

import numpy as np
from streamlit import config

from attention_ui.experiment import LARGEST_SIZE, MATRICES
from attention_ui.matrix_editor import LIMIT, read_draft, read_touched
from attention_ui.tokens import MOST_TOKENS

ROOT = Path(__file__).parents[2]
SERVER = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["server"]


def test_the_limits_are_options_that_streamlit_has() -> None:
    assert set(SERVER) == {"maxUploadSize", "maxWidgetStateSize", "maxMessageSize", "fileWatcherType"}
    for name, value in SERVER.items():
        assert f"server.{name}" in config._config_options_template
        assert type(value) is type(config._config_options_template[f"server.{name}"].default_val)


def test_the_editors_largest_message_fits() -> None:
    """All matrices at their largest, every entry as long as a number can be and every cell just typed."""
    longest = -0.123456789012345678e-300
    shapes = dict.fromkeys(MATRICES, (max(LARGEST_SIZE, MOST_TOKENS), LARGEST_SIZE))
    matrices = {name: np.full(shape, longest).tolist() for name, shape in shapes.items()}
    touched = {name: np.argwhere(np.ones(shape)).tolist() for name, shape in shapes.items()}
    draft = {"revision": 2**53, "edit": 2**53, "matrices": matrices, "touched": touched}
    assert read_draft(draft, shapes, LIMIT) is not None
    assert read_touched(draft, shapes) is not None
    size = len(json.dumps({"draft": draft}, indent=1))
    assert size < SERVER["maxWidgetStateSize"] * 1_000_000 / 8
