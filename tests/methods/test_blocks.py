"""Methods that need rows, on a source that hands out none: the same release as from memory, or block by block."""

from __future__ import annotations

import gc
import json
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.engines import native, open_source, source_of
from fairveil.engines.blocked import unpacked
from fairveil.engines.spills import SPILLS
from fairveil.guards import Guard
from fairveil.methods import METHODS, Method
from fairveil.methods.blocks import block_cutting, block_search, row_search
from fairveil.methods.task import Task
from fairveil.progress import Progress
from tests.contracts.people import SCHEMA, OnlyCounts, contents, quick, source
from tests.known import ANY_DANGER

BLOCKWISE = [method for method in METHODS if method.blockwise]
NEEDING_ROWS = [method for method in METHODS if quick(method).needs_rows]
GUARDS = {
    "l": [fv.KAnonymity(4), fv.DistinctDiversity(2)],
    "t and suppression": [fv.KAnonymity(4, suppression=0.1), fv.TCloseness(0.3)],
}


def search(method: type[Method], given: object, guards: Sequence[Guard] | None = None) -> fv.Frontier:
    return fv.search(given, SCHEMA, guards=guards or [fv.KAnonymity(3)], method=quick(method))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_search, "EXACT", 50)
    monkeypatch.setattr(row_search, "BLOCK", 120)


def on_duckdb(frame: Any) -> Any:
    return duckdb.connect().from_arrow(frame)


@pytest.mark.parametrize("method", NEEDING_ROWS, ids=lambda method: method.kind)
def test_rows_that_are_counted_give_the_same_release(method: type[Method], tmp_path: Path) -> None:
    held = search(method, source()).release(0).save(tmp_path / "held", accept=ANY_DANGER).path
    counted = search(method, OnlyCounts(source())).release(0).save(tmp_path / "counted", accept=ANY_DANGER).path
    assert contents(counted) == contents(held)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("guards", GUARDS.values(), ids=GUARDS)
@pytest.mark.parametrize("method", BLOCKWISE, ids=lambda method: method.kind)
def test_block_by_block(method: type[Method], guards: list[Guard], tmp_path: Path) -> None:
    frame = source(rows=600)
    release = search(method, on_duckdb(frame), guards).release(0)
    assert "worked in" in release.notes[-1] and int(release.notes[-1].split()[2]) > 1
    out = release.save(tmp_path / "out", format="parquet").path
    assert fv.verify(out)
    shown = pd.read_parquet(out / "data.parquet")
    groups = shown.groupby(list(SCHEMA.quasi), dropna=False)
    assert groups.size().min() >= 4 and len(shown) + release.suppressed == 600
    polars_too = search(method, polars.from_arrow(frame.take(np.arange(600)[::-1])).lazy(), guards).release(0)
    assert contents(polars_too.save(tmp_path / "again", format="parquet").path) == contents(out)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("method", [method for method in BLOCKWISE if method is not fv.Mondrian], ids=lambda m: m.kind)
def test_one_block_is_the_exact_run(method: type[Method], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted by group is what rows give. (Mondrian's regions are published as the boxes around their rows.)"""
    monkeypatch.setattr(row_search, "BLOCK", 1000)
    guards = [fv.KAnonymity(4, suppression=0.1), fv.TCloseness(0.25)]
    frame = source(rows=300)
    ours = search(method, on_duckdb(frame), guards).release(0)
    assert ours.notes[-1].startswith("worked in 1 block ")
    exact = search(method, frame, guards).release(0)
    assert ours.suppressed == exact.suppressed and ours.recipe.to_dict() == exact.recipe.to_dict()
    one, other = (each.save(tmp_path / str(n), format="parquet").path for n, each in enumerate((ours, exact)))
    assert pq.read_table(one / "data.parquet").equals(pq.read_table(other / "data.parquet"))
    assert ours.risk_before == exact.risk_before
    mine, theirs = (json.loads((each / "evidence.json").read_text()) for each in (one, other))
    for part in ("guards", "measures", "attacks", "rows", "suppressed"):
        assert mine.get(part) == theirs.get(part), part


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("method", BLOCKWISE, ids=lambda method: method.kind)
def test_only_one_block_is_here_at_a_time(method: type[Method], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Counter[int] = Counter()
    work = block_search.BlockWork.__call__

    def watching(self: block_search.BlockWork, block: int, rows: Any) -> Any:
        seen[block] += rows.num_rows
        return work(self, block, rows)

    monkeypatch.setattr(block_search.BlockWork, "__call__", watching)
    frontier = search(method, on_duckdb(source(rows=600)))
    assert sum(seen.values()) == 600 and max(seen.values()) <= 120
    assert all(change.groups is None for change in frontier.proposal.changes)


@pytest.mark.parametrize("method", BLOCKWISE, ids=lambda method: method.kind)
def test_a_block_that_cannot_be_done_joins_its_neighbour(method: type[Method], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_search, "EXACT", 10)
    monkeypatch.setattr(row_search, "BLOCK", 20)
    frame = source(rows=120).to_pandas()
    frame["illness"] = np.where(np.arange(120) % 11 < 10, "flu", frame["illness"])
    guards = [fv.KAnonymity(3), fv.DistinctDiversity(2)]
    undone = [0, 2]
    real, calls = block_search.BlockWork.__call__, []

    def failing(self: block_search.BlockWork, block: int, rows: Any) -> Any:
        calls.append(self.blocks)
        if self.blocks == calls[0] and block in undone:
            import pickle

            return None, pickle.dumps("it cannot be done")
        return real(self, block, rows)

    monkeypatch.setattr(block_search.BlockWork, "__call__", failing)
    release = search(method, polars.from_pandas(frame).lazy(), guards).release(0)
    assert release.holds and min(calls) < max(calls)


def test_blocks_are_merged_until_the_guards_hold_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block is near to itself, not to the whole."""
    monkeypatch.setattr(row_search, "EXACT", 10)
    monkeypatch.setattr(row_search, "BLOCK", 40)
    monkeypatch.setattr(block_cutting, "_keep", lambda *_: True)
    age = np.arange(320) % 80
    frame = polars.DataFrame({"age": age, "ill": np.where(age < 40, "a", "b"), "sex": ["F", "M"] * 160})
    schema = fv.Schema(quasi=["age", "sex"], sensitive=["ill"])
    found = fv.search(frame.lazy(), schema, guards=[fv.KAnonymity(4), fv.TCloseness(0.2)], method=fv.Mondrian())
    assert found.release(0).holds and int(found.release(0).notes[-1].split()[2]) == 1


def test_cells_of_ranges_are_cut_into_blocks_that_hold_every_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = source(rows=600)
    monkeypatch.setattr(block_cutting, "MAX_CELLS", 200)
    guards = [fv.KAnonymity(3), fv.DistinctDiversity(2)]
    task = Task.of(source_of(on_duckdb(frame)), SCHEMA, guards)
    blocked, pieces = block_cutting.cut(fv.Mondrian(), task, list(SCHEMA.published), 100)
    assert pieces.rows.sum() == 600 and len(pieces) > 3 and set(pieces.blocks) == set(range(len(pieces)))
    numbered = blocked.source.fetch(blocked._numbered(pieces.ranges, pieces.blocks), "looking")
    assert np.bincount(numbered["block"].to_numpy()).tolist() == pieces.rows.tolist()
    rows = Counter(
        map(
            tuple,
            unpacked(blocked.keys, blocked.values, numbered).to_arrow().to_pandas().astype(str).to_numpy().tolist(),
        )
    )
    names = list(blocked.names)
    assert rows == Counter(map(tuple, frame.select(names).to_pandas().astype(str).to_numpy().tolist()))
    monkeypatch.setattr(block_cutting, "MAX_CELLS", 2)  # fewer than the values that the guard looks at
    assert block_cutting.cut(fv.Mondrian(), task, list(SCHEMA.published), 100)[1].rows.sum() == 600
    joined = pieces.joining([0, len(pieces) - 1])
    assert len(joined) == len(pieces) - 2 and joined.rows.sum() == 600
    assert len(pieces.halved()) == (len(pieces) + 1) // 2


@pytest.mark.usefixtures("small")
def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    release = search(fv.Mondrian, on_duckdb(source(rows=300))).release(0)
    [folder] = tmp_path.glob(f"{SPILLS}*")
    assert folder.stat().st_mode & 0o777 == 0o700 and pq.read_metadata(folder / "rows.parquet").num_rows == 300
    del release
    gc.collect()
    assert not list(tmp_path.iterdir())
    pq.write_table(source(rows=300), tmp_path / "people.parquet")
    release = search(fv.Mondrian, open_source(tmp_path / "people.parquet", engine="duckdb")).release(0)
    gc.collect()  # nobody holds the source any more, and what came of it is still there
    assert release.published.rows == 300
    del release
    gc.collect()
    assert os.listdir(tmp_path) == ["people.parquet"]


@pytest.mark.usefixtures("small")
def test_cancelling_between_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    progress = Progress()
    by_block = native.blocks

    def cancelled(batches: Any) -> Any:
        progress.cancel()
        return by_block(batches)

    monkeypatch.setattr(native, "blocks", cancelled)
    with pytest.raises(fv.Cancelled):
        fv.search(
            on_duckdb(source(rows=300)), SCHEMA, guards=[fv.KAnonymity(3)], method=fv.Mondrian(), progress=progress
        )


def test_what_is_too_large_or_has_no_order_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(fv.BadInput, match="no order to keep"):
        fv.search(OnlyCounts(source()), SCHEMA, guards=[fv.KAnonymity(3)], method=fv.Mondrian(), order="keep")
    monkeypatch.setattr(row_search, "MAX_VALUES", 100)
    with pytest.raises(
        fv.BadInput, match="mondrian needs rows in memory: 80 of 5 columns are more than the 100 values"
    ):
        search(fv.Mondrian, OnlyCounts(source()))


@pytest.mark.usefixtures("small")
def test_several_candidates_are_refused() -> None:
    with pytest.raises(fv.Infeasible, match="ask for one"):
        fv.search(on_duckdb(source(rows=300)), SCHEMA, guards=[fv.KAnonymity(3)], method=fv.MDAV(k=[3, 4]))
