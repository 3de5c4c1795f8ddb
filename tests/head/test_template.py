"""What the template and other files hold beside a head: the weights to expect, and the names of all arrays."""

import io

import numpy as np

from attention_core import read_head
from attention_core.head_agreement import best_agreement
from attention_core.heads import read_head_and_names, write_template
from tests.floats import floating_trouble_raises  # noqa: F401
from tests.head.archives import npz, parts


def test_the_template_expects_what_its_other_arrays_give():
    assert best_agreement(read_head(write_template())).decimals == 5


def test_arrays_that_are_no_part_of_a_head_are_named():
    head, names = read_head_and_names(npz(**parts(position_bias=np.ones(2), expected=np.eye(4))))
    assert head.pos_bias is head.expected is None
    assert set(names) == {"X", "W_Q", "W_K", "position_bias", "expected"}
    with np.load(io.BytesIO(write_template())) as stored:
        assert set(read_head_and_names(write_template())[1]) == set(stored)
