"""Which columns of a wide matrix are shown: the first ones and the last, with an ellipsis between them."""

from __future__ import annotations

MOST_COLUMNS = 16  # wider matrices show the first columns, an ellipsis and the last
FIRST_COLUMNS = 5


def shown_columns(count: int, typed: int = 0) -> list[int | None]:
    """The columns that are shown, of a wide matrix at least the first `typed` ones; None stands for the ellipsis."""
    if count <= MOST_COLUMNS:
        return list(range(count))
    return [*range(max(FIRST_COLUMNS, typed)), None, count - 1]
