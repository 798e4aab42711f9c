"""Request: what the user asks for, declared once. `request.task()` is the only way from it to a task.

>>> import pyarrow as pa
>>> from fairveil.guards import KAnonymity
>>> frame = pa.table({"age": [31, 31, 40, 40]})
>>> Request(Origin(data=frame), (KAnonymity(2),), Schema(quasi=["age"])).task().rows
4

A plan (`run/plan`) is a request that is read from TOML or written to it; the command line and the studio build requests
from options and documents.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fairveil import measures
from fairveil.data.about import About
from fairveil.data.schema import Schema
from fairveil.display import Displayable
from fairveil.engines import InMemoryTable, Source
from fairveil.errors import refuse
from fairveil.guards import Guard
from fairveil.messages import option
from fairveil.methods.incognito import Incognito
from fairveil.methods.method import Method
from fairveil.methods.task import Task
from fairveil.progress import Progress, Report
from fairveil.run.sections import Earlier, Origin, RequestOptions, Tryout, WalkSteps
from fairveil.settings import required, setting

if TYPE_CHECKING:
    from fairveil.frontier.reference_direction import ReferenceDirection


@dataclass(frozen=True, repr=False)
class Request(RequestOptions, Displayable):
    """What to publish, and how to find it.

    Without a schema, bundled data has its own; relative paths start in `folder`. To compare methods of different
    kinds, choose by "entropy".
    """

    source: Origin = field(metadata=required("where the data is and how it is read"))
    guards: tuple[Guard, ...] = field(metadata=required("the promises that the release must keep, at least one"))
    schema: Schema | None = setting(None, "the role of each column; bundled data has its own")
    methods: tuple[Method, ...] = setting((Incognito(),), "the searches")
    utility: Tryout | None = setting(None, "also measure the utility of the release, for models and statistics")
    walk: WalkSteps | None = setting(None, "the steps along reference directions whose solution is published")
    about: About = setting(About(), "what the report begins with: title, data set, publisher, date")
    earlier: tuple[Earlier, ...] = setting((), "releases of the same people that are already published")
    folder: Path = field(default=Path(), compare=False)

    def _headline(self) -> str:
        guards, methods = (", ".join(part.kind for part in parts) for parts in (self.guards, self.methods))
        return f"{type(self).__name__} for {self.source}: {guards}; by {methods}"

    @property
    def needs_rows(self) -> bool:
        """Whether a method or [utility] needs the rows in memory."""
        return self.utility is not None or any(method.needs_rows for method in self.methods)

    @property
    def data(self) -> tuple[Source, Schema]:
        """The source and its schema, opened on first access."""
        return self.open()

    @property
    def by_cell(self) -> bool:
        """Whether every cell is read by itself, because all methods declare what columns can hold."""
        return bool(self.methods) and all(method.declares_domains for method in self.methods)

    def open(self, progress: Progress | None = None, *, by_cell: bool | None = None) -> tuple[Source, Schema]:
        """The source and its schema. The source is opened once; later calls return the same one. `by_cell` says whether
        every cell is read by itself; by default the methods decide."""
        by_cell = self.by_cell if by_cell is None else by_cell
        opened: dict[bool, tuple[Source, Schema]] = self.__dict__.setdefault("_opened", {})
        if by_cell not in opened:
            source, schema = self._open(progress, by_cell)
            refuse(self.source.repeats_persons(schema))
            source = self._prepared(source, schema)
            if schema.population is not None:
                population = schema.population.opened(self.folder, self.source.dialect)
                schema = replace(schema, population=population)
            opened[by_cell] = source, schema
        return opened[by_cell]

    def _open(self, progress: Progress | None, by_cell: bool) -> tuple[Source, Schema]:
        if self.source.dataset is None:
            assert self.schema is not None, "only bundled data has a schema of its own"
            origin = self.source.cell_by_cell if by_cell else self.source
            return origin.open(self.folder, rows=self.needs_rows, progress=progress), self.schema
        from fairveil import datasets

        all_columns = {"columns": "all"} if self.source.columns == ("all",) else {}
        bundled = datasets.LOADERS[self.source.dataset](**all_columns)
        source = self.source.subset(InMemoryTable(bundled.table))
        if self.schema is None:
            return source, bundled.schema
        # bundled data has hierarchies for columns without one in the schema
        used = (*self.schema.quasi, *self.schema.sensitive, *self.schema.levels)
        hierarchies = {name: rule for name, rule in bundled.schema.hierarchies.items() if name in used}
        hierarchies |= self.schema.hierarchies
        return source, replace(self.schema, hierarchies=hierarchies)

    def _prepared(self, source: Source, schema: Schema) -> Source:
        """The source with one record of each person, if this is asked for."""
        keep = self.one_row_per_person
        if keep is None:
            refuse([f"{option('by')} belongs to one_row_per_person: also give that"] if self.by is not None else [])
            return source
        if schema.person is None:
            refuse(
                [f"one_row_per_person needs to know who a record is about: {option('person', ...)} names the column"]
            )
        from fairveil.engines.one_row import OneRow

        return OneRow(str(schema.person), keep, self.by, self.seed).of(source)

    def task(self, progress: Progress | None = None, method: Method | None = None) -> Task:
        """The request, validated against its data: all that methods see, or that one `method` sees which is not
        searched with the others. Raises with all problems at once."""
        from fairveil.run.suggestions.asked_persons import linking_columns, unasked_persons

        methods = self.methods if method is None else (method,)
        if len(methods) == 1:  # one of several that cannot run does not stop the others
            methods[0].need_packages()
        by_cell = all(method.declares_domains for method in methods)
        source, schema = self.open(progress, by_cell=by_cell)
        asked = dict.fromkeys((self.choose, *self.measures))
        refuse([lacking for name in asked if (lacking := measures.get(name).lacks(schema))])
        guards, private = self.guards, tuple[str, ...]()
        if self.earlier:
            from fairveil.run.earlier import joined

            refuse([f"{method.kind} cannot be judged together with earlier releases" for method in methods
                    if method.declares_domains])  # fmt: skip
            source, together, private = joined(source, schema, guards, self.earlier, self.folder)
            guards = (*guards, *together)
        task = Task.of(
            source, schema, guards, self.seed, progress,
            bind=not by_cell,
            whole_domains=all(method.whole_domains for method in methods),
            counts=not any(method.needs_rows for method in methods),
        )  # fmt: skip
        if by_cell:  # what is said must not depend on records
            return task
        notes = (
            *private,
            *unasked_persons(source, schema),
            *linking_columns(task.source, schema),
            *source.snapshot.notes,
        )
        return replace(task, private=(*task.private, *notes))

    def direction(self, progress: Progress | Report | None = None, **settings: Any) -> ReferenceDirection:
        """A walk along reference directions by the first method that walks, or by `preferences`; `settings` are its
        `start` and `points`."""
        from fairveil.frontier.reference_direction import ReferenceDirection
        from fairveil.methods.preferences import Preferences

        method = next((method for method in self.methods if method.walks), Preferences())
        task, missing = self.task(Progress.of(progress), method), self.source.dialect.missing
        return ReferenceDirection.of(task, method, missing=missing, order=self.order, **settings)


R = TypeVar("R", bound=Request)


def variant(request: R, **changes: Any) -> R:
    """The same request with other promises, roles, hierarchies or methods; an open source is not opened again."""
    other = replace(request, **changes)
    mine, theirs = request.schema, other.schema
    if mine is None or theirs is None or request.source.dataset is not None:
        return other
    alike = other.source is request.source and other.needs_rows == request.needs_rows
    if alike and theirs.person == mine.person and theirs.population is mine.population:
        vars(other)["_opened"] = {
            by_cell: (source, replace(theirs, population=schema.population))
            for by_cell, (source, schema) in vars(request).get("_opened", {}).items()
        }
    return other
