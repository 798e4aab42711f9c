"""People: what is known of those whom the data is about: how many there are, which of their records count, and what was
published of them before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from fairveil.data.population import Population
from fairveil.errors import BadInput, refuse, suggest
from fairveil.published.folder import is_release
from fairveil.settings import required
from fairveil.studio.deciding import change
from fairveil.studio.document import earlier_of, need_source, stored
from fairveil.studio.endpoints import endpoint
from fairveil.studio.sessions import OpenSession


@endpoint("PUT", "/population")
def set_population(
    session: OpenSession,
    size: Annotated[int | None, required(min=1)] = None,
    fraction: Annotated[float | None, required(above=0, max=1)] = None,
) -> None:
    """Set the population that the data is a sample of: its size, or the share of it that the data is; null: unknown."""
    known = None if size is None and fraction is None else Population(size=size, fraction=fraction)
    if known is not None:
        source, roles = need_source(session), session.document["roles"]
        people = [name for name in roles if "person" in roles[name]]
        known.of_sample(source.sizes(people).distinct if people else source.rows, "person" if people else "row")
    said = f"to {size:,} people" if size is not None else f"by the share {fraction:g}" if fraction else "to unknown"
    change(session, f"Set the population {said}", lambda document: document.update(population=stored(known)))


@endpoint("PUT", "/weights")
def set_weights(session: OpenSession, publish: Literal["unchanged", "rounded", "recalibrated"]) -> None:
    """Set how sampling weights are published."""
    need_source(session)
    if not any("weight" in roles for roles in session.document["roles"].values()):
        raise BadInput("no column holds sampling weights: give one the role weight first")
    change(session, f"Published the weights {publish}", lambda document: document.update(publish_weight=publish))


@endpoint("PUT", "/one-row-per-person")
def set_one_row(
    session: OpenSession, keep: Literal["latest", "first", "random"] | None = None, by: str | None = None
) -> None:
    """Set which record of each person is kept before anything is counted: the latest or the first `by` a column of
    dates or numbers, or a random one; null keeps all."""
    names = need_source(session).names
    refuse([suggest(by, names, "column")] if by is not None and by not in names else [])
    if keep is not None and not any("person" in roles for roles in session.document["roles"].values()):
        raise BadInput("no column says who a record is about: give one the role person first")
    if keep in ("latest", "first") and by is None:
        raise BadInput(f"the {keep} record of a person needs a column of dates or numbers")
    kept = {"one_row_per_person": keep, "by": by if keep in ("latest", "first") else None}
    said = "all records" if keep is None else f"the {keep} record of each person" + (f" by {by}" if kept["by"] else "")
    change(session, f"Kept {said}", lambda document: document.update(kept))


@endpoint("PUT", "/earlier")
def set_earlier(session: OpenSession, earlier: Sequence[Any]) -> None:
    """Set the releases of the same people that are already published: `release` is a folder, `source` the file that it
    was made of, and `key` the column of both files that says who a row is about."""
    names, given = need_source(session).names, []
    for one in earlier_of(earlier):
        moved = one.moved(lambda path: str(Path(path).expanduser()))
        for path in filter(None, (moved.release, moved.source)):
            if not Path(path).is_absolute():
                raise BadInput(f"{path} is not a full path: it must start with / or ~")
        if not is_release(Path(moved.release)):
            raise BadInput(f"{moved.release} is not the folder of a release")
        if moved.source is not None and not Path(moved.source).is_file():
            raise BadInput(f"there is no file {moved.source}")
        refuse([suggest(moved.key, names, "column")] if moved.key is not None and moved.key not in names else [])
        given.append(stored(moved))
    said = ", ".join(Path(one["release"]).name for one in given) or "none"
    change(session, f"Set the earlier releases to {said}", lambda document: document.update(earlier=given))
