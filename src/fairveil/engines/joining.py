"""Joining: the columns of a further table, added to the rows of a source with the same key, wherever both are.

>>> import pyarrow as pa
>>> from fairveil.engines import source_of
>>> people = source_of(pa.table({"age": [31, 40, 52], "town": ["Rome", "Bari", None]}))
>>> towns = source_of(pa.table({"name": ["Rome", "Oslo"], "region": ["Lazio", "Oslo"]}))
>>> join = Join.of("towns.csv:on=town,key=name")
>>> fit_of(people, towns, join)
JoinFit(rows=3, matched=1, joined=2, repeated=0, added=('region',))
>>> joined(people, towns, join).table.to_arrow()["region"].to_pylist()
['Lazio', None, None]

Keys are matched by their distinct values as they are read (`matches`), so 1, 1.0 and a text "1" of a CSV file with
numbers are one key on every engine. Only the rows that are joined differ: in memory by position, on an engine by a join
of the numbers that stand for the values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.dialect import Dialect
from fairveil.data.join import Join
from fairveil.data.numeric import is_number
from fairveil.data.snapshot import JoinedSnapshot
from fairveil.data.table import Column, Table, narrow
from fairveil.engines.memory import InMemoryTable
from fairveil.errors import BadInput, refuse, suggest
from fairveil.messages import counted, option

if TYPE_CHECKING:
    from fairveil.engines.lazy import LazySource
    from fairveil.engines.relation import Source


@dataclass(frozen=True)
class JoinFit:
    """How two tables fit: the source's rows, those `matched` by a partner, the rows `joined`, the keys that occur in
    several of these (`repeated`), and the names of the columns that are added."""

    rows: int
    matched: int
    joined: int
    repeated: int
    added: tuple[str, ...]


def fit_of(source: Source, other: Source, join: Join) -> JoinFit:
    """How a source and a further table fit; raises BadInput if their columns do not."""
    return _fit(_matched(source, other, join))


def joined(source: Source, other: Source, join: Join) -> Source:
    """The rows of a source with the columns of a further table. Raises BadInput if a row has several partners and the
    join does not allow it."""
    both = _matched(source, other, join)
    fit = _fit(both)
    if fit.repeated and not join.repeat:
        keys = "key occurs" if fit.repeated == 1 else "keys occur"
        raise BadInput(
            f"{fit.repeated:,} {keys} in several rows of {join} ({', '.join(join.keys.values())}), so a row would have "
            f"several partners: keep one row of each key there, or allow it by {option('repeat', True)}; a person then "
            f"has several records, and {option('person', ...)} says whose they are"
        )
    if not fit.matched:
        keys = " and ".join(f"{name!r} with {partner!r}" for name, partner in join.keys.items())
        raise BadInput(f"no row has a partner in {join}: compare the values of {keys}")
    others = "are left out" if join.unmatched == "drop" else f"have no {', '.join(fit.added)}"
    how = f"{fit.matched:,} of {counted(fit.rows, 'row')} have a partner in {join}"
    how += f", the others {others}" if fit.matched < fit.rows else ""
    return both.source(JoinedSnapshot([source.snapshot, other.snapshot], how))


def _fit(both: _InMemory | _OnEngine) -> JoinFit:
    added = tuple(both.join.added(both.theirs.names).values())
    return JoinFit(both.ours.rows, both.matched, both.theirs.rows, both.repeated, added)


def _matched(source: Source, other: Source, join: Join) -> _InMemory | _OnEngine:
    """Both tables, with the partners of each row."""
    refuse([suggest(name, source.names, "column") for name in join.keys if name not in source.names])
    asked = [*join.keys.values(), *join.columns]
    refuse([f"{join}: {suggest(name, other.names, 'column')}" for name in asked if name not in other.names])
    added = join.added(other.names)
    refuse([f"{join} has no columns besides its key, so there is nothing to add"] if not added else [])
    twice = [name for name in added.values() if name in source.names]
    if twice:
        prefix = option("prefix", f"{Path(str(join)).stem}_")
        raise BadInput(
            f"the source and {join} both have a column {twice[0]!r}: add {prefix} to the names of its columns, or "
            f"choose some of them by {option('columns')}"
        )
    return _in_memory(source, other, join) if source.engine is None else _on_engine(source.engine, other, join)


def dropping_missing(source: Source, dialect: Dialect) -> Source:
    """The source with missing values as a separate category, or without their rows."""
    if source.engine is None:
        return InMemoryTable(source.table.dropping(dialect))
    from fairveil.engines.lazy import dropping

    return dropping(source.engine, dialect.missing)


def matches(ours: Column, theirs: Column, join: Join) -> np.ndarray:
    """For each value of a key column, the number of the same value in the other table's; -1 if it is missing there, or
    is a missing value."""
    kinds = _kind(ours), _kind(theirs)
    if None not in kinds and kinds[0] != kinds[1]:
        raise BadInput(
            f"column {ours.name!r} holds {kinds[0]} and column {theirs.name!r} of {join} {kinds[1]}, so they have no "
            f"value in common: read both as text, by {option('text', [ours.name, theirs.name])}"
        )
    numbers = {value: code for code, value in enumerate(theirs.domain) if value is not None}
    return np.array([-1 if value is None else numbers.get(value, -1) for value in ours.domain], dtype=np.int64)


def _kind(column: Column) -> str | None:
    """What the values of a column are, in one word; None if all are missing."""
    sample = next((value for value in column.domain if value is not None), None)
    if sample is None:
        return None
    if is_number(column) and not isinstance(sample, bool):
        return "numbers"
    if isinstance(sample, datetime):
        return "times"
    return "dates" if isinstance(sample, date) else "texts" if isinstance(sample, str) else type(sample).__name__


@dataclass(frozen=True)
class _InMemory:
    """Both tables in memory: the number of partners of each row, and where they are in `order`."""

    ours: Table
    theirs: Table
    join: Join
    partners: np.ndarray
    starts: np.ndarray
    order: np.ndarray

    repeated: int

    @property
    def matched(self) -> int:
        return int((self.partners > 0).sum())

    def source(self, snapshot: JoinedSnapshot) -> InMemoryTable:
        copies = self.partners if self.join.unmatched == "drop" else np.maximum(self.partners, 1)
        rows = np.repeat(np.arange(len(copies)), copies)
        nth = np.arange(len(rows)) - np.repeat(np.cumsum(copies) - copies, copies)
        has_partner = self.partners[rows] > 0
        partner = np.full(len(rows), -1, dtype=np.int64)
        partner[has_partner] = self.order[(self.starts[rows] + nth)[has_partner]]
        ours, names = self.ours.take(rows), self.join.added(self.theirs.names)
        kept = {column.name: column for column in self.theirs.columns}
        further = [replace(_taken(kept[name], partner), name=called) for name, called in names.items()]
        orders = {names[name]: order for name, order in self.theirs.orders.items() if name in names}
        table = replace(
            ours,
            columns=(*ours.columns, *further),
            inferred=ours.inferred | {names[name] for name in self.theirs.inferred if name in names},
            orders={**ours.orders, **orders},
            origin=(Path(str(self.join)), None, Dialect(), snapshot, ()),
        )
        return InMemoryTable(table.compact())


def _in_memory(source: Source, other: Source, join: Join) -> _InMemory:
    ours, theirs = source.table, other.table
    groups, known = np.zeros(ours.rows + theirs.rows, dtype=np.int64), np.ones(ours.rows + theirs.rows, dtype=bool)
    for name, partner in join.keys.items():
        left, right = ours.column(name), theirs.column(partner)
        codes = np.concatenate([matches(left, right, join)[left.codes], right.codes.astype(np.int64)])
        if right.has_missing:
            codes[codes == len(right.values) - 1] = -1
        known &= codes >= 0
        _, groups = np.unique(groups * (len(right.values) + 1) + codes + 1, return_inverse=True)
    total = int(groups.max(initial=-1)) + 1
    their_groups, their_rows = groups[ours.rows :], np.flatnonzero(known[ours.rows :])
    their_groups = their_groups[their_rows]
    order = np.argsort(their_groups, kind="stable")
    sizes = np.bincount(their_groups, minlength=total)
    starts = np.cumsum(sizes) - sizes
    mine = groups[: ours.rows]
    partners = np.where(known[: ours.rows], sizes[mine], 0)
    return _InMemory(ours, theirs, join, partners, starts[mine], their_rows[order], int((sizes > 1).sum()))


def _taken(column: Column, rows: np.ndarray) -> Column:
    """The values of these rows; -1 is a missing value."""
    absent = rows < 0
    if not absent.any():
        return column.take(rows)
    import pyarrow as pa

    values, codes = column.values, column.codes.astype(np.int64)[rows]
    if not column.has_missing:
        values = pa.concat_arrays([values, pa.nulls(1, values.type)])
    codes[absent] = len(values) - 1
    return replace(column, codes=narrow(codes, len(values)), values=values)


@dataclass(frozen=True)
class _OnEngine:
    """Both tables on one engine, each with columns of numbers that stand for the key."""

    ours: LazySource
    theirs: LazySource
    join: Join
    frame: Any
    partners: Any
    keys: tuple[str, ...]

    @property
    def matched(self) -> int:
        import narwhals as nw

        with_partner = self.frame.join(self.partners.select(*self.keys).unique(), on=list(self.keys), how="semi")
        rows = self.ours.fetch(with_partner.select(nw.len().alias("rows")), "matching the rows")
        return int(rows["rows"][0].as_py())

    @property
    def repeated(self) -> int:
        sizes = self.theirs.sizes(list(self.join.keys.values()), named=True)
        return sum(tuples for rows, tuples in sizes.items() if rows > 1)

    def source(self, snapshot: JoinedSnapshot) -> LazySource:
        import narwhals as nw

        from fairveil.engines.engine_cache import EngineCache

        ours, theirs, names = self.ours, self.theirs, self.join.added(self.theirs.names)
        aliases = {name: f"c{len(ours.names) + number}" for number, name in enumerate(names)}
        further = [nw.col(theirs.aliases[name]).alias(alias) for name, alias in aliases.items()]
        how = "inner" if self.join.unmatched == "drop" else "left"
        with_keys = self.partners.select(*(nw.col(key).alias(f"their_{key}") for key in self.keys), *further)
        right = [f"their_{key}" for key in self.keys]
        frame = self.frame.join(with_keys, left_on=list(self.keys), right_on=right, how=how)
        own, other = ours.cell_reader, theirs.cell_reader
        reader = replace(
            own,
            texts=frozenset(own.texts) | {names[name] for name in other.texts if name in names},
            kept=frozenset(own.kept) | {names[name] for name in other.kept if name in names},
            types={**own.types, **{names[name]: kind for name, kind in other.types.items() if name in names}},
        )
        whole = {names[name]: part for name, part in theirs.typed_by.items() if name in names}
        return replace(
            ours,
            frame=frame.select(*ours.aliases.values(), *aliases.values()),
            names=[*ours.names, *names.values()],
            cell_reader=reader,
            cache=EngineCache(lock=ours.cache.lock),
            row_count=None,
            whole={**ours.typed_by, **whole},
            snapshot=snapshot,
        )


def _on_engine(ours: LazySource, other: Source, join: Join) -> _OnEngine:
    assert other.engine is not None, "the tables are opened beside each other"
    theirs = replace(other.engine, cache=replace(other.engine.cache, lock=ours.cache.lock))
    frame, partners, keys = ours.frame, theirs.frame, []
    for number, (name, partner) in enumerate(join.keys.items()):
        key = f"key_{number}"
        keys.append(key)
        left, right = ours.spelled(name), theirs.spelled(partner)
        found = matches(left.column, right.column, join)
        frame = ours.looked_up(frame, {name: {key: (found[left.codes], -1)}})
        codes = np.where(right.codes == right.missing, -2, right.codes)
        partners = theirs.looked_up(partners, {partner: {key: (codes, -1)}})
    return _OnEngine(ours, theirs, join, frame, partners, tuple(keys))
