"""Settings shared by the tests: hypothesis tries the same cases on every run, so a failure can be repeated."""

import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: threads of several workers only wait for each other

import pytest
from hypothesis import settings

# What fails in a helper shows its values, as in a test itself.
HELPERS = (f"tests.{path.stem}" for path in Path(__file__).parent.glob("[a-z]*") if path.stem != "conftest")
pytest.register_assert_rewrite(*HELPERS)

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("repeatable")
