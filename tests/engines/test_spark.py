"""Spark wherever it is: a session that is active, a master, Spark Connect, and a cluster that loses an executor."""

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
from fairveil.engines.spark import Spark
from fairveil.methods import blocks
from tests.contracts.people import contents
from tests.engines.spark_elsewhere import GUARDS
from tests.engines.test_engines import SCHEMA, people

pytestmark = pytest.mark.filterwarnings("ignore::fairveil.errors.Danger")


def test_the_session_that_is_active_and_a_master(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(people(), tmp_path / "people.parquet")
    for variable in ("SPARK_REMOTE", "MASTER"):
        monkeypatch.delenv(variable, raising=False)
    for master in (None, "local[2]"):  # Spark has one classic session in a process, whatever the master says
        source = open_source(tmp_path / "people.parquet", engine="spark", master=master)
        assert source.native.session is spark or source.native.session.sparkContext is spark.sparkContext
        assert source.rows == 240
    monkeypatch.setenv("MASTER", "local[2]")
    assert Spark.at(None).session.sparkContext is spark.sparkContext
    with pytest.raises(fv.BadInput, match=r"no Spark at sc://127\.0\.0\.1:1"):
        open_source(tmp_path / "people.parquet", engine="spark", master="sc://127.0.0.1:1")


@pytest.mark.usefixtures("spark")
def test_in_processes_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connect; and two executors, of which one is killed while blocks are worked on. Both at once: each waits a lot."""
    environment = {name: value for name, value in os.environ.items() if name not in ("SPARK_REMOTE", "MASTER")}
    running = {}
    for what in ("connect", "cluster"):
        (tmp_path / what).mkdir()
        command = [sys.executable, "-m", "tests.engines.spark_elsewhere", what, str(tmp_path / what)]
        running[what] = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    for what, process in running.items():
        said = process.communicate(timeout=240)[1]
        assert process.returncode == 0, f"{what}: {said[-3000:]}"
    whole = fv.search(people(), SCHEMA, guards=GUARDS).best("loss").save(tmp_path / "whole", format="parquet")
    assert contents(tmp_path / "connect" / "frame") == contents(whole)
    monkeypatch.setattr(blocks, "EXACT", 50)
    monkeypatch.setattr(blocks, "BLOCK", 100)
    source = open_source(tmp_path / "cluster" / "people.parquet", engine="duckdb")
    found = fv.search(source, SCHEMA, guards=[fv.KAnonymity(4)], method=fv.Mondrian())
    here = contents(found.release(0).save(tmp_path / "here", format="parquet"))
    assert contents(tmp_path / "connect" / "blocks") == here == contents(tmp_path / "cluster" / "blocks")
