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
from typing import Any, Literal

from fairveil import datasets, measures
from fairveil.data.schema import Schema
from fairveil.display import Displayable
from fairveil.engines import InMemorySource, Order, Source
from fairveil.errors import refuse
from fairveil.frontier.frontier import Number
from fairveil.guards import Guard
from fairveil.methods.incognito import Incognito
from fairveil.methods.method import Method
from fairveil.methods.task import Task
from fairveil.progress import Progress
from fairveil.published.about import About
from fairveil.run.origin import TEXT, Origin
from fairveil.run.request.tryout import SEED, Tryout
from fairveil.run.request.walk import WalkSteps
from fairveil.settings import setting
from fairveil.shapes import is_whole, shape

__all__ = ["Origin", "Request", "Tryout", "WalkSteps"]


def _is_number(value: Any) -> bool:
    return is_whole(value) or (isinstance(value, str) and bool(value))


@dataclass(frozen=True, repr=False)
class Request(Displayable):
    """What to publish, and how to find it.

    Without a schema, bundled data has its own; relative paths start in `folder`. To compare methods of different
    kinds, choose by "entropy".
    """

    source: Origin = field(metadata=setting("where the data is and how it is read"))
    guards: tuple[Guard, ...] = field(metadata=setting("the promises that the release must keep"))
    schema: Schema | None = field(default=None, metadata=setting("the role of each column"))
    methods: tuple[Method, ...] = field(default=(Incognito(),), metadata=setting("the searches"))
    choose: str = field(default="loss", metadata=setting("the measure by which the release is chosen", shape=TEXT))
    measures: tuple[str, ...] = field(
        default=(), metadata=setting("further measures to compute for every candidate", metavar="NAMES")
    )
    format: Literal["csv", "parquet", "parts"] = field(
        default="csv", metadata=setting("file format of the published data")
    )
    order: Order = field(default="sorted", metadata=setting("order of the published rows"))
    seed: int = field(default=0, metadata=setting("the seed of every random choice", shape=SEED))
    utility: Tryout | None = field(
        default=None, metadata=setting("how useful the release is: models and statistics to try with it")
    )
    accept: tuple[str, ...] = field(
        default=(), metadata=setting("risks that attacks find and that are published knowingly, by name")
    )
    folder: Path = field(default=Path(), compare=False)
    candidate: Number | None = field(
        default=None,
        metadata=setting(
            "the candidate of `explore` that is published instead of the best",
            shape=shape('the number of a candidate, such as 15 or "2.15"', _is_number),
        ),
    )
    walk: WalkSteps | None = field(
        default=None, metadata=setting("the steps along reference directions whose solution is published")
    )
    table: str | None = field(
        default=None,
        metadata=setting("a table of the source's database that the rows are written to, not a file", shape=TEXT),
    )
    about: About = field(default_factory=About, metadata=setting("what the report begins with"))

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

    def open(self, progress: Progress | None = None) -> tuple[Source, Schema]:
        """The source and its schema. The source is opened once; later calls return the same one."""
        if "_data" not in self.__dict__:
            self.__dict__["_data"] = self._open(progress)
        opened: tuple[Source, Schema] = self.__dict__["_data"]
        return opened

    def _open(self, progress: Progress | None) -> tuple[Source, Schema]:
        if self.source.dataset is None:
            assert self.schema is not None, "only bundled data has a schema of its own"
            return self.source.open(self.folder, rows=self.needs_rows, progress=progress), self.schema
        all_columns = {"columns": "all"} if self.source.columns == ("all",) else {}
        bundled = datasets.LOADERS[self.source.dataset](**all_columns)
        if self.schema is None:
            return InMemorySource(bundled.table), bundled.schema
        # bundled data has hierarchies for columns without one in the schema
        used = (*self.schema.quasi, *self.schema.sensitive, *self.schema.levels)
        hierarchies = {name: rule for name, rule in bundled.schema.hierarchies.items() if name in used}
        hierarchies |= self.schema.hierarchies
        return InMemorySource(bundled.table), replace(self.schema, hierarchies=hierarchies)

    def task(self, progress: Progress | None = None) -> Task:
        """The request, validated against its data: all that methods see. Raises with all problems at once."""
        if len(self.methods) == 1:  # one of several that cannot run does not stop the others
            self.methods[0].need_packages()
        source, schema = self.open(progress)
        self._check_measures(schema)
        return Task.of(
            source,
            schema,
            self.guards,
            self.seed,
            progress,
            bind=not all(method.declares_domains for method in self.methods),
            whole_domains=all(method.whole_domains for method in self.methods),
        )

    def _check_measures(self, schema: Schema) -> None:
        if schema.decision is None:
            refuse(
                [
                    f"measure {name!r} needs a decision column, and the schema names none"
                    for name in dict.fromkeys((self.choose, *self.measures))
                    if "decision" in measures.get(name).needs
                ]
            )
