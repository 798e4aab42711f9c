"""Cells are the same however many threads count them, and in the order in which their tuples appear first."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.counting import cells as counting
from fairveil.counting.cells import Cells


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 100, 1_000])
@pytest.mark.parametrize("distinct", [2, 30])
@pytest.mark.parametrize("weighted", [False, True])
def test_threads_change_nothing(rows: int, distinct: int, weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "PIECE", 8)
    monkeypatch.setattr(counting, "MIN_WAITING", 5)
    rng = np.random.default_rng(rows)
    frame = pd.DataFrame({name: rng.integers(0, distinct, rows) for name in "ab"})
    table, weights = fv.Table.from_frame(frame), rng.integers(1, 9, rows)
    expected = frame.assign(n=weights if weighted else 1).groupby(["a", "b"], sort=False)["n"].sum()
    for threads in ("1", "2", "3", "64"):
        monkeypatch.setenv("FAIRVEIL_THREADS", threads)
        cells = Cells.of(table, ["a", "b"], counts=weights if weighted else None)
        shown = cells.table().to_frame("pandas")
        assert list(zip(shown["a"], shown["b"], strict=True)) == expected.index.tolist()
        assert cells.counts.tolist() == expected.tolist()
