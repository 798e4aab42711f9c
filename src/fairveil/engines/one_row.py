"""one_row_per_person: a way to prepare data in which people have several rows, before anything else sees it.

>>> import pyarrow as pa
>>> visits = pa.table({"who": ["p", "q", "p"], "year": [2021, 2022, 2024], "town": ["A", "B", "C"]})
>>> one_row_per_person(visits, person="who", keep="latest", by="year").to_pylist()
[{'who': 'q', 'year': 2022, 'town': 'B'}, {'who': 'p', 'year': 2024, 'town': 'C'}]

What is left out is not published; what is left has one row per person, so promises by persons and by rows are the same.
Rows without a person's number count as one person, as they do where persons are counted.

Which row remains depends on what the rows contain, never on their order, so it is the same wherever they are. Values
are compared by their codes, the order of the distinct values of a column. Of rows that tie, the one whose values come
first remains, column by column. A random row is the one with the smallest checksum: the codes of a row are hashed with
the seed and added, and mixed with two numbers of the person, by products modulo a prime that fit into 64 bits, since
all engines compute these alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairveil.counting.packed_keys import PackedKeys
from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.data.table import Column, Table
from fairveil.engines.memory import InMemoryTable
from fairveil.errors import BadInput, Unpublishable
from fairveil.messages import literal, option
from fairveil.shapes import column_name

if TYPE_CHECKING:
    from fairveil.engines.relation import Source

Keep = Literal["latest", "first", "random"]
KEEP: tuple[Keep, ...] = ("latest", "first", "random")
PRIME = (1 << 31) - 1
Numbers = dict[str, dict[str, np.ndarray]]
"""For each column, by name, one number per value."""


def one_row_per_person(frame: Any, *, person: str, keep: Keep = "latest", by: str | None = None, seed: int = 0) -> Any:
    """Return the frame with one row of each person, in the order of the rows: the `latest` or the `first` by a column
    of dates or numbers, or a `random` one. `person` is the column that says who a row is about, `by` that of the dates.

    Of rows with the same date the one whose values come first remains, column by column, and one without a date only if
    no other row of the person has any. `frame` is one of pandas, Polars or PyArrow, a Table, or a lazy frame of Polars,
    DuckDB or Spark, which has no order of rows; its kind is returned. A plan does the same on any engine.
    """
    rule = OneRow(column_name(person), keep, None if by is None else column_name(by), seed)
    if isinstance(frame, Table):
        return frame.take(rule.rows(frame))
    import narwhals as nw  # here, because plans that prepare nothing do not need it

    from fairveil.engines.open_data import source_of

    source = source_of(frame)
    if (engine := source.engine) is not None:
        few = rule.on_engine(source).engine
        assert few is not None
        if few.frame.implementation.is_ibis():  # what it looks up is on a connection of its own
            raise BadInput(
                f"no frame of {engine.native.name} can be returned, since it is read over another connection: ask for "
                "one_row_per_person in a plan, whose source may be on it"
            )
        named = [nw.col(alias).alias(name) for name, alias in engine.aliases.items()]
        return few.frame.select(*named).to_native()
    return nw.from_native(frame, eager_only=True)[rule.rows(source.table).tolist()].to_native()


@dataclass(frozen=True)
class OneRow:
    """The rule by which one row of each person remains: the first one in the order of `keys`."""

    person: str
    keep: Keep
    by: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.keep not in KEEP:
            raise BadInput(f"one row per person is the latest, the first or a random one, not {literal(self.keep)}")
        if self.by is None and self.keep != "random":
            raise BadInput(
                f"the {self.keep} row of a person needs a column of dates or numbers: name it ({option('by', ...)})"
            )

    @property
    def needed(self) -> list[str]:
        """The columns without which the rule says nothing."""
        return [name for name in (self.person, self.by) if name is not None]

    def of(self, source: Source) -> Source:
        """The source with one row of each person, wherever its rows are."""
        if source.engine is not None:
            return self.on_engine(source)
        return InMemoryTable(source.table.take(self.rows(source.table)).compact())

    def rows(self, table: Table) -> np.ndarray:
        """The numbers of the rows that remain, in order."""
        table.need(self.needed)
        columns = {column.name: column for column in table.columns if not column.unreadable}
        numbers = {
            new: per_value[columns[name].codes]
            for name, fresh in self.numbers(columns).items()
            for new, per_value in fresh.items()
        }
        order = np.lexsort(self.keys(numbers, {name: len(column.values) for name, column in columns.items()})[::-1])
        _, firsts = np.unique(table.column(self.person).codes[order], return_index=True)
        return np.sort(order[firsts])

    def on_engine(self, source: Source) -> Source:
        """The source with one row of each person, chosen by the engine."""
        import narwhals as nw

        engine = source.engine
        assert engine is not None
        engine.need(self.needed)
        spelled = {}
        for name in engine.names:
            try:
                spelled[name] = engine.spelled(name)
            except Unpublishable:
                if name in self.needed:
                    raise
        numbers = self.numbers({name: column.column for name, column in spelled.items()})
        lookups: dict[str, dict[str, tuple[np.ndarray, int]]] = {}
        person, ties = "person", []  # spellings of a value differ, and every query has to choose the same row
        for number, (name, column) in enumerate(spelled.items()):
            missing = column.missing
            lookups[name] = {
                new: (per_value[column.codes], int(per_value[missing]) if missing >= 0 else -1)
                for new, per_value in numbers[name].items()
            }
            if len(column.spellings) > len(column.values) - (missing >= 0):
                ties.append(f"spelling{number}")
                last = len(column.spellings)
                lookups[name][ties[-1]] = (np.arange(last), last if missing >= 0 else -1)
            elif name == self.person and lookups[name].keys() == {person} and not engine.types[name].is_float():
                person = engine.aliases[name]  # each value is a person: there may be many, and none has to be looked up
                del lookups[name]
        frame = engine.looked_up(engine.frame, lookups)
        names = [new for fresh in numbers.values() for new in fresh]
        keys = self.keys({new: nw.col(new) for new in names}, {name: len(c.values) for name, c in spelled.items()})
        order = [f"key{number}" for number in range(len(keys))]
        frame = frame.with_columns(*(key.alias(name) for name, key in zip(order, keys, strict=True)))
        place = nw.col(order[0]).cum_count().over(person, order_by=[*order, *ties])
        frame = frame.with_columns(place.alias("place")).filter(nw.col("place") == 1)
        return engine.of_rows(frame.select(*engine.aliases.values()))

    def numbers(self, columns: Mapping[str, Column]) -> Numbers:
        """What the keys are computed from: for each value of each column, its code and, where a row is chosen by date
        or by checksum, more."""
        numbers: Numbers = {}
        for number, (name, column) in enumerate(columns.items()):
            codes = np.arange(len(column.values))
            numbers[name] = {"person" if name == self.person else f"code{number}": codes}
            if self.keep == "random" and name == self.person:
                numbers[name] |= {"factor": self._hashed(codes, 0) + 1, "shift": self._hashed(codes, 1)}
            elif self.keep == "random":
                numbers[name] |= {f"hash{number}": self._hashed(codes, number + 2)}
        if self.keep != "random":
            column = columns[str(self.by)]
            if not is_measurable(column):
                what = f"column {self.by!r} does not hold dates or numbers"
                raise BadInput(f"{what}, so it does not say which row is the {self.keep}")
            sign = -1 if self.keep == "latest" else 1
            codes, when = np.arange(len(column.values)), numbers_per_value(column)
            ranks = np.empty_like(codes)
            ranks[np.lexsort([sign * codes, sign * when])] = codes  # NaN is last in both
            numbers[column.name]["when"] = ranks
        return numbers

    def keys(self, numbers: Mapping[str, Any], sizes: Mapping[str, int]) -> list[Any]:
        """The keys by which a person's rows are sorted, from the numbers of their values: arrays, or expressions."""
        codes = {f"code{number}": size for number, size in enumerate(sizes.values()) if f"code{number}" in numbers}
        content = PackedKeys.of(codes).pack({name: numbers[name] for name in codes})
        if self.keep != "random":
            return [numbers["when"], *content]
        hashes = [numbers[name.replace("code", "hash")] for name in codes]
        mixed = (sum(hashes[1:], hashes[0]) % PRIME if hashes else 0) * numbers["factor"] + numbers["shift"]
        mixed = mixed % PRIME
        return [(mixed * mixed + numbers["shift"]) % PRIME, *content]

    def _hashed(self, codes: np.ndarray, stream: int) -> np.ndarray:
        """A number below 2³¹ − 2 for each code, by SplitMix64 from a start that depends on seed and stream."""
        start = np.random.SeedSequence([self.seed % (1 << 64), stream]).generate_state(1, np.uint64)[0]
        with np.errstate(over="ignore"):
            z = start + (codes.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        hashed: np.ndarray = ((z ^ (z >> np.uint64(31))) % np.uint64(PRIME - 1)).astype(np.int64)
        return hashed
