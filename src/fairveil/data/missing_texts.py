"""Which of the texts that mean a missing value a recipe names, so that new files are read alike.

A text that few rows hold may say something about them ("see his lawyer"), and new files hardly need it. So a recipe
names the texts that at least `MIN_ROWS` rows of the source hold.

>>> pieces = [{"age": pa.array(["31", "?"] * 12), "zip": pa.array(["NA", *["8540"] * 23])}]
>>> often_held(pieces, ["?", "NA", "none"])
('?',)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import filled, texts

MIN_ROWS = 10


def often_held(pieces: Iterable[Mapping[str, pa.Array]], marks: Sequence[str]) -> tuple[str, ...]:
    """The `marks` that many rows hold in some column of text; reads no more pieces than it needs."""
    rows = np.zeros(len(marks), dtype=np.int64)
    for piece in pieces if marks else ():
        columns = [positions for values in piece.values() if (positions := _held(values, marks)) is not None]
        for number in range(len(marks)):
            rows[number] += np.logical_or.reduce([positions == number for positions in columns]).sum()
        if (rows >= MIN_ROWS).all():
            break
    return tuple(mark for mark, count in zip(marks, rows.tolist(), strict=True) if count >= MIN_ROWS)


def _held(values: pa.Array, marks: Sequence[str]) -> np.ndarray | None:
    """The position of each cell in `marks`, or -1; None for values that are not text."""
    coded = pa.types.is_dictionary(values.type)
    distinct = values.dictionary if coded else values
    if not pa.types.is_string(distinct.type):
        return None
    positions = np.append(filled(pc.index_in(distinct, value_set=texts(marks)), -1), -1)
    return positions[filled(values.indices, len(distinct))] if coded else positions[:-1]
