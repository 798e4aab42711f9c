"""The layout of a lattice search changes nothing: all nodes are those that counting every class says, byte for byte."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
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
