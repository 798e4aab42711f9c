"""The rows of an earlier release's source are matched by their values and key, never by an order that is not theirs."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.methods import Method

SCHEMA = fv.Schema(
    quasi=["a", "b"], drop=["id"],
    hierarchies={"a": fv.hierarchy.intervals([0, 8], widths=(2, 4)), "b": fv.hierarchy.suppress()},
)  # fmt: skip
RNG = np.random.default_rng(0)
OLD = pa.table({"id": [f"p{number}" for number in range(60)], "a": RNG.integers(0, 8, 60), "b": RNG.integers(0, 3, 60)})
NEW = OLD.take(pa.array(RNG.permutation(60)[:50]))
ORDERS = {
    "shuffled": OLD.take(pa.array(RNG.permutation(60))),
    "sorted": OLD.sort_by([("a", "descending"), ("b", "ascending")]),
}


def nodes(first: fv.Release, source: Any) -> list[tuple[int, ...]]:
    earlier = [fv.Earlier(first, source=source, key="id")]
    guards = [fv.KAnonymity(3, suppression=0.4)]
    return sorted(
        map(tuple, fv.search(NEW, SCHEMA, guards=guards, method=fv.Incognito(), earlier=earlier).nodes.tolist())
    )


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "method", [fv.Incognito(), fv.Mondrian(), fv.LocalSuppression()], ids=lambda method: method.kind
)
def test_the_order_of_the_source_changes_nothing(method: Method, order: str) -> None:
    found = []
    for data in (OLD, duckdb.connect().from_arrow(OLD)):
        first = fv.search(data, SCHEMA, guards=[fv.KAnonymity(4, suppression=0.2)], method=method).best("loss")
        found += [nodes(first, OLD), nodes(first, ORDERS[order])]
    assert found[1:] == found[:1] * 3


def test_averages_of_rows_in_another_order_are_refused() -> None:
    first = fv.search(OLD, SCHEMA, guards=[fv.KAnonymity(4)], method=fv.MDAV()).best("loss")
    assert nodes(first, OLD)
    with pytest.raises(fv.BadInput, match="earlier release"):
        nodes(first, ORDERS["shuffled"])


@pytest.mark.parametrize("method", [fv.Mondrian(), fv.LocalSuppression(), fv.MDAV()], ids=lambda method: method.kind)
def test_rows_of_an_engine_have_no_number(method: Method) -> None:
    table = OLD.append_column("row", [[f"r{number}" for number in range(60)]])
    schema = fv.Schema(quasi=["a", "b"], plain=["row"], drop=["id"], hierarchies=SCHEMA.hierarchies)
    here, there = (
        fv.search(data, schema, guards=[fv.KAnonymity(4)], method=method).best("loss")
        for data in (table, duckdb.connect().from_arrow(table))
    )
    assert here.source_rows is not None and there.source_rows is None
    assert here.table.to_arrow()["row"].to_pylist() == [f"r{number}" for number in here.source_rows]
