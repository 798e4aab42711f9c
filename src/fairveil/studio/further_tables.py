"""Further tables: files and tables of the same database that are joined to the open data by a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairveil.engines.joining import fit_of, joined
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.run.joined_parts import opened_parts
from fairveil.studio.answers import Answer, Spec
from fairveil.studio.document import need_source
from fairveil.studio.endpoints import endpoint
from fairveil.studio.jobs import JobView, started
from fairveil.studio.opening import open_again
from fairveil.studio.sessions import OpenSession, Studio
from fairveil.studio.uploads import refuse_bomb, title_of


class FurtherTable(Answer):
    """A table that can be joined: where it is, as a join names it, its title and its columns."""

    place: Spec
    title: str
    columns: list[str]


class Fit(Answer):
    """How a table fits the open data, before it is joined: rows with a partner, keys that occur in several rows of the
    further table, and the columns that would be added. `refused` is why it cannot be joined like this."""

    rows: int
    matched: int
    further_rows: int
    repeated: int
    added: list[str]
    refused: str | None


@endpoint("PUT", "/further?name")
def upload_further(studio: Studio, session: OpenSession, uploaded: Path, name: str = "") -> FurtherTable:
    """Receive a file that is to be joined; it is kept if its columns can be read."""
    try:
        refuse_bomb(uploaded, studio.max_upload)
        return _table(session, {"upload": uploaded.name, "title": title_of(name)})
    except BaseException:
        uploaded.unlink(missing_ok=True)
        raise


@endpoint("POST", "/further")
def show_further(session: OpenSession, path: str | None = None, table: str | None = None) -> FurtherTable:
    """Return the columns of a file of this machine, or of another table of the open database."""
    if path and not Path(path).expanduser().is_absolute():
        raise BadInput(f"{title_of(path)} is not a full path: it must start with / or ~")
    place = {"path": str(Path(path).expanduser())} if path else {"table": str(table or "")}
    return _table(session, place)


def _table(session: OpenSession, place: Mapping[str, Any]) -> FurtherTable:
    need_source(session)
    join = session.sources.join({**place, "on": ["key"]})
    origin = replace(session.sources.origin(session.document["source"]), join=(join,))
    problems = origin.problems()
    if problems:
        raise BadInput(problems[0])
    names = opened_parts(origin, Path(), rows=False, progress=None)[-1].names if join.path is None else None
    return FurtherTable(dict(place), str(join), list(names or origin.further_names(Path())[-1]))


@endpoint("POST", "/joins/fit")
def find_fit(session: OpenSession, join: Mapping[str, Any]) -> JobView[Fit]:
    """Compare a table with the open data as a job, and change nothing."""
    return started(session, "Comparing the tables", lambda progress: _fit(session, join, progress))


def _fit(session: OpenSession, spec: Mapping[str, Any], progress: Progress) -> Fit:
    origin = session.sources.origin(session.document["source"])
    wanted = replace(origin, join=(*origin.join, session.sources.join(spec)), where=(), columns=())
    source, *others = opened_parts(wanted, Path(), rows=False, progress=progress)
    for join, other in zip(wanted.join[:-1], others[:-1], strict=True):
        source = joined(source, other, join)
    fit, refused = fit_of(source, others[-1], wanted.join[-1]), None
    try:
        joined(source, others[-1], wanted.join[-1])
    except BadInput as problem:
        refused = str(problem)
    return Fit(fit.rows, fit.matched, fit.joined, fit.repeated, list(fit.added), refused)


@endpoint("PUT", "/joins")
def set_joins(session: OpenSession, joins: Sequence[Mapping[str, Any]] = ()) -> None:
    """Join these tables to the open data, in this order; none: only the data itself. Columns that still exist keep
    their roles."""
    need_source(session)
    before = dict(session.document["source"])
    engine = {name: value for name, value in before.pop("engine", {}).items() if name != "join"}
    names = [str(session.sources.join(spec)) for spec in joins]
    if joins:
        engine["join"] = [dict(spec) for spec in joins]
    spec = {**before, **({"engine": engine} if engine else {})}
    open_again(session, spec, f"Joined {' and '.join(names)}" if names else "Joined no further table")
