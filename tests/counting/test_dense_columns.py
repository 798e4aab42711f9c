"""The layout of a lattice search changes nothing: all nodes are those that counting every class says, byte for byte."""

from __future__ import annotations

from itertools import product
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.counting import dense_columns, lattice
from fairveil.methods.task import Task
from tests.randomly import Case, cases


@settings(max_examples=60)
@given(cases(), st.integers(2, 4), st.integers(0, 5))
def test_any_number_of_columns_gives_the_nodes_that_counting_gives(case: Case, k: int, budget: int) -> None:
    if k > len(case.rows):
        return
    task = Task.of(case.table, case.schema, [fv.KAnonymity(2)])
    expected = [node for node in case.nodes() if _small(task, node, k) <= budget]
    answers = []
    for columns in (0, 2, 6, 32):
        with patch.object(dense_columns, "MAX_COLUMNS", columns):
            fresh = lattice.Lattice(task.lattice.cells, task.lattice.levels)
            answers.append(fresh.anonymous(k, budget))
    assert sorted(map(tuple, answers[0].tolist())) == sorted(map(tuple, expected))
    assert len({(answer.shape, answer.tobytes()) for answer in answers}) == 1


def _small(task: Task, node: tuple[int, ...], k: int) -> int:
    rows = task.lattice.classes(node).rows
    return int(rows[rows < k].sum())


@pytest.mark.parametrize("budget", [0, 40, 400])
def test_columns_of_many_values_are_searched_without_floors_of_pairs(budget: int) -> None:
    """There are more pairs of values than are counted; the last column has few values, and then many."""
    rng = np.random.default_rng(budget)
    for few in (4, 400):
        drawn = {name: (rng.beta(1, 4, 3000) * size).astype(int) for name, size in [("a", 400), ("b", 400), ("c", few)]}
        trees = {
            name: fv.hierarchy.from_rows([(v, v // 10, v // 80, "*") for v in range(int(values.max()) + 1)])
            for name, values in drawn.items()
        }
        schema = fv.Schema(quasi=list(drawn), hierarchies=trees)
        task = Task.of(fv.Table.from_frame(pa.table(drawn)), schema, [fv.KAnonymity(5)])
        nodes = product(*(range(int(top) + 1) for top in task.lattice.tops))
        expected = [node for node in nodes if _small(task, node, 5) <= budget]
        assert sorted(map(tuple, task.lattice.anonymous(5, budget).tolist())) == sorted(expected)


@pytest.mark.parametrize("suppression", [0.0, 0.05])
def test_any_number_of_threads_gives_the_same_bytes(suppression: float, monkeypatch: pytest.MonkeyPatch) -> None:
    adult = fv.datasets.adult()
    rows = adult.table.take(np.arange(6000))
    answers = []
    for threads in ("1", "2", "3", "7"):
        monkeypatch.setenv("FAIRVEIL_THREADS", threads)
        frontier = fv.search(rows, adult.schema, guards=[fv.KAnonymity(5, suppression=suppression)])
        answers.append((frontier.nodes.tobytes(), frontier.values("loss").tobytes(), frontier.values("dm").tobytes()))
    assert len(frontier) > 10
    assert len(set(answers)) == 1


@settings(max_examples=60)
@given(cases(), st.integers(2, 4), st.integers(0, 5))
def test_the_border_has_the_lowest_of_all_nodes(case: Case, k: int, budget: int) -> None:
    if k > len(case.rows):
        return
    searched = Task.of(case.table, case.schema, [fv.KAnonymity(2)]).lattice
    nodes = searched.anonymous(k, budget)
    assert searched.border(k, budget).tolist() == nodes[lattice.minimal(nodes)].tolist()
