"""Cells that also say whose they are, counted from rows that are read once.

An engine groups tuples with a person in each slowly: there are nearly as many as rows. Here rows are fetched piece by
piece, each value becomes a code at once, and equal pairs of a cell and a person are counted without sorting. Cells are
the same as those that `LazySource.count` gets by grouping.

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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from fairveil.counting.cells import Cells
from fairveil.counting.fewer_cells import PartOf
from fairveil.counting.kernels.hashed_texts import hashes_of_texts, words_of_texts
from fairveil.counting.kernels.numbered_texts import keys_of_numbered
from fairveil.counting.kernels.person_counts import by_cell, pairs_by_person, stable_order
from fairveil.counting.threads import ahead, each_in_threads, side_by_side
from fairveil.counting.tuples import first_rows, group_firsts, group_of
from fairveil.data.arrow import filled, numbers, plain
from fairveil.data.coding import Coder
from fairveil.data.spelling import Spelling
from fairveil.engines.relation import Sizes
from fairveil.engines.value_dictionary import CellReader, ValueDictionary, not_found, plain_values

if TYPE_CHECKING:
    from fairveil.engines.lazy import LazySource

ROW_BYTES = 48
"""Peak memory per row: a code per column, its cell, who it is about, and the pairs by person and by cell."""
MAX_ROWS = (1 << 31) - 1
"""Maximum number of rows: they are numbered by 32 bits."""
MAX_DENSE = 1 << 12
"""Maximum range of integers of which a dictionary has all, whether or not they occur."""
COMPARED = 1 << 18
"""Texts that are compared at a time with the texts that they are said to be."""
MAX_RANGE = 1 << 26
"""Maximum range of integers that are numbered by a table."""


class Gathered(Mapping[str, NDArray[np.int64]]):
    """The codes of cells, of which those of all columns but one are gathered from fewer cells when they are read."""

    def __init__(
        self, names: tuple[str, ...], own: Mapping[str, np.ndarray], fewer: Cells, of_cell: np.ndarray
    ) -> None:
        self._names, self._known, self._fewer, self._of_cell = names, dict(own), fewer, of_cell

    def __getitem__(self, name: str) -> NDArray[np.int64]:
        if name not in self._known:
            self._known[name] = self._fewer.codes[name][self._of_cell]
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True)
class _Pairs:
    """The distinct pairs of a person and a cell, person by person, and the rows of each; `cells` are those without
    persons, and `starts` is where the pairs of each person start."""

    cells: Cells
    of_cell: np.ndarray
    rows: np.ndarray
    starts: np.ndarray
    spelled: ValueDictionary


def person_cells(source: LazySource, names: tuple[str, ...], person: str) -> Cells | None:
    """The cells of these columns, of which one says who a row is about, in the order of values; None if the engine had
    better group them: its rows are far away, or do not fit into memory as a few integers each."""
    pairs = _pairs(source, tuple(name for name in names if name != person), person)
    if pairs is None:
        return None
    source.refuse_more(names, len(pairs.rows))
    fewer = pairs.cells
    of_cell = np.empty(len(pairs.rows), dtype=np.int32)
    persons, counts = (np.empty(len(of_cell), dtype=np.int64) for _ in range(2))
    by_cell(pairs.of_cell, pairs.rows, pairs.starts, len(fewer), of_cell, persons, counts)
    place = names.index(person)
    if place + 1 < len(names):  # in the order of values, persons come before the columns behind them
        before, total = group_of([(fewer.codes[name], fewer.sizes[name]) for name in names[:place]], len(fewer))
        order = stable_order(persons.astype(np.int32), len(pairs.spelled.values))
        order = order[stable_order(before.astype(np.int32)[of_cell[order]], total)]
        of_cell, persons, counts = of_cell[order], persons[order], counts[order]
    codes = Gathered(names, {person: persons}, fewer, of_cell)
    sizes = {name: len(pairs.spelled.values) if name == person else fewer.sizes[name] for name in names}
    labels = {name: source.spelled(name).values for name in names}
    part = PartOf(fewer, of_cell, codes, counts, person, sizes[person], {"by_value": (pairs.of_cell, pairs.starts)})
    return Cells(codes, sizes, counts, labels=labels, apart={person: part})


def people_of_cells(source: LazySource, names: tuple[str, ...], person: str) -> np.ndarray | None:
    """The number of persons of each cell of these columns, in the order of values; None as in `person_cells`."""
    pairs = _pairs(source, names, person)
    return None if pairs is None else np.bincount(pairs.of_cell, minlength=len(pairs.cells))


def _pairs(source: LazySource, others: tuple[str, ...], person: str) -> _Pairs | None:
    """The pairs of cells of these columns and a person; None as in `person_cells`."""
    if not (source.native.near and others) or source.fixed is not None or source.merged:
        return None
    source.need((*others, person))
    coders = {name: Coder(name) for name in others}
    read = _read(source, coders, person)
    if read is None or not len(read):
        return None
    people: pa.Array = read
    columns = [(np.concatenate(coder.pieces), coder.size) for coder in coders.values()]
    (tuples, occurring, distinct, counts), (spelled, codes) = side_by_side(
        lambda: _numbered(columns, len(people)), lambda: _coded(person, people, source.cell_reader)
    )
    values = {name: _values(coder, codes) for (name, coder), codes in zip(coders.items(), distinct, strict=True)}
    if others not in source.cache.tuples:
        source.refuse_more(others, len(counts))
        by_alias = {source.aliases[name]: of_tuple for name, of_tuple in values.items()}
        source.cache.tuples[others] = pa.table({**by_alias, "rows": numbers(counts)})
    source.cache.spelled[person] = spelled
    cells = source.count(others)
    cell_of = np.zeros(occurring[-1] + 1, dtype=np.int32)
    cell_of[occurring] = _cells_of(source, cells, values)
    row_cells = cell_of[tuples]
    of_cell, rows = (np.empty(len(codes), dtype=np.int32) for _ in range(2))
    starts, rows_of = (np.empty(len(spelled.values) + extra, dtype=np.int64) for extra in (1, 0))
    pairs_by_person(codes, row_cells, len(cells), of_cell, rows, starts, rows_of)
    source.cache.sizes[(person,), False] = Sizes.of(rows_of)
    return _Pairs(cells, of_cell[: starts[-1]], rows[: starts[-1]], starts, spelled)


def _numbered(
    columns: Sequence[tuple[np.ndarray, int]], rows: int
) -> tuple[NDArray[Any], NDArray[np.int64], list[np.ndarray], NDArray[np.int64]]:
    """The number of the tuple of each row of coded columns, the numbers that occur, the codes of the tuples that have
    them, and how often each occurs."""
    sizes = [size for _, size in columns]
    if prod(sizes) > min(rows, MAX_RANGE):
        groups, firsts = first_rows(columns, rows)
        return groups, np.arange(len(firsts)), [codes[firsts] for codes, _ in columns], np.bincount(groups)
    place = np.zeros(rows, dtype=np.int32)  # in a table of all tuples that could occur
    for codes, size in columns:
        np.multiply(place, size, out=place)
        np.add(place, codes, out=place, casting="same_kind")
    counts = np.bincount(place)
    occurring = np.flatnonzero(counts)
    return place, occurring, list(np.unravel_index(occurring, sizes)), counts[occurring]


def _read(source: LazySource, coders: Mapping[str, Coder], person: str) -> pa.Array | None:
    """Read all rows: the columns of `coders` into these; return who each is about. None if there are too many."""
    max_rows = min(source.budget.for_data // 2 // ROW_BYTES, MAX_ROWS)
    if source.cache.tuples and source.rows > max_rows:
        return None
    people: list[pa.Array] = []
    with source.batches(
        source.frame.select(*(source.aliases[name] for name in (*coders, person))), "counting persons"
    ) as batches:
        for batch in ahead(batches):
            people.append(plain_values(person, batch.column(source.aliases[person])))
            if sum(map(len, people)) > max_rows:
                return None

            def read(name: str, batch: pa.RecordBatch = batch) -> None:
                coders[name].add(_in_range(plain_values(name, batch.column(source.aliases[name]))))

            each_in_threads(read, list(coders))
    return pa.chunked_array(people).combine_chunks() if people else None


def _in_range(values: pa.Array) -> pa.Array:
    """Integers of a small range as a dictionary of that range, which is quicker than looking each of them up."""
    if not pa.types.is_signed_integer(values.type) or values.null_count or not len(values):
        return values
    whole = values.to_numpy()
    minimum, maximum = int(whole.min()), int(whole.max())
    if maximum - minimum >= MAX_DENSE:
        return values
    places = np.empty(len(whole), dtype=np.int16)
    np.subtract(whole, minimum, out=places, dtype=np.int64, casting="unsafe")
    domain = numbers(np.arange(minimum, maximum + 1, dtype=np.int64)).cast(values.type)
    return pa.DictionaryArray.from_arrays(numbers(places), domain)


def _values(coder: Coder, codes: np.ndarray) -> pa.Array:
    """The values that codes stand for, in the engine's spelling."""
    assert coder.known is not None
    return coder.known.take(pa.array(codes.astype(np.int64) - 1, mask=codes == 0))


def _cells_of(source: LazySource, cells: Cells, tuples: Mapping[str, pa.Array]) -> NDArray[np.int32]:
    """The cell of each of some tuples in the engine's spelling."""
    both = [
        (np.concatenate([cells.codes[name], source.spelled(name).encode(values)]), cells.sizes[name])
        for name, values in tuples.items()
    ]
    groups, total = group_of(both, len(both[0][0]))
    if total > len(cells):
        raise not_found("the source")
    return groups[len(cells) :].astype(np.int32)


def _coded(name: str, values: pa.Array, reader: CellReader) -> tuple[ValueDictionary, NDArray[np.int32]]:
    """The dictionary of a column, and the code of each row."""
    if _is_plain(name, values, reader):
        if not pa.types.is_signed_integer(values.type):
            return _numbered_texts(name, values) or _texts(name, values)
        if (coded := _integers(name, values)) is not None:
            return coded
    encoded = values.dictionary_encode(null_encoding="encode")
    row_value = plain(encoded.indices)
    counts = np.bincount(row_value, minlength=len(encoded.dictionary))
    spelled = ValueDictionary.of(name, encoded.dictionary, counts, reader)
    return spelled, spelled.encode(encoded.dictionary).astype(np.int32)[row_value]


def _integers(name: str, values: pa.Array) -> tuple[ValueDictionary, NDArray[np.int32]] | None:
    """The same of integers of a small range, by a table of it; else None."""
    minimum, maximum = (limit.as_py() for limit in pc.min_max(values).values())
    if maximum - minimum >= min(MAX_RANGE, 16 * len(values)):
        return None
    place = filled(values.cast(pa.int64()), maximum + 1) - minimum  # a missing value is the last
    occurs = np.zeros(maximum - minimum + 2, dtype=bool)
    occurs[place] = True
    known = numbers(np.flatnonzero(occurs[:-1]) + minimum).cast(values.type)
    return _dictionary(name, known, bool(occurs[-1])), (np.cumsum(occurs, dtype=np.int32) - 1)[place]


def _numbered_texts(name: str, values: pa.Array) -> tuple[ValueDictionary, NDArray[np.int32]] | None:
    """The same of texts that all begin alike and end in digits, such as `P-0042` and `P-7`, by a table of what their
    digits say; else None. Hashing texts takes several times as long."""
    if values.type != pa.string() or values.offset:
        return None
    ends, texts = _bytes_of(values)
    missing = values.is_null().to_numpy(zero_copy_only=False)
    first = next((row for row in range(min(len(values), 64)) if not missing[row]), None)
    if first is None:
        return None
    start = str(values[first]).rstrip("0123456789")
    keys = np.empty(len(values), dtype=np.int64)
    most = min(MAX_RANGE, 16 * len(values))
    if not keys_of_numbered(ends, texts, np.frombuffer(start.encode(), dtype=np.uint8), missing, most, keys):
        return None
    example = np.full(int(keys.max()) + 1, -1, dtype=np.int64)  # the last row with each key; 0 is a missing value
    example[keys] = np.arange(len(keys))
    used = np.flatnonzero(example[1:] >= 0) + 1
    distinct = values.take(numbers(example[used]))
    shortest, longest = (limit.as_py() for limit in pc.min_max(pc.binary_length(distinct)).values())
    if shortest < longest:  # else texts are in the order of their numbers
        order = plain(pc.sort_indices(distinct)).astype(np.int64)
        used, distinct = used[order], distinct.take(numbers(order))
    code_of = np.full(len(example), len(used), dtype=np.int32)
    code_of[used] = np.arange(len(used), dtype=np.int32)
    return _dictionary(name, distinct, bool(example[0] >= 0)), code_of[keys]


def _texts(name: str, values: pa.Array) -> tuple[ValueDictionary, NDArray[np.int32]]:
    """The same of any texts."""
    known = values.drop_null()
    distinct, groups = _hashed(known) or _encoded(known)
    order = _order(distinct)
    code_of = np.empty(len(order), dtype=np.int32)
    code_of[order] = np.arange(len(order), dtype=np.int32)
    codes = code_of[groups]
    if len(known) < len(values):
        codes, of_known = np.full(len(values), len(order), dtype=np.int32), codes
        codes[values.is_valid().to_numpy(zero_copy_only=False)] = of_known
    return _dictionary(name, distinct.take(numbers(order)), values.null_count > 0), codes


def _encoded(known: pa.Array) -> tuple[pa.Array, np.ndarray]:
    """The distinct texts, and which of them each text is."""
    encoded = known.dictionary_encode()
    return encoded.dictionary, plain(encoded.indices)


def _hashed(known: pa.Array) -> tuple[pa.Array, np.ndarray] | None:
    """The same three times faster, by a hash of each text; each is then compared with the text that it is said to be.
    None if one differs, because different texts have the same hash."""
    hashes = np.empty(len(known), dtype=np.uint64)
    hashes_of_texts(*_bytes_of(known), hashes)
    groups, firsts = group_firsts(hashes.view(np.int64))
    distinct = known.take(numbers(firsts))
    for start in range(0, len(known), COMPARED):
        part = groups[start : start + COMPARED]
        if not known.slice(start, len(part)).equals(distinct.take(numbers(part))):
            return None
    return distinct, groups


def _order(distinct: pa.Array) -> np.ndarray:
    """The places of different texts in their order: that of eight bytes after those that all have in common, and where
    these agree, of the texts."""
    lowest, highest = (limit.as_py().encode() for limit in pc.min_max(distinct).values())
    differ = (place for place, (low, high) in enumerate(zip(lowest, highest, strict=False)) if low != high)
    words = np.empty(len(distinct), dtype=np.uint64)
    words_of_texts(*_bytes_of(distinct), next(differ, len(lowest)), words)
    order = np.argsort(words)
    agrees = words[order[1:]] == words[order[:-1]]
    tied = np.flatnonzero(np.append(agrees, False) | np.append(False, agrees))
    if len(tied):
        among = order[tied]
        order[tied] = among[plain(pc.sort_indices(distinct.take(numbers(among)))).astype(np.int64)]
    return order


def _bytes_of(known: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Where each text ends, after where the first one starts, and the bytes of all."""
    _, offsets, data = known.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[known.offset : known.offset + len(known) + 1]
    return np.ascontiguousarray(ends), np.frombuffer(data or b"", dtype=np.uint8)


def _dictionary(name: str, known: pa.Array, has_missing: bool) -> ValueDictionary:
    """The dictionary of sorted values, each of which is its own spelling."""
    whole = pa.concat_arrays([known, pa.nulls(int(has_missing), known.type)])
    return ValueDictionary(name, known, np.arange(len(known)), whole, len(known) if has_missing else -1)


def _is_plain(name: str, values: pa.Array, reader: CellReader) -> bool:
    """Whether a column has integers or texts, each of which is a value as it stands."""
    is_read = name in {*reader.texts, *reader.kept} or reader.by_cell or reader.missing_values
    is_spelled = is_read or reader.spelling != Spelling() or reader.types.get(name, values.type) != values.type
    has_kind = pa.types.is_signed_integer(values.type) or pa.types.is_string(values.type)
    return has_kind and values.null_count < len(values) and not is_spelled
