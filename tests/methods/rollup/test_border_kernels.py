"""The kernels that search for roll-up rules agree with plain NumPy over every node of the lattice."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.counting.kernels.compiling import NEVER
from fairveil.counting.kernels.group_by import table_bits
from fairveil.data.hierarchy import from_rows
from fairveil.methods.rollup import border
from fairveil.methods.rollup import border_kernels as kernel
from fairveil.methods.rollup.border import chain_of, restored
from fairveil.methods.rollup.suffix_kernels import RAISED, number_keys
from fairveil.methods.task import Task
from tests.counting.kernels.calling import from_python

NUMBER_KEYS, FACTS = from_python(number_keys), from_python(kernel._facts)


def task_of(seed: int, rows: int, kinds: int) -> Task:
    """Four columns; what decides is mostly the first, so that there are rules."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.integers(0, size, rows) for name, size in (("a", 8), ("b", 4), ("c", 3), ("d", 6))}
    columns["y"] = np.where(rng.random(rows) < 0.8, columns["a"] // 3, rng.integers(0, 3, rows)) % kinds
    hierarchies = {
        "a": from_rows([(v, v // 2, v // 4, "*") for v in range(8)]),
        "b": from_rows([(v, v // 2, "*") for v in range(4)]),
        "c": from_rows([(v, "*") for v in range(3)]),
        "d": from_rows([(v, v // 2, "*") for v in range(6)]),
    }
    schema = fv.Schema(quasi=list("abcd"), decision="y", hierarchies=hierarchies)
    return Task.of(fv.Table.from_frame(pa.table(columns)), schema, [fv.KAnonymity(2)])


def plain(task: Task) -> dict[tuple[int, ...], tuple[int, int]]:
    """Of every node its smallest class and the pairs that agree there and were decided differently."""
    levels = list(task.levels.items())
    decision = task.table.column("y").codes
    facts = {}
    for node in product(*(range(lv.height + 1) for _, lv in levels)):
        shown = np.column_stack(
            [lv.codes[level][task.table.column(n).codes] for level, (n, lv) in zip(node, levels, strict=True)]
        )
        _, ids = np.unique(shown, axis=0, return_inverse=True)
        both = np.zeros((ids.max() + 1, decision.max() + 1), dtype=np.int64)
        np.add.at(both, (ids.ravel(), decision), 1)
        sizes = both.sum(axis=1)
        facts[node] = (int(sizes.min()), int(((sizes**2).sum() - (both**2).sum()) // 2))
    return facts


def searched(task: Task, k: int, limit: int | None, work: int) -> dict[tuple[int, ...], tuple[int, int]]:
    """The border, or without a limit the trade-off, in slices of `work` cells, with arrays that must grow."""
    chain = chain_of(task.lattice, "y", k)
    level, depth, number = chain.tops.copy(), 0, 0
    nodes = kernel.FoundNodes(np.empty((1, 4), dtype=np.int64), np.empty((1, 2), dtype=np.int64))
    while depth >= 0:
        if number == len(nodes.levels):
            nodes = kernel.FoundNodes(*(np.concatenate([array, np.empty_like(array)]) for array in nodes))
        most = -1 if limit is None else limit
        depth, number, _ = kernel.search(chain, k, most, level, depth, nodes, number, work, NEVER)
    levels, values = restored(chain, nodes.levels[:number]).tolist(), nodes.values[:number]
    return {tuple(node): (int(v[0]), int(v[1])) for node, v in zip(levels, values, strict=True)}


CASES = (
    st.integers(0, 2**32),
    st.integers(4, 60),
    st.integers(2, 3),
    st.integers(2, 4),
    st.sampled_from([1, 70, 10**9]),
)


@settings(max_examples=50)
@given(*CASES, st.sampled_from([0, 1, 10, 100]))
def test_border(seed: int, rows: int, kinds: int, k: int, work: int, limit: int) -> None:
    task = task_of(seed, rows, kinds)
    every = plain(task)
    valid = [node for node, (smallest, pairs) in every.items() if pairs <= limit and smallest >= k]
    expected = {
        node: every[node]
        for node in valid
        if not any(o != node and all(x >= y for x, y in zip(o, node, strict=True)) for o in valid)
    }
    assert searched(task, k, limit, work) == expected


@settings(max_examples=50)
@given(*CASES)
def test_tradeoff(seed: int, rows: int, kinds: int, k: int, work: int) -> None:
    task = task_of(seed, rows, kinds)
    every = plain(task)
    points = {value for value in every.values() if value[0] >= k}
    best = {p for p in points if not any(q != p and q[0] >= p[0] and q[1] <= p[1] for q in points)}
    stairs = searched(task, k, None, work)
    assert set(stairs.values()) == best and len(stairs) == len(best)
    assert all(every[node] == value for node, value in stairs.items())


@given(st.integers(0, 2**32), st.integers(1, 50), st.sampled_from([3, 40, 2**40]))
def test_number(seed: int, n: int, below: int) -> None:
    """Looked up by the key itself, or hashed: numbered in order of appearance either way."""
    keys = np.random.default_rng(seed).integers(0, below, n)
    slots, heads, ids = np.empty(1 << table_bits(n), np.int32), np.empty(n, np.int64), np.empty(n, np.int64)
    groups = NUMBER_KEYS(keys, n, below, slots, heads, ids)
    seen: dict[int, int] = {}
    assert ids.tolist() == [seen.setdefault(key, len(seen)) for key in keys.tolist()]
    assert groups == len(seen)


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(4, 60), st.integers(2, 5))
def test_pair_floors(seed: int, rows: int, k: int) -> None:
    """The lowest level at which two attributes, all others absent, have k rows in every class."""
    task = task_of(seed, rows, 2)
    every, chain = plain(task), chain_of(task.lattice, "y", k)
    tops, floors = task.lattice.tops, task.lattice.floors(k, 0)
    for first in range(RAISED):
        a = int(chain.order[first])
        for level in range(int(floors[a]), int(tops[a])):
            for later in range(first + 1, 4):
                b = int(chain.order[later])

                def keeps(low: int, a: int = a, b: int = b, level: int = level) -> bool:
                    node = [int(top) for top in tops]
                    node[a], node[b] = level, low
                    return every[tuple(node)][0] >= k

                expected = next(low for low in range(int(floors[b]), int(tops[b]) + 1) if keeps(low))
                assert chain.pairs[first, level, later] == expected


@given(st.integers(0, 2**32), st.integers(1, 20), st.integers(1, 4))
def test_facts(seed: int, groups: int, kinds: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 9, (groups, kinds))
    pairs = sum(int(row[i] * row[j]) for row in counts for i in range(kinds) for j in range(i))
    assert FACTS(counts.ravel(), groups, kinds) == (pairs, counts.sum(axis=1).min())


@pytest.mark.parametrize("share", [0.05, 0.2])
@pytest.mark.parametrize("work", [1, 200, 1000, 5000])
def test_what_was_not_looked_at_is_said_exactly(monkeypatch: pytest.MonkeyPatch, work: int, share: float) -> None:
    """Cut short anywhere: the rules found are those outside of what is named, and the share named is its size."""
    task = task_of(5, 80, 2)
    whole = border.discover(task, share, k=2)
    assert whole.exhaustive and whole.seen == 1
    monkeypatch.setattr(border, "SLICE", work)
    short = border.discover(task, share, k=2, time_limit=0)
    floors, names = task.lattice.floors(2, 0), task.lattice.names

    def inside(node: tuple[int, ...]) -> bool:
        levels = dict(zip(names, node, strict=True))
        return any(all(low <= levels[n] <= high for n, (low, high) in part.items()) for part in short.unseen)

    every = list(product(*(range(f, top + 1) for f, top in zip(floors, task.lattice.tops, strict=True))))
    assert 1 - short.seen == pytest.approx(sum(inside(node) for node in every) / len(every))
    assert short.exhaustive == (not any(inside(node) for node in every))
    rules = {tuple(node) for node in short.nodes.tolist()}
    assert rules == {tuple(node) for node in whole.nodes.tolist() if not inside(tuple(node))}


def test_a_note_says_what_was_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    task = task_of(5, 80, 2)
    monkeypatch.setattr(border, "SLICE", 1)
    for method in (fv.RollUp(time_limit=1e-9), fv.RollUp(exceptions=0.2, time_limit=1e-9)):
        if method.exceptions is None:
            short = border.tradeoff(task, 1e-9)
        else:
            short = border.discover(task, 0.2, k=2, time_limit=1e-9)
        sentence = f"the time was up: {1 - short.seen:.1%} of the lattice was not searched, namely " + "; ".join(
            border.in_words(part) for part in short.unseen
        )
        try:
            proposal = method.search(task)
            notes = (*proposal.notes, *proposal.private)
        except fv.Infeasible as problem:
            notes = (str(problem),)
        assert any(sentence in note for note in notes)
    assert border.in_words({"a": (2, 2), "b": (0, 1)}) == "a at level 2, b at levels 0 to 1"
