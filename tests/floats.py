"""What the tests of exact mathematics share: numpy's own warnings as errors, and numbers compared without them."""

import numpy as np
import pytest


@pytest.fixture(autouse=True, scope="module")
def floating_trouble_raises():
    with np.errstate(all="raise"):
        yield


@pytest.fixture(autouse=True, scope="module")
def all_but_underflow_raises():
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        yield


def assert_close(actual, expected, **tolerances):
    with np.errstate(under="ignore"):  # the comparison multiplies tiny numbers by its tolerance
        np.testing.assert_allclose(actual, expected, **tolerances)
