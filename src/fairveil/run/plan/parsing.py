"""Reading a plan: all problems are collected before any is raised, and only headers of the data are read."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from fairveil import datasets, guards, measures, methods
from fairveil.attacks import refuse_unknown
from fairveil.data.schema import Schema
from fairveil.data.statistics_files import ENDINGS, orders_of
from fairveil.errors import BadInput, refuse, suggest
from fairveil.messages import PLAN, speaking
from fairveil.methods.incognito import Incognito
from fairveil.methods.method import Method
from fairveil.published.about import About
from fairveil.run.knowledge import with_samples
from fairveil.run.origin import Origin
from fairveil.run.plan import Plan
from fairveil.run.plan.keys import checked
from fairveil.run.plan.rules import read_rule
from fairveil.run.request.tryout import Tryout
from fairveil.run.request.walk import WalkSteps
from fairveil.shapes import from_toml, made, read_bytes

T = TypeVar("T")


def load(path: Path) -> Plan:
    """The plan of a file."""
    raw = read_bytes(path, "plan")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"plan {path} is not UTF-8 text") from None
    try:
        return parse(text, path.parent)
    except BadInput as problem:
        raise BadInput(f"{path.name}: {problem}") from None


def parse(text: str, folder: Path) -> Plan:
    """The plan of a text; `folder` is where relative paths start."""
    with speaking(PLAN):
        return _Reader(from_toml(text, "the plan"), folder).plan()


class _Reader:
    """Turns sections into parts of a plan and collects all problems."""

    def __init__(self, content: Mapping[str, Any], folder: Path) -> None:
        self.folder = folder
        # a section of the wrong shape is a problem, then treated as empty
        self.content, self.problems = checked(content, "")
        if "format" not in content:
            self.problems.append("a plan begins with: format = 1")

    def plan(self) -> Plan:
        source = self.source()
        schema = self.schema(bundled=source.dataset is not None)
        promised = self.each("guards", partial(self.guard, source, schema), "guard")
        searches = self.methods()
        searches = self.truthful(searches)
        usual = "entropy" if len({method.kind for method in searches}) > 1 else "loss"
        choose, further = self.content.get("choose", usual), self.content.get("measures", ())
        for name in (choose, *further):
            self.attempt(partial(measures.get, name), "measures")
        accepted = self.content.get("accept", ())
        self.attempt(partial(refuse_unknown, accepted), "accept")
        output = self.section("output")
        report = self.section("report")
        about = self.attempt(lambda: About(**report), "report")
        tryout = self.tryout(source, schema)
        walk = self.walk()
        if not promised and not self.content.get("guards"):
            self.problems.append("no guard is given: add a [[guards]] section with the promise to keep")
        if schema is not None:
            self.problems += [problem for guard in promised for problem in guard.check_schema(schema)]
            self.names(source, schema)
        refuse(list(dict.fromkeys(self.problems)))
        return Plan(
            source,
            tuple(promised),
            schema,
            tuple(searches) or (Incognito(),),
            choose,
            further,
            output.get("format", "csv"),
            output.get("order", "sorted"),
            self.content.get("seed", 0),
            tryout,
            accepted,
            self.folder,
            self.content.get("candidate"),
            walk,
            output.get("table"),
            about or About(),
        )

    def truthful(self, searches: list[Method]) -> list[Method]:
        """The methods allowed: if the plan asks for true values, none that publishes false ones."""
        true = [method for method in searches if not method.false_values]
        if not self.content.get("truthful") or len(true) == len(searches):
            return searches
        if not true:
            self.problems.append(f"truthful = true leaves no method: {searches[0].kind} publishes false values")
        return true

    def attempt(self, make: Callable[[], T], where: str) -> T | None:
        """The result of `make`, or None with its problem added."""
        try:
            part: T = made(make, "it")
            return part
        except BadInput as problem:
            self.problems.append(f"{where}: {problem}")
        return None

    def section(self, name: str) -> dict[str, Any]:
        """The valid entries of a section."""
        values, problems = checked(self.content.get(name, {}), name)
        self.problems += problems
        return values

    def each(self, name: str, make: Callable[[Mapping[str, Any]], T], word: str) -> list[T]:
        """The parts that a list of sections describes."""
        parts = []
        for number, spec in enumerate(self.content.get(name, ()), start=1):
            kind = spec.get("kind")
            where = f"{word} {number}"
            if kind is None:
                self.problems.append(f"{where} has no kind")
            elif (part := self.attempt(partial(make, spec), where)) is not None:
                parts.append(part)
        return parts

    def guard(self, source: Origin, schema: Schema | None, spec: Mapping[str, Any]) -> guards.Guard:
        """A guard; knowledge from a reference sample is learnt here."""

        def roles() -> Schema:
            if schema is None and source.dataset in datasets.LOADERS:
                return datasets.LOADERS[str(source.dataset)]().schema
            return schema or Schema()

        return guards.from_dict(with_samples(spec, self.folder, roles, source.dialect))

    def source(self) -> Origin:
        content = self.section("source")
        source = Origin.of(content)
        raw = self.content.get("source", {})
        if all(key in content for key in ("path", "dataset", "url", "table") if key in raw):
            self.problems += source.problems()
        if source.dataset is None:
            return source
        if source.dataset not in datasets.LOADERS:
            self.problems.append(suggest(source.dataset, datasets.LOADERS, "dataset"))
            return source
        self.problems += [
            f"source.{key} is for files, not for bundled data"
            for key in content
            if key not in ("dataset", "columns", "path", "url")
        ]
        loader = datasets.LOADERS[source.dataset]
        choices = ("default", "all") if "columns" in inspect.signature(loader).parameters else ("default",)
        if source.columns and source.columns not in {(option,) for option in choices}:
            self.problems.append(f"source.columns of bundled data {source.dataset!r} must be {' or '.join(choices)}")
        return source

    def schema(self, bundled: bool) -> Schema | None:
        content = self.section("schema")
        rules = {
            name: self.attempt(
                partial(read_rule, spec, self.folder, partial(self.order, name)), f"hierarchy of {name!r}"
            )
            for name, spec in self.content.get("hierarchies", {}).items()
        }
        if "schema" not in self.content:
            if not bundled:
                self.problems.append("a [schema] section is needed: it gives each column its role")
            elif rules:
                self.problems.append("[hierarchies] need a [schema] section beside them")
            return None
        hierarchies = {name: rule for name, rule in rules.items() if rule is not None}
        return self.attempt(lambda: Schema(**content, hierarchies=hierarchies), "schema")

    def order(self, name: str) -> tuple[str, ...]:
        """The values of a column in the order that the source's file gives; empty if none."""
        path = self.content.get("source", {}).get("path")
        if not isinstance(path, str) or not path.lower().endswith(ENDINGS):
            return ()
        return orders_of(self.folder / path).get(name, ())

    def methods(self) -> list[Method]:
        if "method" in self.content and "methods" in self.content:
            self.problems.append("give one [method] or several [[methods]], not both")
        if "method" in self.content:
            self.content["methods"] = [self.content["method"]]
        return self.each("methods", methods.from_dict, "method")

    def walk(self) -> WalkSteps | None:
        if "walk" not in self.content:
            return None
        self.problems += [
            f"[walk] says which release is published: leave {key} out" for key in ("candidate", "utility")
            if key in self.content
        ]  # fmt: skip
        content = self.section("walk")
        return self.attempt(lambda: WalkSteps.from_dict(content), "walk")

    def tryout(self, source: Origin, schema: Schema | None) -> Tryout | None:
        if "utility" not in self.content:
            return None
        tryout = Tryout(**self.section("utility"))
        self.problems += tryout.problems(self.folder, schema, source.dialect)
        return tryout

    def names(self, source: Origin, schema: Schema) -> None:
        """Compare with the header of the file, so that a wrong name is found before the data is read."""
        header = self.attempt(lambda: source.names(self.folder), "source")
        if header is None:
            return
        self.problems += [
            suggest(name, header, "column") for name in (*source.columns, *source.dialect.text) if name not in header
        ]
        self.problems += schema.name_problems([name for name in header if not source.columns or name in source.columns])
