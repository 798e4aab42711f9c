"""Rules found by searching are the rules found by trying everything."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.data.hierarchy import from_rows
from fairveil.errors import BadInput, Infeasible
from fairveil.methods.rollup import count_patterns, discover, join_all, patterns, tradeoff
from fairveil.methods.rollup.rule import compatible_with, most_general
from fairveil.methods.task import Task
from tests.methods.rollup.levels import level_of

HIERARCHIES = {
    "a": from_rows([(v, v // 2, v // 4, "*") for v in range(8)]),
    "b": from_rows([(v, v // 3, "*") for v in range(6)]),
    "c": from_rows([(v, "*") for v in range(3)]),
}
ROWS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 5), st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=25
)


def task_of(rows: list[tuple[int, ...]], k: int = 2) -> Task:
    columns = dict(zip("abcy", map(list, zip(*rows, strict=True)), strict=True))
    schema = fv.Schema(quasi=["a", "b", "c"], decision="y", hierarchies=HIERARCHIES)
    return Task.of(fv.Table.from_frame(pa.table(columns)), schema, [fv.KAnonymity(min(k, len(rows)))])


def published(task: Task, row: tuple[int, ...], node: tuple[int, ...]) -> tuple[object, ...]:
    """The row at a node, from the hierarchies' own rows."""
    paths = [{r[0]: r for r in rule.rows} for rule in HIERARCHIES.values()]
    return tuple(path[str(value)][level] for path, value, level in zip(paths, row, node, strict=False))


def exceptions(task: Task, rows: list[tuple[int, ...]], node: tuple[int, ...]) -> int:
    return sum(x[3] != y[3] and published(task, x, node) == published(task, y, node) for x, y in combinations(rows, 2))


def nodes_of(task: Task) -> list[tuple[int, ...]]:
    return list(product(*(range(top + 1) for top in task.lattice.tops)))


def maximal(nodes: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    return {v for v in nodes if not any(w != v and all(a >= b for a, b in zip(w, v, strict=True)) for w in nodes)}


def as_set(nodes: np.ndarray) -> set[tuple[int, ...]]:
    return {tuple(map(int, node)) for node in nodes}


@settings(max_examples=25, deadline=None)
@given(ROWS, st.sampled_from([0.0, 0.05, 0.3]), st.integers(1, 3))
def test_discovery_equals_brute_force(rows: list[tuple[int, ...]], share: float, k: int) -> None:
    task = task_of(rows)
    pairs = sum(x[3] != y[3] for x, y in combinations(rows, 2))
    valid = {v for v in nodes_of(task) if exceptions(task, rows, v) <= int(share * pairs + 1e-6)}
    expected = {v for v in maximal(valid) if level_of(task, np.array(v))[0] >= k}
    discovered = discover(task, share, k=k)
    assert as_set(discovered.nodes) == expected
    assert discovered.exhaustive and discovered.pairs == pairs


@settings(max_examples=25, deadline=None)
@given(ROWS)
def test_tradeoff_equals_brute_force(rows: list[tuple[int, ...]]) -> None:
    task = task_of(rows)
    points = {(level_of(task, np.array(v))[0], exceptions(task, rows, v)) for v in nodes_of(task)}
    points = {p for p in points if p[0] >= task.k}
    best = {p for p in points if not any(q != p and q[0] >= p[0] and q[1] <= p[1] for q in points)}
    discovered = tradeoff(task)
    got = {
        (int(k), round(e * max(discovered.pairs, 1))) for k, e in zip(discovered.k, discovered.exceptions, strict=True)
    }
    assert got == best


@settings(max_examples=25, deadline=None)
@given(ROWS, st.sampled_from([0.05, 0.2, 0.5, 1.0]))
def test_patterns_and_their_rules_equal_brute_force(rows: list[tuple[int, ...]], share: float) -> None:
    task = task_of(rows)
    tops = [int(top) for top in task.lattice.tops]
    counted: dict[tuple[tuple[int, ...], bool], int] = {}
    for x, y in combinations(rows, 2):
        pattern = tuple(
            next(
                level
                for level in range(tops[a] + 1)
                if published(task, x, tuple(level if b == a else tops[b] for b in range(3)))
                == published(task, y, tuple(level if b == a else tops[b] for b in range(3)))
            )
            for a in range(3)
        )
        key = (pattern, x[3] != y[3])
        counted[key] = counted.get(key, 0) + 1
    patterns = count_patterns(task)
    assert counted == {
        (tuple(map(int, p)), bool(d)): int(n)
        for p, d, n in zip(patterns.levels, patterns.differ, patterns.pairs, strict=True)
    }
    need, covered, least = share * sum(counted.values()) - 1e-6, 0, 0
    for number in sorted(counted.values(), reverse=True):
        if covered >= need:
            break
        covered, least = covered + number, number
    kept = [p for (p, differ), number in counted.items() if differ and number >= least]
    valid = {
        v
        for v in nodes_of(task)
        if all(any(p > level for p, level in zip(pattern, v, strict=True)) for pattern in kept)
    }
    assert as_set(patterns.covering(share).rules(task.lattice.tops)) == maximal(valid)


def test_patterns_in_a_hash_table_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from fairveil.methods.rollup import patterns

    rng = np.random.default_rng(1)
    rows = [tuple(map(int, row)) for row in rng.integers(0, [8, 6, 3, 2], (300, 4))]
    dense = count_patterns(task_of(rows))
    monkeypatch.setattr(patterns, "MAX_DENSE", 0)
    monkeypatch.setattr(patterns, "MAX_TUPLES", 3)  # so that levels are compared one by one, too
    hashed = count_patterns(task_of(rows))
    as_dict = [
        {(*map(int, p), bool(d)): int(n) for p, d, n in zip(f.levels, f.differ, f.pairs, strict=True)}
        for f in (dense, hashed)
    ]
    assert as_dict[0] == as_dict[1]
    assert dense.total == 300 * 299 // 2


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    rows = [tuple(map(int, row)) for row in rng.integers(0, [8, 6, 3, 2], (200, 4))]
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("FAIRVEIL_THREADS", threads)
        found.append(count_patterns(task_of(rows)))
    assert all((getattr(found[0], f) == getattr(found[1], f)).all() for f in ("levels", "differ", "pairs"))


def test_a_search_that_is_cut_short_says_how_much_it_has_not_seen() -> None:
    from fairveil.methods.rollup import border

    rng = np.random.default_rng(3)
    rows = [tuple(map(int, row)) for row in rng.integers(0, [8, 6, 3, 2], (60, 4))]
    whole = discover(task_of(rows), 0.1)
    slice_of_work, border.SLICE = border.SLICE, 50
    try:
        in_slices = discover(task_of(rows), 0.1, time_limit=60)
        short = discover(task_of(rows), 0.1, time_limit=0)
    finally:
        border.SLICE = slice_of_work
    assert as_set(in_slices.nodes) == as_set(whole.nodes) and in_slices.exhaustive
    assert not short.exhaustive and 0 <= short.seen < 1
    assert as_set(short.nodes) <= as_set(whole.nodes)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), max_size=10))
def test_most_general_equals_brute_force(patterns: list[tuple[int, ...]]) -> None:
    tops = np.array([3, 3, 3, 3])
    valid = {
        v for v in product(range(4), repeat=4)
        if all(any(p > level for p, level in zip(pattern, v, strict=True)) for pattern in patterns)
    }  # fmt: skip
    assert as_set(most_general(np.array(patterns).reshape(-1, 4), tops)) == maximal(valid)


@settings(max_examples=30, deadline=None)
@given(st.sets(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=6), st.integers(0, 8))
def test_joins_miss_nothing_and_test_nothing_twice(base: set[tuple[int, ...]], least: int) -> None:
    tops = np.array([2, 2, 2, 2])
    tested: list[tuple[int, ...]] = []

    def passing(nodes: np.ndarray) -> np.ndarray:
        tested.extend(map(tuple, nodes.tolist()))
        return nodes.sum(axis=1) >= least  # falls with every step down, as k does

    joined = join_all(np.array(sorted(base)), tops, passing)
    good = [np.array(b) for b in sorted(base) if sum(b) >= least]
    expected = set()
    for size in range(1, len(good) + 1):
        for group in combinations(good, size):
            if all(compatible_with(x, y[None, :], tops)[0] for x, y in combinations(group, 2)):
                node = np.minimum.reduce(group)
                if node.sum() >= least:
                    expected.add(tuple(map(int, node)))
    assert as_set(joined.nodes) == expected
    assert len(tested) == len(set(tested)) == joined.tested


@pytest.mark.parametrize("method", [fv.RollUp(), fv.RollUp(exceptions=0.2), fv.RollUp(coverage=0.05)])
def test_rules_become_releases_that_keep_the_guards(method: fv.RollUp, tmp_path) -> None:
    credit = fv.datasets.german_credit()
    frontier = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(5)], method=method)
    assert (frontier.values("k") >= 5).all()
    release = frontier.best("ig")
    release.save(tmp_path / "out")
    assert fv.verify(tmp_path / "out")
    assert fv.methods.from_dict(method.to_dict()) == method


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"coverage": "5%"}, "coverage must be a number above 0 and at most 1"),
        ({"coverage": 5}, "coverage must be a number above 0 and at most 1"),
        ({"exceptions": "few"}, "exceptions must be a number of at least 0 and below 1"),
        ({"exceptions": True}, "exceptions must be a number of at least 0 and below 1"),
        ({"max_rules": 1.5}, "max_rules must be an integer"),
        ({"time_limit": 0}, "time_limit must be a number above 0"),
        ({"join": "yes"}, "join must be true or false"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        fv.RollUp(**settings)


def test_switches_of_the_baselines_are_true_or_false() -> None:
    for method, name in ((fv.Mondrian, "relaxed"), (fv.Mondrian, "numeric"), (fv.TopDownGreedy, "numeric")):
        with pytest.raises(BadInput, match=f"{name} must be true or false, not 'yes'"):
            method(**{name: "yes"})  # type: ignore[arg-type]


def test_what_cannot_be_is_refused_or_said() -> None:
    credit = fv.datasets.german_credit()
    with pytest.raises(BadInput, match="not both"):
        fv.RollUp(exceptions=0.1, coverage=0.1)
    with pytest.raises(BadInput, match="decision"):
        fv.search(
            credit.table, fv.Schema(quasi=credit.schema.quasi, plain=["class"]), guards=[fv.KAnonymity(2)],
            method=fv.RollUp(),
        )  # fmt: skip
    with pytest.raises(Infeasible, match="roll-up"):
        fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(600)], method=fv.RollUp(exceptions=0.0))


def test_more_pairs_than_a_count_can_hold_are_counted_in_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond about 92,000 rows; here a count holds 100 pairs."""
    rng = np.random.default_rng(3)
    rows = [tuple(map(int, rng.integers(0, size))) for size in [(8, 6, 3, 3)] * 60]
    at_once = count_patterns(task_of(rows))
    monkeypatch.setattr(patterns, "MAX_PAIRS", 100)
    told: list[float] = []
    task = replace(task_of(rows), progress=fv.Progress(lambda share, what: told.append(share)))
    in_rounds = count_patterns(task)
    for name in ("levels", "differ", "pairs"):
        assert getattr(in_rounds, name).tolist() == getattr(at_once, name).tolist()
    assert in_rounds.total == at_once.total == 60 * 59 // 2
    assert len(told) > 20 and told == sorted(told) and told[-1] == 1.0
    monkeypatch.setattr(patterns, "_HALF", 5)  # counts that do not fit beside their key
    assert count_patterns(task_of(rows)).pairs.tolist() == at_once.pairs.tolist()


@given(st.integers(0, 300), st.integers(1, 1000))
def test_rounds_hold_every_row_once_and_no_more_pairs_than_they_may(rows: int, most: int) -> None:
    stretches = patterns.rounds(rows, most)
    assert [row for start, end in stretches for row in range(start, end)] == list(range(rows))
    for start, end in stretches:
        assert sum(rows - 1 - row for row in range(start, end)) <= most or end == start + 1


def test_deep_hierarchies_of_few_rows_are_counted_in_several_bundles() -> None:
    """Few rows would put all columns into one bundle, and its patterns would be more than a number can tell apart."""
    rng = np.random.default_rng(0)
    values = rng.integers(0, 256, (20, 12))
    deep = from_rows([(v, *(v >> level for level in range(1, 8)), "*") for v in range(256)])
    names = [f"c{a}" for a in range(12)]
    columns = {name: values[:, a] for a, name in enumerate(names)} | {"y": rng.integers(0, 2, 20)}
    schema = fv.Schema(quasi=names, decision="y", hierarchies=dict.fromkeys(names, deep))
    task = Task.of(fv.Table.from_frame(pa.table(columns)), schema, [fv.KAnonymity(2)])
    found = count_patterns(task)
    decided = columns["y"]
    expected: dict[tuple[int, ...], int] = {}
    for i, j in combinations(range(20), 2):
        levels = [int(a ^ b).bit_length() for a, b in zip(values[i], values[j], strict=True)]
        pattern = (*levels, int(decided[i] != decided[j]))
        expected[pattern] = expected.get(pattern, 0) + 1
    rows = zip(found.levels, found.differ, found.pairs, strict=True)
    assert {(*map(int, levels), int(differ)): int(pairs) for levels, differ, pairs in rows} == expected
