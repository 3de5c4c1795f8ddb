"""What the tests of trained heads share: every recorded head and ending, and numpy's own warnings as errors."""

import numpy as np
import pytest

from attention_core.heads import ENDINGS, RECORDED

every_head = pytest.mark.parametrize("name", RECORDED)
every_ending = pytest.mark.parametrize("ending", ENDINGS)


@pytest.fixture(autouse=True, scope="module")
def floating_trouble_raises():
    with np.errstate(all="raise"):
        yield
