"""What a request consists of, as plain declarations: where the data is (`Origin`), how a release is chosen and written
(`RequestOptions`), how it is tried (`Tryout`) and which steps are repeated (`WalkSteps`).

Each field is declared once: plan, command line, studio and reference are derived from it. The command line does so
whenever it starts, so this module loads nothing heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fairveil.data.dialect import Dialect
from fairveil.data.join import JOINS, Join
from fairveil.errors import BadInput, Infeasible, refuse, suggest
from fairveil.messages import option
from fairveil.settings import Setting, changed, read, required, setting, settings_of
from fairveil.shapes import Shape, column_name, each, integer, is_integer, many, number, optional, record, shape

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table
    from fairveil.engines import Source
    from fairveil.evaluation.utility import Utility
    from fairveil.methods.method import Method
    from fairveil.progress import Progress
    from fairveil.release.release import Release
    from fairveil.run.request import Request


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


TEXT: Shape = optional(shape("text", _is_text))
SEED = shape("an integer of at least 0", lambda value: is_integer(value) and 0 <= value < 1 << 63)
CANDIDATE = shape('the number of a candidate, such as 15 or "2.15"', lambda value: is_integer(value) or _is_text(value))
TEST = shape(
    "a share of the rows between 0 and 1, or a file",
    lambda value: _is_text(value) or (isinstance(value, float) and 0 < value < 1),
)
ANY = shape("a file", lambda value: value is None or not isinstance(value, int | float | bool))
_RELEASE = shape(
    "the folder of a release", lambda value: value is not None and not isinstance(value, int | float | bool)
)
STEP = record({"choose": integer(1)}, {"aspirations": each(number()), "points": integer(1)})


@dataclass(frozen=True)
class Origin:
    """The section [source]: a file or many (`path`), a table of a database (`url` and `table`), bundled data by name
    (`dataset`), or `data` that is passed directly: a Table, any data frame, a lazy frame of an engine, a source.

    Passwords are not part of it: they come from the environment.
    """

    path: str | None = setting(
        None, "a file relative to the plan, or a pattern such as 2024-*.csv for many with the same columns", shape=TEXT
    )
    dataset: str | None = setting(None, "bundled data instead of a file", shape=TEXT)
    columns: tuple[str, ...] = setting((), "the columns to read; by default all (bundled data: default or all)")
    url: str | None = setting(None, "a database, such as postgresql://user@host/db, without its password", shape=TEXT)
    table: str | None = setting(
        None, "the table of a database, or schema.table (docs/engines.md)", shape=TEXT, cli="--table", metavar="NAME"
    )
    where: tuple[str, ...] = setting(
        (), "only rows that meet all of these conditions, such as 'age >= 18' or 'town in Rome, Bari'", cli="--where",
        metavar="CONDITION",
    )  # fmt: skip
    join: tuple[Join, ...] = setting(
        (), "further tables whose columns are added by a key, such as towns.csv:on=town", shape=JOINS, cli="--join",
        metavar="FILE:on=COLUMN,…",
    )  # fmt: skip
    engine: str = setting(
        "auto", "where the work is done: auto, memory, duckdb, spark or sql", shape=TEXT, cli="--engine", metavar="NAME"
    )
    memory: str | None = setting(
        None, "the engine's memory limit, such as 4GB; more spills to disk", shape=TEXT, cli="--memory", metavar="SIZE"
    )
    master: str | None = setting(
        None, "where Spark runs: local[4], spark://host:7077 or sc://host", shape=TEXT, cli="--master", metavar="URL"
    )
    dialect: Dialect = Dialect()  # noqa: RUF009 - frozen
    data: Any = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Origin:
        """An origin from the keys of [source], including those of the dialect."""
        if "join" in settings:
            settings = {**settings, "join": JOINS(settings["join"], "source.join")}
        dialect = {name: settings[name] for name in Dialect().options if name in settings}
        own = {name: value for name, value in settings.items() if name not in dialect}
        return cls(**own, dialect=Dialect(**dialect))

    @classmethod
    def plan_keys(cls) -> tuple[Setting, ...]:
        """The keys of [source]: those of the origin itself and those of its dialect."""
        return (*_own_keys(), *settings_of(Dialect))

    def to_dict(self) -> dict[str, Any]:
        """The keys of [source] that differ from their default."""
        joined = {"join": [join.to_dict() for join in self.join]} if self.join else {}
        return {**changed(self, _own_keys()), **joined, **self.dialect.to_dict()}

    def __str__(self) -> str:
        return self.dataset or self.path or self.table or "data in memory"

    @property
    def cell_by_cell(self) -> Origin:
        """The same place, where each cell is read by itself."""
        return replace(self, dialect=self.dialect.cell_by_cell)

    def open(
        self, folder: Path = Path(), *, rows: bool = False, progress: Progress | None = None, tells: bool = False
    ) -> Source:
        """The data as a source; with `rows`, large files are read into memory. Relative paths start in `folder`. The
        share that is read is told if it `tells`; otherwise reading is the beginning of other work."""
        from fairveil.engines import open_source, source_of

        progress = progress if tells or progress is None else progress.part(0.0, 0.0)
        if self.join:
            return self._joined(folder, rows, progress)
        if self.data is not None:
            return self.subset(source_of(self.data, dialect=self.dialect, rows=rows, progress=progress))
        source = open_source(
            self.url or str(folder / str(self.path)), engine=self.engine, table=self.table,
            columns=self._columns_to_read(folder), memory=self.memory, master=self.master, rows=rows,
            dialect=self.dialect, progress=progress,
        )  # fmt: skip
        few = self.subset(source)
        return few.only(self.columns) if self.columns and self.where else few

    def _joined(self, folder: Path, rows: bool, progress: Progress | None) -> Source:
        """The rows with the columns of the joined tables. Conditions, and rows that are dropped for missing values, are
        about the joined rows."""
        from fairveil.engines.joining import dropping_missing, joined
        from fairveil.run.joined_parts import opened_parts

        if self.dialect.by_cell:
            raise BadInput(
                f"{option('join')} compares values, and a method that declares what columns can hold reads every cell "
                "by itself: give it one file with all columns"
            )
        source, *others = opened_parts(self, folder, rows=rows, progress=progress)
        for join, other in zip(self.join, others, strict=True):
            source = joined(source, other, join)
        if self.columns:
            from fairveil.data.conditions import condition

            asked = [condition(text, source.names).column for text in self.where]
            refuse([suggest(name, source.names, "column") for name in self.columns if name not in source.names])
            source = source.only(list(dict.fromkeys([*self.columns, *asked])))
        few = self.subset(dropping_missing(source, self.dialect))
        return few.only(self.columns) if self.columns and self.where else few

    def repeats_persons(self, schema: Schema) -> list[str]:
        """What is missing where a join makes several records of a person: which column says whose they are."""
        if schema.person is not None:
            return []
        return [
            f"a row may have several partners in {join}, so a person may have several records: {option('person', ...)} "
            "names the column that says whose they are"
            for join in self.join if join.repeat
        ]  # fmt: skip

    def subset(self, source: Source) -> Source:
        """The rows of a source that meet the conditions."""
        if not self.where:
            return source
        from fairveil.engines.subset import subset

        if self.dialect.by_cell:
            raise BadInput(
                f"{option('where')} compares values, and a method that declares what columns can hold reads every cell "
                "by itself: give it a file with only these rows"
            )
        return subset(source, self.where)

    def _columns_to_read(self, folder: Path) -> list[str] | None:
        """The columns, and those of conditions; None for all."""
        if not self.columns or not self.where:
            return list(self.columns) or None
        names = self.names(folder)
        if names is None:
            return None
        from fairveil.data.conditions import condition

        return list(dict.fromkeys([*self.columns, *(condition(text, names).column for text in self.where)]))

    def names(self, folder: Path) -> list[str] | None:
        """The columns of a file, from its header; None for a database (queried later)."""
        from fairveil.data.readers import column_names
        from fairveil.engines.addresses import database_url

        if self.path is None or database_url(folder / self.path):
            return None
        names = column_names(folder / self.path, self.dialect)
        for join, others in zip(self.join, self.further_names(folder), strict=True):
            names += [name for name in join.added(others).values() if name not in names]
        return names

    def names_in_files(self, folder: Path) -> list[str]:
        """The columns as the file and those that are joined call them, which the dialect is about."""
        own = replace(self, join=()).names(folder) or []
        return list(dict.fromkeys([*own, *(name for names in self.further_names(folder) for name in names)]))

    def further_names(self, folder: Path) -> list[list[str]]:
        """The columns of each file that is joined, from its header."""
        from fairveil.data.readers import column_names

        dialects = [replace(self.dialect, sheet=join.sheet) for join in self.join]
        return [column_names(folder / str(join.path), how) for join, how in zip(self.join, dialects, strict=True)]

    def problems(self) -> list[str]:
        """Conflicts between settings, and what engines refuse before they read any data."""
        from fairveil.engines import ENGINES
        from fairveil.engines.memory_budget import MemoryBudget

        problems = []
        if [self.path, self.dataset, self.url].count(None) != 2:
            problems.append("[source] needs one of these: path (a file), url (with a table), dataset (by name)")
        if self.url is not None and self.table is None and not self.url.startswith(("duckdb://", "sqlite://")):
            problems.append("[source] needs a url and a table together")
        in_database = self.url is not None or self.table is not None
        for join in self.join:
            if self.dataset is not None:
                problems.append(f"{join} cannot be joined with bundled data: only files and tables can")
            elif join.table is not None and not in_database:
                problems.append(
                    f"join: {join} is a table of a database, and the source is a file; if that is a database, "
                    f"{option('table', ...)} names its table"
                )
            elif join.path is not None and in_database:
                problems.append(not_in_database(join))
        if self.engine not in ENGINES:
            problems.append(f"{option('engine')}: {suggest(self.engine, ENGINES, 'engine')}")
        if self.master is not None and self.engine != "spark":
            problems.append(f"{option('master')} is for {option('engine', 'spark')}")
        try:
            MemoryBudget.of(self.memory)
            if self.url is not None:
                from fairveil.engines.addresses import refuse_password

                refuse_password(self.url)
        except BadInput as problem:
            problems.append(f"source: {problem}")
        return problems


def not_in_database(join: Join) -> str:
    return f"join: {join} is a file, and the source is a database: name one of its tables"


def _own_keys() -> list[Setting]:
    """The settings of an origin but for its dialect and for data in memory, which no plan has."""
    return [setting for setting in settings_of(Origin) if setting.name not in ("dialect", "data")]


@dataclass(frozen=True, kw_only=True, repr=False)
class RequestOptions:
    """How a release is chosen among the candidates, and how it is written. A plan has `OUTPUT` in [output],
    and `PREPARE` in [prepare]."""

    choose: str = setting("loss", "the measure by which the release is chosen", shape=TEXT)
    measures: tuple[str, ...] = setting((), "further measures to show", cli="--measures", metavar="NAMES")
    seed: int = setting(0, "the seed of every random choice", shape=SEED, cli="--seed", metavar="N")
    accept: tuple[str, ...] = setting(
        (), "dangers found by attacks that you accept, such as uniqueness", cli="--accept", metavar="NAMES"
    )
    candidate: int | str | None = setting(
        None, "candidate of `explore` to publish instead of the best", shape=CANDIDATE, cli="--candidate", metavar="N"
    )
    format: Literal["csv", "parquet", "parts"] = setting(
        "csv", "file format of the published data", cli="--format", metavar="csv|parquet|parts"
    )
    one_row_per_person: Literal["latest", "first", "random"] | None = setting(
        None, "keep one record of each person before anything is counted; the schema's `person` says whose it is",
        cli="--one-row-per-person", metavar="latest|first|random",
    )  # fmt: skip
    by: str | None = setting(
        None, "the column of dates or numbers by which a record is the latest or the first", shape=TEXT, cli="--by",
        metavar="COLUMN",
    )  # fmt: skip
    order: Literal["sorted", "keep"] = setting("sorted", "order of the published rows: by value, or as in the source")
    table: str | None = setting(
        None, "a table of the source's database for the rows, not a file", shape=TEXT, cli="--into", metavar="TABLE"
    )


OUTPUT = ("format", "order", "table")
PREPARE = ("one_row_per_person", "by")


@dataclass(frozen=True)
class Earlier:
    """A section [[earlier]]: a release of the same people that is already published, and whom it was made of.

    >>> import fairveil as fv
    >>> fv.Earlier("release-2025", source="people-2025.csv", key="id").to_dict()
    {'release': 'release-2025', 'source': 'people-2025.csv', 'key': 'id'}
    """

    release: Any = field(metadata=required("the folder of the earlier release", shape=_RELEASE))
    source: Any = setting(
        None, "the file that it was made of; without it, its recipe is applied to the data", shape=ANY
    )
    key: str | None = setting(
        None,
        "the column of both files that says who a row is about; without it, both must have the same rows",
        shape=TEXT,
    )

    def __post_init__(self) -> None:
        if self.key is not None:
            object.__setattr__(self, "key", column_name(self.key))

    def moved(self, seen_from_there: Callable[[str], str]) -> Earlier:
        """The same, for a plan at another place, from where `seen_from_there(path)` is the same file."""
        given = {"release": self.release, "source": self.source}
        paths = {name: seen_from_there(path) for name, path in given.items() if isinstance(path, str)}
        return replace(self, **paths)

    def to_dict(self) -> dict[str, Any]:
        """The keys of the section; only folders and files can be written to a plan."""
        return changed(self)


@dataclass(frozen=True)
class Tryout:
    """The section [utility]: models are tested on people who are not in their training data.

    `test` is a file with such people: then models learn from the release itself. Or it is a share of the source: then
    the release still holds everybody, and the search is repeated without that share, so that neither the models nor the
    recipe of their training data have seen the people they are tested on. The report then states the utility of this
    second release. It has fewer rows, so its utility is slightly lower than that of the published one. Without a seed
    of its own, the request's is used.
    """

    test: float | str = setting(
        0.3, "people to test models on: a share of the source, or a file of others", shape=TEST, metavar="FILE|SHARE"
    )
    classifiers: tuple[str, ...] = setting(
        ("tree", "logistic"), "the classifiers: tree, logistic, forest, naive-bayes, neighbours, svm", metavar="NAMES"
    )
    queries: int = setting(500, "random counting queries to compare", min=1, max=1_000_000, metavar="N")
    resamples: int = setting(200, "bootstrap resamples of test rows, for intervals", min=2, max=100_000, metavar="N")
    seed: int | None = setting(None, "the seed for splitting, sampling and training", shape=SEED, metavar="N")
    hidden: Literal["missing", "category"] = setting(
        "missing", "what a missing or suppressed cell is to a model: missing, or a category like others"
    )

    def problems(self, folder: Path, schema: Schema | None, dialect: Dialect) -> list[str]:
        """Problems that can be found before any data is read."""
        from fairveil.data.readers import column_names
        from fairveil.learning.classifiers import problems_of

        problems = [f"utility.classifiers: {problem}" for problem in problems_of(self.classifiers)]
        if schema is not None and schema.decision is None:
            problems.append("[utility] needs a decision column to learn: name it in [schema]")
        if isinstance(self.test, str):
            try:
                header = column_names(folder / self.test, replace(dialect, sheet=None))
            except BadInput as problem:
                return [*problems, f"utility.test: {problem}"]
            needed = () if schema is None else (*schema.quasi, *([schema.decision] if schema.decision else []))
            problems += [f"utility.test: {self.test} has no column {name!r}" for name in needed if name not in header]
        return problems

    def to_dict(self) -> dict[str, Any]:
        """The settings that differ from their default, and always `test`."""
        return {"test": self.test, **changed(self)}

    def run(
        self, release: Release, original: Table, schema: Schema, *, method: Method, choose: str | None = None,
        test: Table | None = None, seed: int = 0, progress: Progress,
    ) -> Utility:  # fmt: skip
        """The utility of a release. To test it on its own rows, the search is repeated without them, and `choose` picks
        the candidate that corresponds to the release; None: the one of the nearest loss."""
        from fairveil.evaluation.utility import utility
        from fairveil.learning.classifiers import by_name
        from fairveil.run.explore import search

        def again(rows: Table) -> Release:
            step = progress.part(0.0, 0.8, "repeating the search for the test: ")
            try:
                frontier = search(rows, schema, guards=release.guards, method=method, seed=release.seed, progress=step)
            except BadInput as problem:  # the full table was valid: there are too few rows
                raise Infeasible(str(problem)) from None
            if choose is not None:
                return frontier.best(choose)
            return frontier.release(int(abs(frontier.values("loss") - release.measures["loss"]).argmin()))

        return utility(
            release, original, self.test if test is None else test,
            classifiers=by_name(self.classifiers), queries=self.queries, resamples=self.resamples, hidden=self.hidden,
            seed=seed if self.seed is None else self.seed, remake=again, progress=progress.part(0.8, 1.0),
        )  # fmt: skip


def need_decision(schema: Schema) -> None:
    refuse([] if schema.decision else ["[utility] needs a decision column to learn, and the schema names none"])


@dataclass(frozen=True)
class WalkSteps:
    """The section [walk]: the steps along reference directions that led to a solution, to be repeated.

    The first step goes from `start` (the worst point unless given) toward the method's aspirations. Each of `steps`
    goes on from a solution of the step before, and `pick` is the solution of the last step that is published; both
    count from 1.
    """

    pick: int = field(metadata=required("the solution of the last step that is published, from 1", min=1))
    points: int = setting(10, "preference points of the first step", min=1)
    start: Mapping[str, float] | None = setting(None, "where the first step starts; by default at the worst point")
    steps: Sequence[Mapping[str, Any]] = setting(
        (), "further steps: `choose` a solution of the step before, and optionally other `aspirations` and `points`",
        shape=many(STEP),
    )  # fmt: skip

    @classmethod
    def from_dict(cls, spec: Any) -> WalkSteps:
        return cls(**read(cls, spec, "walk"))

    def to_dict(self) -> dict[str, Any]:
        return changed(self)

    def run(self, request: Request, progress: Progress) -> Release:
        """Repeat the steps with the data and the method of a request, and publish the solution."""
        if not any(method.walks for method in request.methods):
            raise BadInput("[walk] goes along the aspirations of the method preferences: name it in [method]")
        direction = request.direction(progress, start=self.start, points=self.points)
        direction.step()
        for step in self.steps:
            aspirations, points = step.get("aspirations"), step.get("points")
            direction.step(int(step["choose"]) - 1, aspirations=aspirations, points=points)
        return direction.release(self.pick - 1)
