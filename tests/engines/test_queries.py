"""How often a run asks its engine: columns that were counted together are not counted alone, and nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.engines.lazy import LazySource
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.errors import BadInput
from tests.known import ANY_DANGER


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked, in order."""
    asked: list[str] = []
    fetch = LazySource.fetch

    def listed(source: LazySource, frame: Any, what: str) -> pa.Table:
        asked.append(what)
        return fetch(source, frame, what)

    monkeypatch.setattr(LazySource, "fetch", listed)
    return asked


def people(rows: int) -> pa.Table:
    draw = np.random.default_rng(1)
    return pa.table(
        {
            "age": draw.integers(20, 60, rows),
            "sex": draw.choice(["F", "M"], rows),
            "region": draw.choice(list("abcdefg"), rows, p=[0.4, 0.3, 0.2, 0.05, 0.03, 0.015, 0.005]),
            "illness": draw.choice(np.array(["flu", "cold", None]), rows),
            "granted": draw.choice(["yes", "no"], rows),
            "paid": draw.integers(0, 50, rows),
        }
    )


def test_a_release_counts_what_guards_need_once_and_what_the_source_shows_once(
    queries: list[str], tmp_path: Path
) -> None:
    schema = fv.Schema(
        quasi=["age", "sex", "region"], sensitive=["illness"], decision="granted", denied="no", plain=["paid"],
        hierarchies={"age": fv.hierarchy.intervals([0, 100], widths=(5, 20))},
    )  # fmt: skip
    guards = [fv.KAnonymity(5, suppression=0.05), fv.DistinctDiversity(2)]
    release = fv.search(duckdb.connect().from_arrow(people(2000)), schema, guards=guards).best("loss")
    assert release.suppressed and queries == ["counting 5 columns"]
    release.save(tmp_path / "out", format="parquet", accept=ANY_DANGER)
    # the values of the plain column, and those of its values that are published; the published rows; what undoes age
    assert queries.count("counting 1 column") <= 1 and len(queries) <= 5, queries
    assert sum("counting" in query for query in queries[1:]) <= 3


def test_a_check_counts_once(queries: list[str]) -> None:
    schema = fv.Schema(quasi=["age", "sex"], sensitive=["illness"], decision="granted", denied="no")
    fv.check(duckdb.connect().from_arrow(people(300)), schema, [fv.KAnonymity(2)])
    assert queries == ["counting 4 columns"]


def test_too_many_cells_are_refused_by_the_query_that_counts_them(
    opened: Callable[..., LazySource], queries: list[str]
) -> None:
    table = pa.table({"a": list(range(50)), "b": ["x", "y"] * 25})
    source = replace(opened(table), budget=MemoryBudget(64 * 3 * 20))
    assert source.sizes(["a"]).distinct == 50
    queries.clear()
    for _ in range(2):
        with pytest.raises(BadInput, match="'a', 'b' have more than 20 distinct combinations"):
            source.count(["a", "b"])
    assert queries == ["counting 2 columns"]
