"""The tables of an origin with joins, all in memory or all on one engine, before they are joined."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fairveil.data.readers import column_names
from fairveil.data.table import Table
from fairveil.engines import InMemoryTable, Source, source_of
from fairveil.engines.addresses import database_url
from fairveil.engines.open_data import engine_for, open_source
from fairveil.errors import BadInput, refuse
from fairveil.run.sections import Origin, not_in_database

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect
    from fairveil.progress import Progress


def opened_parts(origin: Origin, folder: Path, *, rows: bool, progress: Progress | None) -> list[Source]:
    """The source and the tables that it is joined with. Rows with missing values are still there."""
    dialect = replace(origin.dialect, missing="category")
    address = origin.url or (None if origin.path is None else database_url(folder / origin.path))
    if address is not None:
        return _of_database(origin, address, dialect, progress)
    places = [folder / str(join.path) for join in origin.join]
    dialects = [replace(dialect, sheet=join.sheet) for join in origin.join]
    if origin.data is None:
        places, dialects = [folder / str(origin.path), *places], [dialect, *dialects]
    dialects = [how.among(column_names(place, how)) for place, how in zip(places, dialects, strict=True)]
    if origin.data is not None:
        source = source_of(origin.data, dialect=dialect, rows=rows, progress=progress)
        if source.engine is not None:
            raise BadInput("frames of an engine are joined there: give the joined frame")
        tables = [Table.read(place, dialect=how, progress=False) for place, how in zip(places, dialects, strict=True)]
        return [source, *map(InMemoryTable, tables)]
    engine = engine_for(places, dialects, rows=rows) if origin.engine == "auto" else origin.engine
    parts: list[Source] = []
    for place, how in zip(places, dialects, strict=True):
        part = open_source(
            place, engine=engine, memory=origin.memory, master=origin.master, rows=rows, dialect=how,
            progress=progress, beside=parts[0].engine if parts else None,
        )  # fmt: skip
        parts.append(part)
    return parts


def _of_database(origin: Origin, address: str, dialect: Dialect, progress: Progress | None) -> list[Source]:
    """Tables of one database."""
    refuse([not_in_database(join) for join in origin.join if join.table is None])
    plain = replace(dialect, text=(), top_codes=(), others_missing=(), dates=())
    parts: list[Source] = []
    for table in (origin.table, *(join.table for join in origin.join)):
        place = {"engine": origin.engine, "table": table, "memory": origin.memory, "progress": progress}
        beside = parts[0].engine if parts else None
        part = open_source(address, dialect=plain, beside=beside, **place)  # type: ignore[arg-type]
        if (own := dialect.among(part.names)) != plain:  # the columns are known once it is open
            part = open_source(address, dialect=own, beside=beside or part.engine, **place)  # type: ignore[arg-type]
        parts.append(part)
    return parts
