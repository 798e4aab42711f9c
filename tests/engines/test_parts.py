"""Parts that workers write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.engines.duckdb import DuckDB
from fairveil.engines.parts import UNFINISHED, PartWriter

SCHEMA = fv.Schema(quasi=["sex"], plain=["paid"], hierarchies={"sex": fv.hierarchy.suppress()})


def test_what_a_killed_worker_leaves_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"sex": ["f", "m"] * 50, "paid": np.arange(100)})

    def write_parts(engine: DuckDB, frame: Any, writer: PartWriter) -> int:
        writer.folder.mkdir()
        (writer.folder / f"{UNFINISHED}part-000000.parquet.0a1b").write_bytes(b"half")  # then it was killed
        return sum(writer(0, rows) for rows in [engine.fetch(frame)])

    monkeypatch.setattr(DuckDB, "write_parts", write_parts)
    folders = []
    for name, data in (("memory", table), ("workers", duckdb.connect().from_arrow(table))):
        release = fv.search(data, SCHEMA, guards=[fv.KAnonymity(5)]).best("loss")
        release.save(tmp_path / name, format="parts", accept=fv.attacks.ATTACKS.names)
        folders.append({file.name: file.read_bytes() for file in (tmp_path / name / "data").iterdir()})
    assert list(folders[1]) == ["part-000000.parquet"]
    assert folders[0] == folders[1]
