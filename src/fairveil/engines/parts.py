"""Parts of a release that the workers of an engine write, with the bytes that this process would write.

Sorted distinct rows with their counts are dealt out to parts by their position. One worker writes each part, into the
folder of the release, so no row passes through this process. The folder has to be on a file system that all share.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from fairveil.counting.packed_keys import PackedKeys
from fairveil.data.writers import part_name, write_stream
from fairveil.engines.key_pieces import pieces_of_keys

UNFINISHED = ".unfinished-"
"""How the names of files begin while a worker writes them."""


@dataclass(frozen=True)
class PartWriter:
    """Writes parts of a table: `values` are those of each column, sorted; `keys` has how their ranks are packed."""

    folder: Path
    keys: PackedKeys
    values: Mapping[str, pa.Array]
    schema: pa.Schema
    part_rows: int
    piece_rows: int

    def __call__(self, part: int, rows: pa.Table) -> int:
        """Write the part with these keys and counts, in any order; return the number of its rows."""
        rows = rows.sort_by([(name, "ascending") for name in self.keys.names])
        path = self.folder / part_name(part)
        aside = path.with_name(f"{UNFINISHED}{path.name}.{secrets.token_hex(4)}")  # the same work may be done twice
        try:
            write_stream(pieces_of_keys([rows], self.keys, self.values, self.piece_rows), self.schema, aside, None)
            os.replace(aside, path)
        finally:
            aside.unlink(missing_ok=True)
        return int(rows["rows"].to_numpy().sum())

    def remove_unfinished(self) -> None:
        """Remove what workers that were killed have left; another one has written their parts."""
        for aside in self.folder.glob(f"{UNFINISHED}*"):
            aside.unlink(missing_ok=True)

    def dealt(self, start: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield sorted keys and their counts with the number of their part; `start` is the position of the first row.
        The rows of a key may be in several parts."""
        for batch in batches:
            ends = start + np.cumsum(batch.column("rows").to_numpy())
            starts = np.concatenate([[start], ends[:-1]])
            start = int(ends[-1]) if len(ends) else start
            for part in range(int(starts[0]) // self.part_rows, (start - 1) // self.part_rows + 1) if len(ends) else ():
                first, last = part * self.part_rows, (part + 1) * self.part_rows
                inside = np.flatnonzero((ends > first) & (starts < last))
                counts = np.minimum(ends[inside], last) - np.maximum(starts[inside], first)
                chosen = batch.take(pa.array(inside))
                columns = {name: chosen.column(name) for name in self.keys.names}
                numbered = {"part": pa.array(np.full(len(inside), part, dtype=np.int64)), "rows": pa.array(counts)}
                yield pa.RecordBatch.from_pydict({**columns, **numbered})
