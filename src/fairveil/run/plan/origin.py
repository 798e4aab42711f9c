"""Origin: where a plan's data is, how it is read, and which engine does the work."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from fairveil.data.dialect import Dialect
from fairveil.data.readers import column_names
from fairveil.data.table import Missing, Table
from fairveil.engines import ENGINES, Source, open_source
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.errors import BadInput, suggest
from fairveil.messages import option
from fairveil.progress import Progress


@dataclass(frozen=True)
class Origin:
    """A file or many (`path`), a table of a database (`url` and `table`), or bundled data by name; and how to read it.

    Passwords are no part of it: they come from the environment.
    """

    path: str | None = None
    dataset: str | None = None
    missing: Missing = "category"
    missing_values: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    separator: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    sheet: str | int | None = None
    url: str | None = None
    table: str | None = None
    engine: str = "auto"
    memory: str | None = None
    master: str | None = None

    @property
    def dialect(self) -> Dialect:
        return Dialect(
            self.missing, self.missing_values, self.text, self.separator, self.encoding, self.decimal, self.sheet
        )

    def place(self, folder: Path) -> str:
        """The URL, or the path: relative ones start in `folder`."""
        return self.url if self.url is not None else str(folder / str(self.path))

    def open(self, folder: Path, *, rows: bool = False, progress: Progress | None = None) -> Source:
        """The data as a source; `rows`: what is to be done needs rows."""
        return open_source(
            self.place(folder), engine=self.engine, table=self.table, columns=self.columns or None,
            memory=self.memory, master=self.master, rows=rows, progress=progress, **self.dialect.options,
        )  # fmt: skip

    def read_file(self, path: Path) -> Table:
        """Another file, read the same way."""
        return Table.read(path, **replace(self.dialect, sheet=None).options)

    def names(self, folder: Path) -> list[str] | None:
        """The columns that a file has, from its header; None: they are in a database, and asked for later."""
        if self.path is None:
            return None
        dialect = self.dialect
        return column_names(folder / self.path, dialect.separator, encoding=dialect.encoding, sheet=dialect.sheet)

    def problems(self) -> list[str]:
        """What does not go together."""
        problems = []
        if [self.path, self.dataset, self.url].count(None) != 2:
            problems.append("[source] needs one of these: path (a file), url (with a table), dataset (by name)")
        if (self.url is None) != (self.table is None):
            problems.append("[source] needs a url and a table together")
        if self.engine not in ENGINES:
            problems.append(f"{option('engine')}: {suggest(self.engine, ENGINES, 'engine')}")
        if self.master is not None and self.engine != "spark":
            problems.append(f"{option('master')} is for {option('engine', 'spark')}")
        return [*problems, *self._refused()]

    def _refused(self) -> list[str]:
        """What the engines would refuse before they look at any data."""
        try:
            MemoryBudget.of(self.memory)
            if self.url is not None:
                from fairveil.engines.sql import refuse_password

                refuse_password(self.url)
        except BadInput as problem:
            return [f"source: {problem}"]
        return []

    def on(
        self,
        engine: str | None = None,
        memory: str | None = None,
        table: str | None = None,
        master: str | None = None,
    ) -> Origin:
        """The same data with some of these told otherwise."""
        given = {"engine": engine, "memory": memory, "table": table, "master": master}
        return replace(self, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
