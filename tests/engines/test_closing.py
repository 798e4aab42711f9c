"""A source is closed as soon as nobody uses it, without waiting for the garbage collector: it may hold much memory."""

from __future__ import annotations

import gc
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest

from fairveil import cli
from fairveil.engines.duckdb import DuckDB

PLAN = """
format = 1
[source]
path = "people.csv"
engine = "duckdb"
[schema]
quasi = ["age", "sex"]
[[guards]]
kind = "k-anonymity"
k = 2
"""


def test_a_command_that_has_ended_holds_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pa.csv.write_csv(pa.table({"age": [31, 31, 40, 40] * 5, "sex": ["F", "F", "M", "M"] * 5}), tmp_path / "people.csv")
    (tmp_path / "plan.toml").write_text(PLAN)
    gc.collect()
    gc.disable()
    try:
        assert cli.run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == 0
        assert not [part for part in gc.get_objects() if isinstance(part, DuckDB)]
    finally:
        gc.enable()
    assert "k-anonymity" in capsys.readouterr().out
