"""Spark: data that one machine does not hold, on a session that is given, Spark Connect, a master, or this machine."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import narwhals as nw
import pyarrow as pa

from fairveil.engines.native import Frame, Plain, first_sentence
from fairveil.errors import BadInput

JOBS = "fairveil"


class Spark(Plain):
    """A session of Spark."""

    name = "Spark"

    def __init__(self, session: Any) -> None:
        self.session = session

    @classmethod
    def at(cls, master: str | None) -> Spark:
        """The session that is active; else one at a master, a Spark Connect server ("sc://…") or on this machine."""
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise BadInput('Spark needs PySpark: pip install "fairveil[spark]"') from None
        master = master or os.environ.get("SPARK_REMOTE") or os.environ.get("MASTER")
        if master is None and (active := SparkSession.getActiveSession()) is not None:
            return cls(active)
        if master is not None and master.startswith("sc://"):
            return cls(_started(SparkSession.builder.remote(master), master.split(";")[0]))
        builder = SparkSession.builder.master(master or "local[*]").appName("fairveil")
        if (master or "local").startswith("local"):  # the `python3` of the path may lack what workers need
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        for key, value in _LOCAL.items():
            builder = builder.config(key, value)
        return cls(_started(builder, master or "this machine"))

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

    def stop(self) -> None:
        with contextlib.suppress(Exception):
            if hasattr(self.session, "interruptTag"):
                self.session.interruptTag(JOBS)
            self.session.sparkContext.cancelJobGroup(JOBS)

    def _named_job(self) -> None:
        """Give the jobs of this thread a name by which they can be stopped."""
        with contextlib.suppress(Exception):
            if hasattr(self.session, "addTag"):
                self.session.addTag(JOBS)
        with contextlib.suppress(Exception):  # Connect has no context
            self.session.sparkContext.setJobGroup(JOBS, JOBS, interruptOnCancel=True)


_LOCAL = {"spark.ui.enabled": "false", "spark.sql.session.timeZone": "UTC"}
"""Settings of sessions that are started here."""


def _started(builder: Any, place: str) -> Any:
    try:
        return builder.getOrCreate()
    except Exception as problem:
        reason = first_sentence(problem)
        if "JAVA" in reason.upper():
            raise BadInput(
                "Spark needs Java 17 or newer, and none was found: install one, or set JAVA_HOME to where it is"
            ) from None
        raise BadInput(f"no Spark at {place}: {reason}") from None


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
