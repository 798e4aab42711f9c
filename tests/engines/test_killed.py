"""Killed in the middle, for real: no release is left behind, and the next run works and clears away what was left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.engines.duckdb import SPILLS
from fairveil.methods.blocks import row_search
from tests.engines.test_engines import SCHEMA, people
from tests.known import ANY_DANGER

ROWS = 150_000
RELEASE = """
import sys
import fairveil as fv
from fairveil.engines import open_source
from fairveil.methods.blocks import row_search
path, out, method = sys.argv[1:]
row_search.EXACT, row_search.BLOCK = 1000, 20_000
ages = fv.hierarchy.intervals([0, 80], widths=(20,))
schema = fv.Schema(quasi=["age", "place"], plain=["note"], hierarchies={"age": ages})
source = open_source(path, engine="duckdb", memory="256MB")
found = fv.search(source, schema, guards=[fv.KAnonymity(20)], method=fv.Mondrian() if method == "mondrian" else None)
found.best("loss").save(out, format="parquet", accept=fv.attacks.ATTACKS.names)
"""


def large(path: Path) -> Path:
    """So many people, each with a note of their own: what is published is written by the engine, row by row."""
    random = np.random.default_rng(0)
    columns = {"age": random.integers(0, 80, ROWS), "place": random.integers(0, 9, ROWS), "note": np.arange(ROWS)}
    pq.write_table(pa.table(columns), path)
    return path


def spilled(folder: Path) -> list[Path]:
    return list((folder / "tmp").glob(f"{SPILLS}*"))


def querying(folder: Path) -> bool:
    return bool(spilled(folder))


def working(folder: Path) -> bool:
    return any((spill / "rows.parquet").exists() for spill in spilled(folder))


def writing(folder: Path) -> bool:
    return any(file.stat().st_size > 0 for file in (folder / "outs").rglob("data.parquet"))


@pytest.mark.parametrize(
    ("method", "moment"), [("incognito", querying), ("incognito", writing), ("mondrian", working)],
    ids=["while it queries", "while it writes", "while it works on a block"],
)  # fmt: skip
def test_the_process_is_killed(method: str, moment: Callable[[Path], bool], tmp_path: Path) -> None:
    data, out = large(tmp_path / "people.parquet"), tmp_path / "outs" / "out"
    out.parent.mkdir()
    (tmp_path / "tmp").mkdir()
    command = [sys.executable, "-c", RELEASE, str(data), str(out), method]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not moment(tmp_path):
        assert process.poll() is None and time.monotonic() < deadline, process.stderr and process.stderr.read()
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL and not out.exists()
    assert spilled(tmp_path)
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert fv.verify(out) and os.listdir(out.parent) == ["out"] and not spilled(tmp_path)


def test_a_worker_of_spark_is_killed(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark gives up in the middle of the blocks; nothing is written, and the next run on the same session works."""
    monkeypatch.setattr(row_search, "EXACT", 50)
    monkeypatch.setattr(row_search, "BLOCK", 100)
    frame, out = spark.createDataFrame(people()), tmp_path / "out"

    def release(method: fv.methods.Method) -> Path:
        found = fv.search(frame, SCHEMA, guards=[fv.KAnonymity(4)], method=method)
        return found.release(0).save(out, format="parquet", accept=ANY_DANGER).path

    with pytest.raises(fv.BadInput, match=r"^Spark failed while working block by block: [^\n]*$"):
        release(Deadly())
    assert not list(tmp_path.iterdir())
    assert fv.verify(release(fv.Mondrian()))


class Deadly(fv.Mondrian):
    """A method that ends the process that it runs in."""

    kind = "deadly"

    def search(self, task: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
