"""What the caches hold for all visitors can be read and not changed."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TypeVar

import numpy as np

Value = TypeVar("Value")


def read_only(value: Value) -> Value:
    """The same value; every array in it, also in a tuple, a dictionary or a record, is closed to changes."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, dict):
        read_only(tuple(value.values()))
    elif isinstance(value, tuple):
        for each in value:
            read_only(each)
    elif is_dataclass(value):
        for field in fields(value):
            read_only(getattr(value, field.name))
    return value
