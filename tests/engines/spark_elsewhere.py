"""A program of its own for `test_spark.py`: a release on Spark Connect, or on a cluster of which an executor is killed.

A session of Connect and a classic one do not live in one process.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import fairveil as fv
from fairveil.engines import open_source
from fairveil.methods import blocks
from tests import real_parts
from tests.engines.test_engines import SCHEMA, people

GUARDS = [fv.KAnonymity(4, suppression=0.1)]


def connect(folder: Path) -> None:
    """A server on this machine: the frame of a session, the session that is active, and the server's address."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.remote("local").config("spark.sql.shuffle.partitions", "2").getOrCreate()
    path = str(folder / "people.parquet")
    fv.search(session.read.parquet(path), SCHEMA, guards=GUARDS).best("loss").save(folder / "frame", format="parquet")
    blocks.EXACT, blocks.BLOCK = 50, 100
    found = fv.search(open_source(path, engine="spark"), SCHEMA, guards=[fv.KAnonymity(4)], method=fv.Mondrian())
    assert type(found.task.source.native.session).__module__.startswith("pyspark.sql.connect")
    found.release(0).save(folder / "blocks", format="parquet")
    address = f"sc://{session.client.host}"
    assert open_source(path, engine="spark", master=address).rows == 240
    session.stop()


def cluster(folder: Path) -> None:
    """Two executors with a core each, of which one is killed while blocks are worked on."""
    source = open_source(str(folder / "people.parquet"), engine="spark", master="local-cluster[2,1,1024]")
    blocks.EXACT, blocks.BLOCK = 50, 100
    killed: list[int] = []

    def kill() -> None:
        while not killed:
            killed.extend(executors()[:1])
            time.sleep(0.05)
        time.sleep(1.0)
        os.kill(killed[0], signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    for turn in range(2):  # whatever becomes of the first, the second works
        try:
            found = fv.search(source, SCHEMA, guards=[fv.KAnonymity(4)], method=fv.Mondrian())
            found.release(0).save(folder / "blocks", format="parquet", overwrite=True)
        except fv.BadInput as problem:
            assert turn == 0 and not (folder / "blocks").exists(), problem
    assert killed


def executors() -> list[int]:
    """The processes of executors that this one has started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
                if b"CoarseGrainedExecutorBackend" in words and _mine(int(entry.name)):
                    found.append(int(entry.name))
            except OSError:
                continue
    return sorted(found)


def _mine(process: int) -> bool:
    while process > 1:
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        if process == os.getpid():
            return True
    return False


def main(what: str, folder: Path) -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as java:
        os.environ |= {"JAVA_HOME": str(real_parts.java_home(Path(java))), "SPARK_LOCAL_IP": "127.0.0.1"}
        os.environ["PYSPARK_PYTHON"] = sys.executable
        pq.write_table(people(), folder / "people.parquet")
        ways: dict[str, Any] = {"connect": connect, "cluster": cluster}
        ways[what](folder)
        sys.stdout.flush()
        os._exit(0)  # without waiting for threads of Java


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
