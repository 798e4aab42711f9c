"""Spark: data larger than one machine, on an active session, Spark Connect, a master, or this machine."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import pyarrow as pa

from fairveil.data.file_pieces import BLANKS
from fairveil.engines.native import EngineAdapter, Frame, constant, first_sentence, hashable
from fairveil.engines.source_types import of_spark
from fairveil.engines.spark_files import needs_schema, stored_type, valued, widened
from fairveil.engines.value_dictionary import found
from fairveil.errors import BadInput, need

if TYPE_CHECKING:
    from fairveil.data.snapshot import State
    from fairveil.engines.blocked import BlockFunction
    from fairveil.engines.memory_budget import MemoryBudget
    from fairveil.engines.parts import PartWriter

JOBS = "fairveil"
PROBES = 16
"""Tasks that look for a file, so that most executors take part."""
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

    def parquet(self, files: Sequence[Path | str], types: Mapping[str, pa.DataType] | None = None) -> Frame:
        from pyspark.sql.types import StructField, StructType

        reader = self.session.read.option(*_NO_PATTERN)
        if types is None or not needs_schema(types):
            return nw.from_native(reader.parquet(*map(str, files)))
        fields = [StructField(name, stored_type(kind)) for name, kind in types.items()]
        frame = reader.schema(StructType(fields)).parquet(*map(str, files))
        return nw.from_native(
            frame.selectExpr(*(f"{valued(_name(n), kind)} AS {_name(n)}" for n, kind in types.items()))
        )

    def with_constants(self, frame: Frame, constants: Mapping[str, pa.Scalar], names: Sequence[str]) -> Frame:
        """These columns of a file, of which some have one value in all rows."""
        from pyspark.sql import functions

        columns = [
            functions.lit(constant(constants[name])).cast(stored_type(constants[name].type)).alias(name)
            if name in constants
            else functions.col(_name(name))
            for name in names
        ]
        return nw.from_native(nw.to_native(frame).select(*columns))

    def cast(
        self, frame: Frame, kinds: Mapping[str, tuple[pa.DataType, pa.DataType]], names: Sequence[str]
    ) -> Frame:  # fmt: skip
        """These columns of a file, some of them cast from one type to another."""
        columns = (
            f"{widened(_name(name), *kinds[name])} AS {_name(name)}" if name in kinds else _name(name) for name in names
        )
        return nw.from_native(nw.to_native(frame).selectExpr(*columns))

    def csv(
        self,
        files: Sequence[Path | str],
        names: Sequence[str],
        separator: str,
        *,
        by_line: bool = False,
        header: bool = True,
    ) -> Frame:
        """Read columns as text, by position: types are inferred from the distinct values. With `by_line`, a record is a
        line, and fields that it lacks are missing. Rows of delimiters and blanks only are skipped."""
        options = {"header": header, "sep": separator, "quote": '"', "escape": '"', "multiLine": not by_line,
                   "mode": "PERMISSIVE" if by_line else "FAILFAST", "enforceSchema": True}  # fmt: skip
        schema = ", ".join(f"c{position} STRING" for position in range(len(names)))
        frame = (
            self.session.read.option(*_NO_PATTERN).options(**options).schema(schema).csv([str(file) for file in files])
        )
        if len(names) > 1:
            blanks = repr(BLANKS)  # SQL's spelling of them, too
            cells = ", ".join(f"nullif(trim(BOTH {blanks} FROM {name}), '')" for name in frame.columns)
            frame = frame.filter(f"coalesce({cells}) is not null")
        return nw.from_native(frame.toDF(*names))

    def state(self, frame: Frame) -> State:
        """The number of rows and the sum of their hashes. Spark leaves missing values out of a hash, so where they are
        is hashed, too."""
        names = [f"`{name}`" for name in hashable(frame)]
        cells = ", ".join([*names, *(f"{name} is null" for name in names), "0"])
        self._named_job()
        rows = nw.to_native(frame).selectExpr("count(*)", f"sum(cast(xxhash64({cells}) as decimal(38, 0)))")
        return tuple(map(str, rows.first()))

    def source_types(self, frame: Frame) -> Mapping[str, pa.DataType]:
        return of_spark(nw.to_native(frame))

    def numbered(self, frame: Frame) -> Frame:
        native = nw.to_native(frame)  # by position: Spark reads dots in names as paths
        return super().numbered(
            nw.from_native(native.toDF(*(f"c{position}" for position in range(len(native.columns)))))
        )

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

    def write_parts(self, frame: Frame, writer: PartWriter) -> int | None:
        """Sort on the cluster, number the rows by partition, and let the executor that gets a part write it."""
        self._named_job()
        if not self._shares(writer.folder):
            return None
        names = [*writer.keys.names, "rows"]
        ordered = nw.to_native(frame).select(*names).sort(*writer.keys.names).persist()
        try:
            sizes = ordered.mapInArrow(_partition_sizes, "partition bigint, rows bigint").toArrow().sort_by("partition")
            rows = sizes["rows"].to_numpy()
            starts = dict(zip(sizes["partition"].to_pylist(), (rows.cumsum() - rows).tolist(), strict=True))
            schema = ", ".join(f"{name} bigint" for name in [*writer.keys.names, "part", "rows"])
            dealt = ordered.mapInArrow(_dealing(writer, starts), schema)
            written = dealt.groupBy("part").applyInArrow(_writing(writer), "part bigint, rows bigint").toArrow()
            return int(written["rows"].to_numpy().sum())
        finally:
            _forget(ordered)

    def _shares(self, folder: Path) -> bool:
        """Whether all executors see a file that this process writes into a folder."""
        folder.mkdir(exist_ok=True)
        token = folder / f".{secrets.token_hex(8)}"
        token.touch()

        def sees(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            import pyarrow

            for batch in batches:
                yield pyarrow.RecordBatch.from_pydict({"seen": [token.exists()] * batch.num_rows})

        try:
            answers = self.session.range(PROBES, numPartitions=PROBES).mapInArrow(sees, "seen boolean").toArrow()
            return all(answers["seen"].to_pylist())
        finally:
            token.unlink()

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


def _name(column: str) -> str:
    return "`" + column.replace("`", "``") + "`"


_NO_PATTERN = ("__globPaths__", "false")
"""What keeps Spark from taking the names of files for patterns."""
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
        reason = first_sentence(problem, connecting=True)
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

        block = found(rows)["block"][0].as_py()
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


def _partition_sizes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The number of rows that the counts of a partition stand for."""
    import pyarrow
    from pyspark import TaskContext

    rows = sum(int(pyarrow.compute.sum(batch.column("rows")).as_py() or 0) for batch in batches)
    yield pyarrow.RecordBatch.from_pydict({"partition": [TaskContext.get().partitionId()], "rows": [rows]})


def _dealing(
    writer: PartWriter, starts: Mapping[int, int]
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def deal(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        yield from writer.dealt(starts[TaskContext.get().partitionId()], batches)

    return deal


def _writing(writer: PartWriter) -> Callable[[pa.Table], pa.Table]:
    def write(rows: pa.Table) -> pa.Table:
        import pyarrow

        part = rows["part"][0].as_py()
        return pyarrow.table({"part": [part], "rows": [writer(part, rows)]})

    return write


def _forget(frame: Any) -> None:
    with contextlib.suppress(Exception):  # the session may be gone
        frame.unpersist()
