"""What any method publishes can become a table beside the source, also if it needs the rows, and fetches them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import pytest

import fairveil as fv
from fairveil.engines import open_source
from tests.known import ANY_DANGER

ROWS = [(20 + i % 10, "fm"[i % 2], ("flu", "cold")[i % 3 % 2]) for i in range(120)]
SCHEMA = fv.Schema(quasi=["age", "sex"], sensitive=["ill"])


METHODS = [fv.Incognito(), fv.Mondrian(), fv.MDAV(), fv.TopDownGreedy(), fv.LocalSuppression()]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_a_table_is_written_beside_the_source(kind: str, method: fv.methods.Method, tmp_path: Path) -> None:
    file = tmp_path / f"people.{kind}"
    connection = duckdb.connect(file) if kind == "duckdb" else sqlite3.connect(file)
    connection.execute("CREATE TABLE people (age integer, sex text, ill text)")
    connection.executemany("INSERT INTO people VALUES (?, ?, ?)", ROWS)
    connection.commit()
    connection.close()

    source = open_source(file, table="people")
    release = fv.search(source, SCHEMA, guards=fv.KAnonymity(3), method=method).best("loss")
    assert file.name in release.snapshot or "transaction" in release.snapshot
    release.save(tmp_path / "release", table="public", accept=ANY_DANGER)
    url = f"{kind}://{file}"
    verification = fv.verify(tmp_path / "release", published=url)
    assert verification and verification.rows == len(ROWS)
