"""Staging: blocks are processed one by one in this process, and the result is written to a private file."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from fairveil.engines.duckdb import DuckDB, spill_folder

if TYPE_CHECKING:
    from fairveil.engines.blocked import BlockFunction
    from fairveil.engines.native import EngineAdapter, Frame


def staged(
    native: EngineAdapter, keeper: DuckDB, frame: Frame, columns: Sequence[str], work: BlockFunction
) -> tuple[DuckDB, Frame, list[bytes]]:
    """Return the processed rows, on a DuckDB that deletes their file when it ends, and the findings of the blocks."""
    folder = spill_folder()
    weakref.finalize(keeper, shutil.rmtree, folder, ignore_errors=True)
    schema, findings = pa.schema([(name, pa.int64()) for name in columns]), []
    ordered = frame.sort(*frame.collect_schema().names())
    with pq.ParquetWriter(folder / "rows.parquet", schema) as file:
        for block, rows in blocks(native.batches(ordered)):
            done, finding = work(block, rows)
            findings.append(finding)
            if done is not None:
                file.write_table(done.cast(schema))
    return keeper, nw.from_native(keeper.connection.read_parquet(str(folder / "rows.parquet"))), findings


def blocks(batches: Iterable[pa.Table | pa.RecordBatch]) -> Iterator[tuple[int, pa.Table]]:
    """Yield number and rows of each block, from rows sorted by block number."""
    waiting: list[pa.Table] = []
    current = -1
    for batch in batches:
        table = batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch])
        numbers = table["block"].to_numpy()
        starts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)] if len(numbers) else [0]
        for start, end in pairwise(starts):
            if waiting and numbers[start] != current:
                yield current, pa.concat_tables(waiting)
                waiting = []
            current = int(numbers[start])
            waiting.append(table.slice(start, end - start))
    if waiting:
        yield current, pa.concat_tables(waiting)
