"""Open: sessions, and the bundled examples, files, uploads and plans that they open."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil import __version__
from fairveil.errors import BadInput
from fairveil.shapes import record
from fairveil.studio import api
from fairveil.studio.document import BLANK, BY_COLUMN, SCHEMA
from fairveil.studio.faults import RequestRefused
from fairveil.studio.sources import bundled
from fairveil.studio.uploads import MOST_PLAN, PLAN, ending_of, refuse_bomb, title_of

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.run.plan import Plan
    from fairveil.studio.calls import Call
    from fairveil.studio.sessions import OpenSession


def welcome(call: Call) -> api.Welcome:
    from fairveil.datasets import LOADERS

    return {
        "version": __version__,
        "most_upload_bytes": call.studio.most_upload,
        "opened": call.studio.opened,
        "examples": [
            {"name": name, "title": name.replace("_", " ").capitalize(), "says": (loader.__doc__ or "").split("\n")[0]}
            for name, loader in LOADERS.items()
        ],
        "sessions": [head for id in call.studio.ids() if (head := _head(call, id)) is not None],
    }


def _head(call: Call, id: str) -> api.SessionHead | None:
    try:
        session = call.studio.session(id)
    except RequestRefused:  # damaged, or just removed
        return None
    document = session.document
    changed = datetime.fromtimestamp((session.folder / "session.json").stat().st_mtime, UTC)
    source = document["source"]
    return {
        "id": id,
        "name": document["name"] or (source or {}).get("title") or "Untitled",
        "source": (source or {}).get("title", ""),
        "rows": (source or {}).get("rows"),
        "changed": changed.isoformat(timespec="seconds"),
        "runs": len(document["runs"]),
    }


def create(call: Call) -> api.Session:
    from fairveil.studio.views import session_view

    asked: api.NewSession = call.body
    session = call.studio.create()
    try:
        if asked.dataset is not None or asked.path is not None:
            open_into(session, asked.dataset, asked.path, asked.options)
        if asked.name:
            session.change(f"Named the session {asked.name}", lambda document: document.update(name=asked.name))
    except BaseException:
        call.studio.delete(session.id)
        raise
    return session_view(session)


def show(call: Call) -> api.Session:
    from fairveil.studio.views import session_view

    return session_view(call.session)


def delete(call: Call) -> api.Done:
    call.studio.delete(call.session.id)
    return {"done": True}


def open_source(call: Call) -> api.Session:
    asked: api.Open = call.body
    open_into(call.session, asked.dataset, asked.path, asked.options)
    return show(call)


def open_into(
    session: OpenSession, dataset: str | None, path: str | None, options: Mapping[str, Any] | None = None
) -> None:
    """Open bundled data, a data file, or a plan."""
    if (dataset is None) == (path is None):
        raise BadInput("name either an example or a path")
    if dataset is not None:
        schema = bundled(dataset).schema
        _take(session, {"dataset": dataset, "title": dataset.replace("_", " ").capitalize(), "options": {}}, schema)
        return
    place = Path(str(path)).expanduser()
    if not place.is_absolute():
        raise BadInput(f"{title_of(str(path))} is no full path: begin with / or ~")
    if place.suffix == PLAN:
        from fairveil.run.plan import Plan

        _take_plan(session, Plan.read(place), place.name)
    else:
        _take(session, {"path": str(place), "title": title_of(place.name), "options": _given(options or {})})


def open_plan(call: Call) -> api.Session:
    from fairveil.run.plan import Plan

    asked: api.OpenPlan = call.body
    folder = Path(asked.folder).expanduser() if asked.folder else call.session.folder / "uploads"
    _take_plan(call.session, Plan.from_toml(asked.text, folder), "plan.toml")
    return show(call)


def upload(call: Call) -> api.Session:
    """Open an uploaded file, which is already in the session's folder; it is kept if it can be opened."""
    assert call.uploaded is not None, "the server has written the file"
    name, file, session = str(call.query.get("name", "")), call.uploaded, call.session
    try:
        if ending_of(name) == PLAN:
            from fairveil.run.plan import Plan

            if file.stat().st_size > MOST_PLAN:
                raise BadInput(f"a plan may have at most {MOST_PLAN >> 20} MB")
            _take_plan(session, Plan.read(file), title_of(name))
        else:
            refuse_bomb(file, call.studio.most_upload)
            options = _given({key: value for key, value in call.query.items() if key != "name"})
            _take(session, {"upload": file.name, "title": title_of(name), "options": options})
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    return show(call)


def set_options(call: Call) -> api.Session:
    """Read the same file with other options. Columns that still exist keep their roles."""
    asked: api.SetOptions = call.body
    session, source = call.session, call.session.document["source"]
    if source is None or "dataset" in source:
        raise BadInput("reading options are for files only")
    options = _given(asked.options)
    spec = {**source, "options": options}
    data = session.sources.source(spec)
    spec["rows"] = data.rows

    def edit(document: dict[str, Any]) -> None:
        document["source"] = spec
        for section in BY_COLUMN:
            document[section] = {name: value for name, value in document[section].items() if name in data.names}

    words = ", ".join(f"{name} {value!r}" for name, value in options.items()) or "the usual options"
    session.change(f"Read the file with {words}", edit)
    return show(call)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reading options that are not empty, validated."""
    given = {name: value for name, value in options.items() if value not in (None, "", [])}
    checked: dict[str, Any] = record({}, {setting.name: setting.check for setting in api.READING})(given, "options")
    return checked


def _take(session: OpenSession, spec: dict[str, Any], schema: Schema | None = None) -> None:
    """Set the session's source, after it was read successfully."""
    source = session.sources.source(spec)
    if not source.names:
        raise BadInput(f"{spec['title']} has no columns")
    spec["rows"] = source.rows

    def edit(document: dict[str, Any]) -> None:
        document.update({name: deepcopy(BLANK[name]) for name in SCHEMA}, source=spec)
        if schema is not None:
            document.update(described(schema))

    session.change(f"Opened {spec['title']}", edit)


def _take_plan(session: OpenSession, plan: Plan, title: str) -> None:
    """Set the session's document from a plan."""
    if plan.source.dataset is None and plan.source.path is None:
        raise BadInput("the studio opens plans for files and bundled data: export the table of the database first")
    if plan.source.dataset is not None:
        name = plan.source.dataset
        spec: dict[str, Any] = {"dataset": name, "title": name.replace("_", " ").capitalize(), "options": {}}
    else:
        path = (plan.folder / str(plan.source.path)).resolve()
        names = [setting.name for setting in api.READING]
        options = {name: value for name, value in plan.source.to_dict().items() if name in names}
        spec = {"path": str(path), "title": title_of(path.name), "options": options}
    source = session.sources.source(spec)
    spec["rows"] = source.rows
    schema = plan.schema if plan.schema is not None and plan.source.dataset is None else plan.data[1]

    def edit(document: dict[str, Any]) -> None:
        document.update({name: deepcopy(BLANK[name]) for name in SCHEMA}, source=spec, **described(schema))
        document.update(
            guards=[_plain(guard.to_dict()) for guard in plan.guards],
            methods=[_plain(method.to_dict()) for method in plan.methods],
            measures=list(plan.measures), choose=plan.choose, seed=plan.seed, order=plan.order, format=plan.format,
            accept=list(plan.accept), report=plan.about.to_dict(),
        )  # fmt: skip

    session.change(f"Opened the plan {title_of(title)}", edit)


def described(schema: Schema) -> dict[str, Any]:
    """Return a schema in the form of the document."""
    from fairveil.studio.requests import spelled

    return {
        "roles": {name: list(schema.roles(name)) for name in schema.columns},
        "denied": [_plain(value) for value in schema.denied_values],
        "weights": dict(schema.weights),
        "levels": dict(schema.levels),
        "whole_numbers": dict(schema.whole_numbers),
        "pseudonyms": list(schema.pseudonyms),
        "hierarchies": {name: spelled(rule) for name, rule in schema.hierarchies.items()},
    }


def _plain(value: Any) -> Any:
    """Return a setting as a JSON value; infinite values, such as a time limit, are omitted."""
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items() if entry is not None and entry != float("inf")}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)
