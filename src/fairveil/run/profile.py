"""profile: what a table holds, and how identifying each column and each pair of columns is.

>>> import pyarrow as pa
>>> people = profile(pa.table({"sex": ["F", "M", "F", "M"], "age": [31, 31, 40, 52]}))
>>> people.column("age").unique, people.column("age").risk, people.pair("sex", "age").unique
(0.5, 0.75, 1.0)

`unique` is the share of the rows whose value is unique, `risk` the average probability of identifying a person
by it: distinct values over rows. The roles are suggestions with a reason; they have no effect until
they are part of a schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.counting.cells import group_of
from fairveil.data.dialect import Missing
from fairveil.display import Displayable, DisplayTable
from fairveil.engines import Source, TooManyCells, source_of
from fairveil.errors import BadInput, suggest
from fairveil.plural import counted
from fairveil.progress import Progress, Report
from fairveil.run.suggestions.looks import Look, look_of_column
from fairveil.run.suggestions.roles import suggest_roles

SHOWN = 12
"""Maximum number of distinct values listed."""


@dataclass(frozen=True)
class ColumnProfile:
    """A single column, and the roles it might have.

    `look` is what its values look like, `safe_harbor` which identifier of HIPAA's Safe Harbor rule it seems to be, and
    `values` are its distinct values if they are few.
    """

    name: str
    type: str
    distinct: int
    missing: int
    unique: float
    risk: float
    commonest: Any
    commonest_share: float
    roles: tuple[str, ...]
    reason: str
    safe_harbor: str = ""
    look: str = ""
    values: tuple[Any, ...] = ()


@dataclass(frozen=True)
class PairProfile:
    """Two columns together."""

    names: tuple[str, str]
    distinct: int
    unique: float
    risk: float


@dataclass(frozen=True, repr=False)
class Profile(Displayable):
    """Columns in the order of the table; pairs, the most identifying first; findings about its file."""

    rows: int
    columns: tuple[ColumnProfile, ...]
    pairs: tuple[PairProfile, ...]
    read_as: Mapping[str, str] = field(default_factory=dict)

    def _headline(self) -> str:
        return f"Profile: {counted(self.rows, 'row')}, {counted(len(self.columns), 'column')}"

    def _tables(self) -> list[DisplayTable]:
        head = ["column", "type", "distinct", "missing", "alone", "average risk", "suggested role", "because"]
        rows = [
            [c.name, c.type, c.distinct, c.missing, f"{c.unique:.1%}", f"{c.risk:.1%}", " + ".join(c.roles), c.reason]
            for c in self.columns
        ]
        return [DisplayTable(head, rows)]

    def column(self, name: str) -> ColumnProfile:
        for column in self.columns:
            if column.name == name:
                return column
        raise BadInput(suggest(name, [column.name for column in self.columns], "column"))

    def pair(self, one: str, other: str) -> PairProfile:
        self.column(one), self.column(other)
        return next(pair for pair in self.pairs if set(pair.names) == {one, other})

    def to_dict(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "read_as": dict(self.read_as),
            "columns": [
                {**vars(column), "roles": list(column.roles), "values": list(column.values)} for column in self.columns
            ],
            "pairs": [{**vars(pair), "names": list(pair.names)} for pair in self.pairs],
        }


def profile(
    table: Any, *, pairs: bool = True, missing: Missing = "category", progress: Progress | Report | bool | None = None
) -> Profile:
    """How identifying each column is. `table` is a Table, any data frame, a lazy frame, a path or a source; it is
    not changed.

    `pairs=False` leaves the pairs out.
    """
    progress = Progress.visible(progress)

    def work() -> Profile:
        source = source_of(table, missing=missing, progress=progress)
        return profile_source(source, pairs=pairs, progress=progress)

    return progress.run(work)


def profile_source(source: Source, *, pairs: bool, progress: Progress) -> Profile:
    """The profile of a source, without starting a thread."""
    columns = tuple(_column(source, name) for name in source.names)
    compared = tuple(_pairs(source, columns, progress)) if pairs else ()
    return Profile(source.rows, columns, compared, getattr(source, "read_as", {}))


def _column(source: Source, name: str) -> ColumnProfile:
    try:
        column, cells = source.domain(name), source.count([name])
    except TooManyCells:
        return _column_of_many(source, name)
    rows = np.bincount(cells.codes[name], weights=cells.counts, minlength=len(column.values)).astype(np.int64)
    total = max(source.rows, 1)
    missing = int(rows[-1]) if column.has_missing else 0
    distinct = int((rows > 0).sum()) - (missing > 0)
    unique = float((rows == 1).sum() / total)
    most = int(rows.argmax())
    facts = (
        column.name,
        _type_name(column.values.type),
        distinct,
        missing,
        unique,
        float((rows > 0).sum() / total),
        column.values[most].as_py(),
        float(rows[most] / total),
    )
    look = look_of_column(column)
    suggested = suggest_roles(column.name, look, distinct, _alone(rows, missing), total - missing, missing)
    values = tuple(value for value in column.domain if value is not None) if distinct <= SHOWN else ()
    return ColumnProfile(*facts, suggested.roles, suggested.reason, suggested.safe_harbor, look, values)


def _alone(rows: np.ndarray, missing: int) -> float:
    """The share of non-missing rows whose value is unique, given the rows of each value."""
    alone, present = int((rows == 1).sum()) - (missing == 1), int(rows.sum()) - missing
    return alone / max(present, 1)


def _column_of_many(source: Source, name: str) -> ColumnProfile:
    """A column with more values than may leave the engine; the most frequent one is not returned either."""
    spread, named, rows = source.spread([name]), source.spread([name], named=True), source.rows
    missing, kind = rows - named.alone - named.together, _type_name(source.type_of(name))
    unique = spread.alone / rows
    facts = (name, kind, named.distinct, missing, unique, spread.distinct / rows, None, spread.most / rows)
    look: Look = "text" if kind == "text" else "integers" if kind == "integers" else "numbers"
    suggested = suggest_roles(name, look, named.distinct, named.alone / max(rows - missing, 1), rows - missing, missing)
    return ColumnProfile(*facts, suggested.roles, suggested.reason, suggested.safe_harbor, look)


def _type_name(kind: Any) -> str:
    if pa.types.is_boolean(kind):
        return "true/false"
    if pa.types.is_integer(kind):
        return "integers"
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "numbers"
    if pa.types.is_date(kind):
        return "dates"
    if pa.types.is_temporal(kind):
        return "times"
    return "text"


def _pairs(source: Source, columns: tuple[ColumnProfile, ...], progress: Progress) -> list[PairProfile]:
    """Every pair, counted on cells: the rows are read once, for any number of pairs.

    A column of unique values would make as many cells as rows; all its pairs are unique, too.
    """
    rows, names = source.rows, source.names
    lone = {column.name for column in columns if column.unique == 1.0}
    cells = source.count([name for name in names if name not in lone]) if source.has_rows else None
    pairs = list(combinations(names, 2))
    profiles = []
    for done, (first, second) in enumerate(pairs):
        progress.tell(done / len(pairs), "comparing pairs of columns")
        if lone & {first, second}:
            profiles.append(PairProfile((first, second), rows, 1.0, 1.0))
            continue
        if cells is None:  # all columns at once could give one cell per row
            spread = source.spread((first, second))
            profiles.append(PairProfile((first, second), spread.distinct, spread.alone / rows, spread.distinct / rows))
            continue
        groups, total = group_of([(cells.codes[name], cells.sizes[name]) for name in (first, second)], len(cells))
        sizes = np.bincount(groups, weights=cells.counts, minlength=total)
        profiles.append(PairProfile((first, second), total, float((sizes == 1).sum() / rows), total / rows))
    return sorted(profiles, key=lambda pair: (-pair.unique, -pair.risk))
