"""Spark in a process of its own: `python -m tests.engines.spark_elsewhere connect|blocks|cluster`

Releases on Spark Connect, there also in blocks, or on a cluster whose executor is killed while it works on a block,
against those from memory and DuckDB, byte for byte. A session of Connect and a classic one do not live in one process.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, ClassVar

import pyarrow.parquet as pq

import fairveil as fv
from fairveil.engines import open_source
from fairveil.engines.lazy import LazySource
from fairveil.engines.spark import Spark
from fairveil.methods.blocks import row_search
from tests import real_parts
from tests.contracts.people import contents
from tests.engines.test_engines import SCHEMA, people
from tests.known import ANY_DANGER

GUARDS = [fv.KAnonymity(4, suppression=0.1)]
START = time.monotonic()


def tell(what: str) -> None:
    print(f"{time.monotonic() - START:6.1f} s  {what}", flush=True)


def connect(data: Path, folder: Path) -> None:
    """A server on this machine: the frame of its session, and its address."""
    session = server()
    frame, memory = session.read.parquet(str(data)), people()
    tell("started")
    ours, theirs = (fv.profile(given.select(["sex"])).to_dict()["columns"] for given in (frame, memory))
    assert ours == theirs
    tell("profiled as from memory")
    ours, theirs = (
        contents(
            fv.search(given, SCHEMA, guards=GUARDS)
            .best("loss")
            .save(folder / name, format="parquet", accept=ANY_DANGER)
            .path
        )
        for name, given in (("ours", frame), ("theirs", memory))
    )
    assert ours == theirs
    tell("released as from memory")
    assert open_source(data, engine="spark", master=f"sc://{session.client.host}").rows == memory.num_rows
    tell("opened by its address")


def in_blocks_on_connect(data: Path, folder: Path) -> None:
    """The session that is active is a server's."""
    server()
    source = open_source(data, engine="spark")
    assert isinstance(source, LazySource) and isinstance(source.native, Spark)
    assert type(source.native.session).__module__.startswith("pyspark.sql.connect")
    tell("started")
    assert in_blocks(source, fv.Mondrian(), folder / "ours") == from_duckdb(data, folder)
    tell("released in blocks as from DuckDB")


def server() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.builder.remote("local[2]").getOrCreate()


def cluster(data: Path, folder: Path) -> None:
    """Spark gives the block to another executor, and the release is whole; so is the one of the next run."""
    source = open_source(data, engine="spark", master="local-cluster[1,2,512]")
    tell("started")
    Deadly.done = str(folder / "killed")
    expected = from_duckdb(data, folder)
    assert in_blocks(source, Deadly(), folder / "ours") == expected and (folder / "killed").exists()
    tell("an executor was killed in the middle, and the release is the one from DuckDB")
    assert in_blocks(source, fv.Mondrian(), folder / "next") == expected
    tell("so is the next one")
    assert isinstance(source, LazySource) and isinstance(source.native, Spark)
    source.native.session.stop()


class Deadly(fv.Mondrian):
    """A method that kills, once, the executor that it runs in."""

    done: ClassVar[str] = ""

    def search(self, task: Any) -> Any:
        try:
            os.close(os.open(self.done, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return super().search(task)
        process = os.getpid()
        while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{process}/cmdline").read_bytes():
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(process, signal.SIGKILL)


def in_blocks(source: Any, method: fv.Mondrian, out: Path) -> dict[str, bytes]:
    found = fv.search(source, SCHEMA, guards=[fv.KAnonymity(4)], method=method)
    return contents(found.release(0).save(out, format="parquet", accept=ANY_DANGER).path)


def from_duckdb(data: Path, folder: Path) -> dict[str, bytes]:
    return in_blocks(open_source(data, engine="duckdb"), fv.Mondrian(), folder / "duckdb")


def home(folder: Path) -> Path:
    """Spark as it is installed, but for the folder `work`, which executors write into."""
    installed = importlib.util.find_spec("pyspark")
    assert installed is not None and installed.origin is not None
    (folder / "spark").mkdir()
    for entry in Path(installed.origin).parent.iterdir():
        if entry.name != "work":
            (folder / "spark" / entry.name).symlink_to(entry)
    return folder / "spark"


def main(what: str) -> None:
    warnings.simplefilter("ignore")
    row_search.EXACT, row_search.BLOCK = 50, 100
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own)
        settings = real_parts.spark_settings(own, "512m")
        settings |= {"spark.executor.memory": "512m", "spark.shuffle.io.retryWait": "100ms"}
        (folder / "spark-defaults.conf").write_text("\n".join(f"{name} {value}" for name, value in settings.items()))
        os.environ |= {"JAVA_HOME": str(real_parts.java_home(folder)), "SPARK_LOCAL_IP": "127.0.0.1"}
        os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_CONF_DIR": own, "SPARK_HOME": str(home(folder))}
        root = str(Path(__file__).parents[2])  # workers start elsewhere and import tests.spark_daemon
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
        pq.write_table(people(), folder / "people.parquet")
        ways = {"connect": connect, "blocks": in_blocks_on_connect, "cluster": cluster}
        ways[what](folder / "people.parquet", folder)


if __name__ == "__main__":
    main(sys.argv[1])
