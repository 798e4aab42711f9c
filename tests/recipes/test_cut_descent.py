"""All rows go down a tree at once as one after the other would: the naive twin of `FlatTree.regions_of`."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from fairveil.data.hierarchy import tree as tree_of
from fairveil.data.table import Table
from fairveil.recipes import cut_descent
from fairveil.recipes.cut_descent import FlatTree

NAMES = {"a": ["x"], "b": ["x"], "c": ["y"], "d": ["y"]}
REGION: dict[str, Any] = {}
numbers = st.one_of(st.none(), st.integers(0, 9))
ties = st.fixed_dictionaries({"left": st.integers(0, 3), "of": st.integers(3, 4)})


def cuts(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    two = st.lists(parts, min_size=2, max_size=2)
    strict = st.fixed_dictionaries({"column": st.just("n"), "at": numbers, "parts": two})
    relaxed = st.builds(
        lambda cut, tie, low: {**cut, **tie, **({} if low is None else {"from": min(low, cut["at"] or 9)})},
        strict, ties, st.one_of(st.none(), st.integers(0, 9)),
    )  # fmt: skip
    named = st.builds(
        lambda names, parts: {"column": "t", "level": 1, "names": names, "parts": parts[: len(names)]},
        st.sampled_from([["x"], ["y", "x"]]), two,
    )  # fmt: skip
    leaves = st.builds(lambda parts: {"column": "t", "level": 0, "names": ["b", "d"], "parts": parts}, two)
    return st.one_of(strict, relaxed, named, leaves)


trees = st.recursive(st.just(REGION), cuts, max_leaves=12)
records = st.tuples(numbers, st.sampled_from(sorted(NAMES)))
rows = st.lists(records, min_size=1, max_size=30)


def naively(tree: Any, values: list[tuple[Any, str]]) -> list[int]:
    regions, region = [-1] * len(values), -1

    def go(node: Any, inside: list[int]) -> None:
        nonlocal region
        if "column" not in node:
            region += 1
            for row in inside:
                regions[row] = region
            return
        if "level" in node:
            labels = [NAMES[values[row][1]][0] if node["level"] else values[row][1] for row in inside]
            for name, part in zip(node["names"], node["parts"], strict=True):
                go(part, [row for row, label in zip(inside, labels, strict=True) if label == name])
            return
        at, low = node["at"], node.get("from")
        below = lambda number, end: number is not None and (end is None or number < end)  # noqa: E731
        if "of" not in node:
            left = [row for row in inside if below(values[row][0], at)]
        else:
            if low is None:
                tied = [row for row in inside if values[row][0] is None]
                left = [row for row in inside if values[row][0] is not None]
            else:
                left = [row for row in inside if below(values[row][0], low)]
                tied = [row for row in inside if row not in left and below(values[row][0], at)]
            left += tied[: round(len(tied) * node["left"] / node["of"])]
        go(node["parts"][0], [row for row in inside if row in left])
        go(node["parts"][1], [row for row in inside if row not in left])

    go(tree, list(range(len(values))))
    return regions


@given(trees, rows, st.sampled_from([1, 7, 1 << 16]))
def test_rows_go_down_together_as_they_would_one_by_one(tree: Any, values: list[tuple[Any, str]], block: int) -> None:
    frame = pa.table(
        {"n": pa.array([n for n, _ in values], pa.int64()), "t": pa.array([t for _, t in values], pa.string())}
    )
    table = Table.from_frame(frame)
    columns = {column.name: column for column in table.columns}
    bound = {"t": tree_of({"*": {"x": ["a", "b"], "y": ["c", "d"]}}).bind(columns["t"].domain, "t")}
    flat = FlatTree.of(tree)
    before, cut_descent.BLOCK = cut_descent.BLOCK, block
    try:
        regions = flat.regions_of(table.rows, columns, bound)
    finally:
        cut_descent.BLOCK = before
    assert regions.tolist() == naively(tree, values)
