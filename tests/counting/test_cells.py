"""Cells are the same however many threads count them, and in the order in which their tuples appear first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.counting import tuples
from fairveil.counting.cells import Cells, Classes


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 100, 1_000])
@pytest.mark.parametrize("distinct", [2, 30])
@pytest.mark.parametrize("weighted", [False, True])
def test_threads_change_nothing(rows: int, distinct: int, weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuples, "PIECE", 8)
    monkeypatch.setattr(tuples, "MIN_WAITING", 5)
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


@pytest.mark.parametrize("size", [3, 5_000])  # few empty places, and so many that values are grouped
@pytest.mark.parametrize("known", [False, True])
def test_values_in_classes_are_those_that_pandas_counts(size: int, known: bool) -> None:
    rng = np.random.default_rng(size)
    words = [None, " ", *(f"{'Vv'[number % 2]}{number // 2}" for number in range(size))]
    frame = pd.DataFrame({"group": rng.integers(0, 40, 300), "value": rng.choice(np.array(words, object), 300)})
    cells = Cells.of(fv.Table.from_frame(frame), ["group", "value"])
    classes = Classes.of(cells, ["group"])
    histogram = classes.histogram("value", known)
    groups = np.array(cells.labels["group"].to_pylist())[cells.codes["group"]]
    of_class = dict(zip(classes.ids.tolist(), groups.tolist(), strict=True))
    if known:
        frame["value"] = frame["value"].str.strip().str.casefold().replace("", None)
        frame = frame.dropna()
    counts = frame.groupby("group")["value"].value_counts(dropna=False)
    different = frame.groupby("group")["value"].nunique(dropna=False)
    assert sorted(histogram.counts.tolist()) == sorted(counts.tolist())
    assert (np.diff(histogram.ids * histogram.size + histogram.values) > 0).all()
    expected = [int(different.get(of_class[number], 0)) for number in range(len(classes))]
    assert classes.different("value", known).tolist() == expected
    assert np.bincount(histogram.ids, minlength=len(classes)).tolist() == expected


def test_the_table_of_cells_has_the_values_that_were_converted_before() -> None:
    """Hierarchies remember what they found for a list of values; equal lists are bound again."""
    table = fv.Table.from_frame(pa.table({"age": [31, 40, 31], "sex": ["f", "m", "f"]}))
    ages = table.column("age").domain
    cells = Cells.of(table, ["age", "sex"])
    assert cells.table().column("age").domain is ages
    assert replace(cells, levels={}).table().column("age").domain is ages
    assert cells.table().column("sex").domain == ["f", "m"]
