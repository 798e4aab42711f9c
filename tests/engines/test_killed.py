"""Killed in the middle, for real: no release is left behind, and the next run works and clears away what was left."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.engines import open_source
from fairveil.engines.duckdb import DuckDB
from fairveil.engines.spills import SPILLS
from fairveil.methods.blocks import row_search
from tests import real_parts
from tests.engines.test_engines import SCHEMA, people
from tests.engines.test_snapshots import Meanwhile
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
source = open_source(path, engine="duckdb", memory="1.5GB")
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

    with pytest.raises(fv.BadInput, match=r"^Spark failed while working block by block: [^\n]*$"):
        search = fv.search(frame, SCHEMA, guards=[fv.KAnonymity(4)], method=Deadly())
        search.release(0).save(out, format="parquet", accept=ANY_DANGER)
    assert not list(tmp_path.iterdir())
    quasi = fv.Schema(quasi=["sex"], drop=[name for name in people().column_names if name != "sex"])
    again = fv.search(frame, quasi, guards=[fv.KAnonymity(4)], method=fv.Mondrian())  # by new workers
    assert len(again) == 1


class Deadly(fv.Mondrian):
    """A method that ends the process that it runs in."""

    kind = "deadly"

    def search(self, task: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


SPARK_DIES = """
import os, sys
from pathlib import Path
import fairveil as fv
from fairveil.engines.spark import Spark
from tests import real_parts
from tests.engines.test_engines import SCHEMA, people
out, moments = Path(sys.argv[1]), map(int, sys.argv[2:])
fetch = Spark.fetch
with real_parts.spark_session() as session:
    frame, moment = session.createDataFrame(people()), next(moments)
    def dying(self, frame):
        global moment
        moment -= 1
        if moment == 0:
            os.kill(session.sparkContext._gateway.proc.pid, 9)
        return fetch(self, frame)
    Spark.fetch = dying
    try:
        fv.search(frame, SCHEMA, guards=[fv.KAnonymity(4)]).release(0).save(out, format="parquet")
    except fv.BadInput as problem:
        assert "\\n" not in str(problem), problem
        print("refused:", problem, flush=True)
    os._exit(0)
"""


def test_spark_itself_is_killed(tmp_path: Path) -> None:
    home = Path(__file__).parents[2]
    command = [sys.executable, "-W", "ignore", "-c", SPARK_DIES, str(tmp_path / "outs" / "out"), "3"]
    path = os.pathsep.join([str(home), str(home / "src"), os.environ.get("PYTHONPATH", "")])
    answer = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True)
    assert answer.stdout.startswith("refused: Spark failed while"), answer.stderr
    assert not (tmp_path / "outs").exists()


def test_postgresql_is_killed_before_any_query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's process of this connection, as the machine would when memory is short: all of its sessions end."""
    import psycopg

    pq.write_table(people(), tmp_path / "people.parquet")
    with real_parts.postgres_server() as server:
        monkeypatch.setenv("PGPASSWORD", server.password)
        real_parts.copy_parquet(tmp_path / "people.parquet", server, "people")

        def kill() -> None:
            with psycopg.connect(server.url_with_password) as session:
                backends = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
                own, pids = session.info.backend_pid, [pid for (pid,) in session.execute(backends)]
            for pid in set(pids) - {own}:
                os.kill(pid, signal.SIGKILL)

        def release(moment: int) -> Path:
            meanwhile.left, meanwhile.commit = moment, kill
            source = open_source(server.url, table="people")
            found = fv.search(source, SCHEMA, guards=[fv.KAnonymity(4)])
            return found.release(0).save(tmp_path / "outs" / "out", format="parquet", accept=ANY_DANGER).path

        meanwhile = Meanwhile(monkeypatch)
        assert fv.verify(release(0))
        shutil.rmtree(tmp_path / "outs")
        for moment in range(1, meanwhile.moments + 1):
            with pytest.raises(fv.BadInput) as problem:
                release(moment)
            assert "\n" not in str(problem.value) and not (tmp_path / "outs").exists()
            _wait_until_it_answers(server.url_with_password)


def _wait_until_it_answers(url: str) -> None:
    import psycopg

    deadline = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(url).close()
            return
        except psycopg.OperationalError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_the_folder_of_temporary_files_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    data, alone = large(tmp_path / "people.parquet"), DuckDB.alone.__func__  # type: ignore[attr-defined]

    def small(cls: type[DuckDB], /, **settings: Any) -> DuckDB:
        limited: DuckDB = alone(cls, **{**settings, "memory_limit": "5MB", "max_temp_directory_size": "100KB"})
        return limited

    monkeypatch.setattr(DuckDB, "alone", classmethod(small))
    source = open_source(data, engine="duckdb")
    schema = fv.Schema(quasi=["age", "place"], plain=["note"])
    with pytest.raises(fv.BadInput, match=r"^DuckDB failed while [^\n]*needs more memory than it may use[^\n]*$"):
        fv.search(source, schema, guards=[fv.KAnonymity(2)]).best("loss").save(tmp_path / "out", format="parquet")
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob(".fairveil*"))
    del source
    gc.collect()
    assert not spilled(tmp_path)


def test_a_full_folder_of_temporary_files_is_named() -> None:
    """As DuckDB says it on a small disk, which cannot be made here without rights."""
    file = f"/small/{SPILLS}abc/rows.duckdb"
    for said in (
        "Out of Memory Error: failed to offload data block of size 128.0 KiB (35.9 MiB/36.0 MiB used).\nThis limit",
        f'IO Error: Could not write file "{file}": No space left on device',
    ):
        explained = DuckDB.explain(OSError(said))
        assert "folder for temporary files is full: set TMPDIR" in explained and file not in explained
    other = DuckDB.explain(OSError('IO Error: Could not write file "/data/people.duckdb": No space left on device'))
    assert "No space left on device" in other


def test_a_folder_of_temporary_files_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(fv.BadInput, match=r"no folder for temporary files: .* set TMPDIR"):
        open_source(large(tmp_path / "people.parquet"), engine="duckdb")
