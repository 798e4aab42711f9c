"""Decomposition: what it says about the tables that it published."""

from __future__ import annotations

import pyarrow as pa

from fairveil.data.table import Table
from fairveil.engines import InMemoryTable
from fairveil.recipes.decomposition import _class_counts


def test_decisions_are_counted_whatever_was_counted_before() -> None:
    frame = pa.table({"town": ["Bern", "Oslo", "Rome"], "granted": ["yes", "no", "no"]})
    fresh, counted = (InMemoryTable(Table.from_frame(frame)) for _ in range(2))
    counted.count(["town", "granted"])
    assert _class_counts(fresh, "granted") == _class_counts(counted, "granted") == (("no", 2), ("yes", 1))
