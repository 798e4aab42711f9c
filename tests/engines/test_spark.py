"""Spark wherever it is: a session that is active, a master, an address where nobody answers, and Spark Connect.

What takes longer: `python -m tests.engines.spark_elsewhere cluster`, which loses an executor, and `blocks`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.counting.packed_keys import PackedKeys
from fairveil.data import writers
from fairveil.engines import lazy_rows, open_source
from fairveil.engines import spark as engine
from fairveil.engines.lazy import LazySource
from fairveil.engines.parts import PartWriter
from tests.contracts.people import contents
from tests.engines.test_engines import drawn, people
from tests.known import ANY_DANGER

WHERE = ("SPARK_REMOTE", "MASTER")


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable says where Spark is."""
    for variable in WHERE:
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.usefixtures("nowhere")
def test_the_session_that_is_active_and_a_master(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(people(), tmp_path / "people.parquet")
    for master in (None, "local[2]"):  # Spark has one classic session in a process, whatever the master says
        source = open_source(tmp_path / "people.parquet", engine="spark", master=master)
        assert isinstance(source, LazySource) and isinstance(source.native, engine.Spark)
        assert source.native.session.sparkContext is spark.sparkContext and source.rows == 240
    monkeypatch.setenv("MASTER", "local[2]")
    assert engine.Spark.at(None).session.sparkContext is spark.sparkContext


@pytest.mark.usefixtures("spark", "nowhere")
@pytest.mark.parametrize("master", ["sc://127.0.0.1:1/;token=hunter2", "local[2]"])
@pytest.mark.parametrize("variable", WHERE)
def test_where_nobody_answers(variable: str, master: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PySpark itself would try for minutes, and refuses a master beside a server in a way of its own."""
    monkeypatch.setattr(engine, "PATIENCE", 0.2)
    monkeypatch.setenv(variable, "sc://127.0.0.1:1/;token=hunter2" if variable == "SPARK_REMOTE" else "local[2]")
    if (variable, master) == ("MASTER", "local[2]"):
        assert engine.Spark.at(master)
        return
    with pytest.raises(fv.BadInput, match=r"^no Spark at (sc://127\.0\.0\.1:1/|local\[2\]): [^\n]*$") as refused:
        engine.Spark.at(master)
    assert "hunter2" not in str(refused.value)


@pytest.mark.usefixtures("spark")
def test_connect() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in WHERE}
    command = [sys.executable, "-m", "tests.engines.spark_elsewhere", "connect"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert ended.returncode == 0, ended.stderr[-3000:]


@pytest.mark.parametrize("shared", [True, False], ids=["a shared folder", "a folder of this machine"])
def test_executors_write_the_parts_that_this_process_would_write(
    shared: bool, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyspark.sql.pandas.types import from_arrow_schema

    monkeypatch.setattr(writers, "PART_ROWS", 64)
    monkeypatch.setattr(lazy_rows, "FEW", 10**6)
    if shared:
        monkeypatch.setattr(engine.Spark, "batches", lambda *_: pytest.fail("rows were fetched"))
    else:
        monkeypatch.setattr(engine.Spark, "_shares", lambda *_: False)
    table = drawn(500)
    quasi = ("truth", "whole")
    schema = fv.Schema(quasi=quasi, plain=[name for name in table.column_names if name not in quasi])
    guards = [fv.KAnonymity(5, suppression=0.05)]
    frame = spark.createDataFrame(table, from_arrow_schema(table.schema, prefer_timestamp_ntz=True))
    written = []
    for number, given in enumerate((frame, table)):
        release = fv.search(given, schema, guards=guards).best("loss")
        written.append(contents(release.save(tmp_path / str(number), format="parts", accept=ANY_DANGER).path))
    assert len([name for name in written[0] if name.startswith("data/")]) > 3
    assert written[0] == written[1]


@pytest.mark.parametrize("batch", [1, 3, 7])
def test_rows_are_dealt_out_by_position(batch: int, tmp_path: Path) -> None:
    counts = np.array([1, 5, 30, 2, 2, 9, 1])
    keys = PackedKeys.of({"a": 16})
    writer = PartWriter(tmp_path, keys, {}, pa.schema([]), part_rows=8, piece_rows=8)
    rows = pa.table({"key0": np.arange(7), "rows": counts})
    dealt = pa.Table.from_batches(list(writer.dealt(3, iter(rows.to_batches(batch)))))
    expected = np.repeat(np.arange(7), counts)
    assert np.repeat(dealt["key0"].to_numpy(), dealt["rows"].to_numpy()).tolist() == expected.tolist()
    parts = np.repeat(dealt["part"].to_numpy(), dealt["rows"].to_numpy())
    assert parts.tolist() == ((np.arange(counts.sum()) + 3) // 8).tolist()
