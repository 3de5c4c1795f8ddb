"""How the sweep is called: what it refuses, with how many threads it works, and how it stops."""

import math
import re
import time

import numpy as np
import pytest

from attention_core import ensembles as ensembles_module
from attention_core import sweep as sweep_module
from attention_core.sweep import saturation_sweep, sweep_parts
from attention_core.sweep_checks import LARGEST_HALF_D
from attention_core.sweep_measures import measure_rows
from tests.core.sweep_cases import rows_of
from tests.floats import all_but_underflow_raises  # noqa: F401


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        *(({"d_values": d}, "d_values is") for d in ([], [0, 1], [2, 2], [4, 1], [1.5], [[1]], [1 << 17], ["a"])),
        *(({"n_keys": n}, "n_keys is") for n in (0, -1, 10_001, 2.0, "4", True, None)),
        *(({"n_rows": n}, "n_rows is") for n in (0, -1, 100_001, 2.0, "4", True, None)),
        *(({"cosine": c}, "cosine is") for c in (-0.1, 1.1, math.nan)),
        ({"entries": "cauchy"}, "unknown entries 'cauchy'; expected one of normal, uniform, signs"),
        *(({"dtype": kind}, "dtype is") for kind in ("int64", np.longdouble, "complex64")),
        ({"scaling": "unheard"}, "unknown scaling 'unheard'; expected one of none"),
    ],
)
def test_what_is_refused_is_named(changed, message):
    arguments = {"d_values": [1, 4], "n_keys": 4, "n_rows": 8} | changed
    with pytest.raises(ValueError, match=re.escape(message)):
        saturation_sweep(rng=np.random.default_rng(0), **arguments)


@pytest.mark.parametrize("d_values", [(1, 4), np.array([1, 4]), range(1, 3), [1], [65_536]])
def test_every_kind_of_sequence_of_d(d_values):
    rows = rows_of(d_values, 2, 3)
    np.testing.assert_array_equal(rows.d_values, list(d_values))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("entries", ["normal", "signs"])
def test_rows_do_not_depend_on_the_number_of_threads(monkeypatch, threads, entries):
    arguments = ((1, 64, 100), 6, 40)
    wanted = saturation_sweep(*arguments, np.random.default_rng(4), entries=entries)
    monkeypatch.setattr(sweep_module, "THREADS", threads)
    monkeypatch.setattr(ensembles_module, "CHUNK", 1)
    found = saturation_sweep(*arguments, np.random.default_rng(4), entries=entries)
    for field in ("largest", "entropy", "gradient", "aligned"):
        np.testing.assert_array_equal(getattr(found, field), getattr(wanted, field))


def test_a_caller_that_stops_leaves_no_work_running(monkeypatch):
    """What has not begun is dropped: far fewer pieces are measured than there are."""
    begun = []
    monkeypatch.setattr(sweep_module, "measure_rows", lambda *given: begun.append(1) or measure_rows(*given))
    monkeypatch.setattr(sweep_module, "THREADS", 1)
    parts = sweep_parts((1, 4096), 64, 80, np.random.default_rng(0), ["sqrt"], entries="uniform")
    next(parts)
    parts.close()
    count = len(begun)
    time.sleep(0.5)
    assert count <= len(begun) < 40


@pytest.mark.parametrize(
    ("named", "change"),
    [
        ("cosine", {"cosine": "3"}),
        ("cosine", {"cosine": None}),
        ("cosine", {"cosine": True}),
        ("cosine", {"cosine": np.array([0.1, 0.2])}),
        ("dtype", {"dtype": "abc"}),
        ("dtype", {"dtype": 5}),
        ("dtype", {"dtype": None}),
        ("dtype", {"dtype": "longdouble"}),
        ("entries", {"entries": np.array(["normal", "signs"])}),
        ("rng", {"rng": None}),
        ("rng", {"rng": 0}),
        ("scalings", {"scalings": []}),
        ("scalings", {"scalings": None}),
        ("n_keys", {"n_keys": 10_000, "d_values": [16_384], "entries": "uniform"}),
        ("d_values", {"d_values": [1 << 15], "dtype": "float16"}),
        ("d_values", {"d_values": [1 << 17]}),
    ],
)
def test_what_does_not_fit_is_named_at_once(named, change):
    """By the call itself, not by the first part that is asked for."""
    good = {"d_values": [1, 4], "n_keys": 2, "n_rows": 1, "rng": np.random.default_rng(0), "scalings": ["sqrt"]}
    with pytest.raises(ValueError, match=named):
        sweep_parts(**{**good, **change})


def test_float16_holds_every_score_that_can_be_asked_for():
    """The largest d with a key that equals the query: no overflow, no warning."""
    for rule in ("none", "sqrt", "softcap", "qknorm"):
        found = saturation_sweep([1, LARGEST_HALF_D], 3, 2, np.random.default_rng(0), rule, 1.0, dtype="float16")
        assert np.isfinite(found.gradient).all()
        np.testing.assert_allclose(found.largest[:, -1] if rule == "none" else 1, 1)
