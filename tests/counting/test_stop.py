"""Every compiled search that may take long stops soon after it is told to, in the middle of its work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.counting.dense_columns import DenseColumns
from fairveil.counting.kernels import column_summary
from fairveil.counting.kernels import group_by as grouping
from fairveil.counting.kernels import lattice_search as lattice
from fairveil.counting.kernels import node_summary as summary
from fairveil.counting.kernels.class_values import RowShares, RowValues, ValueSets
from fairveil.counting.kernels.rolling_up import Packed
from fairveil.counting.lattice import Lattice
from fairveil.data.hierarchy import from_rows
from fairveil.errors import Cancelled
from fairveil.guards.rules import rule_kernels as rules
from fairveil.learning import c45_kernels as c45
from fairveil.methods.adjustment_kernels import adjust
from fairveil.methods.cut_kernels import all_cuts
from fairveil.methods.halving_kernels import top_down
from fairveil.methods.microaggregation import fairlet_kernels as fairlets
from fairveil.methods.microaggregation import forest_kernels as forest
from fairveil.methods.preferences import population_kernels as population
from fairveil.methods.region_kernels import Axes
from fairveil.methods.rollup import border_kernels as rollup
from fairveil.methods.rollup import pattern_kernels as patterns
from fairveil.methods.rollup import suffix_kernels as suffixes
from fairveil.methods.rollup.border import chain_of
from fairveil.methods.task import Task
from fairveil.recipes import distance_kernels as distance

Search = Callable[[np.ndarray], Any]
RNG = np.random.default_rng(0)


def packed(cells: int, attributes: int = 6, bits: int = 4) -> Packed:
    """Random cells; attributes of 2^bits values that halve from level to level."""
    levels, size = bits + 1, 1 << bits
    lookups = np.stack([np.stack([np.arange(size) >> level for level in range(levels)])] * attributes)
    zeros, tops = np.zeros(attributes, dtype=np.int64), np.full(attributes, bits)
    keys = np.unique(RNG.integers(0, 1 << (attributes * bits), cells))
    shifts = bits * np.arange(attributes)
    return Packed(keys, np.ones(len(keys), np.int64), shifts, zeros + bits, lookups, zeros, tops)


def all_nodes(tables: Packed) -> np.ndarray:
    shape = tuple((tables.tops + 1).tolist())
    return np.indices(shape).reshape(len(shape), -1).T.copy()


def boxes() -> Search:
    tables = packed(2_000_000)
    dense = DenseColumns.of(tables, [[1 << bits for bits in range(4, -1, -1)]] * 6)
    return lambda stop: lattice.anonymous_boxes(dense.packed, dense.columns, 0, 4, 3, 1_200_000, 1 << 16, stop)


def no_values() -> ValueSets:
    none, short = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
    zero = np.zeros(1, dtype=np.int64)
    return ValueSets(none, none, short, short, zero, none, zero, np.zeros(0))


def summaries() -> Search:
    tables = packed(300_000)
    penalties, nodes = np.zeros((1, *tables.lookups.shape)), all_nodes(tables)
    return lambda stop: summary.summarize(tables, no_values(), 0, nodes, penalties, 1, 5, False, True, stop)


def summaries_by_columns() -> Search:
    halves, tables = [1 << bits for bits in range(4, -1, -1)], packed(300_000)
    dense, nodes = DenseColumns.of(tables, [halves] * 6), all_nodes(tables)
    penalties, sizes = np.zeros((1, *tables.lookups.shape)), np.array([halves])
    numbers = dense.node_numbers(nodes)
    return lambda stop: column_summary.summarize_columns(
        dense.packed, dense.columns, sizes, nodes, numbers, penalties, 1, 5, stop
    )


LIMIT = rules.Limit(rules.SLIFT, 1e9, 1)


def protection() -> Search:
    tables = packed(300_000)
    tables = tables._replace(counts=tables.counts | RNG.integers(0, 2, len(tables.counts)) << 32)
    nodes = all_nodes(tables)
    lower = nodes < tables.tops
    below = lower @ (1 << np.arange(6))
    order = np.lexsort((below, lower.sum(axis=1)))
    nodes, below, same = nodes[order], below[order], rules.representatives(tables.lookups)
    return lambda stop: rules.protective(tables, same, nodes, below, np.ones(6, dtype=bool), 6, LIMIT, stop)


def alarms() -> Search:
    keys = RNG.integers(0, 1 << 60, 50_000)
    cells = grouping.KeyCounts(keys, 1 | RNG.integers(0, 2, len(keys)) << 32)
    fields = np.array([15 << 4 * a for a in range(12)])
    return lambda stop: rules.any_alarm(cells, fields, np.ones(12, dtype=bool), 12, LIMIT, stop)


def genomes() -> Search:
    sizes = np.full(6, 16)
    layout = population.GenomeLayout(
        codes=RNG.integers(0, 256, (3, 100_000)).astype(np.uint16),
        counts=np.ones(100_000, dtype=np.int32),
        sizes=sizes,
        order=np.arange(6),
        starts=np.array([0, 2, 4, 6]),
        table_starts=np.array([0, 256, 512, 768]),
        leaf_rows=np.ones((6, 16), dtype=np.int64),
    )
    bits = RNG.random((20_000, 90)) < 0.5
    return lambda stop: population.evaluate(bits, layout, 2, 0, 5, True, stop)


def pairs_of_rows() -> Search:
    rows, size = 60_000, 500
    bundled = patterns.Bundles(
        tables=RNG.integers(0, 9, 8 * size * size).astype(np.uint32),
        offsets=size * size * np.arange(8),
        sizes=np.full(8, size),
        ids=RNG.integers(0, size, (8, rows)).astype(np.uint16),
        fine=RNG.integers(0, 4, (4, rows)).astype(np.int32),
        fine_strides=np.ones(4, dtype=np.uint32),
    )
    counts, heads = np.zeros(1 << 10, dtype=np.uint32), np.zeros(0, dtype=np.uint32)
    return lambda stop: patterns.count_patterns(bundled, 0, rows, True, counts, heads, stop)


def chain() -> suffixes.Chain:
    """Columns that say nothing of the decision, so that every node must be looked at."""
    columns = {f"c{a}": RNG.integers(0, 8, 60_000) for a in range(7)} | {"y": RNG.integers(0, 2, 60_000)}
    halves = from_rows([(v, v // 2, v // 4, "*") for v in range(8)])
    quasi = [name for name in columns if name != "y"]
    schema = fv.Schema(quasi=quasi, decision="y", hierarchies=dict.fromkeys(quasi, halves))
    task = Task.of(fv.Table.from_frame(pa.table(columns)), schema, [fv.KAnonymity(2)])
    return chain_of(task.lattice, "y", 1)


def rules_of_a_border() -> Search:
    links = chain()
    room = rollup.FoundNodes(np.empty((9999, 7), dtype=np.int64), np.empty((9999, 2), dtype=np.int64))
    return lambda stop: rollup.search(links, 1, 5000, links.tops.copy(), 0, room, 0, 10**12, stop)


def steps_of_a_tradeoff() -> Search:
    links = chain()
    room = rollup.FoundNodes(np.empty((9999, 7), dtype=np.int64), np.empty((9999, 2), dtype=np.int64))
    return lambda stop: rollup.search(links, 1, -1, links.tops.copy(), 0, room, 0, 10**12, stop)


def floors_of_pairs() -> Search:
    cells, bits, m = 500_000, 11, 12
    lookups = np.stack([np.stack([np.arange(1 << bits) >> level for level in range(bits + 1)])] * m)
    domains = np.tile(1 << np.arange(bits, -1, -1), (m, 1))
    floors, tops = np.zeros(m, dtype=np.int64), np.full(m, bits)
    codes, counts = RNG.integers(0, 1 << bits, (m, cells)), np.ones(cells, dtype=np.int64)
    return lambda stop: suffixes.pair_floors(codes, counts, lookups, domains, floors, tops, 2, stop)


def axes(rows: int) -> Axes:
    return Axes(
        codes=RNG.integers(0, 1000, (5, rows)),
        numeric=np.ones(5, dtype=bool),
        values=np.tile(np.arange(1000.0), (5, 1)),
        spans=np.full(5, 999.0),
        leaves=np.zeros((5, 1, 1)),
        lookups=np.zeros((5, 1, 1), dtype=np.int64),
    )


def halving() -> Search:
    columns, order, seeds = axes(1_000_000), RNG.permutation(1_000_000), RNG.random(100)
    return lambda stop: top_down(columns, order, seeds, 2, stop)


def cutting() -> Search:
    columns = axes(1_500_000)
    return lambda stop: all_cuts(
        columns,
        RowValues(np.zeros((0, 0), np.int32), np.zeros(0, np.int64)),
        RowShares(np.zeros((0, 0), np.int32), np.zeros((0, 0)), np.zeros(0)),
        np.full(len(columns.numeric), 1),
        2,
        True,
        stop,
    )


def adjusting() -> Search:
    columns, group = axes(60_000), np.arange(60_000) // 2
    return lambda stop: adjust(columns, group.copy(), 30_000, 3, stop)


METRIC = distance.Metric(5, np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64), 2)


def points(rows: int) -> np.ndarray:
    return RNG.integers(0, 1 << 12, (rows, 5)).astype(np.int32)


def splitting() -> Search:
    records, starts = points(4_000_000), np.array([0, 4_000_000])
    return lambda stop: forest.split(METRIC, records, starts, np.arange(4_000_000), 2, stop)


def gathering() -> Search:
    records, order = points(200_000), np.arange(200_000)
    nodes = forest.split(METRIC, records, np.array([0, 200_000]), order, 16, np.zeros(1, np.uint8))
    trees = forest.with_boxes(METRIC, records[order], order, *nodes)
    return lambda stop: fairlets.gather(METRIC, trees, np.array([5]), True, 10**9, stop)


def nearest() -> Search:
    records, centers = points(200_000), points(20_000)
    return lambda stop: distance.nearest_center(METRIC, records, centers, stop)


def trees() -> Search:
    x, y = RNG.random((240_000, 8)), RNG.integers(0, 2, 240_000)
    sample, folds = c45.TrainingSample(x, y, np.zeros(8, dtype=np.int64)), np.arange(240_000) % 5
    return lambda stop: c45.out_of_fold(sample, 2, folds, 5, stop)


SEARCHES = (
    boxes, summaries, summaries_by_columns, protection, alarms, genomes, pairs_of_rows, rules_of_a_border,
    steps_of_a_tradeoff, floors_of_pairs, halving, cutting, adjusting, splitting, gathering, nearest, trees,
)  # fmt: skip


TRIES = 3
"""A busy machine may keep one waiting once or twice; a search that does not look at its sign, always."""


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.__name__)
def test_it_stops_when_told_to(search: Callable[[], Search]) -> None:
    run = search()
    stop = np.ones(1, dtype=np.uint8)
    run(stop)  # compiled from here on
    waits: list[float] = []
    while min(waits, default=1.0) >= 0.5 and len(waits) < TRIES:
        stop[0] = 0
        thread = threading.Thread(target=run, args=(stop,), daemon=True)
        thread.start()
        time.sleep(0.1)
        assert thread.is_alive(), "too quick to tell"
        stop[0] = 1
        told = time.process_time()  # not by the clock: others may use the processor
        thread.join(60)
        assert not thread.is_alive()
        waits.append(time.process_time() - told)
    assert min(waits) < 0.5, waits


def test_a_cancelled_search_says_so() -> None:
    """The compiled search returns early with whatever it has, which nobody may take for an answer."""
    schema = fv.Schema(quasi=["a"], hierarchies={"a": from_rows([(v, "*") for v in range(4)])})
    task = Task.of(fv.Table.from_frame(pa.table({"a": [0, 1, 2, 3]})), schema, [fv.KAnonymity(2)])
    region = Lattice(task.cells, task.levels).anonymous(2)
    assert len(region) == 1
    task.progress.cancel()
    with pytest.raises(Cancelled):
        task.lattice.anonymous(2)
