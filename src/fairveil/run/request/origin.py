"""Origin: where the data of a request is, how it is read, and which engine does the work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from fairveil.data.dialect import Dialect
from fairveil.data.readers import column_names
from fairveil.data.table import Table
from fairveil.engines import ENGINES, Source, open_source, source_of
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.errors import BadInput, suggest
from fairveil.messages import option
from fairveil.progress import Progress


@dataclass(frozen=True)
class Origin:
    """A file or many (`path`), a table of a database (`url` and `table`), bundled data by name (`dataset`), or `data`
    that is given as it is: a Table, any data frame, a lazy frame of an engine, a source.

    Passwords are not part of it: they come from the environment.
    """

    path: str | None = None
    dataset: str | None = None
    columns: tuple[str, ...] = ()
    url: str | None = None
    table: str | None = None
    engine: str = "auto"
    memory: str | None = None
    master: str | None = None
    dialect: Dialect = Dialect()  # noqa: RUF009 - frozen
    data: Any = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Origin:
        """An origin from the keys of [source], in which those of the dialect stand beside the others."""
        dialect = {name: settings[name] for name in Dialect().options if name in settings}
        own = {name: value for name, value in settings.items() if name not in dialect}
        return cls(**own, dialect=Dialect(**dialect))

    def to_dict(self) -> dict[str, Any]:
        """The keys of [source] that differ from the defaults."""
        default = Origin()
        own = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in ("dialect", "data") and getattr(self, field.name) != getattr(default, field.name)
        }
        return {**_lists(own), **self.dialect.to_dict()}

    def __str__(self) -> str:
        return self.dataset or self.path or self.table or "data in memory"

    def address(self, folder: Path) -> str:
        """The URL or the path; relative paths start in `folder`."""
        return self.url if self.url is not None else str(folder / str(self.path))

    def open(self, folder: Path = Path(), *, rows: bool = False, progress: Progress | None = None) -> Source:
        """The data as a source; with `rows`, large files are read into memory, because rows are needed."""
        if self.data is not None:
            return source_of(self.data, missing=self.dialect.missing, rows=rows, progress=progress)
        return open_source(
            self.address(folder), engine=self.engine, table=self.table, columns=self.columns or None,
            memory=self.memory, master=self.master, rows=rows, progress=progress, dialect=self.dialect,
        )  # fmt: skip

    def read_file(self, path: Path) -> Table:
        """Another file, read in the same way."""
        return Table.read(path, dialect=replace(self.dialect, sheet=None))

    def names(self, folder: Path) -> list[str] | None:
        """The columns of a file, from its header; None for a database, which is asked later."""
        return None if self.path is None else column_names(folder / self.path, self.dialect)

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
        return [*problems, *self._engine_problems()]

    def _engine_problems(self) -> list[str]:
        """What the engines would refuse before they look at any data."""
        try:
            MemoryBudget.of(self.memory)
            if self.url is not None:
                from fairveil.engines.sql import refuse_password

                refuse_password(self.url)
        except BadInput as problem:
            return [f"source: {problem}"]
        return []


def _lists(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
