"""Spark: data that one machine does not hold, on a session that is given, Spark Connect, a master, or this machine."""

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

from fairveil.engines.native import Frame, PolarsAdapter, first_sentence
from fairveil.errors import BadInput
from fairveil.extras import need

if TYPE_CHECKING:
    from fairveil.engines.blocked import BlockFunction
    from fairveil.engines.memory_budget import MemoryBudget

JOBS = "fairveil"
PATIENCE = 10.0
"""Seconds in which a server of Spark Connect has to answer."""


class Spark(PolarsAdapter):
    """A session of Spark."""

    name = "Spark"

    def __init__(self, session: Any) -> None:
        self.session = session

    @classmethod
    def at(cls, master: str | None) -> Spark:
        """The session that is active; else one at a master, a Spark Connect server ("sc://…") or on this machine."""
        need("pyspark", "Spark")
        from pyspark.sql import SparkSession

        if master is None and (active := SparkSession.getActiveSession()) is not None:
            return cls(active)
        remote = os.environ.get("SPARK_REMOTE") if master is None else master if master.startswith("sc://") else None
        if remote:
            return cls(_started(lambda: _connected(remote), remote.split(";")[0]))
        _need_java()
        master = master or os.environ.get("MASTER") or "local[*]"
        if master.startswith("local"):  # the `python3` of the path may lack what workers need
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

        def start() -> Any:
            builder = SparkSession.builder.master(master).appName("fairveil")
            for key, value in _LOCAL.items():
                builder = builder.config(key, value)
            return builder.getOrCreate()

        return cls(_started(start, master))

    def parquet(self, files: Sequence[Path | str]) -> Frame:
        return nw.from_native(self.session.read.parquet(*map(str, files)))

    def csv(self, files: Sequence[Path | str], names: Sequence[str], separator: str) -> Frame:
        """Columns of text, by their places: types are decided from the distinct values."""
        options = {"header": True, "sep": separator, "quote": '"', "escape": '"', "multiLine": True,
                   "mode": "FAILFAST", "enforceSchema": True}  # fmt: skip
        schema = ", ".join(f"c{place} STRING" for place in range(len(names)))
        frame = self.session.read.options(**options).schema(schema).csv([str(file) for file in files])
        return nw.from_native(frame.toDF(*names))

    def numbered(self, frame: Frame) -> Frame:
        native = nw.to_native(frame)  # by place: Spark reads dots in names as paths
        return nw.from_native(native.toDF(*(f"c{place}" for place in range(len(native.columns)))))

    def fetch(self, frame: Frame) -> pa.Table:
        self._named_job()
        return nw.to_native(frame).toArrow()

    def bring(self, table: pa.Table) -> Frame:
        from pyspark.sql.pandas.types import from_arrow_schema

        # a time without a zone must not be taken for one in the zone of the session
        schema = from_arrow_schema(table.schema, prefer_timestamp_ntz=True)
        return nw.from_native(self.session.createDataFrame(table, schema))

    def batches(self, frame: Frame) -> Iterator[pa.Table]:
        """Through this process, piece by piece: a folder that Spark writes is the cluster's, and holds other files."""
        self._named_job()
        return _batches(nw.to_native(frame))

    def worked(
        self, frame: Frame, columns: Sequence[str], work: BlockFunction, budget: MemoryBudget
    ) -> tuple[Spark, Frame, list[bytes]]:
        """Inside the executors: a block goes to a worker and comes back as Arrow, and stays on the cluster."""
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
        """Of the tasks in the stages that are known so far; Spark Connect does not tell."""
        with contextlib.suppress(Exception):
            tracker = self.session.sparkContext.statusTracker()
            stages = [
                tracker.getStageInfo(stage)
                for job in tracker.getJobIdsForGroup(JOBS)
                if (found := tracker.getJobInfo(job)) is not None and found.status == "RUNNING"
                for stage in found.stageIds
            ]
            known = [stage for stage in stages if stage is not None]
            tasks = sum(stage.numTasks for stage in known)
            return sum(stage.numCompletedTasks for stage in known) / tasks if tasks else None
        return None

    def _named_job(self) -> None:
        """Give the jobs of this thread a name by which they can be stopped."""
        with contextlib.suppress(Exception):
            if hasattr(self.session, "addTag"):
                self.session.addTag(JOBS)
        with contextlib.suppress(Exception):  # Connect has no context
            self.session.sparkContext.setJobGroup(JOBS, JOBS, interruptOnCancel=True)


_LOCAL = {"spark.ui.enabled": "false", "spark.sql.session.timeZone": "UTC"}
"""Settings of sessions that are started here."""


NO_JAVA = "Spark needs Java 17 or newer, and none was found: install one, or set JAVA_HOME to where it is"


def _need_java() -> None:
    """Spark's own way to say this is a page long, and comes late."""
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=None if home is None else str(Path(home) / "bin")) is None:
        raise BadInput(NO_JAVA)


def _started(start: Callable[[], Any], place: str) -> Any:
    try:
        return start()
    except Exception as problem:
        reason = first_sentence(problem)
        if "JAVA_" in reason or "'java'" in reason:  # no program, or one that ends at once
            raise BadInput(NO_JAVA) from None
        raise BadInput(f"no Spark at {place}: {reason}") from None


def _connected(address: str) -> Any:
    """A session of Connect. PySpark would try for minutes to reach a server that is not there, and again at its end."""
    from pyspark.sql import SparkSession

    if address.startswith("sc://"):
        import grpc
        from pyspark.sql.connect.client import DefaultChannelBuilder

        with DefaultChannelBuilder(address).toChannel() as channel:
            try:
                grpc.channel_ready_future(channel).result(PATIENCE)
            except grpc.FutureTimeoutError:
                raise ConnectionError("nobody answers there") from None
    return SparkSession.builder.remote(address).getOrCreate()


def _batches(frame: Any) -> Iterator[pa.Table]:
    """The rows of a frame in their order, some at a time: each row that comes over is a packed Arrow batch."""

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
    """The work on a block as Spark wants it: what was found stands in the first row of its answer."""

    def run(rows: pa.Table) -> pa.Table:
        import pyarrow

        block = rows["block"][0].as_py()
        done, said = work(block, rows.sort_by([(name, "ascending") for name in rows.column_names]))
        numbers = pyarrow.int64()
        answer = {n: pyarrow.nulls(1, numbers) if done is None else done[n].cast(numbers) for n in columns}
        size = 1 if done is None else done.num_rows
        found = pyarrow.array([said], pyarrow.binary())
        return pyarrow.table({
            **answer, "block": pyarrow.repeat(pyarrow.scalar(block, numbers), size),
            "found": pyarrow.concat_arrays([found, pyarrow.nulls(size - 1, pyarrow.binary())]),
        })  # fmt: skip

    return run


def _forget(frame: Any) -> None:
    with contextlib.suppress(Exception):  # the session may be gone
        frame.unpersist()
