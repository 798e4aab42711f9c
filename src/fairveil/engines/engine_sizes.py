"""How often tuples and values of a source occur, counted on its engine: there may be too many of them to fetch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw
import pyarrow as pa

from fairveil.data.types import narrowest
from fairveil.engines.relation import Sizes, TooManyCells, frequent_of, most_frequent, sizes_of
from fairveil.engines.value_dictionary import plain_values

if TYPE_CHECKING:
    from fairveil.engines.lazy import LazySource


def sizes_on_engine(source: LazySource, names: Sequence[str], *, named: bool) -> Sizes:
    """Count on the engine, unless several spellings may be one value; with `named`, without missing values."""
    return _of_cells(source, names, named=named) or _counted(source, names, named=named)


def _of_cells(source: LazySource, names: Sequence[str], *, named: bool) -> Sizes | None:
    """The sizes of cells that are counted, or that have to be; None if they are too many."""
    source.need(names)
    is_counted = any(set(names) <= set(key) for key in source.cache.cells)
    if not is_counted and source.fixed is None and not any(map(source.is_respelled, names)):
        return None
    try:
        return sizes_of(source.count(names), named=named)
    except TooManyCells:  # then count spellings
        return None


def _counted(source: LazySource, names: Sequence[str], *, named: bool) -> Sizes:
    if len(names) == 1 and named and source.types[names[0]].is_integer():
        with source.querying("counting values"):
            alone = source.native.all_differ(source.frame, source.aliases[names[0]])
        if alone is not None:
            return Sizes({1: alone} if alone else {})
    rows = source.frame.filter(*(~source.is_missing(name) for name in names)) if named else source.at_codes(names)
    tuples = source.distinct_tuples(names, rows)
    sizes = tuples.group_by("rows").agg(nw.len().cast(nw.Int64).alias("tuples"))
    answer = source.fetch(sizes, "counting combinations").sort_by("rows")
    return Sizes(zip(answer["rows"].to_pylist(), answer["tuples"].to_pylist(), strict=True))


def frequent_on_engine(source: LazySource, name: str, max_values: int) -> tuple[list[Any], int]:
    """The most frequent values of a column, and the number of distinct ones. Of too many, frequent ones are fetched."""
    sizes = source.sizes([name])
    if sizes.distinct <= source.budget.cells(1):
        return frequent_of(source.count([name]), max_values)
    tuples = source.distinct_tuples([name], source.frame).filter(nw.col("rows") >= sizes.threshold(max_values))
    with source.batches(tuples, "reading frequent values") as batches:
        return most_frequent(_pairs(source, name, batches), max_values), sizes.distinct


def _pairs(source: LazySource, name: str, batches: Iterable[pa.Table | pa.RecordBatch]) -> Iterable[tuple[Any, float]]:
    for batch in batches:
        values = source.cell_reader.valued(name, plain_values(name, batch.column(source.aliases[name])))
        yield from zip(narrowest(values).to_pylist(), batch.column("rows").to_pylist(), strict=True)
