"""Published rows are the same whether this process or the engine sorts them; what is counted on the way is right."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil.engines import fetched_rows, sorted_keys
from fairveil.engines.duckdb import DuckDB
from fairveil.engines.lazy_rows import LazyRows
from tests.known import ANY_DANGER

AGES = {"age": fv.hierarchy.intervals(edges=[0, 100], widths=[10, 50]), "zip": fv.hierarchy.mask(length=2)}


@given(st.lists(st.lists(st.integers(0, 9), max_size=9), max_size=9), st.integers(1, 12), st.integers(1, 9))
def test_keys_are_counted_and_sorted_whatever_the_batches(
    batches: list[list[int]], max_keys: int, waiting: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_keys, "WAITING", waiting)
        runs = sorted_keys.sorted_keys((np.array(batch, dtype=np.int64) for batch in batches), max_keys)
    expected = sorted(Counter(key for batch in batches for key in batch).items())
    if runs is None:  # distinct keys of parts that are not merged yet count several times
        assert sum(len(set(batch)) for batch in batches) > max_keys
    else:
        assert list(zip(*(each.tolist() for each in runs), strict=True)) == expected


def people(rows: int = 600) -> pa.Table:
    draw = np.random.default_rng(3).integers
    missing = draw(0, 9, rows) == 0
    return pa.table(
        {
            "age": pa.array(draw(18, 60, rows), mask=missing),
            "zip": [f"{i}{j}" for i, j in zip(draw(1, 3, rows), draw(0, 4, rows), strict=True)],
            "cost": draw(0, 90, rows) / 2,
            "illness": pa.array(np.array(["flu", "cold", "hiv"])[draw(0, 3, rows)], mask=draw(0, 50, rows) == 0),
        }
    )


@pytest.mark.parametrize("suppression", [0.0, 0.1])
def test_the_same_bytes_whoever_sorts(suppression: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = fv.Schema(quasi=["age", "zip"], sensitive=["illness"], plain=["cost"], hierarchies=AGES)
    guards = [fv.KAnonymity(4, suppression=suppression)]

    def saved(name: str) -> list[bytes]:
        release = fv.search(duckdb.connect().from_arrow(people()), schema, guards=guards).best("loss")
        rows = next(iter(release.published.content.values()))
        assert isinstance(rows, LazyRows)
        assert (rows.fetched is not None) == (name == "here")
        folder = release.save(tmp_path / name, format="parquet", accept=ANY_DANGER).path
        assert (rows.source.cache.published is not None) == (name == "here")
        return [file.read_bytes() for file in sorted(folder.iterdir())]

    here = saved("here")
    with monkeypatch.context() as patch:  # the estimate fits, the keys do not
        patch.setattr(fetched_rows, "sorted_keys", lambda batches, max_keys: None)
        assert saved("too many") == here
    monkeypatch.setattr(DuckDB, "near", False)
    assert saved("engine") == here


@pytest.mark.parametrize("suppression", [0.0, 0.1])
def test_what_is_counted_on_the_way_is_what_the_engine_counts(suppression: float, tmp_path: Path) -> None:
    schema = fv.Schema(quasi=["age", "zip"], sensitive=["illness"], plain=["cost"], hierarchies=AGES)
    guards = [fv.KAnonymity(4, suppression=suppression)]
    release = fv.search(duckdb.connect().from_arrow(people()), schema, guards=guards).best("loss")
    release.save(tmp_path / "out", format="parquet", accept=ANY_DANGER)
    source = release.source.engine
    assert source is not None and source.cache.published is not None
    _, cells = source.cache.published
    source.cache.published = None
    names = list(cells.codes)
    counted = source.behind(release.judged.change, source.names).count(names)
    assert counted.table().to_arrow() == cells.table().to_arrow()
    assert counted.counts.tolist() == cells.counts.tolist() and cells.rows == release.published.rows
