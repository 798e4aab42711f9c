"""Origin: where the data of a request is, how it is read, and which engine does the work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.data.dialect import Dialect
from fairveil.errors import BadInput, suggest
from fairveil.messages import option
from fairveil.settings import Setting, setting, settings_of
from fairveil.shapes import Shape, optional, shape

if TYPE_CHECKING:  # the command line derives its options from this module, so it loads quickly
    from fairveil.data.table import Table
    from fairveil.engines import Source
    from fairveil.progress import Progress

TEXT: Shape = optional(shape("text", lambda value: isinstance(value, str) and bool(value)))


@dataclass(frozen=True)
class Origin:
    """A file or many (`path`), a table of a database (`url` and `table`), bundled data by name (`dataset`), or `data`
    that is passed directly: a Table, any data frame, a lazy frame of an engine, a source.

    Passwords are not part of it: they come from the environment.
    """

    path: str | None = field(
        default=None, metadata=setting("a file relative to the plan, or a pattern such as 2024-*.csv", shape=TEXT)
    )
    dataset: str | None = field(default=None, metadata=setting("bundled data instead of a file", shape=TEXT))
    columns: tuple[str, ...] = field(
        default=(), metadata=setting("the columns to read; by default all (bundled data: default or all)")
    )
    url: str | None = field(
        default=None, metadata=setting("a database instead of a file, without its password", shape=TEXT)
    )
    table: str | None = field(
        default=None, metadata=setting("the table of a database", shape=TEXT, cli="--table", metavar="NAME")
    )
    engine: str = field(
        default="auto",
        metadata=setting(
            "the engine that does the work: auto, memory, duckdb, spark or sql (docs/engines.md)",
            shape=TEXT,
            cli="--engine",
            metavar="NAME",
        ),
    )
    memory: str | None = field(
        default=None,
        metadata=setting("the maximum memory of the engine, such as 4GB", shape=TEXT, cli="--memory", metavar="SIZE"),
    )
    master: str | None = field(
        default=None,
        metadata=setting(
            "where Spark runs, such as local[4], spark://host or sc://host", shape=TEXT, cli="--master", metavar="URL"
        ),
    )
    dialect: Dialect = Dialect()  # noqa: RUF009 - frozen
    data: Any = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Origin:
        """An origin from the keys of [source], including those of the dialect."""
        dialect = {name: settings[name] for name in Dialect().options if name in settings}
        own = {name: value for name, value in settings.items() if name not in dialect}
        return cls(**own, dialect=Dialect(**dialect))

    @classmethod
    def plan_keys(cls) -> tuple[Setting, ...]:
        """The keys of [source]: those of the origin itself and those of its dialect."""
        own = (setting for setting in settings_of(Origin) if setting.name not in ("dialect", "data"))
        return (*own, *settings_of(Dialect))

    def to_dict(self) -> dict[str, Any]:
        """The keys of [source] that differ from their default."""
        own = {s.name: getattr(self, s.name) for s in settings_of(Origin) if s.name not in ("dialect", "data")}
        changed = {name: value for name, value in own.items() if value != getattr(Origin(), name)}
        if "columns" in changed:
            changed["columns"] = list(self.columns)
        return {**changed, **self.dialect.to_dict()}

    def __str__(self) -> str:
        return self.dataset or self.path or self.table or "data in memory"

    def address(self, folder: Path) -> str:
        """The URL or the path; relative paths start in `folder`."""
        return self.url if self.url is not None else str(folder / str(self.path))

    def open(self, folder: Path = Path(), *, rows: bool = False, progress: Progress | None = None) -> Source:
        """The data as a source; with `rows`, large files are read into memory, because rows are needed."""
        from fairveil.engines import open_source, source_of

        if self.data is not None:
            return source_of(self.data, missing=self.dialect.missing, rows=rows, progress=progress)
        return open_source(
            self.address(folder), engine=self.engine, table=self.table, columns=self.columns or None,
            dialect=self.dialect, memory=self.memory, master=self.master, rows=rows, progress=progress,
        )  # fmt: skip

    def read_file(self, path: Path) -> Table:
        """Another file, read in the same way."""
        from fairveil.data.table import Table

        return Table.read(path, dialect=replace(self.dialect, sheet=None))

    def names(self, folder: Path) -> list[str] | None:
        """The columns of a file, from its header; None for a database (queried later)."""
        from fairveil.data.readers import column_names

        return None if self.path is None else column_names(folder / self.path, self.dialect)

    def problems(self) -> list[str]:
        """Conflicts between settings."""
        from fairveil.engines import ENGINES

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
        """Problems that engines find before they read any data."""
        from fairveil.engines.memory_budget import MemoryBudget

        try:
            MemoryBudget.of(self.memory)
            if self.url is not None:
                from fairveil.engines.sql import refuse_password

                refuse_password(self.url)
        except BadInput as problem:
            return [f"source: {problem}"]
        return []
