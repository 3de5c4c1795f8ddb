"""Settings shared by the tests: hypothesis tries the same cases on every run, so a failure can be repeated."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: threads of several workers only wait for each other

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("repeatable")
