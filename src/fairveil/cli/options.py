"""Options that several commands share, and how lists are given: repeated, or with commas.

`@reading` adds an option for each setting of a dialect, which the command receives as one `HowToRead`; `@working_on`
adds those of an origin that name the engine, as one `WhereToWork`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from fairveil.data.dialect import Dialect
from fairveil.errors import BadInput, refuse
from fairveil.run.origin import Origin
from fairveil.settings import Setting, settings_of

if TYPE_CHECKING:
    from fairveil.data.table import Table
    from fairveil.engines import Source
    from fairveil.progress import Progress
    from fairveil.run.plan import Plan

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a machine to read.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an existing file or folder.")]
PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help="A plan.toml (see docs/plan.md).")]
DataFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A data file, a pattern of several, or the URL of a database.")
]
Measures = Annotated[list[str], typer.Option("--measures", metavar="NAMES", help="Further measures to show.")]


def options_of(settings: Iterable[Setting]) -> dict[str, tuple[Any, Any]]:
    """The options that set these settings: name -> (annotation, default), as Typer reads them. A missing option is
    None, or an empty list."""
    options: dict[str, tuple[Any, Any]] = {}
    for setting in settings:
        many = setting.type == "names"
        spelling = setting.cli or f"--{setting.name.replace('_', '-')}"
        help_text = f"{setting.says[:1].upper()}{setting.says[1:]}."
        option = typer.Option(spelling, metavar=setting.metavar or None, help=help_text)
        options[setting.name] = (Annotated[list[str] if many else str | None, option], [] if many else None)
    return options


def given(settings: Iterable[Setting], values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, each checked by its setting."""
    return {
        setting.name: setting.check(values[setting.name], f"--{setting.name.replace('_', '-')}")
        for setting in settings
        if values[setting.name] not in (None, [])
    }


READING = settings_of(Dialect)
WORKING = tuple(setting for setting in settings_of(Origin) if setting.cli)


@dataclass(frozen=True)
class HowToRead:
    """The options of `@reading`: those of a dialect, as given."""

    given: Dialect = Dialect()  # noqa: RUF009 - frozen

    @classmethod
    def of(cls, **values: Any) -> HowToRead:
        return cls(Dialect(**given(READING, values)))

    def names(self, file: str) -> list[str]:
        """The columns of a file; empty for a database, queried later."""
        from fairveil.data.readers import column_names

        return [] if is_url(file) else column_names(Path(file), self.given)

    def dialect(self, names: Sequence[str], known: Dialect | None = None) -> Dialect:
        """How to read data with these columns; defaults are those of `known`, from a recipe or plan."""
        own = replace(self.given, text=columns(self.given.text, names))
        if known is None:
            return own
        text = [*(name for name in known.text if name in names), *own.text]
        own = replace(own, text=text, missing_values=[*known.missing_values, *own.missing_values])
        return own.over(replace(known, text=()))

    def like(self, known: Dialect | None) -> HowToRead:
        """The same options, with those of a dialect as defaults."""
        return self if known is None else HowToRead(self.given.over(known))

    def table(self, path: str | Path, known: Dialect | None = None) -> Table:
        """A file, read into memory."""
        from fairveil.data.table import Table

        return Table.read(path, dialect=self.dialect(self.like(known).names(str(path)), known))


@dataclass(frozen=True)
class WhereToWork:
    """The options of `@working_on`: the settings of an origin that were given."""

    given: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, **values: Any) -> WhereToWork:
        return cls(given(WORKING, values))

    @property
    def engine(self) -> str | None:
        return self.given.get("engine")

    def open(
        self, address: str, dialect: Dialect, columns: Sequence[str] | None = None, progress: Progress | None = None
    ) -> Source:
        location = {"url": address} if is_url(address) else {"path": address}
        origin = Origin(**location, **self.given, dialect=dialect, columns=tuple(columns or ()))
        return origin.open(progress=progress)

    def plan(self, path: Path) -> Plan:
        """A plan, overridden by these options."""
        from fairveil.run.plan import Plan

        plan = Plan.read(path)
        if not self.given:
            return plan
        if plan.source.dataset is not None:
            raise BadInput(f"--{next(iter(self.given))} is for files and databases, not for bundled data")
        source = replace(plan.source, **self.given)  # type: ignore[arg-type]
        refuse(source.problems())
        return replace(plan, source=source)


def is_url(file: str) -> bool:
    return "://" in file


def short(file: str) -> str:
    """Name of the data in a progress bar."""
    return "the database" if is_url(file) else Path(file).name


def reading(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say how files are read; the command gets them as `how`."""
    return with_options(command, "how", options_of(READING), HowToRead.of)


def working_on(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say which engine works; the command gets them as `where`."""
    return with_options(command, "where", options_of(WORKING), WhereToWork.of)


def with_options(
    command: Callable[..., int], replaced: str, options: Mapping[str, tuple[Any, Any]], make: Callable[..., Any]
) -> Callable[..., int]:
    """The command with the parameter `replaced` replaced by these options, in a signature that Typer reads."""

    @wraps(command)
    def wrapped(**values: Any) -> int:
        chosen = {name: values.pop(name) for name in options}
        return command(**values, **{replaced: make(**chosen)})

    keyword = inspect.Parameter.KEYWORD_ONLY
    hints: Mapping[str, Any] = getattr(command, "hints", None) or get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name == replaced:
            parameters += [
                inspect.Parameter(option, keyword, default=default, annotation=hint)
                for option, (hint, default) in options.items()
            ]
        else:
            parameters.append(parameter.replace(kind=keyword, annotation=hints[name]))
    typed: Any = wrapped
    typed.__signature__ = inspect.Signature(parameters, return_annotation=int)
    typed.__annotations__ = typed.hints = {**{p.name: p.annotation for p in parameters}, "return": int}
    return wrapped


def split(options: Sequence[str]) -> list[str]:
    """`--quasi age,zip --quasi sex` as a list."""
    return [name.strip() for entry in options for name in entry.split(",") if name.strip()]


def columns(options: Sequence[str], names: Sequence[str]) -> list[str]:
    """Column names of a list option; a name that contains a comma is not split."""
    return [name for entry in options for name in ([entry] if entry in names else split([entry]))]
