"""Native: what an engine adds to narwhals' lazy frames. Everything else of a source is written once, in `lazy.py`.

The engine of a lazy frame that needs nothing more (Polars) is here, too.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from fairveil.errors import BadInput
from fairveil.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa

    from fairveil.engines.blocked import Work
    from fairveil.engines.budget import Budget
    from fairveil.engines.duckdb import DuckDB

Frame = Any
"""A narwhals LazyFrame."""
PAUSE = 0.05
"""Seconds between two looks at whether somebody has cancelled."""
BATCH_ROWS = 1 << 20
"""Rows that come from an engine at a time."""


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

    def batches(self, frame: Frame) -> Iterable[pa.Table | pa.RecordBatch]:
        """The rows of a frame, some at a time: published ones, on their way into a file."""
        ...

    def worked(
        self, frame: Frame, columns: Sequence[str], work: Work, budget: Budget
    ) -> tuple[Native, Frame, list[bytes]]:
        """What comes of the work on each block of a frame, whose column `block` numbers them: where it is kept, whole
        numbers in these columns, and what was found in the blocks, by their numbers."""
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

    def batches(self, frame: Frame) -> Iterable[pa.Table | pa.RecordBatch]:
        return self.fetch(frame).to_batches(BATCH_ROWS)

    def worked(
        self, frame: Frame, columns: Sequence[str], work: Work, budget: Budget
    ) -> tuple[Native, Frame, list[bytes]]:
        from fairveil.engines.staging import staged

        return staged(self, self.keeper(budget), frame, columns, work)

    def keeper(self, budget: Budget) -> DuckDB:
        """A DuckDB that keeps rows which have gone through this process."""
        from fairveil.engines.duckdb import DuckDB

        return DuckDB.within(budget)

    def stop(self) -> None:
        """Polars cannot be interrupted: its answer is thrown away."""


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
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):  # what it was comes next
        lines = [lines[1].lstrip(": ")]
    text = lines[0] if lines else type(problem).__name__
    return re.sub(r"(://[^:/@\s]*):[^@\s]*@", r"\1@", re.sub(r"password\s*=\s*\S+", "password=…", text)).rstrip(".")[
        :200
    ]
