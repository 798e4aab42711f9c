"""Local suppression against plain code: the fewest cells by trying every partition, and what a reader sees."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.methods.local_suppression import Hiding, LocalSuppression
from fairveil.methods.task import Task

WEIGHTS = st.sampled_from([1.0, 1.0, 0.5, 2.0, 3.5])


def fewest(rows: list[tuple[Any, ...]], weights: list[float], k: int) -> float:
    """The least weight that must be hidden: every way to put the rows into groups of at least k."""

    def price(group: tuple[int, ...]) -> float:
        hidden = (w for a, w in enumerate(weights) if len({rows[r][a] for r in group}) > 1)
        return len(group) * sum(hidden)

    @cache
    def best(left: int) -> float:
        if not left:
            return 0.0
        first = left & -left
        others = left ^ first
        least, part = float("inf"), others
        while True:
            group = part | first
            members = tuple(r for r in range(len(rows)) if group >> r & 1)
            if k <= len(members) < 2 * k:
                least = min(least, price(members) + best(left ^ group))
            if not part:
                return least
            part = (part - 1) & others

    return best((1 << len(rows)) - 1)


def published(rows: list[tuple[Any, ...]], k: int, weights: list[float], **options: Any) -> list[tuple[Any, ...]]:
    names = [f"c{a}" for a in range(len(weights))]
    schema = fv.Schema(quasi=names, weights=dict(zip(names, weights, strict=True)))
    table = pa.table({name: [row[a] for row in rows] for a, name in enumerate(names)})
    found = fv.search(table, schema, guards=[fv.KAnonymity(k)], method=LocalSuppression(**options))
    frame = found.release(0).table.to_arrow()
    return list(zip(*(frame[name].to_pylist() for name in names), strict=True))


def weight_of(shown: list[tuple[Any, ...]], weights: list[float]) -> float:
    return sum(w for row in shown for cell, w in zip(row, weights, strict=True) if cell == "*")


@st.composite
def tables(draw: st.DrawFn, most: int) -> tuple[list[tuple[str, ...]], list[float], int]:
    columns = draw(st.integers(1, 4))
    k = draw(st.integers(2, 3))
    row = st.tuples(*[st.sampled_from("abc")] * columns)
    rows = draw(st.lists(row, min_size=2 * k - 1, max_size=most))
    return rows, draw(st.lists(WEIGHTS, min_size=columns, max_size=columns)), k


@settings(deadline=None, max_examples=40)
@given(tables(9))
def test_no_release_of_a_small_table_hides_less(table: tuple[list[tuple[str, ...]], list[float], int]) -> None:
    rows, weights, k = table
    shown = published(rows, k, weights)
    assert min(Counter(shown).values()) >= k
    assert weight_of(shown, weights) == pytest.approx(fewest(rows, weights, k))


@settings(deadline=None, max_examples=40)
@given(tables(9))
def test_the_bound_is_one(table: tuple[list[tuple[str, ...]], list[float], int]) -> None:
    rows, weights, k = table
    names = [f"c{a}" for a in range(len(weights))]
    schema = fv.Schema(quasi=names, weights=dict(zip(names, weights, strict=True)))
    data = fv.Table.from_frame(pa.table({name: [row[a] for row in rows] for a, name in enumerate(names)}))
    for exact in (0, 60):
        hiding = Hiding(Task.of(data, schema, [fv.KAnonymity(k)]), LocalSuppression(exact=exact))
        hiding.run(k)
        assert hiding.bound <= fewest(rows, weights, k) + 1e-6 <= hiding.cost + 2e-6
        assert weight_of(published(rows, k, weights, exact=exact), weights) == pytest.approx(hiding.cost)


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 2**32), st.integers(11, 16))
def test_wide_tables_keep_the_promise(seed: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    rows = list(map(tuple, rng.integers(0, 3, (60, columns)).astype(str).tolist()))
    shown = published(rows, 4, [1.0] * columns)
    assert min(Counter(shown).values()) >= 4
    assert Counter(cell == "*" for row in shown for cell in row)[False] > 0


def test_every_shown_cell_is_true_and_the_rest_is_a_star() -> None:
    adult = fv.datasets.adult()
    found = fv.search(adult.table, adult.schema, guards=[fv.KAnonymity(5)], method=fv.LocalSuppression())
    release = found.release(0)
    assert release.holds and found.values("truthful")[0] == 1
    hidden = sum(release.table.column(name).to_arrow().to_pylist().count("*") for name in adult.schema.quasi)
    assert hidden < 0.08 * adult.table.rows * len(adult.schema.quasi)
    levels = fv.search(adult.table, adult.schema, guards=[fv.KAnonymity(5)])
    assert found.values("loss")[0] < 0.2 * levels.values("loss").min()


@pytest.mark.parametrize("guard", [fv.DistinctDiversity(2), fv.EntropyDiversity(1.5), fv.TCloseness(0.3)])
def test_other_guards_hold_and_cost_less_than_everything(guard: Any) -> None:
    rng = np.random.default_rng(1)
    table = pa.table({
        "age": rng.integers(20, 30, 300), "job": rng.choice([*"abcd"], 300), "town": rng.choice([*"xyz"], 300),
        "ill": rng.choice(["flu", "pox", "cold"], 300, p=[0.7, 0.2, 0.1]),
    })  # fmt: skip
    schema = fv.Schema(quasi=["age", "job", "town"], sensitive=["ill"])
    found = fv.search(table, schema, guards=[fv.KAnonymity(3), guard], method=fv.LocalSuppression())
    assert found.release(0).holds and found.values("loss")[0] < 0.6


def test_columns_are_generalized_to_the_level_that_is_asked_for() -> None:
    table = pa.table({"age": [21, 22, 23, 31, 32, 55], "job": ["a"] * 6})
    schema = fv.Schema(quasi=["age", "job"], hierarchies={"age": fv.hierarchy.intervals([20, 60], widths=(10, 20))})
    method = fv.LocalSuppression(levels={"age": 1})
    shown = fv.search(table, schema, guards=[fv.KAnonymity(2)], method=method).release(0).table.to_arrow()
    assert sorted(shown["age"].to_pylist()) == ["*", "*", "20-29", "20-29", "30-39", "30-39"]
    with pytest.raises(fv.BadInput, match="no quasi column 'agee'"):
        fv.search(table, schema, guards=[fv.KAnonymity(2)], method=fv.LocalSuppression(levels={"agee": 1}))
    with pytest.raises(fv.BadInput, match=r"levels.age is 9, and the levels of the hierarchy are 0 to 3"):
        fv.search(table, schema, guards=[fv.KAnonymity(2)], method=fv.LocalSuppression(levels={"age": 9}))


def test_the_example_of_the_docs() -> None:
    rows = [("cook", "Rome"), ("cook", "Rome"), ("cook", "Bari"), ("cook", "Oslo"), ("nun", "Bari"), ("spy", "Oslo")]
    assert Counter(published(rows, 2, [1.0, 1.0])) == {("cook", "Rome"): 2, ("*", "Bari"): 2, ("*", "Oslo"): 2}


def test_an_important_column_is_kept_and_another_hidden() -> None:
    rows = [(a, b) for a in "xy" for b in "pq" for _ in range(2)]
    assert all(row[0] != "*" and row[1] == "*" for row in published(rows, 4, [5.0, 1.0]))
    assert all(row[0] == "*" and row[1] != "*" for row in published(rows, 4, [1.0, 5.0]))


def test_new_rows_get_the_class_that_shows_most(tmp_path: Any) -> None:
    rows = pa.table({"job": ["cook"] * 4 + ["nun"] * 2 + ["spy"], "town": ["Rome"] * 3 + ["Bari"] * 4})
    schema = fv.Schema(quasi=["job", "town"])
    release = fv.search(rows, schema, guards=[fv.KAnonymity(2)], method=fv.LocalSuppression()).release(0)
    assert fv.verify(release.save(tmp_path / "out").path)
    fresh = release.recipe.outcome(pa.table({"job": ["cook", "nun", "king"], "town": ["Rome", "Bari", "Oslo"]}))
    assert fresh.table.to_arrow().to_pylist()[0] == {"job": "cook", "town": "Rome"}
    assert fresh.table.to_arrow().to_pylist()[2] == {"job": "*", "town": "*"}
