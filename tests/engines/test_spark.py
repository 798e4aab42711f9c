"""Spark wherever it is: a session that is active, a master, an address where nobody answers, and Spark Connect.

What takes longer: `python -m tests.engines.spark_elsewhere cluster`, which loses an executor, and `blocks`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.engines import open_source
from fairveil.engines import spark as engine
from fairveil.engines.lazy import LazySource
from tests.engines.test_engines import people

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
