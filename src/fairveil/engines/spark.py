"""Spark: data larger than one machine, on an active session, Spark Connect, a master, or this machine."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import pyarrow as pa

from fairveil.engines.native import EngineAdapter, Frame, first_sentence
from fairveil.errors import BadInput, need

if TYPE_CHECKING:
    from fairveil.engines.blocked import BlockFunction
    from fairveil.engines.memory_budget import MemoryBudget

JOBS = "fairveil"
PATIENCE = 10.0
"""Timeout in seconds for connecting to a Spark Connect server."""


class Spark(EngineAdapter):
    """A Spark session."""

    name = "Spark"

    def __init__(self, session: Any) -> None:
        self.session = session

    @classmethod
    def at(cls, master: str | None) -> Spark:
        """The active session, or a new one at a master, a Spark Connect server ("sc://…") or on this machine."""
        need("pyspark", "Spark")
        from pyspark.sql import SparkSession

        if master is None and (active := SparkSession.getActiveSession()) is not None:
            return cls(active)
        remote = os.environ.get("SPARK_REMOTE") if master is None else master if master.startswith("sc://") else None
        if remote:
            return cls(_started(lambda: _connected(remote), remote.split(";")[0]))
        _need_java()
        master = master or os.environ.get("MASTER") or "local[*]"
        if master.startswith("local"):  # the `python3` on the path may lack packages that workers need
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

        def start() -> Any:
            builder = SparkSession.builder.master(master).appName("fairveil")
            for key, value in _LOCAL.items():
                builder = builder.config(key, value)
            return builder.getOrCreate()

        return cls(_started(start, master))

    def parquet(self, files: Sequence[Path | str]) -> Frame:
        return nw.from_native(self.session.read.parquet(*map(str, files)))

    def csv(self, files: Sequence[Path | str], names: Sequence[str], separator: str, *, by_line: bool = False) -> Frame:
        """Read columns as text, by position: types are inferred from the distinct values. With `by_line`, a record is a
        line, and fields that it lacks are missing."""
        options = {"header": True, "sep": separator, "quote": '"', "escape": '"', "multiLine": not by_line,
                   "mode": "PERMISSIVE" if by_line else "FAILFAST", "enforceSchema": True}  # fmt: skip
        schema = ", ".join(f"c{position} STRING" for position in range(len(names)))
        frame = self.session.read.options(**options).schema(schema).csv([str(file) for file in files])
        return nw.from_native(frame.toDF(*names))

    def numbered(self, frame: Frame) -> Frame:
        native = nw.to_native(frame)  # by position: Spark reads dots in names as paths
        return nw.from_native(native.toDF(*(f"c{position}" for position in range(len(native.columns)))))

    def fetch(self, frame: Frame) -> pa.Table:
        self._named_job()
        return nw.to_native(frame).toArrow()

    def bring(self, table: pa.Table) -> Frame:
        from pyspark.sql.pandas.types import from_arrow_schema

        # a timestamp without a time zone must not be read as one in the session's time zone
        schema = from_arrow_schema(table.schema, prefer_timestamp_ntz=True)
        return nw.from_native(self.session.createDataFrame(table, schema))

    def batches(self, frame: Frame) -> Iterator[pa.Table]:
        """Fetch through this process: a folder that Spark writes is on the cluster, and contains other files."""
        self._named_job()
        return _batches(nw.to_native(frame))

    def worked(
        self, frame: Frame, columns: Sequence[str], work: BlockFunction, budget: MemoryBudget
    ) -> tuple[Spark, Frame, list[bytes]]:
        """Run in the executors: blocks are processed by workers as Arrow tables, and the rows stay on the cluster."""
        self._named_job()
        schema = ", ".join([*(f"{name} bigint" for name in columns), "block bigint", "found binary"])
        kept = nw.to_native(frame).groupBy("block").applyInArrow(_working(work, columns), schema).persist()
        answers = kept.where("found is not null").select("block", "found").toArrow().sort_by("block")
        keeper = Spark(self.session)
        weakref.finalize(keeper, _forget, kept)
        return keeper, nw.from_native(kept.select(*columns)), answers["found"].to_pylist()

    def stop(self) -> None:
        with contextlib.suppress(Exception):
            if hasattr(self.session, "interruptTag"):
                self.session.interruptTag(JOBS)
            self.session.sparkContext.cancelJobGroup(JOBS)

    def share(self) -> float | None:
        """The finished share of the tasks in the stages known so far; Spark Connect does not report it."""
        with contextlib.suppress(Exception):
            tracker = self.session.sparkContext.statusTracker()
            stages = [
                tracker.getStageInfo(stage)
                for job in tracker.getJobIdsForGroup(JOBS)
                if (info := tracker.getJobInfo(job)) is not None and info.status == "RUNNING"
                for stage in info.stageIds
            ]
            started = [stage for stage in stages if stage is not None]
            tasks = sum(stage.numTasks for stage in started)
            return sum(stage.numCompletedTasks for stage in started) / tasks if tasks else None
        return None

    def _named_job(self) -> None:
        """Name the jobs of this thread, so that they can be stopped."""
        with contextlib.suppress(Exception):
            if hasattr(self.session, "addTag"):
                self.session.addTag(JOBS)
        with contextlib.suppress(Exception):  # Connect has no context
            self.session.sparkContext.setJobGroup(JOBS, JOBS, interruptOnCancel=True)


_LOCAL = {"spark.ui.enabled": "false", "spark.sql.session.timeZone": "UTC"}
"""Settings of sessions that fairveil starts."""


NO_JAVA = "Spark needs Java 17 or newer, and none was found: install it, or set JAVA_HOME to its folder"


def _need_java() -> None:
    """Raise BadInput if Java is missing: Spark's own message is a page long, and late."""
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=None if home is None else str(Path(home) / "bin")) is None:
        raise BadInput(NO_JAVA)


def _started(start: Callable[[], Any], address: str) -> Any:
    try:
        return start()
    except Exception as problem:
        reason = first_sentence(problem)
        if "JAVA_" in reason or "'java'" in reason:  # no Java, or one that exits immediately
            raise BadInput(NO_JAVA) from None
        raise BadInput(f"no Spark at {address}: {reason}") from None


def _connected(address: str) -> Any:
    """A Spark Connect session. PySpark would retry an unreachable server for minutes, and again when it exits."""
    from pyspark.sql import SparkSession

    if address.startswith("sc://"):
        import grpc
        from pyspark.sql.connect.client import DefaultChannelBuilder

        with DefaultChannelBuilder(address).toChannel() as channel:
            try:
                grpc.channel_ready_future(channel).result(PATIENCE)
            except grpc.FutureTimeoutError:
                raise ConnectionError("the server does not answer") from None
    return SparkSession.builder.remote(address).getOrCreate()


def _batches(frame: Any) -> Iterator[pa.Table]:
    """Yield the rows of a frame in order; each row transferred is a serialized Arrow batch."""

    def packed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow

        for batch in batches:
            sink = pyarrow.BufferOutputStream()
            with pyarrow.ipc.new_stream(sink, batch.schema) as stream:
                stream.write_batch(batch)
            yield pyarrow.RecordBatch.from_pydict({"batch": [sink.getvalue().to_pybytes()]})

    for row in frame.mapInArrow(packed, "batch binary").toLocalIterator(prefetchPartitions=True):
        yield pa.ipc.open_stream(bytes(row["batch"])).read_all()


def _working(work: BlockFunction, columns: Sequence[str]) -> Callable[[pa.Table], pa.Table]:
    """The work on a block as a function for Spark, whose result has the finding in its first row."""

    def run(rows: pa.Table) -> pa.Table:
        import pyarrow

        block = rows["block"][0].as_py()
        done, finding = work(block, rows.sort_by([(name, "ascending") for name in rows.column_names]))
        numbers = pyarrow.int64()
        answer = {n: pyarrow.nulls(1, numbers) if done is None else done[n].cast(numbers) for n in columns}
        size = 1 if done is None else done.num_rows
        encoded = pyarrow.array([finding], pyarrow.binary())
        return pyarrow.table({
            **answer, "block": pyarrow.repeat(pyarrow.scalar(block, numbers), size),
            "found": pyarrow.concat_arrays([encoded, pyarrow.nulls(size - 1, pyarrow.binary())]),
        })  # fmt: skip

    return run


def _forget(frame: Any) -> None:
    with contextlib.suppress(Exception):  # the session may be gone
        frame.unpersist()
