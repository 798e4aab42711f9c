"""Row methods block by block: the same release from every engine, and on Spark inside the executors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil.engines.blocked import GroupedSource
from fairveil.engines.lazy import LazySource
from fairveil.methods.blocks import block_search, row_search
from tests.contracts.people import contents
from tests.engines.test_engines import SCHEMA, people
from tests.known import ANY_DANGER

FAIR = fv.Schema(
    quasi=SCHEMA.quasi, protected=["sex"], decision="illness", denied="flu", plain=["sex", "visit", "bill"],
    identifier=["who"], hierarchies=SCHEMA.hierarchies,
)  # fmt: skip


@pytest.mark.parametrize("method", [fv.Mondrian(), fv.FairMDAV()], ids=["mondrian", "fair-mdav"])
def test_the_same_release_from_blocks_on_every_engine(
    method: Any,
    opened: Callable[..., LazySource],
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import duckdb

    if "spark-mondrian" in request.node.name:
        return  # the other method does it there, and each takes Spark long
    monkeypatch.setattr(row_search, "EXACT", 50)
    monkeypatch.setattr(row_search, "BLOCK", 100)
    here: list[int] = []
    work = block_search.BlockWork.__call__

    def watching(self: block_search.BlockWork, block: int, rows: Any) -> Any:
        here.append(block)
        return work(self, block, rows)

    monkeypatch.setattr(block_search.BlockWork, "__call__", watching)
    schema = SCHEMA if isinstance(method, fv.Mondrian) else FAIR
    table = people()
    saved = []
    for number, given in enumerate((opened(table), duckdb.connect().from_arrow(table))):
        found = fv.search(given, schema, guards=[fv.KAnonymity(4)], method=method)
        release = found.release(0)
        assert isinstance(release.source, GroupedSource) and int(release.notes[-1].split()[2]) > 1
        if number == 0:
            on_spark = release.source.native.name == "Spark"
            assert bool(here) != on_spark, "a block is worked on where it is"
        saved.append(release.save(tmp_path / str(number), format="parquet", accept=ANY_DANGER).path)
    assert contents(saved[0]) == contents(saved[1])
    assert fv.verify(saved[0])
