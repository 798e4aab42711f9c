"""A file of any format that is read in pieces, and the messages about files and columns that cannot be read."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import numbers, texts
from fairveil.data.coding import Coder, typed
from fairveil.data.spelling import Spelling
from fairveil.data.table import Column
from fairveil.data.text_form import as_text
from fairveil.data.types import source_type
from fairveil.errors import BadInput, Unpublishable, refuse, suggest

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect

UNREADABLE = (pa.ArrowException, OSError, EOFError, UnicodeDecodeError, OverflowError, zlib.error)
"""Exceptions that libraries raise for a damaged file: a truncated gzip member, a broken page, impossible sizes."""


@dataclass
class Share:
    """The share of a file that has been read, from 0 to 1."""

    done: float = 0.0


@dataclass(frozen=True)
class FilePieces:
    """A file to be read in pieces: its name, the columns to read, Arrow pieces of them, and how a column is finished.

    inferred  columns that are read as text, so that their values alone determine their type
    decimal   the decimal separator of their numbers; None: detected per column
    orders    the values of a column in an order that the file itself defines
    read_as   what was detected about the file, for display
    by_cell   every cell is read by itself, and no rows are needed
    spelling  how numbers and dates are written; their cells are rewritten one by one
    types     the types of the columns in the file, where they are known before it is read
    constants columns that are not in the file, and the value of each in all rows
    share     how much of the file has been read, while it is
    """

    name: str
    wanted: list[str]
    pieces: Callable[[], Iterator[Mapping[str, pa.Array]]]
    finish: Callable[[Coder, np.ndarray | None], Column] = lambda coder, counts: coder.finish()
    inferred: frozenset[str] = frozenset()
    decimal: str | None = "."
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)
    by_cell: bool = False
    may_be_empty: bool = False  # as one of several files may be
    spelling: Spelling = Spelling()  # noqa: RUF009 - frozen
    types: Mapping[str, pa.DataType] = field(default_factory=dict)
    constants: Mapping[str, pa.Scalar] = field(default_factory=dict)
    share: Share = field(default_factory=Share, compare=False)

    def __iter__(self) -> Iterator[Mapping[str, pa.Array]]:
        """Yield the pieces. Raises BadInput if the file cannot be read."""
        has_rows = False
        with reading(self.name):
            for piece in self.pieces():
                has_rows = True
                yield {name: self.spelling.respelled(name, values) for name, values in piece.items()}
        if not has_rows and self.by_cell:
            yield {name: pa.nulls(0, pa.string()) for name in self.wanted}
        elif not has_rows and not self.may_be_empty:
            raise BadInput(f"{self.name} has a header but no rows")

    def spelled(self, dialect: Dialect) -> FilePieces:
        """The file with its cells rewritten as the dialect says; texts become numbers and dates, whatever the form."""
        spelling = dialect.spelling
        covered = [name for name in self.wanted if spelling.covers(name) and not self.why_unreadable(name)]
        fresh = {name for name in covered if source_type(name, self.types.get(name, pa.string())) == pa.string()}
        before, decimal = self.finish, dialect.decimals or self.decimal

        def finish(coder: Coder, counts: np.ndarray | None) -> Column:
            is_text = coder.known is not None and pa.types.is_string(coder.known.type)
            if coder.name in fresh and is_text and not coder.unreadable:
                return typed(coder, dialect.by_cell, counts, decimal)
            return before(coder, counts)

        return replace(self, spelling=spelling, finish=finish, inferred=self.inferred | fresh)

    def why_unreadable(self, name: str) -> str:
        """Why the values of a column cannot be published, in a sentence; empty if they can."""
        try:
            source_type(name, self.types.get(name, pa.string()))
        except Unpublishable as problem:
            return "" if self.by_cell else str(problem)
        return ""


@contextmanager
def reading(file: str | Path) -> Iterator[None]:
    """Raise BadInput for a file that turns out to be damaged in this block."""
    try:
        yield
    except UNREADABLE as problem:
        raise BadInput(f"{str(file)[:500]} cannot be read: {first_sentence(problem)}") from None


def first_sentence(problem: BaseException) -> str:
    """The beginning of a library's error message, up to where it may quote data.

    >>> first_sentence(pa.ArrowInvalid("CSV parse error: Expected 2 columns, got 3: Anna,1,2"))
    'CSV parse error: Expected 2 columns, got 3'
    """
    message = getattr(problem, "strerror", None) or str(problem)
    kept = re.match(r"[^:'\"`\n]*(?:: Expected \d+ columns, got \d+)?", message)
    return (kept[0].strip().rstrip(".")[:160] if kept else "") or type(problem).__name__


def refuse_repeated(names: Sequence[str]) -> None:
    """Raise BadInput unless every column has a name of its own."""
    if len(set(names)) < len(names):
        repeated = min(name for name, times in Counter(names).items() if times > 1)
        raise BadInput(f"two columns are called {repeated!r}: column names must be distinct")
    if any(not str(name).strip() for name in names):
        raise BadInput("a column has no name: every column needs one in the header")


def wanted_columns(names: Sequence[str], columns: Sequence[str] | None, dialect: Dialect) -> list[str]:
    """The columns to read: `columns`, or all. Raises BadInput for columns of either that do not exist, and for
    duplicate names."""
    refuse_repeated(names)
    existing = set(names)
    for asked in (columns or (), dialect.text):
        refuse([suggest(name, names, "column") for name in asked if name not in existing])
    return list(names if columns is None else columns)


def mixed_types(name: str, values: Sequence[object]) -> BadInput:
    """The problem of a column whose values are not all of one type."""
    types = sorted({type(value).__name__ for value in values if value is not None})
    return BadInput(f"column {name!r} mixes types ({', '.join(types)}): make it all one type")


def unnamed(columns: int) -> list[str]:
    """The names of the columns of a file without a header."""
    return [f"column_{position}" for position in range(1, columns + 1)]


def all_named(header: Sequence[str]) -> list[str]:
    """The names of a header; columns without one, such as the row numbers that pandas writes, get that of their place.

    >>> all_named(["", "age"])
    ['column_1', 'age']
    """
    return [name if name.strip() else other for name, other in zip(header, unnamed(len(header)), strict=True)]


BLANKS = " \t\r\n"
"""Characters that no record consists of: engines leave them out of a cell in the same way."""


def blank(columns: Sequence[pa.Array], of: int) -> np.ndarray:
    """The rows in which every cell of these columns is missing or blank; none in a file `of` one column."""
    empty: np.ndarray = np.full(len(columns[0]), of > 1)
    for column in columns:
        if not empty.any():
            break
        empty &= _blank_cells(column)
    return empty


def _blank_cells(column: pa.Array) -> np.ndarray:
    if pa.types.is_dictionary(column.type):
        of_value = np.append(_blank_cells(column.dictionary), True)  # the last one is that of a missing value
        cells: np.ndarray = of_value[pc.fill_null(column.indices, len(column.dictionary)).to_numpy()]
        return cells
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = pc.fill_null(pc.equal(pc.ascii_trim(column, BLANKS), ""), True)
        return np.asarray(column.to_numpy(zero_copy_only=False))
    return np.asarray(column.is_null().to_numpy(zero_copy_only=False))


def without(piece: pa.Array, missing_values: Sequence[str], by_cell: bool = False) -> pa.Array:
    """Text with null for each value that means a missing one; other types unchanged, unless read cell by cell."""
    if pa.types.is_dictionary(piece.type):
        return pa.DictionaryArray.from_arrays(piece.indices, without(piece.dictionary, missing_values, by_cell))
    if not missing_values or not (by_cell or pa.types.is_string(piece.type)):
        return piece
    if by_cell:  # -9 and "-9" alike
        gone = [value is not None and as_text(value) in missing_values for value in piece.to_pylist()]
        return pc.if_else(numbers(np.array(gone, dtype=bool)), pa.scalar(None, piece.type), piece)
    return pc.if_else(pc.is_in(piece, value_set=texts(missing_values)), pa.scalar(None, pa.string()), piece)
