"""The set of α-protective k-anonymous generalizations is the paper's, on random tables."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.data.hierarchy import from_rows
from fairveil.errors import Infeasible
from fairveil.guards.rules.lift import MEASURES, least_support
from fairveil.methods.task import Task
from tests.guards.rules.papers_way import Problem, alpha_protective_incognito, brute_force, protective
from tests.known import source_rows_of


@st.composite
def hierarchies(draw):
    """A small domain with its levels: leaf labels, perhaps a middle level, a top."""
    leaves = draw(st.integers(1, 4))
    rows = [[f"v{i}"] for i in range(leaves)]
    for level in range(draw(st.integers(0, 1)) if leaves > 2 else 0):
        into = draw(st.lists(st.integers(0, 1), min_size=leaves, max_size=leaves))
        for row, group in zip(rows, into, strict=True):
            row.append(f"g{level}{group}")
    return [[*row, "*"] for row in rows]


@st.composite
def requests(draw, extra: int = 0):
    """A table, its schema and guards; the last `extra` columns are sensitive or plain, some with many values."""
    width = draw(st.integers(2, 3)) + extra
    trees = [draw(hierarchies()) for _ in range(width)]
    for tree in trees[width - extra :]:
        tree += [[f"w{i}", "*"] for i in range(draw(st.sampled_from([0, 6])))]
    count = draw(st.integers(4, 16))
    names = [f"c{a}" for a in range(width)]
    data = {
        name: draw(st.lists(st.sampled_from([row[0] for row in tree]), min_size=count, max_size=count))
        for name, tree in zip(names, trees, strict=True)
    }
    data["d"] = [*draw(st.lists(st.sampled_from(["no", "yes"]), min_size=count - 1, max_size=count - 1)), "no"]
    quasi = names[: width - extra]
    sensitive = [name for name in names[width - extra :] if draw(st.booleans())]
    schema = fv.Schema(
        quasi=quasi,
        sensitive=sensitive,
        plain=[name for name in names[width - extra :] if name not in sensitive],
        protected=draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)),
        decision="d",
        denied="no",
        hierarchies={name: from_rows(tree) for name, tree in zip(quasi, trees, strict=False)},
    )
    guard = fv.AlphaProtection(
        draw(st.sampled_from([1.1, 1.2, 1.5, 2.0, 3.0])),
        draw(st.sampled_from(MEASURES)),
        draw(st.sampled_from([1, 2, 0.1, 0.25])),
        draw(st.sampled_from([None, 1, 2])),
    )
    return pa.table(data), schema, draw(st.integers(2, 3)), guard


def plainly(frame, schema, k, guard) -> Problem:
    """The same request in the words of the brute force."""
    task = Task.of(fv.Table.from_frame(frame), schema, [fv.KAnonymity(k), guard])
    attributes = guard.attributes(schema)
    columns = [task.source_table.column(name) for name in attributes]
    as_is = [[list(range(len(c.values))), [0] * len(c.values)] for c in columns]
    ways = [task.levels[n].codes.tolist() if n in task.levels else w for n, w in zip(attributes, as_is, strict=True)]
    return Problem(
        list(zip(*(c.codes.tolist() for c in columns), strict=True)),
        [value == "no" for value in frame["d"].to_pylist()],
        ways,
        {a for a, name in enumerate(attributes) if name in schema.protected},
        k,
        guard.alpha,
        guard.measure,
        least_support(guard.min_support, task.table.rows),
        min(guard.granularity or len(attributes), len(attributes)),
    )


def found_by_search(frame, schema, k, guard, share=0.0) -> set[tuple[int, ...]]:
    try:
        frontier = fv.search(frame, schema, guards=[fv.KAnonymity(k, share), guard])
    except Infeasible:
        return set()
    return {tuple(node) for node in frontier.nodes.tolist()}


quick: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=250, **quick)
@given(requests())
def test_the_set_is_that_of_definition_4(request):
    assert found_by_search(*request) == brute_force(plainly(*request))


@settings(max_examples=100, **quick)
@given(st.one_of(requests(extra=1), requests(extra=2)))
def test_the_set_is_that_of_definition_4_with_columns_that_are_not_generalized(request):
    assert found_by_search(*request) == brute_force(plainly(*request), len(request[1].quasi))


@settings(max_examples=150, **quick)
@given(requests())
def test_the_printed_algorithms_find_the_same(request):
    assert found_by_search(*request) == alpha_protective_incognito(plainly(*request))


@settings(max_examples=60, **quick)
@given(requests(extra=1))
def test_a_verdict_is_that_of_the_search(request):
    """The compiled pass over all nodes, the compiled look at one table and the readable answer agree."""
    frame, schema, k, guard = request
    task = Task.of(fv.Table.from_frame(frame), schema, [fv.KAnonymity(k), guard])
    others = [name for name in task.cells.codes if name not in task.levels]
    found = found_by_search(*request)
    for node in task.lattice.anonymous(k):
        classes = task.lattice.classes(node, others, published=True)
        assert guard.verdict(classes, schema).holds == guard.holds(classes, schema) == (tuple(node.tolist()) in found)


@settings(max_examples=120, **quick)
@given(requests(), st.sampled_from([0.2, 0.4]))
def test_with_suppression_each_candidate_is_judged_by_the_rows_that_are_left(request, share):
    frame, schema, k, guard = request
    kept = found_by_search(frame, schema, k, guard, share)
    try:
        every = fv.search(frame, schema, guards=[fv.KAnonymity(k, share)])
    except Infeasible:
        assert not kept
        return
    for position, node in enumerate(every.nodes.tolist()):
        rows = sorted(source_rows_of(every.release(position)).tolist())
        left = plainly(frame, schema, k, guard)
        left.rows, left.denied = [left.rows[i] for i in rows], [left.denied[i] for i in rows]
        left.least = least_support(guard.min_support, len(rows))
        assert (tuple(node) in kept) == protective(left, tuple(node))
