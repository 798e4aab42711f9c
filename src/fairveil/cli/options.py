"""Options that several commands share, and how lists are given: repeated, or with commas.

`@reading` adds the options that say how data files are read, which the command gets as one `HowToRead`; `@working_on`
adds those that say which engine does the work, as one `WhereToWork`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from fairveil.errors import BadInput, refuse

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect
    from fairveil.data.table import Table
    from fairveil.engines import Source
    from fairveil.progress import Progress
    from fairveil.run.plan import Plan

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a machine to read.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")]
PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help="A plan.toml (see docs/plan.md).")]
DataFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A data file, a pattern of several, or the URL of a database.")
]
Measures = Annotated[list[str], typer.Option("--measures", metavar="NAMES", help="Further measures to show.")]
_Texts, _Text = list[str], str | None

READING: Mapping[str, tuple[Any, Any]] = {
    "missing_values": (
        Annotated[
            _Texts, typer.Option("--missing-values", metavar="TEXT", help="Text that means missing, such as '?'.")
        ],
        [],
    ),
    "text": (
        Annotated[_Texts, typer.Option(metavar="COLUMNS", help="Columns to keep as text although they look numeric.")],
        [],
    ),
    "separator": (
        Annotated[_Text, typer.Option(metavar="SIGN", help="Between the fields of a CSV; found if not given.")],
        None,
    ),
    "encoding": (
        Annotated[_Text, typer.Option(metavar="NAME", help="Of a CSV, such as cp1252; found if not given.")],
        None,
    ),
    "decimal": (
        Annotated[_Text, typer.Option(metavar="SIGN", help="Before fractions in a CSV; found if not given.")],
        None,
    ),
    "sheet": (Annotated[_Text, typer.Option(metavar="NAME", help="Sheet of a workbook, by name or number.")], None),
}
WORKING: Mapping[str, tuple[Any, Any]] = {
    "engine": (
        Annotated[
            _Text,
            typer.Option(metavar="NAME", help="Where to work: auto, memory, duckdb, spark or sql (docs/engines.md)."),
        ],
        None,
    ),
    "memory": (
        Annotated[_Text, typer.Option(metavar="SIZE", help="The most that the engine may use, such as 4GB.")],
        None,
    ),
    "table": (Annotated[_Text, typer.Option(metavar="NAME", help="The table of a database.")], None),
    "master": (
        Annotated[_Text, typer.Option(metavar="URL", help="Where Spark runs: local[4], spark://…, sc://….")],
        None,
    ),
}


@dataclass(frozen=True)
class HowToRead:
    """The options of `@reading` as given."""

    missing_values: Sequence[str] = ()
    text: Sequence[str] = ()
    separator: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    sheet: str | None = None

    def names(self, file: str) -> list[str]:
        """The columns of a file; none of a database, which is asked later."""
        from fairveil.data.dialect import Dialect
        from fairveil.data.readers import column_names

        if is_url(file):
            return []
        return column_names(Path(file), Dialect(separator=self.separator, encoding=self.encoding, sheet=self.sheet))

    def dialect(self, names: Sequence[str], known: Dialect | None = None) -> Dialect:
        """How to read data with these columns; what is not given is as `known`, from a recipe or a plan."""
        from fairveil.data.dialect import Dialect

        text, missing_values = columns(self.text, names), list(self.missing_values)
        if known is not None:
            text = [*(name for name in known.text if name in names), *text]
            missing_values = [*known.missing_values, *missing_values]
        given = Dialect(
            missing_values=missing_values, text=text, separator=self.separator, encoding=self.encoding,
            decimal=self.decimal, sheet=self.sheet,
        )  # fmt: skip
        return given if known is None else given.over(replace(known, text=()))

    def like(self, known: Dialect | None) -> HowToRead:
        """What opening a file takes from a dialect that is not told otherwise."""
        if known is None:
            return self
        return replace(self, separator=self.separator or known.separator, encoding=self.encoding or known.encoding)

    def table(self, path: str | Path, known: Dialect | None = None) -> Table:
        """A file, read into memory."""
        from fairveil.data.table import Table

        return Table.read(path, dialect=self.dialect(self.like(known).names(str(path)), known))


@dataclass(frozen=True)
class WhereToWork:
    """The options of `@working_on` as given."""

    engine: str | None = None
    memory: str | None = None
    table: str | None = None
    master: str | None = None

    def open(
        self, place: str, dialect: Dialect, columns: Sequence[str] | None = None, progress: Progress | None = None
    ) -> Source:
        from fairveil.engines import open_source

        return open_source(
            place, engine=self.engine or "auto", memory=self.memory, table=self.table, master=self.master,
            columns=columns, progress=progress, dialect=dialect,
        )  # fmt: skip

    def plan(self, path: Path) -> Plan:
        """A plan, its source told otherwise by these options."""
        from fairveil.run.plan import Plan

        plan = Plan.read(path)
        given = {name: value for name, value in vars(self).items() if value is not None}
        if not given:
            return plan
        if plan.source.dataset is not None:
            raise BadInput(f"--{next(iter(given))} is for files and databases, not for bundled data")
        source = replace(plan.source, **given)
        refuse(source.problems())
        return replace(plan, source=source)


def is_url(file: str) -> bool:
    return "://" in file


def short(file: str) -> str:
    """What is read, for a progress bar."""
    return "the database" if is_url(file) else Path(file).name


def reading(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say how files are read; the command gets them as `how`."""
    return with_options(command, "how", READING, HowToRead)


def working_on(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say which engine works; the command gets them as `where`."""
    return with_options(command, "where", WORKING, WhereToWork)


def with_options(
    command: Callable[..., int], place: str, options: Mapping[str, tuple[Any, Any]], kind: Callable[..., Any]
) -> Callable[..., int]:
    """The command with the parameter `place` replaced by these options, in a signature that Typer reads."""

    @wraps(command)
    def wrapped(**given: Any) -> int:
        chosen = {name: given.pop(name) for name in options}
        return command(**given, **{place: kind(**chosen)})

    keyword = inspect.Parameter.KEYWORD_ONLY
    hints: Mapping[str, Any] = getattr(command, "hints", None) or get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name == place:
            parameters += [
                inspect.Parameter(option, keyword, default=default, annotation=hint)
                for option, (hint, default) in options.items()
            ]
        else:
            parameters.append(parameter.replace(kind=keyword, annotation=hints[name]))
    shown: Any = wrapped
    shown.__signature__ = inspect.Signature(parameters, return_annotation=int)
    shown.__annotations__ = shown.hints = {**{p.name: p.annotation for p in parameters}, "return": int}
    return wrapped


def split(options: Sequence[str]) -> list[str]:
    """`--quasi age,zip --quasi sex` as a list."""
    return [name.strip() for entry in options for name in entry.split(",") if name.strip()]


def columns(options: Sequence[str], names: Sequence[str]) -> list[str]:
    """Column names of a list option; one that has a comma in its own name is taken whole."""
    return [name for entry in options for name in ([entry] if entry in names else split([entry]))]
