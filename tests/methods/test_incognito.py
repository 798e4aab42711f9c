"""Incognito returns exactly the nodes that keep the guards: brute force over the whole lattice says the same."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings

import fairveil as fv
from fairveil.counting.lattice import minimal
from tests.randomly import GUARD_SETS, Case, cases, drawn_case, drawn_guards, keeps


def solutions(case: Case, guards: list[fv.guards.Guard]) -> set[tuple[int, ...]]:
    try:
        frontier = fv.search(case.table, case.schema, guards=guards)
    except (fv.Infeasible, fv.BadInput):
        return set()
    assert frontier.exhaustive
    return {tuple(map(int, node)) for node in frontier.nodes}


@settings(max_examples=250)
@given(cases(sensitive=(1, 2)), GUARD_SETS)
def test_all_solutions_and_no_others(case: Case, guards: list[fv.guards.Guard]) -> None:
    anonymity = guards[0]
    if isinstance(anonymity, fv.KAnonymity) and anonymity.k > len(case.rows):
        return  # refused before any work
    assert solutions(case, guards) == {node for node in case.nodes() if keeps(case, node, guards)}


@pytest.mark.parametrize("start", range(0, 600, 300))
def test_suppression_with_guards_that_it_may_spoil(start: int) -> None:
    """Volume where it is tricky: what survives suppression must keep the guards, and these are not monotone."""
    several = 0
    for seed in range(start, start + 300):
        case, guards = drawn_case(seed), drawn_guards(seed)
        expected = {node for node in case.nodes() if keeps(case, node, guards)}
        assert solutions(case, guards) == expected, seed
        several += 1 < len(expected) < len(list(case.nodes()))
    assert several > 50


@settings(max_examples=100)
@given(cases(sensitive=(1, 1)))
def test_without_k_the_whole_lattice_is_searched(case: Case) -> None:
    guards: list[fv.guards.Guard] = [fv.DistinctDiversity(2)]
    assert solutions(case, guards) == {node for node in case.nodes() if keeps(case, node, guards)}


@settings(max_examples=100)
@given(cases(sensitive=(1, 1)), GUARD_SETS)
def test_whatever_is_published_keeps_its_guards(case: Case, guards: list[fv.guards.Guard]) -> None:
    try:
        frontier = fv.search(case.table, case.schema, guards=guards)
    except (fv.Infeasible, fv.BadInput):
        return
    release = frontier.best("loss")
    assert release.holds
    assert release.suppressed <= guards[0].budget(len(case.rows))
    rows = release.table.to_arrow().to_pylist()
    sizes = Counter(tuple(row[name] for name in case.schema.quasi) for row in rows)
    assert isinstance(guards[0], fv.KAnonymity) and min(sizes.values(), default=guards[0].k) >= guards[0].k


@settings(max_examples=60)
@given(cases())
def test_the_minimal_border_generates_the_set(case: Case) -> None:
    if len(case.rows) < 2:
        return
    try:
        frontier = fv.search(case.table, case.schema, guards=[fv.KAnonymity(2)])
    except fv.Infeasible:
        return
    border = frontier.minimal().nodes
    every = {tuple(map(int, node)) for node in frontier.nodes}
    above = {node for node in case.nodes() if any((np.array(node) >= low).all() for low in border)}
    assert above == every
    assert not minimal(border).sum() < len(border)


def test_adult_with_the_nine_hierarchies_of_arx(shared_data) -> None:
    """Golden: ARX's optimum by loss and by discernibility, and the size of the whole solution set."""
    names = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "income"]
    files = {name: "salary-class" if name == "income" else name for name in names}
    table = fv.Table.read(shared_data / "adult.csv.gz", missing="drop", missing_values=["?"])
    split = table.column("split")
    table = table.take(np.flatnonzero(split.codes == split.code_of("train"))).select(names).compact()
    assert table.rows == 30_162
    trees = {n: fv.hierarchy.read_csv(shared_data / "hierarchies" / f"adult-{f}.csv") for n, f in files.items()}
    schema = fv.Schema(quasi=names, hierarchies=trees)
    frontier = fv.search(table, schema, guards=[fv.KAnonymity(5)])
    assert len(frontier) == 87
    assert frontier.nodes[frontier.best_position("loss")].tolist() == [0, 4, 1, 1, 3, 2, 2, 1, 0]
    assert frontier.nodes[frontier.best_position("dm")].tolist() == [1, 1, 1, 2, 3, 2, 2, 1, 1]
    assert frontier.values("dm").min() == 33_627_534
    assert len(fv.search(table, schema, guards=[fv.KAnonymity(5, suppression=0.05)])) == 5_184


def test_infeasible_says_which_guard_and_how_close() -> None:
    credit = fv.datasets.credit_decisions()
    with pytest.raises(fv.Infeasible, match=r"distinct-diversity.*3 different"):
        fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(2), fv.DistinctDiversity(9)])
