"""All rows of a source as a table in memory, also of one whose rows stay on an engine.

>>> import polars as pl
>>> table = rows_of(pl.LazyFrame({"sex": ["M", "F", "F"], "age": [40, 31, 31]}), needed=["sex"])
>>> table.to_arrow()["sex"].to_pylist(), table.names
(['F', 'F', 'M'], ['sex'])

No row of an engine is fetched: counting returns each distinct row and how often it occurs, so rows come in the order of
their values.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.dialect import Dialect
from fairveil.data.table import Table
from fairveil.engines.open_data import is_on_engine, source_of
from fairveil.errors import BadInput
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.engines.relation import Source
    from fairveil.progress import Progress

MAX_VALUES = 1 << 28
"""Maximum number of values that are held as codes."""


def repeated_rows(source: Source, names: Sequence[str]) -> Table:
    """These columns of all rows of a source, by counting."""
    cells = source.count(names)
    table = cells.table().take(np.repeat(np.arange(len(cells)), cells.counts))
    return replace(table, kind=source.kind, dropped=source.dropped, inferred=source.inferred & frozenset(names))


def rows_of(
    given: Any, dialect: Dialect | None = None, *, needed: Collection[str | None], progress: Progress | None = None
) -> Table:
    """The rows of a Table, a data frame, a file, a database, a lazy frame or a source; of data on an engine, only the
    columns that are `needed`. Raises BadInput if there are more than fit."""
    if not is_on_engine(given):
        return Table.of(given.table if hasattr(type(given), "publish") else given, dialect)
    source = source_of(given, dialect=replace(dialect or Dialect(), missing="category"), progress=progress)
    names = [name for name in source.names if name in needed]
    if source.rows * len(names) > MAX_VALUES:
        raise BadInput(
            f"the original has {counted(source.rows, 'row')}, and {counted(len(names), 'column')} of it are more than "
            f"the {MAX_VALUES:,} values that can be held: give a table or view with some of the rows"
        )
    return repeated_rows(source, names)
