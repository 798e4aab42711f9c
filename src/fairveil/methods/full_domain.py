"""Lattice nodes as candidates: shared by the methods that generalize whole domains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import overload

import numpy as np

from fairveil.cells import Classes
from fairveil.guards import ClassGuard, KAnonymity
from fairveil.lattice import Lattice, Walker, direct_generalizations
from fairveil.recipe import FullDomain
from fairveil.release import passing_classes
from fairveil.summary import Summary, penalty_tables, summarize_classes, summarize_nodes
from fairveil.task import Task


class NodeRecipes(Sequence[FullDomain]):
    """The recipes of lattice nodes, made when asked for."""

    def __init__(self, task: Task, nodes: np.ndarray) -> None:
        self.task, self.nodes = task, nodes

    def __len__(self) -> int:
        return len(self.nodes)

    @overload
    def __getitem__(self, index: int) -> FullDomain: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[FullDomain]: ...
    def __getitem__(self, index: int | slice) -> FullDomain | Sequence[FullDomain]:
        if isinstance(index, slice):
            return NodeRecipes(self.task, self.nodes[index])
        levels = dict(zip(self.task.levels, map(int, self.nodes[index]), strict=True))
        return FullDomain(self.task.schema, levels)


def survivors(task: Task, classes: Classes) -> Classes | None:
    """The classes that are published, or None where more rows break the guards than may be suppressed.

    What is suppressed is decided on the whole table; the guards must then hold on what is left (leaving rows out
    moves the distribution that t-closeness compares with).
    """
    passing = passing_classes(classes, task.schema, task.guards)
    if passing.all():
        kept = classes
    elif int(classes.rows[~passing].sum()) > task.budget:
        return None
    else:
        kept = classes.keep(passing)
    again = (guard for guard in task.guards if not isinstance(guard, ClassGuard) or kept is not classes)
    return kept if all(guard.verdict(kept, task.schema) for guard in again) else None


def keep_guards(task: Task, nodes: np.ndarray) -> np.ndarray:
    """Which of these k-anonymous nodes keep all other guards, too.

    Nodes are visited from the most general down, so that with monotone guards one that fails spares all below it.
    """
    others = [guard for guard in task.guards if not isinstance(guard, KAnonymity)]
    if not others or not len(nodes):
        return np.ones(len(nodes), dtype=bool)
    columns = dict.fromkeys(name for guard in others for name in guard.columns(task.schema))
    walker = Walker(task.lattice, [name for name in columns if name not in task.levels], nodes.min(axis=0))
    monotone = all(guard.monotone if task.budget == 0 else guard.monotone_when_suppressing for guard in others)
    order = walker.packing.sort(nodes)[::-1] if walker.packing else np.argsort(-nodes.sum(axis=1), kind="stable")
    holds = np.zeros(len(nodes), dtype=bool)
    failed: set[tuple[int, ...]] = set()
    for done, i in enumerate(order):
        node = tuple(int(level) for level in nodes[i])
        if done % 256 == 0:
            task.report(done / len(nodes), "checking guards")
        doomed = monotone and any(above in failed for above in direct_generalizations(node, task.lattice.tops))
        holds[i] = not doomed and survivors(task, walker.classes(node)) is not None
        if not holds[i]:
            failed.add(node)
    return holds


def summarize(task: Task, nodes: np.ndarray, full: bool) -> Summary:
    """The summary of nodes that keep the guards: compiled where only k decides what is suppressed."""
    others = [guard for guard in task.guards if isinstance(guard, ClassGuard) and not isinstance(guard, KAnonymity)]
    if not (others and task.budget):
        try:
            floors = task.lattice.floors(task.k, task.budget)
            return summarize_nodes(task.lattice, task.schema, nodes, task.k, full, floors)
        except OverflowError:
            pass
    return summarize_each(task, task.lattice, nodes)


def summarize_each(task: Task, lattice: Lattice, nodes: np.ndarray) -> Summary:
    """The summary of nodes one by one, where the guards together decide what is suppressed."""
    each = [_summarize_one(task, node, lattice) for node in nodes]
    return Summary(**{f.name: np.concatenate([getattr(s, f.name) for s in each]) for f in fields(Summary)})


def _summarize_one(task: Task, node: np.ndarray, lattice: Lattice | None = None) -> Summary:
    lattice, schema = lattice or task.lattice, task.schema
    codes = {
        name: levels.codes[level][lattice.cells.codes[name]]
        for level, (name, levels) in zip(node, lattice.levels.items(), strict=True)
    }
    tables = {name: penalty_tables(lattice.leaf_rows[name], levels) for name, levels in lattice.levels.items()}
    whole = lattice.classes(node, [name for name in lattice.cells.codes if name not in codes])
    passing = passing_classes(whole, schema, task.guards)
    kept_cells = passing[whole.ids]
    sizes = {name: len(lv.labels[level]) for level, (name, lv) in zip(node, lattice.levels.items(), strict=True)}
    described = Classes(
        whole.ids, whole.counts, whole.rows, {**whole.codes, **codes}, {**whole.sizes, **sizes}, whole.levels
    ).keep(passing)
    counts = lattice.cells.counts[kept_cells]
    paid = {
        name: tuple(float(counts @ tables[name][kind][level][codes[name][kept_cells]]) for kind in (0, 1))
        for level, name in zip(node, lattice.levels, strict=True)
    }
    return summarize_classes(
        described,
        schema,
        rows=lattice.cells.rows,
        paid=paid,  # type: ignore[arg-type]
        full_entropy={name: float(tables[name][1][-1][0]) for name in tables},
        levels={
            name: (int(level), lattice.levels[name].height) for level, name in zip(node, lattice.levels, strict=True)
        },
    )


def why_infeasible(task: Task) -> str:
    """Which guard fails even when every quasi column is at its top, and how close one can get."""
    top = task.lattice.classes(task.lattice.tops, [name for name in task.cells.codes if name not in task.levels])
    verdicts = [guard.verdict(top, task.schema) for guard in task.guards]
    broken = [verdict for verdict in verdicts if not verdict]
    if broken:
        said = "; ".join(f"{verdict.guard.kind}: {verdict.sentence}" for verdict in broken)
        return f"no generalization keeps the guards, not even with every quasi column at its top ({said})"
    kinds = " and ".join(guard.kind for guard in task.guards)
    return f"no generalization keeps {kinds} together within the suppression limit: raise it"
