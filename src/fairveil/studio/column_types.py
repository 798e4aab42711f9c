"""Types: how one column is read, as the owner says: as numbers, dates of a format, codes or text, with a preview.

What is set are reading options of the file (`text`, `dates`, `others_missing`), so a plan and the command line read it
alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fairveil.data.dialect import Dialect
from fairveil.data.table import Column
from fairveil.errors import BadInput, suggest
from fairveil.messages import counted
from fairveil.run.profile import type_name
from fairveil.studio.answers import Answer, label
from fairveil.studio.document import need_source
from fairveil.studio.endpoints import endpoint
from fairveil.studio.opening import read_with
from fairveil.studio.sessions import OpenSession

ColumnType = Literal["detected", "number", "date", "category", "text"]
WANTED: Mapping[str, tuple[str, ...]] = {"number": ("integers", "numbers"), "date": ("dates", "times")}
LISTED = 8
"""Number of values that a preview lists."""
WORDS = {"detected": "whatever is detected", "number": "numbers", "date": "dates", "category": "codes", "text": "text"}


class ConvertedValue(Answer):
    """A value as it is written in the file, as it would be read (null: missing), and its rows."""

    before: str
    after: str | None
    rows: int


class TypePreview(Answer):
    """What a column would be. Values that would be lost come first; `lost` are their rows. `problem`: why it cannot be
    read so."""

    type: str
    values: list[ConvertedValue]
    lost: int
    problem: str | None


@endpoint("POST", "/column/type/preview?column")
def preview(
    session: OpenSession, column: str, type: ColumnType, format: str = "", others_missing: bool = False
) -> TypePreview:
    """Return how a column would be read; nothing is set. `format` is that of dates, such as %d.%m.%Y; with
    `others_missing`, whatever is no number or date is a missing value."""
    options = _options(session, column, type, format, others_missing)
    raw = _read(session, column, {"text": [column], "header": options.get("header", "yes")})
    try:
        read = _read(session, column, options)
    except BadInput as refused:
        return TypePreview("text", [], 0, str(refused))
    _, firsts, rows = np.unique(raw.codes, return_index=True, return_counts=True)
    before = raw.values.take(raw.codes[firsts]).to_pylist()
    after = read.values.take(read.codes[firsts]).to_pylist()
    missing = np.array([one is not None and other is None for one, other in zip(before, after, strict=True)])
    lost = int(rows[missing].sum())
    order = np.lexsort((-rows, ~missing))[:LISTED]
    values = [
        ConvertedValue(label(before[at]), None if after[at] is None else label(after[at]), int(rows[at]))
        for at in order
    ]
    name = type_name(read.values.type)
    problem = None
    if type in WANTED and name not in WANTED[type]:
        problem = f"not all values of {column!r} are {WORDS[type]}: those that are not can become missing values"
    return TypePreview(name, values, lost, problem)


@endpoint("PUT", "/column/type?column")
def set_type(
    session: OpenSession, column: str, type: ColumnType, format: str = "", others_missing: bool = False
) -> None:
    """Read a column as the preview shows it."""
    shown = preview(session, column, type, format, others_missing)
    if shown.problem is not None:
        raise BadInput(shown.problem)
    lost = f", {counted(shown.lost, 'row')} missing" if shown.lost else ""
    options = _options(session, column, type, format, others_missing)
    meaning = {"category": "code", "number": "quantity"}.get(type)

    def edit(document: dict[str, Any]) -> None:
        document["whole_numbers"].pop(column, None)
        if meaning is not None and shown.type == "integers":
            document["whole_numbers"][column] = meaning

    read_with(session, options, f"Read {column} as {WORDS[type]}{lost}", edit)


def _options(session: OpenSession, column: str, kind: str, format: str, others_missing: bool) -> dict[str, Any]:
    """Return the reading options of the file with this column of a kind."""
    source, names = session.document["source"], need_source(session).names
    if source is None or "dataset" in source:
        raise BadInput("the columns of bundled data have their types")
    if column not in names:
        raise BadInput(suggest(column, names, "column"))
    options = dict(source["options"])
    for key in ("text", "others_missing", "top_codes"):
        if key in options and not (key == "top_codes" and kind == "number"):
            options[key] = [name for name in options[key] if name != column]
    options["dates"] = [entry for entry in options.get("dates", ()) if entry.rpartition("=")[0] != column]
    if kind == "text":
        options["text"] = [*options.get("text", ()), column]
    if kind == "date":
        if not format:
            raise BadInput("say how the dates are written, such as %d.%m.%Y")
        options["dates"] = [*options["dates"], f"{column}={format}"]
    if others_missing and kind in WANTED:
        options["others_missing"] = [*options.get("others_missing", ()), column]
    return {key: value for key, value in options.items() if value not in (None, "", [], ())}


def _read(session: OpenSession, column: str, options: Mapping[str, Any]) -> Column:
    """Return the column alone, each row, read with these options; no row is dropped."""
    origin = session.sources.origin(session.document["source"])
    own = {name: value for name, value in options.items() if name not in ("columns", "missing")}
    kept = {name: getattr(origin.dialect, name) for name in ("separator", "encoding", "decimal", "sheet")}
    dialect = Dialect(**{**{name: value for name, value in kept.items() if value is not None}, **_own(own, column)})
    opened = replace(origin, dialect=dialect, columns=(column,), where=()).open(Path(), rows=True)
    if not opened.has_rows:
        raise BadInput("the columns of a database have their types: cast them in a view")
    return opened.table.column(column)


def _own(options: Mapping[str, Any], column: str) -> dict[str, Any]:
    """Return the options that concern one column, since the others are not read."""
    named = {key: [name for name in options[key] if name == column] for key in ("text", "top_codes", "others_missing")
             if key in options}  # fmt: skip
    dates = [entry for entry in options.get("dates", ()) if entry.rpartition("=")[0] in ("", column)]
    return {**options, **named, **({"dates": dates} if dates else {"dates": ()})}
