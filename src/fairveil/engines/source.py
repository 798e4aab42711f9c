"""The Source protocol: describe columns, count, yield rows, and publish a change. Usually only counts leave the engine;
rows leave it only for methods that need them."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.recipes.change import Change

if TYPE_CHECKING:
    import pyarrow as pa

Order = Literal["sorted", "keep"]
"""Published rows sorted by value, or in the order of the source."""


@dataclass(frozen=True)
class Spread:
    """How rows agree in some columns: the number of distinct tuples, of unique rows, of rows with the most frequent
    tuple, and of rows that are not unique."""

    distinct: int
    alone: int
    most: int
    together: int

    @classmethod
    def of(cls, source: Source, names: Sequence[str], named: bool = False) -> Spread:
        """From the cells of a source."""
        cells = source.count(names)
        kept = np.ones(len(cells), dtype=bool)
        for name in names if named else ():
            domain = source.domain(name)
            if domain.has_missing:
                kept &= cells.codes[name] != len(domain.values) - 1
        counts = cells.counts[kept]
        alone = int((counts == 1).sum())
        return cls(len(counts), alone, int(counts.max(initial=0)), int(counts.sum()) - alone)


class TooManyCells(BadInput):
    """More distinct tuples than may leave the engine."""


class PublishedRows(Protocol):
    """Published rows that stay on the engine, in published order, until they are written."""

    @property
    def rows(self) -> int:
        """The number of rows."""
        ...

    @property
    def schema(self) -> pa.Schema:
        """The published columns and their types."""
        ...

    def count(self, names: Sequence[str]) -> tuple[Table, np.ndarray]:
        """The distinct published tuples of these columns, sorted by value, and how often each occurs."""
        ...

    def pieces(self, rows: int) -> Generator[pa.Table, None, None]:
        """Yield all rows in tables of `rows` rows, the last one shorter, to be written to a file."""
        ...


class Sink(Protocol):
    """Receives the published tables.

    A source in memory puts rows. An engine puts the distinct rows in published order with their counts, or, if these
    do not fit into memory, rows that leave the engine piece by piece.
    """

    def put(self, name: str, table: Table, counts: np.ndarray | None = None) -> None: ...

    def put_rows(self, name: str, rows: PublishedRows) -> None: ...


@runtime_checkable
class Source(Protocol):
    """Data in memory or on an engine."""

    @property
    def rows(self) -> int:
        """The number of rows."""
        ...

    @property
    def dropped(self) -> int:
        """The number of rows left out on reading because of missing values."""
        ...

    @property
    def kind(self) -> str:
        """The kind of frame that was given, and that a user gets back."""
        ...

    @property
    def names(self) -> list[str]:
        """The columns."""
        ...

    @property
    def inferred(self) -> frozenset[str]:
        """The columns that were read as text, and whose type is inferred from their values."""
        ...

    @property
    def has_rows(self) -> bool:
        """Whether `blocks` yields rows: without them, methods that need rows raise BadInput."""
        ...

    def domain(self, name: str) -> Column:
        """The distinct values of a column, each once, sorted; a missing value is the last."""
        ...

    def type_of(self, name: str) -> pa.DataType:
        """The type of a column, without reading its values if the source has types."""
        ...

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        """The distinct tuples of these columns and how often each occurs; always in the same order."""
        ...

    def spread(self, names: Sequence[str], *, named: bool = False) -> Spread:
        """How the rows agree in these columns; with `named`, rows with a missing value there are left out."""
        ...

    def blocks(self, names: Sequence[str] | None = None) -> Iterator[Table]:
        """Yield the rows block by block, for methods that need them; codes are those of `domain`."""
        ...

    def watched(self, progress: Progress | None) -> Source:
        """The same source, whose queries stop when this progress is cancelled."""
        ...

    def at_levels(self, schema: Schema) -> Source:
        """The same data with the columns of `schema.levels` generalized."""
        ...

    def publish(self, change: Change, sink: Sink, *, order: Order = "sorted") -> np.ndarray | None:
        """Put the published tables into a sink. Return the source row behind each published row if the source is in
        memory and one table is published, else None."""
        ...

    def fingerprint(self) -> str:
        """A checksum of columns, values and rows, in order: the same for the same data."""
        ...


class TablesInMemory:
    """A sink that keeps the tables in memory, with the counts of those that are counted."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.counts: dict[str, np.ndarray] = {}
        self.elsewhere: dict[str, PublishedRows] = {}

    def put(self, name: str, table: Table, counts: np.ndarray | None = None) -> None:
        self.tables[name] = table
        if counts is not None:
            self.counts[name] = counts

    def put_rows(self, name: str, rows: PublishedRows) -> None:
        self.elsewhere[name] = rows
