"""What every source can do: describe its columns, count, hand out rows, and publish a change. Usually only counts leave
the place where the data is; rows leave it only for methods that need them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Protocol, runtime_checkable

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.recipes.base import Change

Order = Literal["sorted", "keep"]
"""Published rows by their values, or as they stand in the source."""


class Sink(Protocol):
    """Where published tables go: kept in memory, or written into a folder."""

    def put(self, name: str, table: Table) -> None: ...


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

    def domain(self, name: str) -> Column:
        """The distinct values of a column, each once, sorted; a missing value is the last."""
        ...

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        """The distinct tuples of these columns and how often each occurs; always in the same order."""
        ...

    def blocks(self, names: Sequence[str] | None = None) -> Iterator[Table]:
        """The rows, block by block, for methods that need them; codes are those of `domain`."""
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
    """A sink that keeps the tables in memory."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}

    def put(self, name: str, table: Table) -> None:
        self.tables[name] = table
