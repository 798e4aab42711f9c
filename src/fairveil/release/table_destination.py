"""A release whose rows are written to a table of the database that holds the source.

Its folder contains recipe, evidence and report. The evidence has the name of the table and a digest of its rows, but
no address: a reader who verifies it says where the table is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairveil.data.types import type_named
from fairveil.engines import Source
from fairveil.engines.database_tables import NewTable, Transaction, counted, transaction_beside, within
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.published.database import counted_rows, digest
from fairveil.published.folder import is_release, load_evidence, table_of
from fairveil.published.published_table import InMemoryTable, PublishedTable
from fairveil.recipes.outcome import ONLY
from fairveil.recipes.recipe import Recipe


@dataclass
class TableDestination:
    """A table that becomes visible to others together with the folder."""

    table: NewTable
    recipe: Recipe
    overwrite: bool
    entries: Mapping[str, Any] = field(default_factory=dict)

    def write(
        self, contents: Mapping[str, PublishedTable], folder: Path, progress: Progress
    ) -> dict[str, PublishedTable]:
        if list(contents) != [ONLY]:
            raise BadInput("the columns are split over several tables: publish them as files")
        schema, pieces = contents[ONLY].in_pieces()
        self.table.create(schema)
        done, rows = 0, max(contents[ONLY].rows, 1)
        with closing(pieces):
            for piece in pieces:
                progress.tell(0.25 * done / rows, f"writing {self.table.name}")
                self.table.append(piece)
                done += piece.num_rows
        progress.tell(0.25, f"counting {self.table.name}")
        types = {each.name: each.type for each in schema}
        rows_written = counted_rows(self.table.counted(types), types, self.recipe.schema, progress)
        self.table.place(overwrite=self.overwrite)
        self.entries = {"table": {"name": self.table.name, "digest": digest(rows_written)}}
        return {ONLY: rows_written}

    def commit(self) -> None:
        self.table.transaction.commit()


@contextmanager
def new_table(source: Source, recipe: Recipe, path: Path, table: str, *, overwrite: bool) -> Iterator[TableDestination]:
    """A table that is created only if everything succeeds. An existing table is replaced only together with its release
    in `path`: it could be the source."""
    if not table.strip() or "\0" in table:
        raise BadInput("the name of the table must not be empty or contain a zero byte")
    transaction = transaction_beside(source)
    with within(transaction, f"writing the table {table!r}"):
        if transaction.names(table) is not None:
            if not overwrite:
                raise BadInput(f"the table {table!r} already exists: choose another name, or overwrite the release")
            if not is_release(path) or table_of(load_evidence(path)) != table:
                raise BadInput(f"the table {table!r} already exists, and {path} is not its release: choose another")
        yield TableDestination(NewTable(transaction, table), recipe, overwrite)


def from_database(
    transaction: Transaction, evidence: Mapping[str, Any], recipe: Recipe, table: str | None, progress: Progress
) -> tuple[InMemoryTable, list[str]]:
    """Count the rows of a release in a database table; return them and the problems."""
    name, types = table or table_of(evidence), evidence.get("types", {})
    assert name is not None
    with within(transaction, f"counting the table {name!r}"):
        columns = transaction.names(name)
        if columns is None:
            raise BadInput(f"the table {name!r} does not exist")
        if columns != list(types):
            raise BadInput(f"the columns of the table {name!r} differ from those in the evidence")
        kinds = {column: type_named(kind) for column, kind in types.items()}
        rows = counted_rows(counted(transaction, name, kinds), kinds, recipe.schema, progress)
    if digest(rows) != evidence["table"].get("digest"):
        return rows, [f"the table {name!r} was changed: its digest is not the one in the evidence"]
    return rows, []
