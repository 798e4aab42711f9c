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

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.data.dialect import Missing
from fairveil.display import Displayable, DisplayTable
from fairveil.engines import Source, TooManyCells, source_of
from fairveil.errors import BadInput, suggest
from fairveil.messages import counted
from fairveil.progress import Progress, Report
from fairveil.run.suggestions.looks import Look, look_of_column
from fairveil.run.suggestions.suggested_roles import suggest_roles

SHOWN = 12
"""Maximum number of distinct values listed."""


@dataclass(frozen=True)
class ColumnProfile:
    """A single column, and the roles it might have.

    `look` is what its values look like, `safe_harbor` which identifier of HIPAA's Safe Harbor rule it seems to be, and
    `values` are its distinct values if they are few; the rarest of them has `fewest` rows.
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
    fewest: int = 0


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
        head = ["column", "type", "distinct", "missing", "unique", "average risk", "suggested role", "because"]
        rows = [[c.name, c.type, c.distinct, c.missing, f"{c.unique:.1%}", f"{c.risk:.1%}", " + ".join(c.roles),
                 c.reason] for c in self.columns]  # fmt: skip
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
        columns = [{**vars(c), "roles": list(c.roles), "values": list(c.values)} for c in self.columns]
        pairs = [{**vars(pair), "names": list(pair.names)} for pair in self.pairs]
        return {"rows": self.rows, "read_as": dict(self.read_as), "columns": columns, "pairs": pairs}


def profile(
    table: Any, *, pairs: bool = True, missing: Missing = "category", progress: Progress | Report | bool | None = None
) -> Profile:
    """How identifying each column is, and each pair of columns, if `pairs`.

    `table` is a Table, any data frame, a lazy frame, a path or a source; it is not changed.
    """
    bar = Progress.visible(progress)
    return bar.run(lambda: profile_source(source_of(table, missing=missing, progress=bar), pairs=pairs, progress=bar))


def profile_source(source: Source, *, pairs: bool, progress: Progress) -> Profile:
    """The profile of a source, without starting a thread."""
    columns = tuple(_column(source, name) for name in source.names)
    compared = tuple(_pairs(source, columns, progress)) if pairs else ()
    return Profile(source.rows, columns, compared, getattr(source, "read_as", {}))


def _column(source: Source, name: str) -> ColumnProfile:
    total = max(source.rows, 1)
    try:
        column, cells = source.domain(name), source.count([name])
    except TooManyCells:  # more values than may leave the engine; the most frequent one is not returned either
        every, present = source.sizes([name]), source.sizes([name], named=True)
        counts, distinct, alone = (every.alone, every.distinct, every.largest), present.distinct, present.alone
        missing, type_ = total - present.alone - present.together, _type_name(source.type_of(name))
        look: Look = "text" if type_ == "text" else "integers" if type_ == "integers" else "numbers"
        commonest, values, fewest = None, (), 0
    else:
        rows = np.bincount(cells.codes[name], weights=cells.counts, minlength=len(column.values)).astype(np.int64)
        counts = int((rows == 1).sum()), int((rows > 0).sum()), int(rows.max())
        missing, type_ = int(rows[-1]) if column.has_missing else 0, _type_name(column.values.type)
        distinct, alone = counts[1] - (missing > 0), counts[0] - (missing == 1)
        look, commonest = look_of_column(column), column.values[int(rows.argmax())].as_py()
        values = tuple(value for value in column.domain if value is not None) if distinct <= SHOWN else ()
        fewest = int(rows[:distinct].min(initial=total)) if values else 0
    suggested = suggest_roles(name, look, distinct, alone / max(total - missing, 1), total - missing, missing)
    unique, risk, commonest_share = (count / total for count in counts)
    return ColumnProfile(
        name, type_, distinct, missing, unique, risk, commonest, commonest_share, suggested.roles,
        suggested.reason, suggested.safe_harbor, look, values, fewest,
    )  # fmt: skip


_TYPE_NAMES: tuple[tuple[Callable[[Any], bool], str], ...] = (
    (pa.types.is_boolean, "true/false"), (pa.types.is_integer, "integers"), (pa.types.is_floating, "numbers"),
    (pa.types.is_decimal, "numbers"), (pa.types.is_date, "dates"), (pa.types.is_temporal, "times"),
)  # fmt: skip


def _type_name(type_: Any) -> str:
    return next((name for test, name in _TYPE_NAMES if test(type_)), "text")


def _pairs(source: Source, columns: tuple[ColumnProfile, ...], progress: Progress) -> list[PairProfile]:
    """Every pair, counted on cells: the rows are read once, for any number of pairs.

    A column of unique values would make as many cells as rows; all its pairs are unique, too.
    """
    rows, names = source.rows, source.names
    lone = {column.name for column in columns if column.unique == 1.0}
    if source.has_rows:  # on an engine, all columns at once could give one cell per row
        source.count([name for name in names if name not in lone])
    pairs = list(combinations(names, 2))
    profiles = []
    for done, pair in enumerate(pairs):
        progress.tell(done / len(pairs), "comparing pairs of columns")
        if lone & {*pair}:
            distinct, unique = rows, rows
        else:
            sizes = source.sizes(pair)
            distinct, unique = sizes.distinct, sizes.alone
        profiles.append(PairProfile(pair, distinct, unique / rows, distinct / rows))
    return sorted(profiles, key=lambda pair: (-pair.unique, -pair.risk))
