"""Every kernel agrees with a plain NumPy twin."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import fairveil as fv
from fairveil.counting import dense_columns
from fairveil.counting.kernels import group_by
from fairveil.counting.lattice import Walker
from fairveil.counting.summary import Summary, summarize_nodes
from fairveil.methods.lattice_nodes import node_recipe, summarize_each
from fairveil.methods.task import Task
from fairveil.release.release import publish
from tests.counting.kernels.calling import from_python
from tests.randomly import Case, cases

group_sum, first_of_each = from_python(group_by.group_sum), from_python(group_by.first_of_each)
table_bits = group_by.table_bits

keys = hnp.arrays(np.int64, st.integers(1, 60), elements=st.integers(0, 2**62) | st.integers(0, 5))


@given(keys, st.integers(0, 2**32))
def test_group_sum(keys: np.ndarray, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(1, 100, len(keys))
    out_keys, out_counts = np.empty_like(keys), np.empty_like(counts)
    groups = group_sum(keys, counts, out_keys, out_counts, np.empty(1 << table_bits(len(keys)), dtype=np.int32))
    expected, place = np.unique(keys, return_inverse=True)
    order = np.argsort(out_keys[:groups])
    assert out_keys[:groups][order].tolist() == expected.tolist()
    assert out_counts[:groups][order].tolist() == np.bincount(place, weights=counts).tolist()


@given(keys)
def test_first_of_each(keys: np.ndarray) -> None:
    ids = np.empty(len(keys), dtype=np.int64)
    firsts = first_of_each(keys, ids)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # numbered in order of first appearance
    assert firsts.tolist() == sorted(first.tolist())
    assert ids.tolist() == rank[place].tolist()


def same(one: Summary, other: Summary, but: tuple[str, ...] = ()) -> None:
    for name in Summary.__dataclass_fields__:
        if name not in but:
            np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-9, err_msg=name)


@settings(max_examples=80)
@given(cases(decision=True), st.integers(2, 4), st.sampled_from([0.0, 0.3, 1.0]))
def test_summary_of_nodes_of_cells_and_of_the_published_table(case: Case, k: int, suppression: float) -> None:
    """Three ways to the same numbers: the compiled one, NumPy on cells, and from what is published."""
    guards = [fv.KAnonymity(k, suppression=suppression)]
    if k > len(case.rows):
        return
    task = Task.of(case.table, case.schema, guards)
    nodes = task.lattice.anonymous(k, task.budget)
    compiled = summarize_nodes(task.lattice, case.schema, nodes, k, full=True)
    singly = summarize_each(task, task.lattice, nodes)
    for i, node in enumerate(nodes):
        summary = compiled.take(np.array([i]))
        same(summary, singly.take(np.array([i])))
        release = publish(case.table, case.schema, guards, node_recipe(task, node))
        same(summary, release.summary)


@settings(max_examples=60)
@given(cases(decision=True), st.integers(1, 4), st.sampled_from([2, 6, 32]))
def test_summary_by_columns(case: Case, k: int, columns: int) -> None:
    """What needs no decision is the same whether classes are counted one by one or as columns."""
    if len(case.rows) < 2:
        return
    task = Task.of(case.table, case.schema, [fv.KAnonymity(2)])
    nodes = np.array(list(case.nodes()))
    singly = summarize_nodes(task.lattice, case.schema, nodes, k)
    with patch.object(dense_columns, "MAX_COLUMNS", columns):
        together = summarize_nodes(task.lattice, case.schema, nodes, k, decided=False)
    same(together, singly, but=("minority",))


@settings(max_examples=100)
@given(cases(sensitive=(1, 2)), st.randoms(use_true_random=False))
def test_walker_in_any_order(case: Case, random) -> None:
    task = Task.of(case.table, case.schema, [fv.DistinctDiversity(2)])
    walker = Walker(task.lattice, case.schema.sensitive)
    nodes = list(case.nodes())
    random.shuffle(nodes)
    for node in nodes:
        walked, direct = walker.classes(node), task.lattice.classes(node, case.schema.sensitive)
        assert sorted(walked.rows) == sorted(direct.rows)
        for name in case.schema.sensitive:
            one, other = walked.histogram(name), direct.histogram(name)
            assert sorted(zip(one.rows[one.ids], one.values, one.counts, strict=True)) == sorted(
                zip(other.rows[other.ids], other.values, other.counts, strict=True)
            )
