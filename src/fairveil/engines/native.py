"""EngineAdapter: what an engine adds to narwhals' lazy frames. The rest of a source is written once, in `lazy.py`.

The engine of a lazy frame that needs nothing more (Polars) is here, too.
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

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
"""Seconds between two looks at whether somebody has cancelled."""
TELLING = 0.25
"""Seconds between two reports of how far an engine is."""
BATCH_ROWS = 1 << 20
"""Rows that come from an engine at a time."""


class EngineAdapter(Protocol):
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

    def look_up(self, frame: Frame, at: str, table: pa.Table) -> Frame:
        """The frame with the other columns of a table, in whose first column each value of the column `at` stands
        once. Where that is missing, so are they."""
        ...

    def all_differ(self, frame: Frame, at: str) -> int | None:
        """How many whole numbers a column has, if all are different; None where that is not so, or where this engine
        has no quicker way to know it than to group them."""
        ...

    def batches(self, frame: Frame) -> Iterable[pa.Table | pa.RecordBatch]:
        """The rows of a frame, some at a time: published ones, on their way into a file."""
        ...

    def worked(
        self, frame: Frame, columns: Sequence[str], work: BlockFunction, budget: MemoryBudget
    ) -> tuple[EngineAdapter, Frame, list[bytes]]:
        """What comes of the work on each block of a frame, whose column `block` numbers them: where it is kept, whole
        numbers in these columns, and what was found in the blocks, by their numbers."""
        ...

    def stop(self) -> None:
        """Interrupt what is running."""
        ...

    def share(self) -> float | None:
        """How much of what is running is done, if the engine says."""
        ...

    def transaction(self) -> Transaction | None:
        """A transaction in which a table can be written beside the source; None where that cannot be."""
        ...


class PolarsAdapter:
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

    def look_up(self, frame: Frame, at: str, table: pa.Table) -> Frame:
        return frame.join(self.bring(table), left_on=at, right_on=table.schema.names[0], how="left")

    def all_differ(self, frame: Frame, at: str) -> int | None:
        return None

    def batches(self, frame: Frame) -> Iterable[pa.Table | pa.RecordBatch]:
        return self.fetch(frame).to_batches(BATCH_ROWS)

    def worked(
        self, frame: Frame, columns: Sequence[str], work: BlockFunction, budget: MemoryBudget
    ) -> tuple[EngineAdapter, Frame, list[bytes]]:
        from fairveil.engines.staging import staged

        return staged(self, self.keeper(budget), frame, columns, work)

    def keeper(self, budget: MemoryBudget) -> DuckDB:
        """A DuckDB that keeps rows which have gone through this process."""
        from fairveil.engines.duckdb import DuckDB

        return DuckDB.within(budget)

    def stop(self) -> None:
        """Polars cannot be interrupted: its answer is thrown away."""

    def share(self) -> float | None:
        return None

    def transaction(self) -> Transaction | None:
        return None


@contextlib.contextmanager
def interruptible(native: EngineAdapter, progress: Progress | None, what: str) -> Iterator[None]:
    """Cancelling, or Ctrl-C, stops what the engine does; whatever else goes wrong there is said in one sentence.

    Meanwhile the progress says what is done, and how much of it where the engine tells: a search does not know how
    many queries it will need, so its own share stays as it is.
    """
    done = threading.Event()
    if progress is not None and progress.watched:
        progress.tell(progress.share, what)

        def watch() -> None:
            told = time.monotonic()
            while not done.wait(PAUSE):
                if progress.cancelled:
                    native.stop()
                elif time.monotonic() - told < TELLING:
                    continue
                elif (share := native.share()) is not None and not done.is_set():
                    told = time.monotonic()
                    with contextlib.suppress(Cancelled):  # whoever waits for the answer hears of it
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
    """What an engine said, in one line and without passwords."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):  # what it was comes next
        lines = [lines[1].lstrip(": ")]
    text = lines[0] if lines else type(problem).__name__
    return re.sub(r"(://[^:/@\s]*):[^@\s]*@", r"\1@", re.sub(r"(password|token)\s*=\s*\S+", r"\1=…", text)).rstrip(".")[
        :200
    ]
