"""Cells that also say whose they are, counted from one number per row.

An engine groups tuples with a person in each slowly: there are nearly as many as rows. Here it looks up the codes of
the other columns, packs them into one integer per row, and hands that and the person over; equal pairs are counted by
sorting. Cells are the same as those that `LazySource.count` gets by grouping.

>>> import duckdb, narwhals as nw
>>> from fairveil.engines.duckdb import DuckDB
>>> from fairveil.engines.lazy import LazySource
>>> with duckdb.connect() as connection:
...     people = connection.sql("SELECT * FROM VALUES ('F', 7), ('M', 9), ('F', 7), ('F', 8) AS people(sex, who)")
...     source = LazySource.of(nw.from_native(people), DuckDB.of(people))
...     cells = person_cells(source, ("sex", "who"), "who")
>>> cells.codes["sex"].tolist(), cells.codes["who"].tolist(), cells.counts.tolist()
([0, 0, 1], [0, 1, 2], [2, 1, 1])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.counting.cells import Cells, bits_for
from fairveil.counting.packed_keys import PackedKeys
from fairveil.data.arrow import filled, numbers, plain
from fairveil.data.spelling import Spelling
from fairveil.engines.native import Frame
from fairveil.engines.sorted_keys import Runs, counted_keys
from fairveil.engines.value_dictionary import CellReader, ValueDictionary, found, plain_values

if TYPE_CHECKING:
    from fairveil.engines.lazy import LazySource

ROW_BYTES = 48
"""Peak memory per row: the keys, a sorted copy, the numbers of persons."""
MAX_RANGE = 1 << 26
"""Maximum range of integers that are numbered by a table."""


def person_cells(source: LazySource, names: tuple[str, ...], person: str) -> Cells | None:
    """The cells of these columns, of which one says who a row is about, in the order of values; None if the engine had
    better group them: its rows are far away, or do not fit into memory as one integer each."""
    packed = _packed(source, names, person)
    if packed is None:
        return None
    keys, (distinct, counts) = packed
    source.refuse_more(names, len(distinct))
    codes = keys.unpack([distinct])
    labels = {name: source.spelled(name).values for name in names}
    return Cells({name: codes[name].astype(np.int64) for name in names}, dict(keys.sizes), counts, labels=labels)


def people_of_cells(source: LazySource, names: tuple[str, ...], person: str) -> np.ndarray | None:
    """The number of persons of each cell of these columns, in the order of values; None as in `person_cells`."""
    packed = _packed(source, (*names, person), person)
    if packed is None:
        return None
    keys, (distinct, _) = packed
    cells = distinct >> bits_for(keys.sizes[person])
    firsts = np.flatnonzero(np.concatenate([[True], cells[1:] != cells[:-1]]))
    return np.diff(firsts, append=len(cells))


def _packed(source: LazySource, names: tuple[str, ...], person: str) -> tuple[PackedKeys, Runs] | None:
    """The columns of each row as one integer: distinct ones, sorted, and their counts; None as in `person_cells`."""
    others = tuple(name for name in names if name != person)
    if not (source.native.near and others) or source.fixed is not None or source.merged:
        return None
    source.need(names)
    source.tuples(others)
    if not 0 < source.rows * ROW_BYTES <= source.budget.for_data // 2:
        return None
    sizes = {name: len(source.spelled(name).values) for name in others}
    place = names.index(person)
    sides = [PackedKeys.of({name: sizes[name] for name in side}) for side in (names[:place], names[place + 1 :])]
    if any(len(side.columns) > 1 for side in sides):
        return None
    rows = source.fetch(_keyed(source, sides, person), "counting persons")
    spelled, codes = _coded(person, plain_values(person, rows["person"]), source.cell_reader)
    keys = PackedKeys.of({name: sizes.get(name, len(spelled.values)) for name in names})
    if len(keys.columns) > 1:
        return None
    source.cache.spelled[person] = spelled
    columns = found(rows.drop_columns("person"))
    packed = codes << sum(bits_for(sizes[name]) for name in sides[1].sizes)
    if sides[1].columns:
        packed += columns["right"].to_numpy()
    if sides[0].columns:
        packed += columns["left"].to_numpy() << sum(bits_for(keys.sizes[name]) for name in names[place:])
    return keys, counted_keys(packed)


def _keyed(source: LazySource, sides: Sequence[PackedKeys], person: str) -> Frame:
    """One row for each of the source: the packed codes of the columns on either side of the person, and the person."""
    at = source.aliases
    others = [name for side in sides for name in side.sizes]
    frame = source.frame.select(*(at[name] for name in [*others, person]))
    spelled = {name: source.spelled(name) for name in others}
    codes = {name: {f"{at[name]}_code": (column.codes, column.missing)} for name, column in spelled.items()}
    frame = source.looked_up(frame, codes)
    keys = [
        key.alias(where)
        for where, side in zip(("left", "right"), sides, strict=True)
        for key in side.pack({name: nw.col(f"{at[name]}_code") for name in side.sizes})
    ]
    return frame.select(*keys, nw.col(at[person]).alias("person"))


def _coded(name: str, values: pa.Array, reader: CellReader) -> tuple[ValueDictionary, np.ndarray]:
    """The dictionary of a column, and the code of each row."""
    if _is_plain(name, values, reader):
        minimum, maximum = (limit.as_py() for limit in pc.min_max(values).values())
        if maximum - minimum < min(MAX_RANGE, 16 * len(values)):
            place = filled(values.cast(pa.int64()), maximum + 1) - minimum  # a missing value is the last
            occurs = np.zeros(maximum - minimum + 2, dtype=bool)
            occurs[place] = True
            known = numbers(np.flatnonzero(occurs[:-1]) + minimum).cast(values.type)
            codes, size = (np.cumsum(occurs) - 1)[place], len(known)
            whole = pa.concat_arrays([known, pa.nulls(int(occurs[-1]), known.type)])
            return ValueDictionary(name, known, np.arange(size), whole, size if occurs[-1] else -1), codes
    encoded = values.dictionary_encode(null_encoding="encode")
    row_value = plain(encoded.indices)
    counts = np.bincount(row_value, minlength=len(encoded.dictionary))
    spelled = ValueDictionary.of(name, encoded.dictionary, counts, reader)
    return spelled, spelled.encode(encoded.dictionary).astype(np.int64)[row_value]


def _is_plain(name: str, values: pa.Array, reader: CellReader) -> bool:
    """Whether a column has integers, each of which is a value as it stands."""
    is_read = name in {*reader.texts, *reader.kept} or reader.by_cell or reader.missing_values
    is_spelled = is_read or reader.spelling != Spelling() or reader.types.get(name, values.type) != values.type
    has_values = pa.types.is_signed_integer(values.type) and values.null_count < len(values)
    return has_values and not is_spelled
