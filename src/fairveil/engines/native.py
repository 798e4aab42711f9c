"""EngineAdapter: the operations that differ between engines; the rest of a source uses narwhals, in `lazy.py`."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.errors import BadInput, Cancelled

if TYPE_CHECKING:
    import pyarrow as pa

    from fairveil.data.snapshot import State
    from fairveil.engines.blocked import BlockFunction
    from fairveil.engines.database_tables import Transaction
    from fairveil.engines.duckdb import DuckDB
    from fairveil.engines.memory_budget import MemoryBudget
    from fairveil.engines.parts import PartWriter
    from fairveil.progress import Progress

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
    consistent = False
    """Whether all queries see one state of the data: a transaction, or a pinned version. Where it is False, the `state`
    before the first query is compared with that after the last byte of a release. May be set on the instance."""
    near = False
    """Whether the engine is in this process, so that a number of each row is fetched sooner than rows are grouped."""
    holds_frames = True
    """Whether frames can be used after the source is gone; otherwise published rows are fetched into one."""
    snapshot = ""
    """The name of that state for the owner: "the transaction of 2026-03-01 12:00:00 UTC". It is never published."""

    def state(self, frame: Frame) -> State:
        """A token of the state of a frame's data, not called where the engine is `consistent`: it differs after any
        change, whichever session committed it, and does not depend on the order of the rows. None if this engine
        cannot tell; then the owner is told that nobody may change the data meanwhile."""
        return None

    def source_types(self, frame: Frame) -> Mapping[str, pa.DataType]:
        """The types of columns that narwhals does not name, or that this engine spells in its own way."""
        return {}

    def numbered(self, frame: Frame) -> Frame:
        """The frame with its columns renamed to c0, c1, …"""
        import narwhals as nw

        from fairveil.engines.source_types import is_text_on_engine

        columns, types = [], self.source_types(frame)
        for position, (name, kind) in enumerate(frame.collect_schema().items()):
            column = nw.col(name)
            if isinstance(kind, nw.Categorical | nw.Enum) or is_text_on_engine(types.get(name)):
                column = column.cast(nw.String)
            columns.append(column.alias(f"c{position}"))
        return frame.select(*columns)

    def fetch(self, frame: Frame) -> pa.Table:
        """Fetch the rows of a frame: cells or distinct values, never rows of the source."""
        return frame.collect("pyarrow").to_native()

    def bring(self, table: pa.Table) -> Frame:
        """A small table as a frame of this engine, for joins."""
        raise NotImplementedError

    def framed(self, table: pa.Table) -> Any:
        """Published rows as a frame of the kind that was given."""
        return self.bring(table).to_native()

    def look_up(self, frame: Frame, tables: Mapping[str, pa.Table]) -> Frame:
        """Left-join each of these columns of a frame with the first column of its table, whose values are distinct. The
        table's other columns are null where the column is."""
        for at, table in tables.items():
            frame = frame.join(self.bring(table), left_on=at, right_on=table.schema.names[0], how="left")
        return frame

    def all_differ(self, frame: Frame, at: str) -> int | None:
        """The number of integers in a column, if all differ; None if they do not, or if this engine has no faster way
        than grouping to find out."""
        return None

    def batches(self, frame: Frame) -> Iterable[pa.Table | pa.RecordBatch]:
        """Fetch the rows of a frame batch by batch: published rows, to be written to a file."""
        batches: list[pa.RecordBatch] = self.fetch(frame).to_batches(BATCH_ROWS)
        return batches

    def write_parts(self, frame: Frame, writer: PartWriter) -> int | None:
        """Have workers write the parts of a frame of distinct keys and their counts; return the number of rows. None if
        this engine has no workers that share the writer's folder: then this process writes."""
        return None

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

    @classmethod
    def explain(cls, problem: BaseException) -> str:
        """Why a query failed, in one sentence without a value of the source."""
        return first_sentence(problem)

    def share(self) -> float | None:
        """The completed share of the running query; None if the engine does not report it."""
        return None

    def transaction(self, *, writes: bool = True) -> Transaction | None:
        """A transaction for writing a table beside the source, or for reading one; None if the engine does not support
        that."""
        return None


class PolarsAdapter(EngineAdapter):
    """Polars in this process, which cannot be interrupted."""

    name = "Polars"

    def source_types(self, frame: Frame) -> Mapping[str, pa.DataType]:
        from fairveil.engines.source_types import of_polars

        return of_polars(frame.to_native())

    def numbered(self, frame: Frame) -> Frame:
        import narwhals.selectors as columns

        return super().numbered(frame.with_columns(columns.datetime(time_zone="*").dt.convert_time_zone("UTC")))

    def state(self, frame: Frame) -> State:
        """The number of rows and the sum of their hashes; a constant for a frame that reads nothing from outside."""
        import polars

        rows = frame.select(*hashable(frame)).to_native()
        if "SCAN" not in rows.explain(optimized=False):
            return ()
        hashes = polars.struct(polars.all()).hash().cast(polars.Decimal(38, 0)).sum()
        return tuple(map(str, rows.select(rows=polars.len(), hashes=hashes).collect().row(0)))

    def bring(self, table: pa.Table) -> Frame:
        import narwhals as nw
        import polars

        return nw.from_native(polars.LazyFrame(polars.from_arrow(table)))


def constant(value: pa.Scalar) -> Any:
    """A value as a literal of an engine; dates and times are texts, because not all engines agree on their zone."""
    value = value.as_py()
    return value.isoformat() if hasattr(value, "isoformat") else value


def hashable(frame: Frame) -> list[str]:
    """The columns of a frame that can be published: each cell is a single value."""
    import narwhals as nw

    odd = (nw.Binary, nw.Object, nw.Unknown)
    return [name for name, kind in frame.collect_schema().items() if not kind.is_nested() and not isinstance(kind, odd)]


def blocks(batches: Iterable[pa.Table | pa.RecordBatch]) -> Iterator[tuple[int, pa.Table]]:
    """Yield number and rows of each block, from rows sorted by block number."""
    import pyarrow as pa

    from fairveil.engines.value_dictionary import found

    waiting: list[pa.Table] = []
    current = -1
    for batch in batches:
        table = found(batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch]))
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
        raise BadInput(f"{native.name} failed while {what}: {native.explain(problem)}") from None
    except BaseException:
        native.stop()
        raise
    finally:
        done.set()


_VALUE_FREE = frozenset({
    "BinderException", "CatalogException", "ConnectionException", "DependencyException", "FatalException",
    "HTTPException", "InterruptException", "IOException", "NotImplementedException", "OutOfMemoryException",
    "ParserException", "PermissionException", "SyntaxException", "TransactionException",
})  # fmt: skip
"""DuckDB's errors whose messages contain names and paths, but no values."""
_SECRET = re.compile(
    r"(?i)(\w*(?:passw|pwd|passcode|token|secret|credential|key)\w*\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|\S+)"
)
_LOGIN = re.compile(r"(?i)(://[^:/@\s]*?)(?::|%3a)\S*@")


def first_sentence(problem: BaseException, *, connecting: bool = False) -> str:
    """An engine's error message, as one line without passwords and without values of the source: where the kind of the
    error does not rule out a value, only its kind is named. While `connecting` there are no values yet."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):  # the next line has the cause
        lines = [lines[1].lstrip(": ")]
    text, kind = lines[0][:4000] if lines else "", type(problem).__name__
    if not connecting and not isinstance(problem, OSError | RuntimeError | ImportError | MemoryError):
        if type(problem).__module__ in ("duckdb", "_duckdb"):
            text = text if kind in _VALUE_FREE else text.partition(":")[0]
        else:
            named = re.match(r"\[[A-Z_.]+\]|[\w.$]+(?:Exception|Error)\b", text)  # Spark's name of the error, or Java's
            text = named[0] if named else kind
    return _LOGIN.sub(r"\1@", _SECRET.sub(r"\1…", text or kind)).rstrip(".")[:200]
