"""Table: microdata, one dictionary-coded integer column per attribute.

>>> import pyarrow as pa
>>> table = Table.from_frame(pa.table({"sex": ["F", "M", "F"], "age": [31, 40, 31]}))
>>> table.column("age").codes.tolist(), table.column("age").values.to_pylist()
([0, 1, 0], [31, 40])

Values are sorted, so equal tables have equal codes whatever the order or kind of their source. A missing
value is the last code of its column (`values[-1]` is null), or its row was dropped and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairveil.data.dialect import Dialect, Header, Missing
from fairveil.data.text_form import as_text
from fairveil.display import MAX_SHOWN, Displayable, DisplayTable
from fairveil.errors import BadInput, Unpublishable, refuse, suggest
from fairveil.messages import counted, literal, option
from fairveil.progress import Progress, Report

if TYPE_CHECKING:
    import pyarrow as pa

    from fairveil.data.row_sample import RowSample
    from fairveil.data.snapshot import Snapshot

CodeArray = NDArray[np.uint8 | np.uint16 | np.uint32 | np.uint64 | np.int64]
"""The code of each row, in a type that `narrow` returns or int64; for mypy, indexing with `np.integer` gives Any."""
COUNTED = 1 << 16
"""Minimum number of codes that are counted at once; they fit into a core's cache."""


@dataclass(frozen=True, repr=False)
class Column(Displayable):
    """One attribute: row i holds `values[codes[i]]`. `unreadable` is why its values can only be dropped, or empty."""

    name: str
    codes: CodeArray
    values: pa.Array
    unreadable: str = field(default="", repr=False, compare=False)

    def _headline(self) -> str:
        return f"Column {self.name!r}: {counted(len(self.codes), 'row')}, {counted(len(self.values), 'distinct value')}"

    def _tables(self) -> list[DisplayTable]:
        counts = np.bincount(self.codes, minlength=len(self.values))
        rows = [[self.values[i].as_py(), int(counts[i])] for i in np.argsort(-counts, kind="stable")[:MAX_SHOWN]]
        return [DisplayTable(["value", "rows"], rows, len(self.values))]

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def has_missing(self) -> bool:
        return bool(self.values.null_count)

    @cached_property
    def domain(self) -> list[Any]:
        """The distinct values as Python objects, in code order."""
        return list(self.readable().values.to_pylist())

    def readable(self) -> Column:
        """The column itself; raises Unpublishable if its values can only be dropped."""
        if self.unreadable:
            raise Unpublishable(self.unreadable)
        return self

    def code_of(self, value: object) -> int:
        """The code of one value; text is accepted for numbers, since plans and command lines are text."""
        if value in self.domain:
            return self.domain.index(value)
        texts = list(map(as_text, self.domain))
        if as_text(value) in texts:
            return texts.index(as_text(value))
        raise BadInput(f"column {self.name!r} has {suggest(value, self.domain, 'value')}")

    def take(self, index: np.ndarray) -> Column:
        taken = replace(self, codes=self.codes[index])
        vars(taken).update({name: value for name, value in vars(self).items() if name == "domain"})
        return taken

    def compact(self) -> Column:
        """The same column without the values that no row has."""
        return self._compact

    @cached_property
    def _compact(self) -> Column:
        from fairveil.data.arrow import numbers

        used = self._used
        if used.all():
            return self
        fresh = np.cumsum(used) - 1
        return replace(self, codes=narrow(fresh[self.codes], int(used.sum())), values=self.values.filter(numbers(used)))

    @property
    def _used(self) -> np.ndarray:
        """Whether any row has a value; of most columns, the first rows have all of them."""
        size = len(self.values)
        used, piece = np.zeros(size, dtype=bool), max(COUNTED, 4 * size)
        for start in range(0, len(self.codes), piece):
            used |= np.bincount(self.codes[start : start + piece], minlength=size) > 0
            if used.all():
                break
        return used

    @cached_property
    def rows_of_values(self) -> np.ndarray:
        """The number of rows with each value. Counted in pieces: NumPy copies the codes into a wider type."""
        size = len(self.values)
        totals, piece = np.zeros(size, dtype=np.int64), max(COUNTED, 4 * size)
        for start in range(0, len(self.codes), piece):
            totals += np.bincount(self.codes[start : start + piece], minlength=size)
        return totals

    def to_arrow(self, index: slice | np.ndarray = slice(None)) -> pa.Array:
        from fairveil.data.arrow import numbers

        return self.readable().values.take(numbers(self.codes[index]))


@dataclass(frozen=True, repr=False)
class Table(Displayable):
    """Columns of equal length, the kind of frame they came from, and how many rows were dropped when they were read.

    `labels` is the index of column names of a pandas frame, if some of them are not text: columns are called by
    their text here. `inferred` are the columns that were read as text, so that their values alone determined their
    type; `decimal` is the decimal separator of their numbers (None: detected per column). `orders` are the values
    of columns in an order that their file defines, `dialect` is how the file was read and `read_as` what was
    detected about it. `origin` is the file itself, with the columns and the dialect that were given, and what was
    read. `by_cell`: every cell was read by itself (`CellDialect`).
    """

    columns: tuple[Column, ...]
    kind: str = "pyarrow"
    dropped: int = 0
    native: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    labels: Any = field(default=None, repr=False, compare=False)
    inferred: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    decimal: str | None = field(default=".", repr=False, compare=False)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    dialect: Dialect | None = field(default=None, repr=False, compare=False)
    read_as: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    origin: tuple[Path, Sequence[str] | None, Dialect, Snapshot, tuple[Column, ...]] | None = field(
        default=None, repr=False, compare=False
    )
    by_cell: bool = field(default=False, repr=False, compare=False)

    def _headline(self) -> str:
        return f"Table: {counted(self.rows, 'row')}, {counted(len(self.columns), 'column')}"

    def _tables(self) -> list[DisplayTable]:
        some = [column.to_arrow(slice(MAX_SHOWN)).to_pylist() for column in self.columns]
        return [DisplayTable(self.names, list(zip(*some, strict=True)), self.rows)]

    @classmethod
    def from_frame(cls, frame: Any, *, missing: Missing = "category") -> Table:
        """Return a data `frame` as a table: pandas, Polars, PyArrow, or any that narwhals reads. It is not changed."""
        return cls._from_frame(frame, Dialect(missing))

    @classmethod
    def _from_frame(cls, frame: Any, dialect: Dialect) -> Table:
        if isinstance(frame, Table):
            return frame
        from fairveil.data.frames import read_frame

        columns, kind, native, labels, marks = read_frame(frame, dialect)
        table = cls._from_columns(columns, kind, dialect)
        return replace(table, native=native, labels=labels, dialect=dialect.given(marks), by_cell=dialect.by_cell)

    @classmethod
    def of(cls, given: Any, dialect: Dialect | None = None) -> Table:
        """Return `given` as a Table: a Table itself, any data frame, or the path of a file, read by `dialect`."""
        if isinstance(given, str | Path):
            return cls.read(given, dialect=dialect)
        return cls._from_frame(given, replace(dialect or Dialect(), missing="category"))

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        missing: Missing = "category",
        missing_values: Sequence[str] = (),
        columns: Sequence[str] | None = None,
        text: Sequence[str] = (),
        separator: str | None = None,
        encoding: str | None = None,
        decimal: str | None = None,
        sheet: str | int | None = None,
        thousands: str | None = None,
        units: Sequence[str] = (),
        dates: Sequence[str] = (),
        top_codes: Sequence[str] = (),
        others_missing: Sequence[str] = (),
        header: Header = "yes",
        dialect: Dialect | None = None,
        sample: RowSample | None = None,
        progress: Progress | Report | bool | None = None,
    ) -> Table:
        """Read a file in pieces, so that only codes stay in memory: CSV (also .gz, .tsv), Parquet, Excel, Stata, SPSS
        or SAS; all files that match a pattern such as "2024-*.csv"; or one version of a Delta or Iceberg table.

        `missing_values` are texts that mean a missing value ("?"); the empty cell is always missing. `text` names the
        columns to keep as text although they look like numbers, `columns` those to read. The delimiter (`separator`),
        `encoding` and `decimal` separator of a CSV file are detected by default; `sheet` is the name or number of a
        sheet of a workbook. `thousands`, `units`, `dates`, `top_codes` and `others_missing` say how numbers and dates
        are written (docs/engines.md); `header="no"`: the first line of a CSV file or sheet is a record. A `dialect`
        holds all of these and is used instead of them. Of the rows, `sample` keeps some. A differentially private
        method reads the file again, cell by cell; where a column of mixed types is refused here, give it the path.
        """
        from fairveil.data.lakehouse import pinned
        from fairveil.data.missing_texts import often_held
        from fairveil.data.readers import open_file, read_file, snapshot_of

        dialect = dialect or Dialect(
            missing, missing_values, text, separator, encoding, decimal, sheet, thousands, units, dates, top_codes,
            others_missing, header,
        )  # fmt: skip
        steps = Progress.visible(progress)
        path = pinned(path)
        snapshot = snapshot_of(path)
        with snapshot.explaining():
            pieces = open_file(Path(path), dialect, columns)
            loaded, read_as = steps.run(lambda: read_file(pieces, steps, sample))
            marks = () if dialect.by_cell else dialect.missing_values
            raw = open_file(Path(path), replace(dialect, missing_values=()), columns) if marks else ()
            remembered = dialect.remembered(often_held(raw, marks))
        snapshot.check()
        table = cls._from_columns(loaded, "pyarrow", dialect)
        table = table.compact() if sample else table
        return replace(
            table, inferred=pieces.inferred, decimal=pieces.decimal, orders=pieces.orders,
            dialect=remembered, read_as=read_as, by_cell=dialect.by_cell,
            origin=None if dialect.by_cell or sample else (Path(path), columns, dialect, snapshot, table.columns),
        )  # fmt: skip

    @cached_property
    def cell_by_cell(self) -> Table:
        """The same file, read again cell by cell; the table itself if it is not from a file, or no longer as read."""
        if self.origin is None or not {*map(id, self.columns)} <= {*map(id, self.origin[-1])}:
            return self
        path, columns, dialect, snapshot, _ = self.origin
        with snapshot.explaining():
            by_cell = Table.read(path, columns=columns, dialect=dialect.cell_by_cell, progress=False)
        snapshot.check()
        return by_cell.select(self.names)

    @classmethod
    def _from_columns(cls, columns: Sequence[Column], kind: str, dialect: Dialect) -> Table:
        if not columns:
            raise BadInput("the table has no columns")
        table = cls(tuple(columns), kind)
        if table.rows == 0 and not dialect.by_cell:
            raise BadInput("the table has a header but no rows")
        return table.dropping(dialect)

    def dropping(self, dialect: Dialect) -> Table:
        """The table, or its rows without missing values if the `dialect` says so."""
        missing = dialect.missing
        if missing not in ("category", "drop"):
            raise BadInput(f"{option('missing')} must be 'category' or 'drop', not {literal(missing)}")
        incomplete = [column for column in self.columns if column.has_missing]
        if missing == "category" or not incomplete:
            return self
        keep = np.logical_and.reduce([column.codes != len(column.values) - 1 for column in incomplete])
        if not keep.any() and not dialect.by_cell:
            raise BadInput(f"every row has a missing value, so {option('missing', 'drop')} leaves nothing")
        return replace(self.take(np.flatnonzero(keep)).compact(), dropped=int((~keep).sum()))

    @property
    def rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def column(self, name: str) -> Column:
        if name not in self._by_name:
            raise BadInput(suggest(name, self.names, "column"))
        return self._by_name[name].readable()

    def domain(self, name: str) -> Column:
        """The column, for its values; with `names`, all that a schema needs to know about data."""
        return self.column(name)

    def need(self, names: Iterable[str]) -> None:
        """Raise one BadInput for all names that are not columns."""
        refuse([suggest(name, self.names, "column") for name in names if name not in self])

    def select(self, names: Sequence[str]) -> Table:
        self.need(names)
        return replace(self, columns=tuple(self._by_name[name] for name in names))

    def drop(self, names: Iterable[str]) -> Table:
        unwanted = set(names)
        return replace(self, columns=tuple(c for c in self.columns if c.name not in unwanted))

    def take(self, index: np.ndarray) -> Table:
        return replace(self, columns=tuple(column.take(index) for column in self.columns))

    def compact(self) -> Table:
        """The same table without the values that no row has; the table itself if there are none."""
        columns = tuple(column.compact() for column in self.columns)
        same = all(one is other for one, other in zip(columns, self.columns, strict=True))
        return self if same else replace(self, columns=columns)

    def with_columns(self, fresh: Iterable[Column]) -> Table:
        """The same table with the columns of `fresh` in place of those of the same names."""
        by_name = {column.name: column for column in fresh}
        return replace(self, columns=tuple(by_name.get(c.name, c) for c in self.columns))

    def to_arrow(self, index: slice | np.ndarray = slice(None)) -> pa.Table:
        import pyarrow as pa

        return pa.table({column.name: column.to_arrow(index) for column in self.columns})

    def batches(self, size: int = 1 << 20) -> Iterator[pa.Table]:
        """The table as Arrow tables of at most `size` rows, so that writing needs little memory."""
        for start in range(0, self.rows, size):
            yield self.to_arrow(slice(start, start + size))

    def to_frame(self, kind: str | None = None) -> Any:
        """A data frame of a `kind` ("pandas", "polars", "pyarrow"); by default the kind that was read."""
        from fairveil.data.frames import to_kind

        return to_kind(self.to_arrow(), kind or self.kind, self.native, self.labels)


def narrow(codes: np.ndarray, size: int) -> np.ndarray:
    """Codes below `size` in the smallest unsigned type that holds them."""
    return codes.astype(np.min_scalar_type(max(size - 1, 0)), copy=False)
