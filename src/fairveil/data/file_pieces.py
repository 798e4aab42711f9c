"""A file of any format that is read in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import texts
from fairveil.data.coding import Coder
from fairveil.data.dialect import Dialect
from fairveil.data.file_problems import UNREADABLE, first_sentence
from fairveil.data.table import Column
from fairveil.errors import BadInput, refuse, suggest


@dataclass(frozen=True)
class FilePieces:
    """A file to be read in pieces: its name, the columns to read, Arrow pieces of them, and how a column is finished.

    inferred  columns that are read as text, so that their values alone determine their type
    decimal   the decimal separator of their numbers; None: detected per column
    orders    the values of a column in an order that the file itself defines
    read_as   what was detected about the file, for display
    """

    name: str
    wanted: list[str]
    pieces: Callable[[], Iterator[Mapping[str, pa.Array]]]
    finish: Callable[[Coder, np.ndarray | None], Column] = lambda coder, counts: coder.finish()
    inferred: frozenset[str] = frozenset()
    decimal: str | None = "."
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Mapping[str, pa.Array]]:
        """Yield the pieces. Raises BadInput if the file cannot be read."""
        has_rows = False
        try:
            for piece in self.pieces():
                has_rows = True
                yield piece
        except UNREADABLE as problem:
            raise BadInput(f"{self.name} cannot be read: {first_sentence(problem)}") from None
        if not has_rows:
            raise BadInput(f"{self.name} has a header but no rows")


def wanted_columns(names: Sequence[str], columns: Sequence[str] | None, dialect: Dialect) -> list[str]:
    """The columns to read: `columns`, or all. Raises BadInput for those, and columns of the dialect, that do not
    exist."""
    existing = set(names)
    for asked in (columns or (), dialect.text):
        refuse([suggest(name, names, "column") for name in asked if name not in existing])
    return list(names if columns is None else columns)


def without(piece: pa.Array, missing_values: Sequence[str]) -> pa.Array:
    """Text with null for each value that means a missing one; other types unchanged."""
    if not missing_values or not pa.types.is_string(piece.type):
        return piece
    return pc.if_else(pc.is_in(piece, value_set=texts(missing_values)), pa.scalar(None, pa.string()), piece)
