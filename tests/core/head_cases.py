"""What the tests of trained heads share: every recorded head and ending."""

import pytest

from attention_core.heads import ENDINGS, RECORDED

every_head = pytest.mark.parametrize("name", RECORDED)
every_ending = pytest.mark.parametrize("ending", ENDINGS)
