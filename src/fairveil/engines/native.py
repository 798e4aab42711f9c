"""Native: what an engine adds to narwhals' lazy frames. Everything else of a source is written once, in `lazy.py`.

The engine of a lazy frame that needs nothing more (Polars) is here, too.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from fairveil.errors import BadInput
from fairveil.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa

Frame = Any
"""A narwhals LazyFrame."""
PAUSE = 0.05
"""Seconds between two looks at whether somebody has cancelled."""
PART_ROWS = 1 << 20
"""Rows of a row group, and of a part, of a file that is written."""


@dataclass(frozen=True)
class Coded:
    """A published column of rows on an engine: where its values stand, and where in a key the place of each among them.

    The values are in the order of rows, a missing one last.
    """

    name: str
    column: str
    values: pa.Array
    key: int
    shift: int
    bits: int


def key_name(number: int) -> str:
    return f"key{number}"


def in_order(frame: Frame, coded: Sequence[Coded]) -> Frame:
    """The published columns in their order, sorted by all keys. They get their names later: Spark takes not all."""
    ordered = frame.sort(*dict.fromkeys(key_name(column.key) for column in coded))
    return ordered.select(*(column.column for column in coded))


class Native(Protocol):
    """Where a lazy frame lives."""

    name: str

    def numbered(self, frame: Frame) -> Frame:
        """The frame with its columns called c0, c1, …"""
        ...

    def fetch(self, frame: Frame) -> pa.Table:
        """The rows of a frame: cells or distinct values, never rows of the source."""
        ...

    def bring(self, table: pa.Table) -> Frame:
        """A small table as a frame that others of this engine can be joined with."""
        ...

    def write(self, frame: Frame, coded: Sequence[Coded], schema: pa.Schema, path: Path, *, parts: bool) -> None:
        """Write rows in the order of their keys as a Parquet file with these types, or as a folder of such files."""
        ...

    def stop(self) -> None:
        """Interrupt what is running."""
        ...


class Plain:
    """An engine that narwhals alone can drive; others start from here."""

    name = "Polars"

    def numbered(self, frame: Frame) -> Frame:
        import narwhals as nw

        columns = []
        for place, (name, kind) in enumerate(frame.collect_schema().items()):
            column = nw.col(name)
            if isinstance(kind, nw.Categorical | nw.Enum):
                column = column.cast(nw.String)
            columns.append(column.alias(f"c{place}"))
        return frame.select(*columns)

    def fetch(self, frame: Frame) -> pa.Table:
        return frame.collect("pyarrow").to_native()

    def bring(self, table: pa.Table) -> Frame:
        import narwhals as nw
        import polars

        return nw.from_native(polars.LazyFrame(polars.from_arrow(table)))

    def write(self, frame: Frame, coded: Sequence[Coded], schema: pa.Schema, path: Path, *, parts: bool) -> None:
        write_batches(self.batches(in_order(frame, coded)), schema, path, parts=parts)

    def batches(self, frame: Frame) -> Iterable[pa.Table | pa.RecordBatch]:
        """Rows, some at a time; they are published ones, on their way into a file."""
        return self.fetch(frame).to_batches(PART_ROWS)

    def stop(self) -> None:
        """Polars cannot be interrupted: its answer is thrown away."""


def write_batches(batches: Iterable[pa.Table | pa.RecordBatch], schema: pa.Schema, path: Path, *, parts: bool) -> None:
    """Arrow batches as one Parquet file, or as a folder of files of one batch each."""
    import pyarrow as pa
    import pyarrow.parquet

    def typed(batch: pa.RecordBatch) -> pa.Table:
        table = pa.table(batch) if isinstance(batch, pa.RecordBatch) else batch
        return table.rename_columns(schema.names).cast(schema)

    if parts:
        path.mkdir()
        number = -1
        for number, batch in enumerate(batches):
            pa.parquet.write_table(typed(batch), path / part_name(number))
        if number < 0:
            pa.parquet.write_table(schema.empty_table(), path / part_name(0))
        return
    with path.open("wb") as sink, pa.parquet.ParquetWriter(sink, schema) as writer:
        for batch in batches:
            writer.write_table(typed(batch))


def part_name(number: int) -> str:
    return f"part-{number:05}.parquet"


@contextlib.contextmanager
def interruptible(native: Native, progress: Progress | None, what: str) -> Iterator[None]:
    """Cancelling, or Ctrl-C, stops what the engine does; whatever else goes wrong there is said in one sentence."""
    done = threading.Event()
    if progress is not None and progress.watched:

        def watch() -> None:
            while not done.wait(PAUSE):
                if progress.cancelled:
                    native.stop()

        threading.Thread(target=watch, name="fairveil-watch", daemon=True).start()
    try:
        yield
    except BadInput:
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
    """What an engine said, in one line and without passwords."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    text = lines[0] if lines else type(problem).__name__
    return re.sub(r"(://[^:/@\s]*):[^@\s]*@", r"\1@", re.sub(r"password\s*=\s*\S+", "password=…", text)).rstrip(".")[
        :200
    ]
