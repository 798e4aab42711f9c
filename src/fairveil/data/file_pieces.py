"""A file to be read in pieces, whatever its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import texts
from fairveil.data.coding import Coder
from fairveil.data.file_problems import UNREADABLE, first_sentence
from fairveil.data.table import Column
from fairveil.errors import BadInput, refuse, suggest


@dataclass(frozen=True)
class FilePieces:
    """A file to be read in pieces: its name, the wanted columns, Arrow pieces of them, and how a column ends.

    inferred  columns of which nothing but text is read, so that their values alone decide on their type
    decimal   how the numbers of those are written; None: found per column
    orders    the values of a column in an order that the file itself gives
    read_as   what was found about the file, to be shown
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
        """The pieces; whatever is wrong with the file is said in one sentence."""
        has_rows = False
        try:
            for piece in self.pieces():
                has_rows = True
                yield piece
        except UNREADABLE as problem:
            raise BadInput(f"{self.name} cannot be read: {first_sentence(problem)}") from None
        if not has_rows:
            raise BadInput(f"{self.name} has a header but no rows")


def wanted_columns(names: Sequence[str], columns: Sequence[str] | None) -> list[str]:
    """All names, or those asked for; one that is not there is refused."""
    if columns is None:
        return list(names)
    known = set(names)
    refuse([suggest(name, names, "column") for name in columns if name not in known])
    return list(columns)


def without(piece: pa.Array, missing_values: Sequence[str]) -> pa.Array:
    """Texts with those that mean a missing value taken out; other types as they are."""
    if not missing_values or not pa.types.is_string(piece.type):
        return piece
    return pc.if_else(pc.is_in(piece, value_set=texts(missing_values)), pa.scalar(None, pa.string()), piece)
