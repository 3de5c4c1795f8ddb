"""A table as it is sent to the browser."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa


def arrow(table: pd.DataFrame) -> pa.Table:
    """The table's columns, without an index."""
    return pa.Table.from_pandas(table, preserve_index=False)
