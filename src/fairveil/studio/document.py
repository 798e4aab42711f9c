"""The document: a plan plus the state of a session, and the data that it names.

Its entries are derived from the settings of a request and of a schema; roles are by column, and parts are as a plan
spells them.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, is_dataclass, make_dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict, Union, get_args, get_origin, get_type_hints

from fairveil import guards, methods
from fairveil.data.about import About
from fairveil.data.dialect import Dialect
from fairveil.data.hierarchy import KINDS, Hierarchy
from fairveil.data.join import Join
from fairveil.data.population import Population
from fairveil.data.schema import ROLES, SINGLE, Schema
from fairveil.datasets import LOADERS
from fairveil.engines import Source
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards import Guard
from fairveil.methods.method import Method
from fairveil.progress import Progress
from fairveil.registry import Registry
from fairveil.run.plan import Plan
from fairveil.run.plan.rules import read_rule
from fairveil.run.request import Request
from fairveil.run.sections import PREPARE, Earlier, Origin, Tryout, WalkSteps
from fairveil.settings import Part, Setting, current_names, read, settings_of, shape_of
from fairveil.shapes import record
from fairveil.studio.answers import Cell, Role, Spec, finite
from fairveil.studio.refusals import RequestRefused
from fairveil.studio.sessions import OpenSession
from fairveil.studio.uploads import SAVED

MAX_TABLES = 2
"""Maximum number of tables in memory: the current and the previous one, for undo."""
READING = tuple(setting for setting in Origin.plan_keys() if setting.name in (*Dialect().options, "columns"))
"""The settings by which a file is read: those of a dialect, and the columns."""


def _reading_type(setting: Setting) -> Any:
    """How a form gives a setting: texts, unless it is a list or a choice."""
    if setting.type == "choice":
        return Literal[setting.options]
    return list[str] if setting.type == "names" else str


if TYPE_CHECKING:
    ReadingOptions = dict[str, Any]
else:
    ReadingOptions = TypedDict("ReadingOptions", {s.name: NotRequired[_reading_type(s)] for s in READING})
    ReadingOptions.__doc__ = "How a file is read; options that are left out are detected or have their default."


class SourceSpec(TypedDict):
    """Where the data is and how it is read. `dataset` is bundled, `upload` is in the session's folder, `url` is a
    database. `engine` is what else a plan says of its source, such as its table. `stamp` is the state of the files when
    they were opened."""

    dataset: NotRequired[str]
    path: NotRequired[str]
    upload: NotRequired[str]
    url: NotRequired[str]
    title: str
    options: ReadingOptions
    engine: NotRequired[Spec]
    rows: NotRequired[int]
    stamp: NotRequired[str]


class Clip(TypedDict):
    candidate: str
    note: str


class RunLabel(TypedDict):
    name: str
    note: str


class WalkLabel(RunLabel):
    """`path`: the steps that are in effect, by number from 1."""

    path: list[int]


@dataclass(frozen=True)
class SessionState:
    """What a document has besides the settings of a schema and a request that keep their form."""

    name: str = ""
    notes: str = ""
    source: SourceSpec | None = None
    roles: dict[str, list[Role]] = field(default_factory=dict)
    denied: list[Cell] = field(default_factory=list)
    report: dict[str, str] = field(default_factory=dict)
    runs: dict[str, RunLabel] = field(default_factory=dict)
    walks: dict[str, WalkLabel] = field(default_factory=dict)
    clipboard: list[Clip] = field(default_factory=list)
    chosen: str | None = None


def stored(value: Any) -> Any:
    """Return a setting of a request or a schema in the form of the document."""
    if isinstance(value, Hierarchy):
        return json.loads(json.dumps(value.to_dict(), default=str))
    if isinstance(value, Part | Tryout | WalkSteps | Population | Earlier):
        return finite(value.to_dict())
    if isinstance(value, Mapping):
        return {name: stored(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [stored(entry) for entry in value]
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def _stored_type(hint: Any) -> Any:
    """Return the type of a setting in the form of the document."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (tuple, Sequence):
        return list[_stored_type(arguments[0])]  # type: ignore[misc]
    if origin is Mapping:
        return dict[str, _stored_type(arguments[1])]  # type: ignore[misc]
    if origin is UnionType:
        return Union[tuple(map(_stored_type, arguments))]  # noqa: UP007 - of as many types as there are
    return Spec if isinstance(hint, type) and (issubclass(hint, Part) or is_dataclass(hint)) else hint


def _entries(part: type, elsewhere: Sequence[str]) -> list[tuple[str, Any, Any]]:
    """Return name, type and default of the settings of a part, without those that are `elsewhere` in a document."""
    hints = get_type_hints(part)
    own = [setting for setting in settings_of(part) if setting.name not in elsewhere]
    defaults = {setting.name: () if setting.required else setting.default for setting in own}
    return [
        (name, _stored_type(hints[name]), field(default_factory=partial(stored, default)))
        for name, default in defaults.items()
    ]


_SCHEMA = _entries(Schema, (*ROLES, "denied", "read", "weight_factor"))
_PLAN = _entries(Request, ("source", "schema", "folder", "about"))
if TYPE_CHECKING:
    Document = dict[str, Any]
else:
    Document = make_dataclass("Document", [*_SCHEMA, *_PLAN], bases=(SessionState,), frozen=True)
    Document.__doc__ = "All that was decided; `undo` takes back any change of it. Roles and the like are by column."

SCHEMA = ("roles", "denied", *(name for name, _, _ in _SCHEMA))
PICKED = ("candidate", "walk")
"""The entries of an opened plan that say which release of its search is published."""
OF_SOURCE = (*SCHEMA, *PICKED, *PREPARE, "earlier", "utility", "table")
"""The entries that a new source replaces; runs, clipboard and guards stay, since undo may need them."""
BY_COLUMN = ("roles", *(name for name, hint, _ in _SCHEMA if get_origin(hint) is dict))
REQUEST = ("source", *SCHEMA, "guards", "seed", "order", *PREPARE, "earlier")
"""The entries that the result of a search depends on, besides its methods."""
checked = record({}, {name: shape_of(hint) for name, hint in get_type_hints(Document).items()})


def blank() -> dict[str, Any]:
    """Return the document of a new session."""
    state: Any = Document()  # a dataclass, but a dictionary for mypy
    return asdict(state)


def current_parts(content: Any) -> Any:
    """Return stored content with the settings of the parts in it under their own names, whatever version stored it."""
    if isinstance(content, list):
        return [current_parts(entry) for entry in content]
    if not isinstance(content, dict):
        return content
    kind = content.get("kind")
    if not isinstance(kind, str):
        return {name: current_parts(entry) for name, entry in content.items()}
    registries: tuple[Registry[Any], ...] = (KINDS, guards.GUARDS, methods.METHODS)
    part: type | None = next((registry.get(kind) for registry in registries if kind in registry), None)
    return content if part is None else current_names(settings_of(part), content, kind)


def described(schema: Schema) -> dict[str, Any]:
    """Return the entries of a document that a schema sets."""
    roles = {name: list(schema.roles(name)) for name in schema.columns}
    own = {name: stored(getattr(schema, name)) for name, _, _ in _SCHEMA}
    return {"roles": roles, "denied": stored(schema.denied_values), **own}


def planned(plan: Plan) -> dict[str, Any]:
    """Return the entries of a document that a plan sets, besides its source and schema; with full paths."""
    plan = replace(
        plan, earlier=tuple(one.moved(lambda path: str((plan.folder / path).resolve())) for one in plan.earlier)
    )
    if plan.utility is not None and isinstance(plan.utility.test, str):
        plan = replace(plan, utility=replace(plan.utility, test=str((plan.folder / plan.utility.test).resolve())))
    return {"report": plan.about.to_dict(), **{name: stored(getattr(plan, name)) for name, _, _ in _PLAN}}


def edited(edit: Callable[[dict[str, Any]], object], document: dict[str, Any]) -> None:
    """Edit a document. What an opened plan has picked belongs to its search, so another search takes it away."""
    before = deepcopy({name: document[name] for name in (*REQUEST, "methods")})
    picked = {name: document.pop(name) for name in PICKED}
    edit(document)
    is_same = all(document[name] == value for name, value in before.items())
    document.update({name: value if is_same else None for name, value in picked.items() if name not in document})


def requested(document: Mapping[str, Any], **further: Any) -> dict[str, Any]:
    """Return the part of the document that a search depends on."""
    return deepcopy({**{name: document[name] for name in REQUEST}, **further})


def completed(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a kept request, with the defaults of settings that the version which kept it did not have."""
    return {**{name: value for name, value in blank().items() if name in REQUEST}, **request}


def _source_spec(document: Mapping[str, Any]) -> Mapping[str, Any]:
    if document["source"] is None:
        raise RequestRefused(409, "no-source", "Nothing is open yet: choose an example, a file or a plan first.")
    spec: Mapping[str, Any] = document["source"]
    return spec


def need_source(session: OpenSession, document: Mapping[str, Any] | None = None) -> Source:
    """Return the data of the document; raises if none is open."""
    return session.sources.source(_source_spec(document or session.document))


def guards_of(specs: Sequence[Any]) -> tuple[Guard, ...]:
    return tuple(guards.from_dict(spec) for spec in specs)


def methods_of(specs: Sequence[Any]) -> tuple[Method, ...]:
    return tuple(methods.from_dict(spec) for spec in specs)


def earlier_of(specs: Sequence[Any]) -> tuple[Earlier, ...]:
    return tuple(Earlier(**read(Earlier, spec, "earlier")) for spec in specs)


def schema_of(document: Mapping[str, Any]) -> Schema:
    """Return the schema of a document. Hierarchies are created once per spelling."""
    by_role: dict[str, Any] = {}
    for column, roles in document["roles"].items():
        for role in roles:
            by_role.setdefault(role, []).append(column)
    single = {role: by_role.pop(role, []) for role in SINGLE}
    for role, columns in single.items():
        if len(columns) > 1:
            raise BadInput(f"there can be only one {role}, not {' and '.join(map(repr, columns))}")
    denied = list(document["denied"]) if single["decision"] else []
    population = document["population"]
    named = [*by_role.get("identifier", []), *single["person"]]
    alone: dict[str, Any] = {role: columns[0] if columns else None for role, columns in single.items()}
    own = {name: document[name] for name, _, _ in _SCHEMA} | {
        "pseudonyms": [name for name in document["pseudonyms"] if name in named],
        "hierarchies": {name: rule_of(spec) for name, spec in document["hierarchies"].items()},
        "population": None if population is None else Population.from_dict(population),
        "weights": {name: weight for name, weight in document["weights"].items() if name in by_role.get("quasi", [])},
    }
    return Schema(
        **by_role,
        **alone,
        denied=(denied[0] if len(denied) == 1 else denied) if denied else None,
        **own,
    )


def rule_of(spec: Any) -> Hierarchy:
    """Return the hierarchy of a plan's spelling; hierarchy files are not read here but imported."""
    if isinstance(spec, Mapping) and spec.get("kind") == "csv":
        raise BadInput("a hierarchy file is imported, not named: use import")
    try:
        return _rule(json.dumps(spec, sort_keys=True))
    except RecursionError:
        raise BadInput("this hierarchy is nested too deeply") from None


@lru_cache(maxsize=256)
def _rule(spelled: str) -> Hierarchy:
    return read_rule(json.loads(spelled), Path())


def plan_of(session: OpenSession, document: Mapping[str, Any], data: Source | None = None, **further: Any) -> Plan:
    """Return the document, or the request of a run, as a plan, with which the command line does the same; with `data`,
    for data that is open. `further` are entries that replace those of the document."""
    parts: Mapping[str, Callable[[Any], Any]] = {
        "guards": guards_of, "methods": methods_of, "walk": WalkSteps.from_dict,
        "utility": lambda spec: Tryout(**read(Tryout, spec, "utility")),
        "earlier": earlier_of,
    }  # fmt: skip
    if data is not None:
        origin = Origin(data=data)
    else:
        spec = _source_spec(document)
        origin = session.sources.origin(spec)
    settings: dict[str, Any] = {}
    for name, value in ((name, document[name]) for name, _, _ in _PLAN if name in document):
        make = parts.get(name, tuple if isinstance(value, list) else None)
        settings[name] = value if make is None or value is None else make(value)
    about = About(**document.get("report", {}))
    return Plan(origin, schema=schema_of(document), about=about, **{**settings, **further})


@dataclass(frozen=True)
class UploadedJoin(Join):
    """A join with an uploaded file, which is called by its title."""

    title: str = ""

    def __str__(self) -> str:
        return self.title or super().__str__()

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in super().to_dict().items() if name != "title"}


class Sources:
    """The tables of one session."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tables: dict[str, Source] = {}
        self._stamps: dict[str, str | None] = {}
        self._lock = threading.RLock()

    def origin(self, spec: Mapping[str, Any]) -> Origin:
        """Return the source in the form of a plan, with full paths."""
        options = spec.get("options", {}).items()
        given = {name: tuple(value) if isinstance(value, list) else value for name, value in options}
        names = [setting.name for setting in READING]
        refuse([suggest(name, names, "reading option") for name in given if name not in names])
        known = next((name for name in ("dataset", "url") if name in spec), None)
        place = {"path": str(self.path(spec))} if known is None else {known: spec[known]}
        engine = {
            name: tuple(value) if isinstance(value, list) else value for name, value in spec.get("engine", {}).items()
        }
        if "join" in engine:
            engine["join"] = tuple(map(self.join, engine["join"]))
        origin = Origin.of({**place, **given, **engine})
        refuse(origin.problems())
        return origin

    def join(self, spec: Mapping[str, Any]) -> Join:
        """Return a join with a full path; an uploaded file is called by its title."""
        if "upload" not in spec:
            return Join.of({name: value for name, value in spec.items() if name != "title"})
        settings = {name: value for name, value in spec.items() if name not in ("upload", "title")}
        return UploadedJoin(path=str(self.path(spec)), title=str(spec.get("title", "")), **read(Join, settings, "join"))

    def path(self, spec: Mapping[str, Any]) -> Path:
        """Return the path of the file; an upload is always in the session's own folder."""
        if "upload" not in spec:
            return Path(str(spec.get("path", "")))
        if not SAVED.fullmatch(str(spec["upload"])):
            raise BadInput("this session names an upload that cannot be one")
        return self.folder / "uploads" / str(spec["upload"])

    def key(self, spec: Mapping[str, Any]) -> str:
        """Return the part of the spec that determines the data, as text."""
        return json.dumps({name: spec[name] for name in spec if name not in ("title", "rows")}, sort_keys=True)

    def source(self, spec: Mapping[str, Any], progress: Progress | None = None) -> Source:
        """Return the data, read on first use."""
        key = self.key(spec)
        with self._lock:
            if key not in self._tables:
                self._stamps[key] = self.stamp(spec)
                self._tables[key] = self._read(spec, progress)
                while len(self._tables) > MAX_TABLES:
                    del self._tables[next(iter(self._tables))]
            else:
                self._tables[key] = self._tables.pop(key)
            return self._tables[key]

    def _read(self, spec: Mapping[str, Any], progress: Progress | None) -> Source:
        """Open the data as the command line does: small files in memory, large ones and databases on an engine."""
        origin = self.origin(spec)
        if origin.dataset is not None:
            return bundled(origin)[0]
        try:
            return origin.open(Path(), progress=progress, tells=True).watched(Progress())
        except BadInput as problem:
            if spec.get("by_cell"):
                return origin.cell_by_cell.open(Path(), progress=progress, tells=True).watched(Progress())
            raise BadInput(self.titled(str(problem), spec)) from None

    def titled(self, message: str, spec: Mapping[str, Any]) -> str:
        """Return a message without the names of uploaded files on disk (a number) or the path of their folder."""
        for one in (spec, *spec.get("engine", {}).get("join", ())):
            if "upload" in one:
                path, title = str(self.path(one)), str(one.get("title", ""))
                message = message.replace(path, title).replace(Path(path).name, title)
        return message

    def mark(self, spec: dict[str, Any]) -> None:
        """Note the present state of the file in the spec, before it is read."""
        if (stamp := self.stamp(spec)) is not None:
            spec["stamp"] = stamp

    def read_stamp(self, spec: Mapping[str, Any]) -> str | None:
        """Return the stamp of the file when it was read; None if it was not, or is not a file."""
        return self._stamps.get(self.key(spec))

    def stamp(self, spec: Mapping[str, Any]) -> str | None:
        """Return what tells whether the file of a spec changed; None if there is no file to look at, or it is gone."""
        if not {"path", "upload"} & spec.keys():
            return None
        joined = [one for one in spec.get("engine", {}).get("join", ()) if {"path", "upload"} & one.keys()]
        try:
            states = [self.path(one).stat() for one in (spec, *joined)]
        except OSError:
            return None
        return " ".join(f"{state.st_ino} {state.st_size} {state.st_mtime_ns}" for state in states)


def bundled(origin: Origin) -> tuple[Source, Schema]:
    """Return bundled data and its schema."""
    if origin.dataset not in LOADERS:
        raise BadInput(suggest(str(origin.dataset), LOADERS, "example"))
    return Request(origin, ()).data
