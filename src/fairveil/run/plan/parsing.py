"""Reading a plan: its keys, section by section, and the parts that they describe.

The keys are derived from the declarations of a request's parts. Only what is not a field of a request is declared here:
sections, and the keys that choose between spellings. The tables of docs/plan.md are made of this list. All problems of
a plan are collected before any is raised, and only headers of the data are read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fairveil import guards, measures, methods
from fairveil.data.about import About
from fairveil.data.file_formats import LABELLED
from fairveil.data.join import Join
from fairveil.data.population import Population
from fairveil.data.schema import Schema
from fairveil.engines import source_of
from fairveil.errors import BadInput, refuse, suggest
from fairveil.methods.incognito import Incognito
from fairveil.progress import Progress
from fairveil.run.plan import NOT_IN_SCHEMA, Plan
from fairveil.run.plan.rules import read_rule
from fairveil.run.request import Request
from fairveil.run.sections import OUTPUT, PREPARE, TEXT, Earlier, Origin, RequestOptions, Tryout, WalkSteps
from fairveil.settings import Setting, current_names, settings_of
from fairveil.shapes import Shape, flag, from_toml, made, shape, text

if TYPE_CHECKING:
    from fairveil.datasets.dataset import Dataset
    from fairveil.methods.method import Method
    from fairveil.run.profile import ColumnProfile

T = TypeVar("T")
SECTION: Shape = shape("a section", lambda value: isinstance(value, dict))


def _sections(name: str) -> Shape:
    def fits(value: Any) -> bool:
        return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)

    return shape(f"[[{name}]] sections", fits)


def _key(name: str, check: Shape, says: str = "", **declared: Any) -> Setting:
    return replace(Setting(says, **declared) if says else _REQUEST[name], name=name, check=check)


_REQUEST = {setting.name: setting for setting in settings_of(Request)}
_TOP = (
    _key("format", shape("1", lambda value: value == 1 and not isinstance(value, bool)), "version of the plan format",
         required=True),
    _key("preset", text, "a rule that the plan follows, such as ema-0070: expanded into guards, roles and hierarchies"),
    _REQUEST["seed"], _key("source", SECTION), _key("schema", SECTION), _key("guards", _sections("guards")),
    _key("hierarchies", SECTION, "the generalization levels, a section per column"),
    _key("method", SECTION, "the search; incognito by default"),
    _key("methods", _sections("methods"), "several searches instead of one: the best candidate of all is published"),
    _key("truthful", flag, "leave out methods that publish false values: averages, noise", default=False),
    _REQUEST["choose"], _REQUEST["measures"], _REQUEST["accept"], _key("output", SECTION, "how the release is written"),
    _key("prepare", SECTION, "what is done to the records first"),
    _key("population", SECTION, "the people that the data is a sample of"),
    _key("report", SECTION, _REQUEST["about"].says), _REQUEST["candidate"], _key("walk", SECTION),
    _key("utility", SECTION), _key("earlier", _sections("earlier")),
)  # fmt: skip
OPTIONS = {setting.name for setting in settings_of(RequestOptions)} - {*OUTPUT, *PREPARE}
KEYS: Mapping[str, Mapping[str, Setting]] = {
    section: {setting.name: setting for setting in settings}
    for section, settings in {
        "": _TOP,
        "source": Origin.plan_keys(),
        "source.join": settings_of(Join),
        "schema": [setting for setting in settings_of(Schema) if setting.name not in NOT_IN_SCHEMA],
        "population": [
            *(replace(s, check=TEXT) if s.name == "register" else s for s in settings_of(Population)),
            next(setting for setting in settings_of(Schema) if setting.name == "weight"),
        ],
        "output": [_REQUEST[name] for name in OUTPUT],
        "prepare": [_REQUEST[name] for name in PREPARE],
        "report": settings_of(About),
        "walk": [replace(s, check=_sections("walk.steps")) if s.name == "steps" else s for s in settings_of(WalkSteps)],
        "utility": settings_of(Tryout),
        "earlier": settings_of(Earlier),
    }.items()
}
"""Section -> key -> its setting; hierarchies, guards and methods have the settings of their kind."""


def _bundled(name: object) -> Callable[..., Dataset] | None:
    """The loader of the bundled data of that name; None if there is none."""
    if name is None:
        return None
    from fairveil.datasets import LOADERS

    return LOADERS.get(str(name))


def _misplaced(key: str) -> str:
    """Where a key of this very name belongs, if in one place only."""
    sections = [section for section, keys in KEYS.items() if key in keys]
    if len(sections) != 1:
        return ""
    place = f"in [{sections[0]}]" if sections[0] else "at the top level of the plan, not in another section"
    return f"the key {key!r} belongs {place}"


def checked(content: Mapping[str, Any], section: str) -> tuple[dict[str, Any], list[str]]:
    """The valid values of a section, lists as tuples, and the problems of the others."""
    keys = KEYS[section]
    label = f"key in [{section}] of the plan:" if section else "key in the plan:"
    values: dict[str, Any] = {}
    try:
        content = current_names([*keys.values()], content, f"[{section}] of the plan" if section else "the plan")
    except BadInput as problem:
        return values, list(problem.problems)
    problems = [_misplaced(key) or suggest(key, keys, label) for key in content if key not in keys]
    for key in content.keys() & keys.keys():
        try:
            value = keys[key].check(content[key], f"{section}.{key}" if section else key)
            values[key] = tuple(value) if keys[key].type == "names" else value
        except BadInput as problem:
            problems.append(str(problem))
    return {key: values[key] for key in content if key in values}, problems


class PlanReader:
    """Turns the sections of a text into parts of a plan and collects all problems; relative paths start in `folder`."""

    def __init__(self, toml: str, folder: Path) -> None:
        content, self.folder = from_toml(toml, "the plan"), folder
        # a section of the wrong shape is a problem, then treated as empty
        self.content, self.problems = checked(content, "")
        if "format" not in content:
            self.problems.append("a plan begins with: format = 1")
        if "preset" in self.content:
            from fairveil.run.plan.presets import expanded

            self.content = self.attempt(lambda: expanded(self.content, self.columns), "preset") or self.content

    def columns(self) -> Sequence[ColumnProfile]:
        """The columns of the source, for presets that are rules on columns."""
        from fairveil.run.profile import profile_source

        origin = Origin.of(checked(self.content.get("source", {}), "source")[0])
        if bundled := _bundled(origin.dataset):
            source = source_of(bundled().table)
        else:
            source = origin.open(self.folder, rows=False, progress=None)
        return profile_source(source, pairs=False, progress=Progress.of(None)).columns

    def plan(self) -> Plan:
        source = self.source()
        schema = self.schema(bundled=source.dataset is not None)
        promised = self.each("guards", partial(self.guard, source, schema))
        searches = self.truthful(self.methods())
        options = {name: value for name, value in self.content.items() if name in OPTIONS}
        options |= self.section("output") | self.section("prepare")
        options.setdefault("choose", "entropy" if len({method.kind for method in searches}) > 1 else "loss")
        for name in (options["choose"], *options.get("measures", ())):
            self.attempt(partial(measures.get, name), "measures")
        if accept := options.get("accept"):
            from fairveil.attacks import refuse_unknown

            self.attempt(partial(refuse_unknown, accept), "accept")
        report = self.section("report")
        about = self.attempt(lambda: About(**report), "report")
        tryout = self.tryout(source, schema)
        walk, earlier = self.walk(), self.earlier()
        if not promised and not self.content.get("guards"):
            self.problems.append("no guard is given: add a [[guards]] section with the promise to keep")
        if schema is not None:
            self.problems += [problem for guard in promised for problem in guard.check_schema(schema)]
            by_cell = bool(searches) and all(method.declares_domains for method in searches)
            self.names(source.cell_by_cell if by_cell else source, schema)
        refuse(list(dict.fromkeys(self.problems)))
        return Plan(
            source, tuple(promised), schema, tuple(searches) or (Incognito(),), tryout, walk, about or About(),
            earlier, self.folder, **options,
        )  # fmt: skip

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

    def each(self, name: str, make: Callable[[Mapping[str, Any]], T]) -> list[T]:
        """The parts that a list of sections describes."""
        parts = []
        for number, spec in enumerate(self.content.get(name, ()), start=1):
            where = f"{name.removesuffix('s')} {number}"
            if spec.get("kind") is None:
                self.problems.append(f"{where} has no kind")
            elif (part := self.attempt(partial(make, spec), where)) is not None:
                parts.append(part)
        return parts

    def guard(self, source: Origin, schema: Schema | None, spec: Mapping[str, Any]) -> guards.Guard:
        """A guard; knowledge from a reference sample is learnt here."""
        if not spec.get("knowledge"):
            return guards.from_dict(spec)
        from fairveil.run.knowledge import with_samples

        def roles() -> Schema:
            bundled = _bundled(source.dataset) if schema is None else None
            return bundled().schema if bundled else schema or Schema()

        return guards.from_dict(with_samples(spec, self.folder, roles, source.dialect))

    def source(self) -> Origin:
        content = self.section("source")
        source = Origin.of(content)
        raw = self.content.get("source", {})
        if all(key in content for key in ("path", "dataset", "url", "table") if key in raw):
            self.problems += source.problems()
        if source.dataset is None:
            return source
        loader = _bundled(source.dataset)
        if loader is None:
            from fairveil.datasets import LOADERS

            self.problems.append(suggest(source.dataset, LOADERS, "dataset"))
            return source
        of_files = [key for key in content if key not in ("dataset", "columns", "path", "url", "where")]
        self.problems += [f"source.{key} is for files, not for bundled data" for key in of_files]
        choices = ("default", "all") if "columns" in inspect.signature(loader).parameters else ("default",)
        if source.columns and source.columns not in {(option,) for option in choices}:
            self.problems.append(f"source.columns of bundled data {source.dataset!r} must be {' or '.join(choices)}")
        return source

    def schema(self, bundled: bool) -> Schema | None:
        content = self.section("schema")
        rules = {}
        for name, spec in self.content.get("hierarchies", {}).items():
            make = partial(read_rule, spec, self.folder, partial(self.order, name))
            rules[name] = self.attempt(make, f"hierarchy of {name!r}")
        population = self.population(content)
        if "schema" not in self.content and bundled and population:
            own = _bundled(self.content["source"].get("dataset"))
            return None if own is None else self.attempt(lambda: replace(own().schema, **population), "population")
        if "schema" not in self.content:
            if not bundled:
                self.problems.append("a [schema] section is needed: it gives each column its role")
            elif rules:
                self.problems.append("[hierarchies] need a [schema] section beside them")
            return None
        hierarchies = {name: rule for name, rule in rules.items() if rule is not None}
        return self.attempt(lambda: Schema(**(content | population), hierarchies=hierarchies), "schema")

    def population(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """The settings of a schema that [population] gives."""
        content = self.section("population")
        if not self.content.get("population"):
            return {}
        weight, others = content.pop("weight", None), bool(content)
        if weight is not None and schema.get("weight", weight) != weight:
            self.problems.append(f"population.weight is {weight!r}, and schema.weight another column: name one")
        declared = self.attempt(lambda: Population(**content), "population") if others else None
        return {**({} if declared is None else {"population": declared}), **({"weight": weight} if weight else {})}

    def order(self, name: str) -> tuple[str, ...]:
        """The values of a column in the order that the source's file gives; empty if none."""
        path = self.content.get("source", {}).get("path")
        if not isinstance(path, str) or not path.lower().endswith(LABELLED):
            return ()
        from fairveil.data.statistics_files import open_labelled

        return open_labelled(self.folder / path).orders.get(name, ())

    def methods(self) -> list[Method]:
        if "method" in self.content and "methods" in self.content:
            self.problems.append("give one [method] or several [[methods]], not both")
        if "method" in self.content:
            self.content["methods"] = [self.content["method"]]
        return self.each("methods", methods.from_dict)

    def walk(self) -> WalkSteps | None:
        if "walk" not in self.content:
            return None
        others = {"candidate", "utility"} & self.content.keys()
        self.problems += [f"[walk] says which release is published: leave {key} out" for key in sorted(others)]
        content = self.section("walk")
        return self.attempt(lambda: WalkSteps.from_dict(content), "walk")

    def earlier(self) -> tuple[Earlier, ...]:
        releases = []
        for number, spec in enumerate(self.content.get("earlier", ()), start=1):
            content, problems = checked(spec, "earlier")
            problems += [] if "release" in spec else ["release is missing: the folder of the earlier release"]
            self.problems += [f"earlier {number}: {problem}" for problem in problems]
            releases += [] if problems else [Earlier(**content)]
        return tuple(releases)

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
        self.problems += [suggest(name, header, "column") for name in source.columns if name not in header]
        in_files, dialect = source.names_in_files(self.folder), source.dialect
        named = (*dialect.text, *dialect.top_codes, *dialect.others_missing)
        self.problems += [suggest(name, in_files, "column") for name in named if name not in in_files]
        self.problems += dialect.spelling.problems(in_files)
        self.problems += schema.name_problems([name for name in header if not source.columns or name in source.columns])
