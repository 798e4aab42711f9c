"""Open: sessions, and the bundled examples, files, uploads and plans that they open."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairveil import __version__
from fairveil.data.schema import Schema
from fairveil.datasets import LOADERS
from fairveil.engines import Source
from fairveil.engines.addresses import redacted, refuse_password
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.run.init import as_written
from fairveil.run.plan import Plan
from fairveil.run.sections import Origin
from fairveil.shapes import record
from fairveil.studio.answers import Answer
from fairveil.studio.document import (
    BY_COLUMN,
    OF_SOURCE,
    READING,
    Document,
    blank,
    bundled,
    described,
    need_source,
    planned,
)
from fairveil.studio.endpoints import endpoint
from fairveil.studio.jobs import JobView, started
from fairveil.studio.problems import Problem, problems_of
from fairveil.studio.refusals import RequestRefused
from fairveil.studio.runs import RunHead
from fairveil.studio.sessions import OpenSession, Studio
from fairveil.studio.uploads import MAX_PLAN, PLAN, ending_of, refuse_bomb, title_of

DATABASE = "FAIRVEIL_DATABASE_"
"""How the names of environment variables begin whose values are URLs of databases."""


class Example(Answer):
    name: str
    title: str
    says: str


class Connection(Answer):
    """A database that the environment names, without its password."""

    name: str
    url: str


class SessionHead(Answer):
    id: str
    name: str
    source: str
    rows: int | None
    changed: str
    runs: int


class Welcome(Answer):
    """What the first page needs. `opened` is the session of the file or plan that the command named."""

    version: str
    max_upload_bytes: int
    opened: str | None
    examples: list[Example]
    sessions: list[SessionHead]
    connections: list[Connection]


class Session(Answer):
    """The state of a session. Every endpoint that changes the document returns it. `undo` and `redo` are the changes
    that the next undo or redo is about, null where there is none. `joined` says how each joined table fits."""

    id: str
    version: int
    document: Document
    undo: str | None
    redo: str | None
    problems: list[Problem]
    runs: list[RunHead]
    rows: int | None
    columns: list[str]
    joined: list[str]


@endpoint("GET", "/api/welcome")
def welcome(studio: Studio) -> Welcome:
    examples = [Example(name, _titled(name), (loader.__doc__ or "").split("\n")[0]) for name, loader in LOADERS.items()]
    sessions = [head for id in studio.ids() if (head := _head(studio, id)) is not None]
    return Welcome(__version__, studio.max_upload, studio.opened, examples, sessions, _connections())


def _connections() -> list[Connection]:
    """Return the databases that variables FAIRVEIL_DATABASE_… name; one whose URL has a password is left out."""
    connections = []
    for variable, url in sorted(os.environ.items()):
        if variable.startswith(DATABASE) and "://" in url:
            with suppress(BadInput):
                refuse_password(url)
                connections.append(Connection(variable.removeprefix(DATABASE).lower(), url))
    return connections


def _titled(dataset: str) -> str:
    return dataset.replace("_", " ").capitalize()


def _head(studio: Studio, id: str) -> SessionHead | None:
    try:
        session = studio.session(id)
    except RequestRefused:  # damaged, or just removed
        return None
    document, source = session.document, session.document["source"] or {}
    title = source.get("title", "")
    changed = datetime.fromtimestamp((session.folder / "session.json").stat().st_mtime, UTC)
    return SessionHead(
        id, document["name"] or title or "Untitled", title, source.get("rows"), changed.isoformat(timespec="seconds"),
        len(document["runs"]),
    )  # fmt: skip


@endpoint("POST", "/api/sessions")
def create(
    studio: Studio,
    name: str = "",
    dataset: str | None = None,
    path: str | None = None,
    url: str | None = None,
    table: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Session:
    """Create an empty session, or one that opens something at once (see `open_source`)."""
    session = studio.create()
    try:
        if (dataset, path, url) != (None, None, None):
            open_source(session, dataset, path, url, table, options)
        if name:
            session.change(f"Named the session {name}", lambda document: document.update(name=name))
    except BaseException:
        studio.delete(session.id)
        raise
    return show(session)


@endpoint("GET", "")
def show(session: OpenSession) -> Session:
    with session.lock:
        history, document, problems = session.history, session.document, problems_of(session)
        readable = document["source"] is not None and all(
            problem.where != "source" or not problem.blocks for problem in problems
        )
        source = session.sources.source(document["source"]) if readable else None
        return Session(
            session.id,
            history.version,
            document,
            history.changes[history.position - 1]["sentence"] if history.position else None,
            next((change["sentence"] for change in history.changes[history.position :]), None),
            problems,
            [run.head() for id, run in session.runs.items() if id in document["runs"]],
            None if source is None else source.rows,
            [] if source is None else list(source.names),
            [] if source is None else list(source.snapshot.notes),
        )


@endpoint("DELETE", "")
def delete(studio: Studio, session: OpenSession) -> bool:
    """Remove the session with all its files."""
    studio.delete(session.id)
    return True


@endpoint("POST", "/open")
def open_source(
    session: OpenSession,
    dataset: str | None = None,
    path: str | None = None,
    url: str | None = None,
    table: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Open bundled data by name, a file of this machine (data, read with `options`, or a plan.toml), or a table of a
    database. Whatever was described before goes."""
    _open(session, Progress(), dataset, path, url, table, options)


@endpoint("POST", "/opening")
def start_opening(
    session: OpenSession,
    dataset: str | None = None,
    path: str | None = None,
    url: str | None = None,
    table: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> JobView[bool]:
    """The same as a job, which tells how far it is and can be cancelled."""
    return started(session, "Opening", lambda progress: _open(session, progress, dataset, path, url, table, options))


def _open(
    session: OpenSession,
    progress: Progress,
    dataset: str | None,
    path: str | None,
    url: str | None,
    table: str | None,
    options: Mapping[str, Any] | None,
) -> bool:
    if [dataset, path, url].count(None) != 2:
        raise BadInput("name either an example, a path or a database")
    if dataset is not None:
        spec = {"dataset": dataset, "title": _titled(dataset), "options": {}}
        _take(session, spec, bundled(Origin(dataset=dataset))[1], progress=progress)
        return True
    engine = {} if not table else {"engine": {"table": table}}
    if url is not None:
        refuse_password(url)
        spec = {"url": url, "title": title_of(table or redacted(url)), "options": _given(options or {}), **engine}
        _take(session, spec, progress=progress)
        return True
    file = Path(str(path)).expanduser()
    if not file.is_absolute():
        raise BadInput(f"{title_of(str(path))} is not a full path: it must start with / or ~")
    if file.suffix == PLAN:
        _take_plan(session, Plan.read(file), file.name, progress)
    else:
        spec = {"path": str(file), "title": title_of(file.name), "options": _given(options or {}), **engine}
        _take(session, spec, progress=progress)
    return True


@endpoint("POST", "/plan")
def open_plan(session: OpenSession, text: str, folder: str = "") -> None:
    """Open the text of a plan.toml. Its file is looked for on this machine, relative to `folder`."""
    home = Path(folder).expanduser() if folder else session.folder / "uploads"
    _take_plan(session, Plan.from_toml(text, home), "plan.toml")


@endpoint("PUT", "/upload?name&options")
def upload(
    studio: Studio, session: OpenSession, uploaded: Path, name: str = "", options: Mapping[str, Any] | None = None
) -> None:
    """Open an uploaded file, which is already in the session's folder; it is kept if it can be opened."""
    _upload(studio, session, Progress(), uploaded, name, options)


@endpoint("PUT", "/opening?name&options")
def start_upload(
    studio: Studio, session: OpenSession, uploaded: Path, name: str = "", options: Mapping[str, Any] | None = None
) -> JobView[bool]:
    """The same as a job, which tells how far it is and can be cancelled."""
    return started(session, "Opening", lambda progress: _upload(studio, session, progress, uploaded, name, options))


def _upload(
    studio: Studio,
    session: OpenSession,
    progress: Progress,
    uploaded: Path,
    name: str,
    options: Mapping[str, Any] | None,
) -> bool:
    try:
        if ending_of(name) == PLAN:
            if uploaded.stat().st_size > MAX_PLAN:
                raise BadInput(f"a plan may have at most {MAX_PLAN >> 20} MB")
            _take_plan(session, Plan.read(uploaded), title_of(name), progress)
        else:
            refuse_bomb(uploaded, studio.max_upload)
            spec = {"upload": uploaded.name, "title": title_of(name), "options": _given(options or {})}
            _take(session, spec, progress=progress)
        return True
    except BaseException:
        uploaded.unlink(missing_ok=True)
        raise


@endpoint("PUT", "/options")
def set_options(session: OpenSession, options: Mapping[str, Any]) -> None:
    """Read the same file with other options. Columns that still exist keep their roles."""
    source = session.document["source"]
    if source is None or "dataset" in source:
        raise BadInput("reading options are for files only")
    given = _given(options)
    words = ", ".join(f"{name} {value!r}" for name, value in given.items()) or "the default options"
    read_with(session, given, f"Read the file with {words}")


def read_with(
    session: OpenSession,
    options: Mapping[str, Any],
    sentence: str,
    further: Callable[[dict[str, Any]], object] | None = None,
) -> None:
    """Read the same file with other options, and make a `further` change in the same step."""
    open_again(session, {**session.document["source"], "options": _given(options)}, sentence, further)


def open_again(
    session: OpenSession,
    spec: dict[str, Any],
    sentence: str,
    further: Callable[[dict[str, Any]], object] | None = None,
) -> None:
    """Replace the source by `spec`. Columns that still exist keep their descriptions."""
    session.sources.mark(spec)
    data = session.sources.source(spec)
    spec["rows"] = data.rows

    def edit(document: dict[str, Any]) -> None:
        document["source"] = spec
        for section in BY_COLUMN:
            document[section] = {name: value for name, value in document[section].items() if name in data.names}
        if further is not None:
            further(document)

    session.change(sentence, edit)


@endpoint("PUT", "/subset")
def set_subset(session: OpenSession, where: Sequence[str] = ()) -> None:
    """Work only on rows that meet all of these conditions, such as "age >= 18"; none: on all rows."""
    need_source(session)
    before = dict(session.document["source"])
    engine = {name: value for name, value in before.pop("engine", {}).items() if name != "where"}
    conditions = [text.strip() for text in where if text.strip()]
    if conditions:
        engine["where"] = conditions
    spec = {**before, **({"engine": engine} if engine else {})}
    open_again(session, spec, f"Kept only rows with {' and '.join(conditions)}" if conditions else "Kept all rows")


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reading options that are not empty, validated."""
    given = {name: value for name, value in options.items() if value not in (None, "", [], ())}
    checked: dict[str, Any] = record({}, {setting.name: setting.check for setting in READING})(given, "options")
    return checked


def _take(
    session: OpenSession,
    spec: dict[str, Any],
    schema: Schema | None = None,
    further: Mapping[str, Any] | None = None,
    opened: str = "",
    progress: Progress | None = None,
) -> None:
    """Set the session's source, after it was read successfully, and what is known of it."""
    session.sources.mark(spec)
    source = _first_read(session, spec, progress or Progress(), planned=further is not None)
    if not source.names:
        raise BadInput(f"{spec['title']} has no columns")
    spec["rows"] = source.rows
    of_schema = {} if schema is None else described(schema)
    entries = {name: value for name, value in blank().items() if name in OF_SOURCE} | of_schema | dict(further or {})
    session.change(f"Opened {opened or spec['title']}", lambda document: document.update(entries, source=spec))


def _first_read(session: OpenSession, spec: dict[str, Any], progress: Progress, *, planned: bool) -> Source:
    """Read the data. A file that cannot be read as it is, since a column mixes numbers and text, is read as its values
    suggest, unless the owner said how."""
    try:
        return session.sources.source(spec, progress)
    except BadInput as problem:
        if planned or spec["options"] or not {"path", "upload"} & spec.keys():
            raise
        try:
            spec["options"] = as_written(session.sources.origin(spec), progress).dialect.to_dict()
            return session.sources.source(spec, progress)
        except BadInput:
            raise problem from None


def _take_plan(session: OpenSession, plan: Plan, title: str, progress: Progress | None = None) -> None:
    """Set the session's document from a plan."""
    dataset = plan.source.dataset
    if dataset is not None:
        spec: dict[str, Any] = {"dataset": dataset, "title": _titled(dataset)}
    elif plan.source.url is not None:
        spec = {"url": plan.source.url, "title": title_of(plan.source.table or redacted(plan.source.url))}
    else:
        path = (plan.folder / str(plan.source.path)).resolve()
        spec = {"path": str(path), "title": title_of(path.name)}
    names = [setting.name for setting in READING]
    others = {name: value for name, value in plan.source.to_dict().items() if name not in spec}
    spec["options"] = {name: value for name, value in others.items() if name in names}
    if plan.source.join:
        at = [join.moved(lambda file: str((plan.folder / file).resolve())) for join in plan.source.join]
        others["join"] = [join.to_dict() for join in at]
    if engine := {name: value for name, value in others.items() if name not in names}:
        spec["engine"] = engine
    if plan.by_cell:  # a file that cannot be read otherwise is shown as it is read for the search
        spec["by_cell"] = True
    schema = plan.schema if plan.schema is not None and dataset is None else plan.data[1]
    _take(session, spec, schema, planned(plan), f"the plan {title_of(title)}", progress)
