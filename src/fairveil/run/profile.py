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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from fairveil.data.numeric import numbers_per_value
from fairveil.data.schema import Schema
from fairveil.display import Displayable, DisplayTable
from fairveil.engines import Source, TooManyCells, source_of
from fairveil.errors import BadInput, suggest
from fairveil.measures.key_risk import KeySetRisks
from fairveil.messages import counted
from fairveil.progress import Progress, Report
from fairveil.run.key_risks import key_risks_of
from fairveil.run.risk_profile import PopulationRisk, risk_of_source
from fairveil.run.suggestions.column_facts import Facts
from fairveil.run.suggestions.column_words import folded
from fairveil.run.suggestions.looks import Look, look_of_column
from fairveil.run.suggestions.numbered_people import in_blocks, settled_by
from fairveil.run.suggestions.suggested_roles import UNSURE, Audience, Suggestion, suggest_roles

if TYPE_CHECKING:
    from fairveil.data.dialect import Missing
    from fairveil.data.table import Column

SHOWN = 12
"""Maximum number of distinct values listed."""


GIVEN = "you gave it this role"
COMPARED, EXPECTED = 20_000, 5
"""Rows in which columns of zeros and ones are compared, and how many must be one in both by chance."""


@dataclass(frozen=True)
class ColumnProfile:
    """A single column, and the roles it might have.

    `look` is what its values look like, `safe_harbor` which identifier of HIPAA's Safe Harbor rule it seems to be, and
    `values` are its distinct values if they are few; the rarest of them has `fewest` rows. `kind` is what the evidence
    says that it is, `certainty` how sure that is from 0 to 1, and `otherwise` are the roles that come next.
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
    kind: str = ""
    certainty: float = 1.0
    otherwise: tuple[str, ...] = ()

    @property
    def ticked(self) -> bool:
        """Whether all values are one, and others are missing, as of boxes that are ticked or not."""
        return self.distinct == 1 and self.missing > 0

    @property
    def unsure(self) -> bool:
        """Whether the owner should look at the suggested roles first."""
        return self.certainty < UNSURE


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
    risk: PopulationRisk | None = None
    keys: KeySetRisks | None = None

    def _headline(self) -> str:
        return f"Profile: {counted(self.rows, 'row')}, {counted(len(self.columns), 'column')}"

    def _tables(self) -> list[DisplayTable]:
        head = ["column", "type", "distinct", "missing", "unique", "average risk", "suggested role", "because"]
        rows = [[c.name, c.type, c.distinct, c.missing, f"{c.unique:.1%}", f"{c.risk:.1%}", " + ".join(c.roles),
                 c.reason] for c in self.columns]  # fmt: skip
        return [DisplayTable(head, rows), *(() if self.keys is None else self.keys._tables())]

    def column(self, name: str) -> ColumnProfile:
        for column in self.columns:
            if column.name == name:
                return column
        raise BadInput(suggest(name, [column.name for column in self.columns], "column"))

    def pair(self, one: str, other: str) -> PairProfile:
        self.column(one), self.column(other)
        return next(pair for pair in self.pairs if set(pair.names) == {one, other})

    def to_dict(self) -> dict[str, Any]:
        columns = [
            {**vars(c), "roles": list(c.roles), "values": list(c.values), "otherwise": list(c.otherwise)}
            for c in self.columns
        ]
        pairs = [{**vars(pair), "names": list(pair.names)} for pair in self.pairs]
        risk: dict[str, Any] = {} if self.risk is None else {"risk": self.risk.to_dict()}
        risk |= {} if self.keys is None else {"keys": self.keys.to_dict()}
        return {"rows": self.rows, "read_as": dict(self.read_as), "columns": columns, "pairs": pairs, **risk}


def profile(
    table: Any, *, pairs: bool = True, schema: Schema | None = None, keys: int = 0, missing: Missing = "category",
    progress: Progress | Report | bool | None = None,
) -> Profile:  # fmt: skip
    """How identifying each column is, and each pair of columns, if `pairs`; with a `schema`, also how easily people are
    picked out by its quasi columns, alone and in the population that it declares. With `keys`, also by every set of up
    to so many of these columns; without a schema, of those that are suggested as quasi.

    `table` is a Table, any data frame, a lazy frame, a path or a source; it is not changed.
    """
    bar = Progress.visible(progress)

    def work() -> Profile:
        source = source_of(table, missing=missing, progress=bar)
        return profile_source(source, pairs=pairs, schema=schema, keys=keys, progress=bar)

    return bar.run(work)


def profile_source(
    source: Source,
    *,
    pairs: bool,
    progress: Progress,
    schema: Schema | None = None,
    keys: int = 0,
    audience: Audience = "partners",
) -> Profile:
    """The profile of a source, without starting a thread."""
    described = [_column(source, name) for name in source.names]
    apart = _apart(source, [facts.name for facts, _ in described if facts.two_numbers])
    settled = settled_by(source, [facts for facts, _ in described])
    blocks = in_blocks(source, [facts for facts, _ in described])
    described = [
        (replace(facts, apart=apart.get(name, ()), settled=settled.get(name), blocks=name in blocks), figures)
        for name, (facts, figures) in zip(source.names, described, strict=True)
    ]
    suggested = suggest_roles([facts for facts, _ in described], audience)
    columns = tuple(_profiled(*column, roles) for column, roles in zip(described, suggested, strict=True))
    if schema is not None:  # nobody asks what these are
        declared = {getattr(schema, role): role for role in ("person", "household", "weight")}
        columns = tuple(
            replace(c, roles=(declared[c.name],), reason=GIVEN, certainty=1.0, otherwise=())
            if c.name in declared
            else c
            for c in columns
        )
    compared = tuple(_pairs(source, columns, progress)) if pairs else ()
    risk = None if schema is None else risk_of_source(source, schema)
    quasi = [column.name for column in columns if "quasi" in column.roles] if schema is None else schema.quasi
    asked = Schema(quasi=quasi) if schema is None else schema
    known = key_risks_of(source, asked, keys, progress) if keys else None
    return Profile(source.rows, columns, compared, getattr(source, "read_as", {}), risk, known)


def _apart(source: Source, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each of these columns of zeros and ones, those that are never one together with it, against all chance."""
    if not source.has_rows or len(names) < 3:
        return {}
    table = source.table
    rows = np.linspace(0, table.rows - 1, min(table.rows, COMPARED)).astype(np.int64)
    ones = np.stack(
        [np.nan_to_num(numbers_per_value(table.column(name)))[table.column(name).codes[rows]] for name in names]
    )
    together, often = ones @ ones.T, ones.sum(axis=1)
    unlikely = (together == 0) & (np.outer(often, often) / len(rows) >= EXPECTED)
    return {name: tuple(names[other] for other in np.flatnonzero(unlikely[position]).tolist())
            for position, name in enumerate(names)}  # fmt: skip


def _profiled(facts: Facts, figures: Mapping[str, Any], suggested: Suggestion) -> ColumnProfile:
    return ColumnProfile(
        facts.name, facts.type, facts.distinct, facts.missing, look=facts.look, values=facts.values, **figures,
        **vars(suggested),
    )  # fmt: skip


def _column(source: Source, name: str) -> tuple[Facts, dict[str, Any]]:
    """What suggestions know of a column, and the figures of its profile."""
    total = max(source.rows, 1)
    more: dict[str, Any] = {}
    try:
        column, cells = source.domain(name), source.count([name])
    except TooManyCells:  # more values than may leave the engine; the most frequent one is not returned either
        every, present = source.sizes([name]), source.sizes([name], named=True)
        counts, distinct, alone = (every.alone, every.distinct, every.largest), present.distinct, present.alone
        missing, type_ = total - present.alone - present.together, type_name(source.type_of(name))
        look: Look = "text" if type_ == "text" else "integers" if type_ == "integers" else "numbers"
        commonest, fewest = None, 0
    else:
        rows = np.bincount(cells.codes[name], weights=cells.counts, minlength=len(column.values)).astype(np.int64)
        counts = int((rows == 1).sum()), int((rows > 0).sum()), int(rows.max())
        missing, type_ = int(rows[-1]) if column.has_missing else 0, type_name(column.values.type)
        distinct, alone = counts[1] - (missing > 0), counts[0] - (missing == 1)
        look, commonest = look_of_column(column), column.values[int(rows.argmax())].as_py()
        values = tuple(value for value in column.domain if value is not None) if distinct <= SHOWN else ()
        fewest = int(rows[:distinct].min(initial=total)) if values else 0
        texts = _sample(column) if type_ == "text" else ()
        more = {"values": values, "sample": tuple(map(folded, texts)), "spelled": texts}
        if type_ in ("integers", "numbers") and distinct:
            more |= _middle(column, rows[:distinct])
    facts = Facts(name, look, type_, distinct, alone / max(total - missing, 1), total - missing, missing, **more)
    unique, risk, share = (count / total for count in counts)
    facts = replace(facts, commonest=share)
    return facts, {"unique": unique, "risk": risk, "commonest": commonest, "commonest_share": share, "fewest": fewest}


def _sample(column: Column) -> tuple[str, ...]:
    """Some of the texts."""
    positions = np.unique(np.linspace(0, len(column.values) - 1, 200).astype(np.int64))
    return tuple(str(value) for value in column.values.take(positions).to_pylist() if value is not None)


def _middle(column: Column, rows: np.ndarray) -> dict[str, float]:
    numbers = numbers_per_value(column)[: len(rows)]
    middle = int(np.searchsorted(np.cumsum(rows), rows.sum() / 2))
    return {"low": float(numbers[0]), "middle": float(numbers[middle]), "high": float(numbers[-1])}


_TYPE_NAMES: tuple[tuple[Callable[[Any], bool], str], ...] = (
    (pa.types.is_boolean, "true/false"), (pa.types.is_integer, "integers"), (pa.types.is_floating, "numbers"),
    (pa.types.is_decimal, "numbers"), (pa.types.is_date, "dates"), (pa.types.is_temporal, "times"),
)  # fmt: skip


def type_name(type_: Any) -> str:
    """What people call a type of values: integers, numbers, dates, text."""
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
