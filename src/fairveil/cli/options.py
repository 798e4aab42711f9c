"""Options that several commands share, options derived from settings, and how messages name them.

`@taking("parameter", settings)` adds an option for each setting in place of a command's parameter. `@reading` does so
for a dialect, which the command receives as one `How`, and `@working_on` for the engine, as one `Where`.
Lists are given by repeating the option, or with commas.
"""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

from fairveil.cli.arguments import Declaration
from fairveil.data.dialect import Dialect
from fairveil.data.roles import PopulationFacts, Roles
from fairveil.errors import BadInput, UnreadableColumns, refuse
from fairveil.messages import PLAN, Language, plainly, speaking
from fairveil.progress_bars import silent
from fairveil.run.sections import Origin, RequestOptions
from fairveil.settings import Setting, settings_of

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table
    from fairveil.engines import Source
    from fairveil.progress import Progress
    from fairveil.run.plan import Plan

Command = Callable[..., int]
Given = Mapping[str, Any]
"""The settings that were given as options, by name."""


def opt(metavar: str, help: str, *spellings: str, **more: Any) -> Any:
    """An option whose value the help calls `metavar`; `spellings` and `more` as in Typer."""
    return Declaration(spellings, metavar, help, more=more)


def argument(metavar: str, help: str) -> Any:
    """A value that is given without an option."""
    return Declaration((), metavar, help, positional=True)


def flag(spelling: str, help: str) -> Any:
    """An option without a value."""
    return Declaration((spelling,), help=help)


Json = Annotated[bool, flag("--json", "Print JSON for a machine to read.")]
Overwrite = Annotated[bool, flag("--overwrite", "Replace an existing file or folder.")]
PlanFile = Annotated[Path, argument("PLAN", "A plan.toml (see docs/plan.md).")]
ReleaseFolder = Annotated[Path, argument("DIR", "A release folder.")]
PublishedAt = Annotated[str | None, opt("URL", "The database, if the rows are in one (docs/engines.md).")]
PublishedIn = Annotated[str | None, opt("NAME", "The table, if its name is not the one in the evidence.")]
ORIGINAL = "The data that was published: a file, or the URL of a database."
OriginalTable = Annotated[str | None, opt("NAME", "The table of the original, if it is in a database.")]
DataFile = Annotated[
    str,
    argument("FILE", "A data file (CSV, Parquet, Excel, Stata, SPSS, SAS), a pattern of files, or a database URL."),
]
READING = settings_of(Dialect)
WORKING = tuple(setting for setting in settings_of(Origin) if setting.cli)
REQUEST = {setting.name: setting for setting in settings_of(RequestOptions) if setting.cli}
POPULATION = settings_of(PopulationFacts)
ROLES = {setting.name: setting for setting in settings_of(Roles) if setting.metavar}


def population_of(**given: Any) -> Any:
    """The population that the options declare; None if they declare none."""
    from fairveil.data.population import Population

    given = {name: value[0] if isinstance(value, list | tuple) else value for name, value in given.items()}
    return Population(**given) if given else None


def taking(
    parameter: str, settings: Sequence[Setting], make: Callable[..., Any] = dict, *, before: str = "",
    defaults: bool = False,
) -> Callable[[Command], Command]:  # fmt: skip
    """Add an option for each of these settings to a command, in place of its `parameter`.

    The command receives `make` of the settings that are given, each checked by its declaration. `before` begins each
    help text, and with `defaults` it ends with the setting's default.
    """
    names = {parameter_of(setting): setting for setting in settings}
    options = [_option(name, setting, before, defaults) for name, setting in names.items()]

    def decorated(command: Command) -> Command:
        @wraps(command)
        def wrapped(**values: Any) -> int:
            given = {}
            problems: list[str] = []
            for name, setting in names.items():
                if (text := values.pop(name)) not in (None, []):
                    value = number_of(text) if setting.type in ("integer", "number") else text
                    try:
                        given[setting.name] = setting.check(value, spelled(name))
                    except BadInput as problem:
                        problems += problem.problems
            refuse(problems)
            return command(**values, **{parameter: make(**given)})

        hints: Mapping[str, Any] = getattr(command, "hints", None) or get_type_hints(command, include_extras=True)
        parameters: list[inspect.Parameter] = []
        for name, own in inspect.signature(command).parameters.items():
            parameters += options if name == parameter else [own.replace(kind=own.KEYWORD_ONLY, annotation=hints[name])]
        typed: Any = wrapped  # its signature is what is parsed
        typed.__signature__ = inspect.Signature(parameters, return_annotation=int)
        typed.__annotations__ = typed.hints = {**{p.name: p.annotation for p in parameters}, "return": int}
        return wrapped

    return decorated


def taking_late(parameter: str, settings: Callable[[], Sequence[Setting]]) -> Callable[[Command], Command]:
    """As `taking`, for settings that take long to load: see `typer_app.LateCommand`. It is the outermost decorator.

    Settings that are spelled as another option of the command are left out.
    """

    def decorated(command: Command) -> Command:
        def completed() -> Command:
            own = inspect.signature(command).parameters
            return taking(parameter, [setting for setting in settings() if parameter_of(setting) not in own])(command)

        @wraps(command)
        def listed() -> int:
            raise NotImplementedError("only a completed command can be called")

        typed: Any = listed
        typed.completed, typed.__signature__ = completed, inspect.Signature(return_annotation=int)
        typed.__annotations__ = typed.hints = {"return": int}
        return listed

    return decorated


def spelled(name: str) -> str:
    """How the command line writes an option that Python calls by this name."""
    return f"--{name.replace('_', '-')}"


def parameter_of(setting: Setting) -> str:
    """The name in Python of a setting's option."""
    return setting.cli.removeprefix("--").replace("-", "_") or setting.name


def _option(name: str, setting: Setting, before: str, defaults: bool) -> inspect.Parameter:
    """The option of a setting; it may be repeated if the setting accepts a list."""
    says = setting.says if before else f"{setting.says[:1].upper()}{setting.says[1:]}"
    usual = ", ".join(setting.default) if setting.type == "names" else setting.default
    ends = f" (default: {usual})" if defaults and usual not in (None, "") else ""
    option = Declaration((spelled(name),), setting.metavar or None, f"{before}{says}{ends}.")
    type_: Any = Annotated[list[str], option]
    default: Any = []
    try:
        setting.check([], "")
    except BadInput:
        type_, default = Annotated[str | None, option], None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=type_)


def number_of(text: str) -> Any:
    """The text as a number; unchanged if it is not a number, so that the check of its setting refuses it."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@dataclass(frozen=True)
class How:
    """The options of `@reading`: those of a dialect, as given."""

    given: Dialect = Dialect()  # noqa: RUF009 - frozen

    def header(self, file: str, defaults: Dialect | None = None) -> tuple[list[str], Dialect]:
        """The columns of a file (none of a database, which is queried later), and how to read it; defaults are those of
        `defaults`, from a recipe or plan."""
        from fairveil.data.readers import column_names

        defaults = defaults or Dialect()
        names = [] if is_database(file) else column_names(Path(file), self.given.over(defaults))
        text = [*(name for name in defaults.text if name in names), *columns(self.given.text, names)]
        own = replace(
            self.given, text=text, missing_values=[*defaults.missing_values, *self.given.missing_values],
            top_codes=columns(self.given.top_codes, names), others_missing=columns(self.given.others_missing, names),
            units=split(self.given.units),
        )  # fmt: skip
        return names, own.over(replace(defaults, text=()))

    def original(self, address: str, table: str | None, schema: Schema) -> Table | Source:
        """The data that was published: a file, read into memory, or a table of a database. Columns that the release is
        not about are left out if they may not be read there."""
        if not is_database(address):
            refuse([] if table is None else [f"{address} is a file and has no table {table!r}"])
            return self.table(address, schema.read)
        from fairveil.engines import open_source

        dialect = self.header(address, schema.read)[1]
        try:
            return open_source(address, table=table, dialect=dialect)
        except UnreadableColumns as problem:
            if {*schema.published, *schema.quasi, *schema.protected, schema.person} & {*problem.hidden}:
                raise
            readable = [name for name in problem.names if name not in problem.hidden]
            return open_source(address, table=table, columns=readable, dialect=dialect)

    def table(self, path: str | Path, defaults: Dialect | None = None) -> Table:
        """A file, read into memory."""
        from fairveil.data.table import Table

        return Table.read(path, dialect=self.header(str(path), defaults)[1])


@dataclass(frozen=True)
class Where:
    """The options of `@working_on`: the settings of an origin that were given."""

    given: Given = field(default_factory=dict)

    def open(
        self, address: str, dialect: Dialect, columns: Sequence[str] | None = None, progress: Progress | None = None
    ) -> Source:
        return replace(self.origin(address, dialect), columns=tuple(columns or ())).open(progress=progress)

    def origin(self, address: str, dialect: Dialect) -> Origin:
        """Where the data is."""
        location: dict[str, Any] = {"url": address} if is_url(address) else {"path": address}
        origin = Origin(**location, **self.given, dialect=dialect)
        refuse(origin.problems() if origin.join else [])
        return origin

    def plan_keys(self, home: Path) -> dict[str, Any]:
        """These options as keys of the section [source] of a plan in a folder."""

        def seen_from_there(file: str) -> str:
            path = Path(file).resolve()
            return (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()

        joins = [join.moved(seen_from_there).to_dict() for join in self.given.get("join", ())]
        return {**self.given, **({"join": joins} if joins else {})}

    def plan(self, path: Path) -> Plan:
        """A plan, overridden by these options."""
        from fairveil.run.plan import Plan

        plan = Plan.read(path)
        if not self.given:
            return plan
        if plan.source.dataset is not None and (odd := next((name for name in self.given if name != "where"), None)):
            raise BadInput(f"--{odd} is for files and databases, not for bundled data")
        joins = tuple(join.moved(lambda file: str(Path(file).absolute())) for join in self.given.get("join", ()))
        source = replace(plan.source, **{**self.given, **({"join": joins} if joins else {})})
        refuse(source.problems())
        return replace(plan, source=source)


reading = taking("how", READING, lambda **given: How(Dialect(**given)))
working_on = taking("where", WORKING, lambda **given: Where(given))


def is_url(file: str) -> bool:
    return "://" in file


def is_database(file: str) -> bool:
    """Whether it is a URL, or a database file."""
    from fairveil.engines.addresses import database_url

    return is_url(file) or database_url(file) is not None


def split(options: Sequence[str]) -> list[str]:
    """`--quasi age,zip --quasi sex` as a list."""
    return [name.strip() for entry in options for name in entry.split(",") if name.strip()]


def columns(options: Sequence[str], names: Sequence[str]) -> list[str]:
    """Column names of a list option; a name that contains a comma is not split."""
    return [name for entry in options for name in ([entry] if entry in names else split([entry]))]


def _takes_file(annotation: Any) -> bool:
    return Path in get_args(next(iter(get_args(annotation)), None))


def speaking_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, with messages that write its own options as `--option` and any other as a key of the plan."""
    options = inspect.signature(command).parameters

    def name(option: str) -> str:
        return spelled(option) if option in options else PLAN.name(option)

    def given(option: str, value: Any) -> str:
        if option not in options:
            return PLAN.given(option, value)
        if isinstance(value, list) and _takes_file(options[option].annotation):
            return f"{name(option)} FILE"  # with such values
        values = value if isinstance(value, list | tuple) else [value]
        texts = ["…" if entry is ... else shlex.quote(str(entry)) for entry in values]
        return name(option) if value is True else f"{name(option)} {','.join(texts)}"

    @wraps(command)
    def wrapped(**values: Any) -> Any:
        with speaking(Language(name, given, plainly)), silent():
            return command(**values)

    return wrapped
