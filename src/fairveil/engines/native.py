"""EngineAdapter: the operations that differ between engines; the rest of a source uses narwhals, in `lazy.py`."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.errors import BadInput, Cancelled
from fairveil.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa

    from fairveil.engines.blocked import BlockFunction
    from fairveil.engines.database_tables import Transaction
    from fairveil.engines.duckdb import DuckDB
    from fairveil.engines.memory_budget import MemoryBudget

Frame = Any
"""A narwhals LazyFrame."""
PAUSE = 0.05
"""Seconds between two checks for cancellation."""
REPORT_INTERVAL = 0.25
"""Seconds between two reports of an engine's progress."""
BATCH_ROWS = 1 << 20
"""Maximum number of rows fetched from an engine at once."""


class EngineAdapter:
    """The engine of a lazy frame. Its defaults need only narwhals."""

    name: str

    def numbered(self, frame: Frame) -> Frame:
        """The frame with its columns renamed to c0, c1, …"""
        import narwhals as nw

        columns = []
        for position, (name, kind) in enumerate(frame.collect_schema().items()):
            column = nw.col(name)
            if isinstance(kind, nw.Categorical | nw.Enum):
                column = column.cast(nw.String)
            columns.append(column.alias(f"c{position}"))
        return frame.select(*columns)

    def fetch(self, frame: Frame) -> pa.Table:
        """Fetch the rows of a frame: cells or distinct values, never rows of the source."""
        return frame.collect("pyarrow").to_native()

    def bring(self, table: pa.Table) -> Frame:
        """A small table as a frame of this engine, for joins."""
        raise NotImplementedError

    def look_up(self, frame: Frame, at: str, table: pa.Table) -> Frame:
        """Left-join the frame's column `at` with the first column of a table, whose values are distinct. Other columns
        are null where `at` is."""
        return frame.join(self.bring(table), left_on=at, right_on=table.schema.names[0], how="left")

    def all_differ(self, frame: Frame, at: str) -> int | None:
        """The number of integers in a column, if all differ; None if they do not, or if this engine has no faster way
        than grouping to find out."""
        return None

    def batches(self, frame: Frame) -> Iterable[pa.Table | pa.RecordBatch]:
        """Fetch the rows of a frame batch by batch: published rows, to be written to a file."""
        batches: list[pa.RecordBatch] = self.fetch(frame).to_batches(BATCH_ROWS)
        return batches

    def worked(
        self, frame: Frame, columns: Sequence[str], work: BlockFunction, budget: MemoryBudget
    ) -> tuple[EngineAdapter, Frame, list[bytes]]:
        """Apply `work` to each block of a frame, given by its column `block`. Return the engine that holds the rows, a
        frame with these integer columns, and the findings in the order of the blocks.

        By default blocks are processed one by one in this process, and their rows are kept in a private file.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        keeper, findings = self.keeper(budget), []
        path, schema = keeper.spill() / "rows.parquet", pa.schema([(name, pa.int64()) for name in columns])
        with pq.ParquetWriter(path, schema) as file:
            for block, rows in blocks(self.batches(frame.sort(*frame.collect_schema().names()))):
                done, finding = work(block, rows)
                findings.append(finding)
                if done is not None:
                    file.write_table(done.cast(schema))
        return keeper, keeper.parquet([path]), findings

    def keeper(self, budget: MemoryBudget) -> DuckDB:
        """A DuckDB that holds rows processed by this process."""
        from fairveil.engines.duckdb import DuckDB

        return DuckDB.within(budget)

    def stop(self) -> None:
        """Interrupt the running query. Engines that cannot be interrupted do nothing: their result is discarded."""

    def share(self) -> float | None:
        """The completed share of the running query; None if the engine does not report it."""
        return None

    def transaction(self) -> Transaction | None:
        """A transaction for writing a table beside the source; None if the engine does not support that."""
        return None


class PolarsAdapter(EngineAdapter):
    """Polars in this process, which cannot be interrupted."""

    name = "Polars"

    def bring(self, table: pa.Table) -> Frame:
        import narwhals as nw
        import polars

        return nw.from_native(polars.LazyFrame(polars.from_arrow(table)))


def blocks(batches: Iterable[pa.Table | pa.RecordBatch]) -> Iterator[tuple[int, pa.Table]]:
    """Yield number and rows of each block, from rows sorted by block number."""
    import pyarrow as pa

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


@contextlib.contextmanager
def interruptible(native: EngineAdapter, progress: Progress | None, what: str) -> Iterator[None]:
    """Stop the engine on cancellation or Ctrl-C, and raise any other error of the engine as a BadInput of one sentence.

    Meanwhile the progress reports `what` is done, and the share of the query if the engine reports it. The progress's
    own share does not change: a search does not know how many queries it will need.
    """
    done = threading.Event()
    if progress is not None and progress.watched:
        progress.tell(progress.share, what)

        def watch() -> None:
            reported = time.monotonic()
            while not done.wait(PAUSE):
                if progress.cancelled:
                    native.stop()
                elif time.monotonic() - reported < REPORT_INTERVAL:
                    continue
                elif (share := native.share()) is not None and not done.is_set():
                    reported = time.monotonic()
                    with contextlib.suppress(Cancelled):  # raised in the waiting thread instead
                        progress.tell(progress.share, f"{what}: {share:.0%}")

        threading.Thread(target=watch, name="fairveil-watch", daemon=True).start()
    try:
        yield
    except (BadInput, Cancelled):
        raise
    except Exception as problem:
        if progress is not None:
            progress.check(what)
        raise BadInput(f"{native.name} failed while {what}: {first_sentence(problem)}") from None
    except BaseException:
        native.stop()
        raise
    finally:
        done.set()


def first_sentence(problem: BaseException) -> str:
    """An engine's error message, as one line without passwords."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):  # the next line has the cause
        lines = [lines[1].lstrip(": ")]
    text = lines[0][:4000] if lines else type(problem).__name__
    return re.sub(r"(://[^:/@\s]*):[^@\s]*@", r"\1@", re.sub(r"(password|token)\s*=\s*\S+", r"\1=…", text)).rstrip(".")[
        :200
    ]
