"""What every source can do: describe its columns, count, hand out rows, and publish a change. Usually only counts leave
the place where the data is; rows leave it only for methods that need them."""

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
"""Published rows by their values, or as they stand in the source."""


@dataclass(frozen=True)
class Spread:
    """How the rows agree in some columns: distinct tuples, rows alone with theirs, the most that agree in one, and the
    rows that agree with another."""

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
    """Published rows that stay where the data is, in published order, until somebody says where to write them."""

    @property
    def rows(self) -> int:
        """How many there are."""
        ...

    @property
    def schema(self) -> pa.Schema:
        """The published columns and their types."""
        ...

    def count(self, names: Sequence[str]) -> tuple[Table, np.ndarray]:
        """The distinct published tuples of these columns in their order, and how often each occurs."""
        ...

    def pieces(self, rows: int) -> Generator[pa.Table, None, None]:
        """All of them, so many at a time, the last time fewer: on their way into a file."""
        ...


class Sink(Protocol):
    """Where published tables go: kept in memory, or written into a folder.

    A source in memory puts rows. An engine puts the distinct rows in published order and how often each stands there,
    or, where those are too many to be held, rows that leave the engine piece by piece.
    """

    def put(self, name: str, table: Table, counts: np.ndarray | None = None) -> None: ...

    def put_rows(self, name: str, rows: PublishedRows) -> None: ...


@runtime_checkable
class Source(Protocol):
    """Where the data is."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        ...

    @property
    def dropped(self) -> int:
        """How many more rows there were: those left out on reading because of missing values."""
        ...

    @property
    def kind(self) -> str:
        """The kind of frame that came in, and that a user gets back."""
        ...

    @property
    def names(self) -> list[str]:
        """The columns."""
        ...

    @property
    def inferred(self) -> frozenset[str]:
        """The columns that were read as text, so that their values alone decide on their type."""
        ...

    @property
    def has_rows(self) -> bool:
        """Whether `blocks` hands out rows: methods that need them are refused where it does not."""
        ...

    def domain(self, name: str) -> Column:
        """The distinct values of a column, each once, sorted; a missing value is the last."""
        ...

    def type_of(self, name: str) -> pa.DataType:
        """The type of a column, known without its values where the source has types."""
        ...

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        """The distinct tuples of these columns and how often each occurs; always in the same order."""
        ...

    def spread(self, names: Sequence[str], *, named: bool = False) -> Spread:
        """How the rows agree in these columns; with `named`, those that have a missing value there are left out."""
        ...

    def blocks(self, names: Sequence[str] | None = None) -> Iterator[Table]:
        """The rows, block by block, for methods that need them; codes are those of `domain`."""
        ...

    def watched(self, progress: Progress | None) -> Source:
        """The same source, whose queries end when this progress is cancelled."""
        ...

    def at_levels(self, schema: Schema) -> Source:
        """The same data with the columns of `schema.levels` generalized."""
        ...

    def publish(self, change: Change, sink: Sink, *, order: Order = "sorted") -> np.ndarray | None:
        """Hand the published tables to a sink. The answer is the row of the source behind each published row, where
        the source is in memory and one table is published."""
        ...

    def fingerprint(self) -> str:
        """A checksum of columns, values and rows, in their order: the same for the same data."""
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
