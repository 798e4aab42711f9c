"""Methods that need rows, on a source that hands out none: the same release as from memory, or block by block."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.methods import METHODS, Method, blocks
from tests.contracts.people import SCHEMA, OnlyCounts, contents, quick, source

BLOCKWISE = [method for method in METHODS if method.blockwise]
NEEDING_ROWS = [method for method in METHODS if quick(method).needs_rows]


def search(method: type[Method], given: object, guards: list[fv.Guard] | None = None) -> fv.Frontier:
    return fv.search(given, SCHEMA, guards=guards or [fv.KAnonymity(3)], method=quick(method))


@pytest.mark.parametrize("method", NEEDING_ROWS, ids=lambda method: method.kind)
def test_rows_that_are_counted_give_the_same_release(method: type[Method], tmp_path: Path) -> None:
    held = search(method, source()).release(0).save(tmp_path / "held")
    counted = search(method, OnlyCounts(source())).release(0).save(tmp_path / "counted")
    assert contents(counted) == contents(held)


@pytest.mark.parametrize("method", BLOCKWISE, ids=lambda method: method.kind)
def test_block_by_block(method: type[Method], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 120)
    frame = source(rows=600)
    release = search(method, OnlyCounts(frame), [fv.KAnonymity(4), fv.DistinctDiversity(2)]).release(0)
    assert "worked in" in release.notes[-1] and int(release.notes[-1].split()[2]) > 3
    out = release.save(tmp_path / "out")
    assert fv.verify(out)
    shown = pd.read_csv(out / "data.csv", dtype=str, keep_default_na=False)
    groups = shown.groupby(list(SCHEMA.quasi))
    assert groups.size().min() >= 4 and groups["illness"].nunique().min() >= 2
    assert len(shown) + release.suppressed == 600
    kept = release.published.source_rows
    assert kept is not None and len(np.unique(kept)) == len(shown)


@pytest.mark.parametrize("method", BLOCKWISE, ids=lambda method: method.kind)
def test_a_block_that_cannot_be_done_joins_its_neighbour(method: type[Method], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 20)
    frame = source(rows=120).to_pandas()
    frame["illness"] = np.where(np.arange(120) % 11 < 10, "flu", frame["illness"])
    guards = [fv.KAnonymity(3), fv.DistinctDiversity(2)]
    release = search(method, OnlyCounts(frame), guards).release(0)
    assert release.holds


def test_what_is_too_large_or_has_no_order_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(fv.BadInput, match="no order to keep"):
        fv.search(OnlyCounts(source()), SCHEMA, guards=[fv.KAnonymity(3)], method=fv.Mondrian(), order="keep")
    monkeypatch.setattr(blocks, "MOST_VALUES", 100)
    with pytest.raises(fv.BadInput, match="mondrian looks at rows: 80 of 5 columns are more than the 100 values"):
        search(fv.Mondrian, OnlyCounts(source()))
