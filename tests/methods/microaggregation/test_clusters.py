"""Clusters equal the plain algorithms row for row, whatever the ties; blocked mode keeps what it promises."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.data.table import Table
from fairveil.errors import BadInput, Infeasible
from fairveil.methods.microaggregation import clusters
from fairveil.methods.microaggregation.aggregate import information_loss
from fairveil.recipes.record_space import Points, RecordSpace
from tests.methods.microaggregation import plainly


@st.composite
def tables(draw: st.DrawFn, most: int = 60) -> Table:
    """Few distinct values, so that ties are everywhere; some missing."""
    rows = draw(st.integers(4, most))
    numbers = st.one_of(st.integers(0, 5), st.sampled_from([0.1, 0.7, None]))
    columns = {
        "n0": pa.array(draw(st.lists(numbers, min_size=rows, max_size=rows)), pa.float64()),
        "n1": pa.array(draw(st.lists(st.integers(-3, 3), min_size=rows, max_size=rows))),
        "c0": pa.array(draw(st.lists(st.sampled_from("abcd"), min_size=rows, max_size=rows))),
        "c1": pa.array(draw(st.lists(st.sampled_from(["x", "y", None]), min_size=rows, max_size=rows)), pa.string()),
    }
    chosen = draw(st.lists(st.sampled_from(list(columns)), min_size=1, unique=True))
    return Table.from_frame(pa.table({name: columns[name] for name in chosen}))


def placed(table: Table, distance: str = "euclidean") -> Points:
    return RecordSpace.of(table, table.names, distance).points(table)  # type: ignore[arg-type]


@settings(max_examples=60)
@given(tables(), st.data())
def test_fairlets_equal_the_plain_algorithm(table: Table, data: st.DataObject) -> None:
    points = placed(table)
    kinds = data.draw(st.integers(1, 3))
    groups = np.array(data.draw(st.lists(st.integers(0, kinds - 1), min_size=table.rows, max_size=table.rows)))
    seats = np.array(data.draw(st.lists(st.integers(1, 3), min_size=kinds, max_size=kinds)))
    if (np.bincount(groups, minlength=kinds) < seats).any():
        with pytest.raises(Infeasible):
            clusters.make_fairlets(points, groups, seats)
        return
    formed = clusters.make_fairlets(points, groups, seats)
    assert [members.tolist() for members in formed.members()] == plainly.make_fairlets(points, groups, seats.tolist())
    for members in formed.members():  # every fairlet has exactly its composition
        assert np.bincount(groups[members], minlength=kinds).tolist() == seats.tolist()


@settings(max_examples=60)
@given(tables(), st.integers(2, 6))
def test_mdav_equals_the_plain_algorithm(table: Table, k: int) -> None:
    points = placed(table)
    if table.rows < k:
        with pytest.raises(Infeasible):
            clusters.mdav(points, k)
        return
    formed = clusters.mdav(points, k)
    assert [members.tolist() for members in formed.members()] == plainly.mdav(points, k)
    assert formed.sizes.min() >= k
    assert formed.sizes.max() < 2 * k


def test_a_larger_table_equals_the_plain_algorithm() -> None:
    """Deep trees, many rebuilds, more than 64 categories."""
    rng = np.random.default_rng(3)
    rows = 400
    table = Table.from_frame(
        pa.table(
            {
                "a": rng.normal(size=rows),
                "b": rng.integers(0, 4, rows),
                "c": rng.integers(0, 90, rows).astype(str),
                "d": rng.choice(list("pqr"), rows),
            }
        )
    )
    points = placed(table)
    groups = (rng.random(rows) < 0.3).astype(np.int64)
    formed = clusters.make_fairlets(points, groups, np.array([3, 1]))
    assert [m.tolist() for m in formed.members()] == plainly.make_fairlets(points, groups, [3, 1])
    assert [m.tolist() for m in clusters.mdav(points, 4).members()] == plainly.mdav(points, 4)


@settings(max_examples=30)
@given(tables(40), st.sampled_from(["manhattan", "gower"]), st.integers(2, 4))
def test_other_distances_gather_the_nearest_around_the_farthest(table: Table, distance: str, k: int) -> None:
    points = placed(table, distance)
    groups = np.zeros(table.rows, dtype=np.int64)
    formed = clusters.make_fairlets(points, groups, np.array([k])).members()
    left = np.arange(table.rows)
    numbers, codes = points.rows[:, : points.numeric].astype(object), points.rows[:, points.numeric :]

    def to_mean(row: int) -> int:
        away = np.abs(len(left) * numbers[row] - numbers[left].sum(axis=0)).sum()
        other = (codes[left] != codes[row]).sum(axis=0) @ points.costs
        return int(away + other)

    def between(row: int, other: int) -> int:
        return int(np.abs(numbers[row] - numbers[other]).sum() + (codes[row] != codes[other]) @ points.costs)

    for members in formed:
        start = max(left.tolist(), key=lambda row: (to_mean(row), -row))
        assert members.tolist() == sorted(left.tolist(), key=lambda row: (between(row, start), row))[:k]
        left = np.setdiff1d(left, members)


@pytest.mark.parametrize("block", [60, 200])
def test_blocks_keep_composition_and_lose_little(block: int) -> None:
    rng = np.random.default_rng(0)
    table = Table.from_frame(pa.table({name: rng.normal(size=2000) for name in "abc"}))
    points = placed(table)
    groups = (rng.random(2000) < 0.4).astype(np.int64)
    exact, blocked = (clusters.make_fairlets(points, groups, np.array([3, 2]), block=b) for b in (None, block))
    for found in (exact, blocked):
        assert all(np.bincount(groups[m], minlength=2).tolist() == [3, 2] for m in found.members())
    assert abs(len(exact.left_over) - len(blocked.left_over)) <= 5
    loss = [information_loss(points, found)["information_loss"] for found in (exact, blocked)]
    assert loss[1] <= 1.25 * loss[0]
    k_groups = clusters.mdav(points, 5, block=block)
    assert k_groups.sizes.min() >= 5
    assert not len(k_groups.left_over)


def test_threads_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    points = placed(Table.from_frame(pa.table({"a": rng.normal(size=3000), "b": rng.integers(0, 9, 3000)})))
    answers = []
    for threads in ("1", "3"):
        monkeypatch.setenv("FAIRVEIL_THREADS", threads)
        answers.append(clusters.mdav(points, 3, block=200).of_row)
    assert (answers[0] == answers[1]).all()


def test_block_sizes_are_checked() -> None:
    assert fv.MDAV().block(1000) is None
    assert fv.MDAV().block(10**6) == clusters.BLOCK
    assert fv.MDAV(blocks=None).block(10**6) is None and fv.MDAV(blocks=7).block(10) == 7
    with pytest.raises(BadInput, match="blocks must be an integer of at least 2 or 'auto', not 'some'"):
        fv.MDAV(blocks="some")  # type: ignore[arg-type]
