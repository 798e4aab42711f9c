"""Destinations of published rows: files of the release folder, or a table of the database that holds the source.

The folder of a release whose rows are in a table contains recipe, evidence and report. The evidence has the name of the
table and a digest of its rows, but no address: a reader who verifies it says where the table is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from fairveil.data.writers import Format, piece_rows
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.relation import arrow_schema, types_of
from fairveil.errors import BadInput
from fairveil.published.data_files import data_files, load_content
from fairveil.published.database import counted_rows, digest
from fairveil.published.folder import is_release, load_evidence, sha256, table_of
from fairveil.recipes.outcome import ONLY
from fairveil.recipes.recipe import Recipe

if TYPE_CHECKING:
    from fairveil.engines import PublishedTable, Source
    from fairveil.engines.database_tables import NewTable
    from fairveil.progress import Progress


@dataclass
class Destination:
    """Files in the release folder. `entries` are those of the evidence about the destination; `budget` is the memory
    for reading the files back."""

    recipe: Recipe
    format: Format = "csv"
    budget: MemoryBudget | None = None
    entries: Mapping[str, Any] = field(default_factory=dict)
    checksums: dict[Path, str] = field(default_factory=dict)
    """The SHA-256 of the written files."""
    uses_engine: ClassVar[bool] = False
    """Whether rows are written through the engine of the source."""

    def write(
        self, contents: Mapping[str, PublishedTable], folder: Path, progress: Progress
    ) -> dict[str, PublishedTable]:
        """Write the tables, and return them as read back."""
        written = {}
        for name, content in contents.items():
            content.write(folder, name, self.format, progress)
            types = types_of(content)
            with ThreadPoolExecutor(1, "fairveil-checksums") as thread:  # meanwhile, the files are read back
                computed = {file: thread.submit(sha256, file) for file in data_files(folder, name)}
                written[name] = load_content(folder, name, types, self.recipe, content.rows, progress, self.budget)
                self.checksums |= {file: checksum.result() for file, checksum in computed.items()}
        return written

    def commit(self) -> None:
        """Make the written rows visible to others, after the folder was renamed into place; files already are."""


@dataclass
class TableDestination(Destination):
    """A table that becomes visible to others together with the folder."""

    uses_engine: ClassVar[bool] = True

    table: NewTable = field(kw_only=True)
    overwrite: bool = False

    def write(
        self, contents: Mapping[str, PublishedTable], folder: Path, progress: Progress
    ) -> dict[str, PublishedTable]:
        if list(contents) != [ONLY]:
            raise BadInput("the columns are split over several tables: publish them as files")
        schema = arrow_schema(contents[ONLY])
        self.table.create(schema)
        done, rows = 0, max(contents[ONLY].rows, 1)
        with closing(contents[ONLY].pieces(piece_rows())) as pieces:
            for piece in pieces:
                progress.tell(0.25 * done / rows, f"writing {self.table.name}")
                self.table.append(piece)
                done += piece.num_rows
        progress.tell(0.25, f"counting {self.table.name}")
        types = {each.name: each.type for each in schema}
        rows_written = counted_rows(self.table.counted(types), types, self.recipe.schema, progress)
        self.table.rename(overwrite=self.overwrite)
        self.entries = {"table": {"name": self.table.name, "digest": digest(rows_written)}}
        return {ONLY: rows_written}

    def commit(self) -> None:
        self.table.transaction.commit()


@contextmanager
def destination_of(
    source: Source, recipe: Recipe, path: Path, format: Format, table: str | None, *, overwrite: bool
) -> Iterator[Destination]:
    """The folder; or the `table`, which is created only if everything succeeds. An existing table is replaced only
    together with its release in `path`: it could be the source."""
    from fairveil.engines.database_tables import NewTable, transaction_beside, within

    if table is None:
        yield Destination(recipe, format, None if source.engine is None else source.engine.budget)
        return
    if not table.strip() or "\0" in table:
        raise BadInput("the name of the table must not be empty or contain a zero byte")
    transaction = transaction_beside(source)
    with within(transaction, f"writing the table {table!r}"):
        if transaction.names(table) is not None:
            if not overwrite:
                raise BadInput(f"the table {table!r} already exists: choose another name, or overwrite the release")
            if not is_release(path) or table_of(load_evidence(path)) != table:
                raise BadInput(f"the table {table!r} already exists, and {path} is not its release: choose another")
        yield TableDestination(recipe, table=NewTable(transaction, table), overwrite=overwrite)
