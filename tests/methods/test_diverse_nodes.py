"""Lattice nodes judged by numbers and shares of values, compiled: against sets of values, and one by one."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.counting.summary import Summary
from fairveil.counting.value_sets import MAX_LEAST
from fairveil.methods import diverse_nodes, lattice_nodes, mondrian
from fairveil.methods.task import Task

ILL = ["HIV", "flu", " hiv ", "cold", None, ""]


def drawn(seed: int) -> tuple[list[tuple[Any, ...]], fv.Schema, list[Any], int]:
    """Rows, schema and guards; the last number is how many rows may be left out."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(20, 120))
    ills = ILL[: int(rng.integers(2, len(ILL) + 1))]
    columns = [
        rng.integers(20, 28, rows).tolist(), rng.choice(["a", "b", "c"], rows).tolist(),
        rng.choice(["x", "y"], rows).tolist(), rng.choice(np.array(ills, dtype=object), rows).tolist(),
        rng.integers(0, int(rng.integers(2, 40)), rows).tolist(), rng.choice(["yes", "no"], rows).tolist(),
    ]  # fmt: skip
    schema = fv.Schema(
        quasi=["age", "town", "sex"], sensitive=["ill", "pay"], decision="class" if seed % 2 else None, denied="no"
        if seed % 2 else None, plain=[] if seed % 2 else ["class"],
        hierarchies={
            "age": fv.hierarchy.intervals([22, 24, 26], levels=[[24]], open_ended=True),
            "town": fv.hierarchy.tree({"ab": ["a", "b"], "other": ["c"]}), "sex": fv.hierarchy.suppress(),
        },
    )  # fmt: skip
    share = float(rng.choice([0.05, 0.2, 0.5]))
    guards: list[Any] = [
        fv.KAnonymity(int(rng.integers(2, 5)), suppression=share),
        fv.DistinctDiversity(2, sensitive=["ill"], missing="ignore" if rng.random() < 0.5 else "value"),
        fv.DistinctDiversity(int(rng.choice([2, 3, 5, MAX_LEAST + 1], p=[0.4, 0.3, 0.2, 0.1])), sensitive=["pay"]),
    ]
    if seed % 5 == 0:
        guards = [guards[0], fv.DistinctDiversity(2)]  # both columns
    if seed % 3 == 0:
        guards = [*guards[: 1 if seed % 4 == 0 else None], fv.TCloseness(float(rng.choice([0.2, 0.35, 0.6])))]
    return list(zip(*columns, strict=True)), schema, guards, int(share * rows + 1e-9)


def task_of(rows: list[tuple[Any, ...]], schema: fv.Schema, guards: list[Any]) -> Task:
    names = ["age", "town", "sex", "ill", "pay", "class"]
    table = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    return Task.of(fv.Table.from_frame(table), schema, guards)


def value(guard: Any, cell: Any) -> Any:
    """What counts as a value: None if the cell does not."""
    if guard.missing == "value":
        return ("missing",) if cell is None else cell
    cell = cell.strip().casefold() if isinstance(cell, str) else cell
    return None if cell in (None, "") else cell


def suppressed(task: Task, rows: list[tuple[Any, ...]], node: tuple[int, ...]) -> int:
    """The rows in classes that break a guard, from the definition."""
    guards: list[Any] = [*task.guards]
    k, *others = guards
    classes = defaultdict(list)
    for row in rows:
        published = []
        for cell, level, (name, levels) in zip(row, node, task.levels.items(), strict=False):
            leaf = task.cells.labels[name].to_pylist().index(cell)
            published.append(levels.labels[level][levels.codes[level][leaf]])
        classes[tuple(map(str, published))].append(row)
    left = list(classes.values())
    while True:
        whole = [row for members in left for row in members]
        passing = [members for members in left if len(members) >= k.k and keep(others, members, whole)]
        if passing == left:
            return len(rows) - len(whole)
        left = passing


def keep(guards: list[Any], members: list[tuple[Any, ...]], whole: list[tuple[Any, ...]]) -> bool:
    """Whether a class keeps guards of the values in it, from the definition."""
    for guard in guards:
        for place in [{"ill": 3, "pay": 4}[name] for name in guard.sensitive or ("ill", "pay")]:
            own, of_all = (
                Counter(known for row in part if (known := value(guard, row[place])) is not None)
                for part in (members, whole)
            )
            if guard.kind == "distinct-diversity" and 0 < len(own) < guard.l:
                return False
            if guard.kind == "t-closeness" and own:
                every = [Fraction(own[v], own.total()) - Fraction(of_all[v], of_all.total()) for v in of_all]
                if sum(map(abs, every)) / 2 > Fraction(str(guard.t)):
                    return False
    return True


@pytest.mark.parametrize("seed", range(40))
def test_the_nodes_are_those_of_the_definition_and_figures_those_of_each(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, schema, guards, budget = drawn(seed)
    task = task_of(rows, schema, guards)
    every = np.array(list(product(*(range(int(top) + 1) for top in task.lattice.tops))))
    expected = [node for node in every.tolist() if suppressed(task, rows, tuple(node)) <= budget]
    region = task.lattice.anonymous(task.k, task.budget)
    nodes = region[lattice_nodes.keep_guards(task, region)]
    assert sorted(nodes.tolist()) == expected
    if not len(nodes):
        return
    compiled = lattice_nodes.summarize(task, nodes, True)
    many = any(getattr(guard, "l", 0) > MAX_LEAST for guard in guards)
    assert (diverse_nodes.asked_values(task) is None) == many
    one_by_one = lattice_nodes.summarize_each(task, task.lattice, nodes, True)
    for name in Summary.__dataclass_fields__:
        np.testing.assert_allclose(getattr(compiled, name), getattr(one_by_one, name), 1e-9, 1e-9, err_msg=name)
    monkeypatch.setattr(lattice_nodes, "asked_values", lambda task: None)
    assert region[lattice_nodes.keep_guards(task, region)].tolist() == nodes.tolist()


def test_a_node_is_judged_by_other_guards_after_that() -> None:
    rows, schema, guards, _ = drawn(1)
    fair = [*guards, fv.AlphaProtection(1.5, "slift", 0.05)]
    task = task_of(rows, replace(schema, protected=["sex"]), fair)
    region = task.lattice.anonymous(task.k, task.budget)
    nodes = region[lattice_nodes.keep_guards(task, region)]
    others = [name for name in task.cells.codes if name not in task.levels]
    classes = (task.lattice.classes(node, others, published=True) for node in region)
    each = [lattice_nodes.survivors(task, of_node) is not None for of_node in classes]
    assert nodes.tolist() == region[each].tolist()
    assert 0 < len(nodes) < len(region)


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize("seed", range(0, 40, 3))
def test_mondrian_cuts_as_if_guards_were_asked_about_every_cut(
    seed: int, relaxed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, schema, guards, _ = drawn(seed)
    guards[0] = replace(guards[0], suppression=0.0)

    def regions() -> list[int]:
        cutter = mondrian.Cutter(task_of(rows, schema, guards), mondrian.Mondrian(relaxed=relaxed))
        if not cutter._keep([np.arange(len(rows))]):
            return []
        groups = cutter.run(2).groups
        assert groups is not None
        return [int(group) for group in groups]

    compiled = regions()
    monkeypatch.setattr(mondrian.Cutter, "_asked_of_rows", lambda self: None)
    assert regions() == compiled


@pytest.mark.parametrize("way", ["key sets", "key sets of k", "ordered t-closeness", "entropy"])
def test_other_guards_are_judged_one_by_one(way: str) -> None:
    rows, schema, guards, _ = drawn(3)
    if way == "key sets":
        guards = [guards[0], fv.DistinctDiversity(2, subsets=2)]
    elif way == "key sets of k":
        guards = [fv.KAnonymity(2, subsets=2, suppression=0.2), fv.DistinctDiversity(2)]
    elif way == "entropy":
        guards.append(fv.EntropyDiversity(1.1, sensitive=["ill"]))
    else:
        guards.append(fv.TCloseness(0.9, "ordered", sensitive=["ill"]))
    assert diverse_nodes.asked_values(task_of(rows, schema, guards)) is None
