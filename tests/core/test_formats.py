"""Number formats: the limits against what numpy really does at them."""

import numpy as np
import pytest

from attention_core import format_limits, softmax
from attention_core.formats import FORMATS

PRINTED = {"float32": (87.34, 103.97, 88.72), "float16": (9.70, 17.33, 11.09)}


@pytest.mark.parametrize("name", list(PRINTED))
def test_the_printed_limits(name):
    limits = format_limits(name)
    np.testing.assert_allclose((limits.subnormal, limits.zero, limits.overflow), PRINTED[name], atol=0.006)


@pytest.mark.parametrize("name", FORMATS)
def test_a_weight_is_zero_from_its_gap_on_and_not_before(name):
    zero = format_limits(name).zero
    near, beyond = (softmax(np.array([0, -gap], dtype=name))[1] for gap in (zero * 0.999, zero * 1.001))
    assert near > 0
    assert beyond == 0


@pytest.mark.parametrize("name", FORMATS)
def test_exp_overflows_from_its_limit_on(name):
    limit, kind = format_limits(name).overflow, np.dtype(name).type
    with np.errstate(over="ignore"):
        assert np.isfinite(np.exp(kind(limit * 0.999)))
        assert np.isinf(np.exp(kind(limit * 1.001)))


@pytest.mark.parametrize("dtype", ["longdouble", "int8", "float8", 5, "complex64"])
def test_another_format_is_named(dtype):
    with pytest.raises(ValueError, match=r"dtype is .*expected one of"):
        format_limits(dtype)
