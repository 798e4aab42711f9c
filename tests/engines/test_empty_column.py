"""A column without values in one of several files takes any type that it has in the others, on every engine."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairveil.engines import open_source
from tests.engines.test_types import PUBLISHED

TYPES = [name for name in PUBLISHED if name not in ("long text", "interval")]


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("first", [True, False])
def test_no_value_takes_any_type(first: bool, name: str, tmp_path: Path) -> None:
    values = PUBLISHED[name].values
    parts = [pa.nulls(3), values] if first else [values, pa.nulls(3)]
    for number, part in enumerate(parts):
        pq.write_table(pa.table({"q": list("abc"), "v": part}), tmp_path / f"{number}.parquet")
    here, there = (open_source(tmp_path / "*.parquet", engine=engine).domain("v") for engine in ("memory", "duckdb"))
    assert sorted(map(repr, here.domain)) == sorted(map(repr, there.domain))
    assert here.values.type == there.values.type
