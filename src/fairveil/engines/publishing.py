"""Publishing on an engine: recode, suppress and sort without a row of the source leaving it (`lazy_rows.py`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from fairveil.counting.cells import Cells
from fairveil.counting.ordering import content_order
from fairveil.data.canonical import published_table
from fairveil.data.frames import to_kind
from fairveil.data.writers import piece_rows
from fairveil.engines.lazy_rows import LazyRows, as_given
from fairveil.engines.memory import InMemoryTable
from fairveil.engines.published_columns import published_as_read
from fairveil.engines.relation import Order, PublishedTable, Source, arrow_schema, suppressed_cells
from fairveil.errors import BadInput
from fairveil.messages import option

if TYPE_CHECKING:
    from fairveil.engines.lazy import LazySource
    from fairveil.recipes.change import Change


def published_rows(source: LazySource, change: Change, order: Order) -> PublishedTable:
    """The published rows: in memory with their counts if few are distinct, else on the engine until written."""
    recipe = change.recipe
    if (change.groups is not None or recipe.groups_rows or recipe.splits) and not change.staged:
        raise source.rows_stay()
    if order == "keep":
        raise BadInput(
            f"rows on {source.native.name} have no order to keep: use {option('order', 'sorted')}, or "
            f"{option('engine', 'memory')}"
        )
    names = tuple(name for name in source.names if name in recipe.schema.published)
    together = {*change.columns, *names}
    counted_sets = [key for key in source.cache.cells if together <= set(key) and not change.staged]
    if counted_sets:  # already counted: no row has to be read again
        return _counted(source, change, min(counted_sets, key=len))
    rows = LazyRows(source, change, names)
    return rows.few() or rows


def _counted(source: LazySource, change: Change, names: tuple[str, ...]) -> InMemoryTable:
    """The distinct published rows in published order, and how often each is published."""
    cells = source.count(names)
    kept = np.flatnonzero(~suppressed_cells(source, change, cells))
    in_order = cells.table().select([name for name in source.names if name in names])  # columns decide the row order
    table = replace(
        in_order, kind=source.kind, inferred=source.cell_reader.inferred, decimal=source.cell_reader.decimal
    )
    outcome = change.of_rows(table, kept, cells.counts)
    published = published_table(outcome.table, change.recipe.schema, published_as_read(source, change, names))
    distinct = Cells.of(published, published.names, counts=outcome.counts)
    rows = replace(distinct.table(), kind=source.kind)
    order = content_order(rows)
    return InMemoryTable(rows.take(order).compact(), distinct.counts[order])


def published_frame(source: Source, rows: PublishedTable, kind: str | None) -> Any:
    """The published rows as a data frame: of this kind, or of the kind that the source was given as."""
    engine = source.engine
    if kind is None and engine is not None and engine.given_lazy:
        native = engine.native
        if isinstance(rows, LazyRows) and native.holds_frames:
            return nw.to_native(rows.lazy())
        fetched = _fetched(rows)
        return native.framed(pa.table({name: as_given(source, name, fetched[name]) for name in fetched.column_names}))
    return rows.table.to_frame(kind) if rows.has_rows else to_kind(_fetched(rows), kind or "pyarrow", {})


def _fetched(rows: PublishedTable) -> pa.Table:
    pieces = [rows.table.to_arrow()] if rows.has_rows else list(rows.pieces(piece_rows()))
    return pa.concat_tables(pieces).cast(arrow_schema(rows))
