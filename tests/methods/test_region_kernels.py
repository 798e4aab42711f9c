"""The kernels of Mondrian and Top-Down Greedy agree with plain Python that follows their descriptions."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from benchmarks.plain_greedy import _adjust, _partition, _records
from fairveil.counting.kernels.compiling import NEVER
from fairveil.data.hierarchy import from_rows
from fairveil.methods.adjustment_kernels import adjust
from fairveil.methods.cut_kernels import first_cut
from fairveil.methods.halving_kernels import top_down
from fairveil.methods.mondrian import axes_of
from fairveil.methods.region_kernels import Axes, widths
from fairveil.methods.task import Task
from tests.counting.kernels.calling import from_python

WIDTHS = from_python(widths)
NAMES = ("age", "income", "town", "job")
TREES = {
    "town": from_rows([(f"t{v}", f"q{v // 2}", f"h{v // 4}", "*") for v in range(8)]),
    "job": from_rows([(f"j{v}", "office" if v < 2 else "works", "*") for v in range(5)]),
}


def random_axes(seed: int, rows: int) -> Axes:
    """Two columns of numbers, one of them with gaps, and two of names."""
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(20, 20 + int(rng.integers(1, 12)), rows),
        "income": np.round(rng.choice([0, 1, 5, 9, 40], rows) * 1.5, 1),
        "town": [f"t{v}" for v in rng.integers(0, 8, rows)],
        "job": [f"j{v}" for v in rng.integers(0, 5, rows)],
    }
    schema = fv.Schema(quasi=list(columns), hierarchies=TREES)
    return axes_of(Task.of(fv.Table.from_frame(pa.table(columns)), schema, [fv.KAnonymity(2)]), True)


def plain_widths(axes: Axes, rows: np.ndarray, level: np.ndarray) -> list[float]:
    wide = []
    for a in range(len(axes.numeric)):
        mine = axes.codes[a][rows]
        if axes.numeric[a]:
            numbers = axes.values[a][mine]
            wide.append((numbers.max() - numbers.min()) / axes.spans[a] if axes.spans[a] else 0.0)
        else:
            node = axes.lookups[a, level[a], mine[0]]
            under = (axes.lookups[a, level[a], : len(TREES[NAMES[a]].rows)] == node).mean()
            wide.append(under if level[a] else 0.0)
    return wide


def plain_cut(axes: Axes, rows: np.ndarray, level: np.ndarray, skip: int, k: int, relaxed: bool) -> Any:
    """Column and parts of the first allowed cut; LeFevre et al., Sections 4.1 (strict) and 4.3 (relaxed)."""
    wide = plain_widths(axes, rows, level)
    for a in sorted(range(len(wide)), key=lambda a: (-wide[a], a))[skip:]:
        if wide[a] <= 0:
            return None
        mine = axes.codes[a][rows].tolist()
        if axes.numeric[a]:
            middle = sorted(mine)[(len(mine) - 1) // 2]
            left = [i for i, code in enumerate(mine) if code < middle]
            ties = [i for i, code in enumerate(mine) if code == middle]
            half = (len(mine) + 1) // 2
            taken = ties if not relaxed else ties[: max(half - len(left), 0)]
            chosen = set(left + taken)
            parts = [[i for i in range(len(mine)) if i in chosen], [i for i in range(len(mine)) if i not in chosen]]
        else:
            below = [int(axes.lookups[a, level[a] - 1, code]) for code in mine]
            parts = [[i for i, code in enumerate(below) if code == name] for name in sorted(set(below))]
        if all(len(part) >= k for part in parts):
            return a, [[int(rows[i]) for i in part] for part in parts]
    return None


def a_region(axes: Axes, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Some rows, and per column of names a level at which they are together."""
    rng = np.random.default_rng(seed + 1)
    size = len(axes.codes[0])
    rows = np.sort(rng.permutation(size)[: rng.integers(1, size + 1)])
    level = np.zeros(len(axes.numeric), dtype=np.int64)
    for a in range(len(axes.numeric)):
        if not axes.numeric[a]:
            while len(set(axes.lookups[a, level[a], axes.codes[a][rows]].tolist())) > 1:
                level[a] += 1
    return rows, level


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_widths(seed: int, rows: int) -> None:
    axes = random_axes(seed, max(rows, 2))
    region, level = a_region(axes, seed)
    np.testing.assert_allclose(WIDTHS(axes, region, level), plain_widths(axes, region, level))


@settings(max_examples=150)
@given(st.integers(0, 2**32), st.integers(2, 40), st.integers(0, 3), st.integers(1, 4), st.booleans())
def test_first_cut(seed: int, rows: int, skip: int, k: int, relaxed: bool) -> None:
    axes = random_axes(seed, rows)
    region, level = a_region(axes, seed)
    a, following, ordered, ends, what = first_cut(axes, region, level, skip, k, relaxed)
    expected = plain_cut(axes, region, level, skip, k, relaxed)
    if expected is None:
        assert a == -1
        return
    assert a == expected[0] and following > skip
    starts = [0, *ends.tolist()]
    assert [ordered[s:e].tolist() for s, e in pairwise(starts)] == expected[1]
    if axes.numeric[a]:
        middle, to_left, ties = what.tolist()
        assert ties == (axes.codes[a][region] == middle).sum() and (relaxed or to_left == ties)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(2, 40), st.integers(1, 6))
def test_top_down_and_adjust(seed: int, rows: int, k: int) -> None:
    axes = random_axes(seed, rows)
    rng = np.random.default_rng(seed)
    order, seeds = rng.permutation(rows), rng.random(7)
    group, groups = top_down(axes, order, seeds, k, NEVER)
    records = _records(axes)
    plain = _partition(records, order.tolist(), seeds.tolist(), k)
    assert groups == len(plain)
    assert [sorted(part) for part in plain] == [np.flatnonzero(group == g).tolist() for g in range(groups)]
    adjusted = adjust(axes, group.copy(), groups, min(k, rows), NEVER)
    expected = sorted(sorted(part) for part in _adjust(records, plain, min(k, rows)) if part)
    assert sorted(np.flatnonzero(adjusted == g).tolist() for g in np.unique(adjusted)) == expected
