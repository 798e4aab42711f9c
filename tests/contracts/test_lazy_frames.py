"""Lazy frames are applied to as eager ones are, by every kind of recipe: same rows, same refusals, same kind back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import narwhals as nw
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import fairveil as fv
from fairveil.methods import Method
from tests.contracts.people import ONE_PER_RECIPE, quick, search, source

LAZY: dict[str, Callable[[pa.Table], Any]] = {
    "polars": lambda rows: pl.LazyFrame(pl.from_arrow(rows)),
    "duckdb": lambda rows: duckdb.connect().from_arrow(rows),
    "ibis": lambda rows: pytest.importorskip("ibis").memtable(rows),
    "narwhals": lambda rows: nw.from_native(pl.LazyFrame(pl.from_arrow(rows))),
}


def rows_of(frame: Any) -> list[dict[str, str]]:
    """The rows of a frame of any kind, as text and in a fixed order."""
    lazy = nw.from_native(frame, pass_through=False)
    table = (lazy if isinstance(lazy, nw.LazyFrame) else lazy.lazy()).collect("pyarrow").to_native()
    return sorted(({name: str(value) for name, value in row.items()} for row in table.to_pylist()), key=repr)


def applied(recipe: Any, frame: Any, unknown: str) -> Any:
    """The rows of each published table, or the sentence that refuses the frame."""
    try:
        result = recipe.apply(frame, unknown=unknown)
    except fv.BadInput as problem:
        return str(problem)
    tables = result if recipe.splits else {"data": result}
    assert all(type(table) is type(frame) for table in tables.values())
    return {name: rows_of(table) for name, table in tables.items()}


def compare(method: type[Method], lazily: Callable[[pa.Table], Any]) -> None:
    recipe = search(quick(method), source(missing=True)).recipe(0)
    known = source(missing=True)
    zips = pc.if_else(pc.equal(known["age"], known["age"][7]), "longer", known["zip"])
    for rows in (known, known.set_column(1, "zip", zips)):
        for unknown in ("refuse", "suppress"):
            eager = applied(recipe, rows, unknown)
            assert applied(recipe, lazily(rows), unknown) == eager
            if recipe.invents:
                assert "search the new data instead" in eager
            elif rows is known or unknown == "suppress":
                assert isinstance(eager, dict) and all(eager.values())
            else:
                assert "longer" in eager


@pytest.mark.parametrize("kind", LAZY)
@pytest.mark.parametrize("method", ONE_PER_RECIPE, ids=lambda method: method.kind)
def test_lazy_frames_give_what_eager_ones_give(method: type[Method], kind: str) -> None:
    compare(method, LAZY[kind])


def test_frames_of_spark_too(spark: Any) -> None:
    for method in ONE_PER_RECIPE:
        compare(method, spark.createDataFrame)
