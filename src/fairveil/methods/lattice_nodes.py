"""Lattice nodes as candidates: shared by the methods that generalize whole domains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.counting.lattice import Lattice, Node, Walker
from fairveil.counting.summary import Summary, penalty_tables, summarize_classes, summarize_nodes, whole_nodes
from fairveil.counting.threads import in_threads
from fairveil.counting.tuples import group_firsts, keys_of
from fairveil.counting.up_sets import OFTEN, is_small, monotone_nodes
from fairveil.counting.value_sets import NOTHING_ASKED, AskedValues
from fairveil.errors import BadInput, Infeasible
from fairveil.guards import Guard, Verdict, guarded_columns
from fairveil.messages import option
from fairveil.methods.diverse_nodes import asked_values, keep_values
from fairveil.methods.method import Method, Proposal, Recipes, stacked
from fairveil.methods.task import Task
from fairveil.published.judge import Publishable, publishable
from fairveil.recipes.full_domain import FullDomain

if TYPE_CHECKING:
    from fairveil.counting.persons import PersonPairs

MAX_LEVELS = 200
"""How many combinations of fixed levels are tried, to say which would help."""


def node_recipe(task: Task, node: np.ndarray) -> FullDomain:
    """The recipe that generalizes every quasi column to the level that the node names."""
    return FullDomain(task.schema, dict(zip(task.levels, map(int, node), strict=True)))


def propose_nodes(
    task: Task, method: Method, nodes: np.ndarray, *, exhaustive: bool = True, notes: Sequence[str] = (),
    private: Sequence[str] = (), remarks: Callable[[], tuple[str, ...]] = tuple,
) -> Proposal:  # fmt: skip
    """Nodes of a lattice that keep the guards, as candidates."""
    shortcuts: dict[str, Any] = {}
    if _suppresses_by(task) is not None:
        shortcuts["whole"] = lambda: whole_nodes(task.lattice, task.schema, nodes)
        shortcuts["some"] = lambda index: summarize(task, nodes[index], False, decided=False)
        shortcuts["sizes"] = lambda: summarize(task, nodes, False, decided=False, paid=False)
    elif _nobody_is_left_out(task):
        shortcuts["whole"] = lambda: _of_all_persons(task, nodes)
        shortcuts["some"] = lambda index: _of_all_persons(task, nodes[index])
    return Proposal(
        method, Recipes(nodes, lambda node: node_recipe(task, node)), lambda full: summarize(task, nodes, full),
        exhaustive, tuple(notes), remarks, nodes=nodes, private=tuple(private), **shortcuts,
    )  # fmt: skip


def survivors(task: Task, classes: Classes, guards: Sequence[Guard] | None = None) -> Classes | None:
    """The classes that are published, or None if the guards cannot be kept within the suppression limit.

    `guards` are those to check besides k-anonymity; by default all of the task's.
    """
    left = _left(task, classes, guards)
    return None if left is None else left.classes


def _left(task: Task, classes: Classes, guards: Sequence[Guard] | None) -> Publishable | None:
    """The same, with the classes of all cells: those that are published are computed only when they are needed."""
    checked = task.guards if guards is None else [*guards, *(guard for guard in task.guards if guard.by_size)]
    left = publishable(classes, task.schema, checked, task.budget)
    if left is None:
        return None
    of_all = (guard for guard in checked if not guard.per_class)
    holds = all(guard.holds(left.classes, task.schema, task.progress.stop) for guard in of_all)
    task.progress.check()
    return left if holds else None


def keep_guards(
    task: Task, nodes: np.ndarray, *, up_set: bool = True, found: Callable[[np.ndarray], object] | None = None
) -> np.ndarray:
    """Which of these k-anonymous nodes keep all other guards, too.

    With monotone guards, a node that fails rules out all below it, and one that keeps them decides for all above.
    `up_set`: every node above one of these is among them, too; guards that judge many nodes at once rely on it.
    `found` is called with the nodes that keep them so far, now and then.
    """
    other_guards = task.other_guards
    if not other_guards or not len(nodes):
        return np.ones(len(nodes), dtype=bool)
    if task.budget:  # the surviving rows differ from node to node
        return _keep_suppressing(task, nodes, other_guards, found)
    keeps = np.ones(len(nodes), dtype=bool)
    slow = []
    around = nodes if up_set else with_lifts(nodes, task.lattice.tops)
    for guard in other_guards:
        filtered = None if around is None else guard.filter_nodes(task.lattice, task.schema, around)
        if filtered is None:
            slow.append(guard)
        else:
            keeps &= filtered[: len(nodes)]
    if slow and keeps.any():
        keeps[keeps] = _keep_each(task, nodes[keeps], slow, found)
    return keeps


def with_lifts(nodes: np.ndarray, tops: np.ndarray, max_nodes: int = 300_000) -> np.ndarray | None:
    """The (distinct) nodes, then all that result from lifting some of their attributes to the top; None if too many."""
    lifted = nodes
    for a, top in enumerate(tops):
        lifts = lifted[lifted[:, a] < top].copy()
        lifts[:, a] = top
        candidates = np.concatenate([lifted, lifts])
        _, first_place = np.unique(candidates, axis=0, return_index=True)
        lifted = candidates[np.sort(first_place)]
        if len(lifted) > max_nodes:
            return None
    return lifted


def what_all_means(task: Task) -> list[str]:
    """A note where "all solutions" needs qualification: suppressing other classes might also keep the guards."""
    whole = task.schema.person is None  # else leaving out a class leaves out records of others
    compares = [
        guard.title
        for guard in task.guards
        if not ((guard.alone and (whole or guard.monotone_when_suppressing)) or is_monotone(guard, task))
    ]
    if not (task.budget and compares):
        return []
    return [
        "all generalizations that keep the guards when exactly the classes that break one are left out, again and "
        f"again until none does; for {' and '.join(compares)}, leaving out others might do in more generalizations"
    ]


def is_monotone(guard: Guard, task: Task) -> bool:
    """Whether a node that breaks the guard rules out all nodes below it."""
    return guard.monotone_on(task.cells, task.schema, suppressing=task.budget > 0)


def _keep_suppressing(
    task: Task, nodes: np.ndarray, guards: Sequence[Guard], found: Callable[[np.ndarray], object] | None
) -> np.ndarray:
    """The same where classes may be suppressed."""
    per_class = [guard for guard in guards if guard.per_class]
    asked = asked_values(task) if per_class else None
    if asked is None:
        return _keep_each(task, nodes, guards, found)
    alone = len(per_class) == len(guards)
    monotone = all(is_monotone(guard, task) for guard in per_class)
    try:
        keeps = keep_values(task, nodes, asked, monotone, found if alone else None)
    except OverflowError:
        return _keep_each(task, nodes, guards, found)
    if not alone and keeps.any():
        keeps[keeps] = _keep_each(task, nodes[keeps], guards, found)
    return keeps


def _keep_each(
    task: Task, nodes: np.ndarray, guards: Sequence[Guard], found: Callable[[np.ndarray], object] | None
) -> np.ndarray:
    """The same, node by node."""
    columns = [name for name in guarded_columns(guards, task.schema) if name not in task.levels]
    walker = Walker(task.lattice, columns, nodes.min(axis=0), any(guard.published for guard in guards))
    order = walker.packing.sort(nodes)[::-1] if walker.packing else np.argsort(-nodes.sum(axis=1), kind="stable")
    holds, tops, judged = np.zeros(len(nodes), dtype=bool), task.lattice.tops, 0

    def keeps(node: Node) -> bool:
        nonlocal judged
        if judged % OFTEN == 0:
            task.report(judged / len(nodes), "checking guards")
        judged += 1
        return _left(task, walker.classes(node), guards) is not None

    def meanwhile(holding: np.ndarray) -> None:
        if found is not None and holding.any():
            found(nodes[order[holding]])

    if is_small(tops, nodes) and all(is_monotone(guard, task) for guard in guards):
        holds[order] = monotone_nodes(nodes[order], tops, keeps, meanwhile)
        return holds
    for visited, i in enumerate(order):
        if visited % OFTEN == 0:
            meanwhile(holds[order])
        holds[i] = keeps(tuple(nodes[i].tolist()))
    return holds


def _suppresses_by(task: Task) -> AskedValues | None:
    """What is asked of the values of classes to decide what is suppressed besides k; None if anything else does."""
    if task.schema.person is not None:
        return None
    others = any(guard.per_class for guard in task.other_guards)
    return asked_values(task) if others and task.budget else NOTHING_ASKED


def _nobody_is_left_out(task: Task) -> bool:
    """Whether persons are counted, each once whatever the classes of their records, and all are published."""
    return task.schema.person is not None and not task.budget and not task.schema.links


def _of_all_persons(task: Task, nodes: np.ndarray) -> Summary:
    """All that needs no classes of the summary of nodes that publish everybody, as `summarize_each` computes it."""
    assert task.schema.person is not None
    pairs = task.lattice.person_pairs(task.schema.person)
    lattice, losses = pairs.shared(task.lattice, None), []
    for (name, levels), chosen in zip(lattice.levels.items(), nodes.T, strict=True):
        codes, weights = lattice.cells.codes[name], lattice.cells.counts
        paid = [
            _paid([levels.penalties] * 2, level, levels.codes[level][codes], weights)[0]
            for level in range(levels.height + 1)
        ]
        losses.append(np.array(paid)[chosen])
    summary = whole_nodes(lattice, task.schema, nodes)
    persons = np.full(len(nodes), float(pairs.persons))
    return replace(summary, rows=persons, kept=persons, loss=np.column_stack(losses))


def summarize(task: Task, nodes: np.ndarray, full: bool, decided: bool = True, paid: bool = True) -> Summary:
    """The summary of nodes that keep the guards: compiled where only sizes and values of single columns decide what is
    suppressed; unless `decided`, without what needs the decision there, and unless `paid`, without what rows pay by
    column."""
    if (asked := _suppresses_by(task)) is not None:
        try:
            floors = task.lattice.floors(task.k, task.budget)
            return summarize_nodes(task.lattice, task.schema, nodes, task.k, full, floors, decided, paid, asked)
        except OverflowError:
            pass
    return summarize_each(task, task.lattice, nodes, full)


def summarize_each(task: Task, lattice: Lattice, nodes: np.ndarray, full: bool = True) -> Summary:
    """The summary of nodes one by one, where the guards together decide what is suppressed."""
    tables = {name: penalty_tables(lattice.leaf_rows[name], levels) for name, levels in lattice.levels.items()}
    pairs, person = None, task.schema.person
    if person is not None and _nobody_is_left_out(task):
        pairs = lattice.person_pairs(person)
        lattice = pairs.shared(lattice, task.schema.decision)

    cells = lattice.cells

    @cache
    def paid_by_all(name: str, level: int) -> tuple[float, float]:
        return _paid(tables[name], level, lattice.levels[name].codes[level][cells.codes[name]], cells.counts)

    def summarize_part(part: np.ndarray) -> list[Summary]:
        return [_summarize_one(task, lattice, node, tables, full, pairs, paid_by_all) for node in part]

    return stacked(chain.from_iterable(in_threads(summarize_part, nodes)))


PenaltyTables = Sequence[Sequence[np.ndarray]]


def _summarize_one(
    task: Task, lattice: Lattice, node: np.ndarray, tables: Mapping[str, PenaltyTables], full: bool,
    pairs: PersonPairs | None, paid_by_all: Callable[[str, int], tuple[float, float]],
) -> Summary:  # fmt: skip
    cells, levels, person = lattice.cells, dict(zip(lattice.levels, map(int, node), strict=True)), task.schema.person
    others = [name for name in cells.codes if name not in levels]
    if person is None:
        rows, classes = cells.rows, _published_records(task, lattice, node)
        paid = {name: _paid(tables[name], level, classes.codes[name], classes.counts) for name, level in levels.items()}
    elif pairs is None:
        left = publishable(lattice.classes(node, others, published=True), task.schema, task.guards, cells.rows)
        assert left is not None
        rows = int((np.bincount(cells.codes[person]) > 0).sum())
        classes = left.described({*levels, task.schema.decision, person})
        weights = classes.shares(person)
        paid = {name: _paid(tables[name], level, classes.codes[name], weights) for name, level in levels.items()}
    else:
        known = None
        if task.schema.decision is None:  # then nothing but sizes matters
            classes = Classes.from_ids(*pairs.classes(node), cells.counts, {}, cells)
            known = (classes.ids, len(classes))
        else:
            classes = lattice.classes(node, others, published=True)
        rows, classes = pairs.persons, replace(classes, persons=pairs.people(node, known))
        paid = {name: paid_by_all(name, level) for name, level in levels.items()}
    entropies = {name: float(bits[-1][0]) for name, (_, bits) in tables.items()}
    heights = {name: (level, lattice.levels[name].height) for name, level in levels.items()}
    return summarize_classes(classes, task.schema, rows, paid, entropies, heights, full)


def _published_records(task: Task, lattice: Lattice, node: np.ndarray) -> Classes:
    """The published classes of a node, described by its quasi columns and the decision; records of a class with the
    same decision are one cell."""
    cells, decision = lattice.cells, task.schema.decision
    needed = dict.fromkeys([*guarded_columns(task.guards, task.schema), *([] if decision is None else [decision])])
    columns = [name for name in needed if name in cells.codes and name not in lattice.levels]
    judged = lattice.classes(node, columns, any(guard.published for guard in task.guards))
    left = publishable(judged, task.schema, task.guards, cells.rows)
    assert left is not None
    classes = left.described({decision})
    decided = [(codes, cells.sizes[name]) for name, codes in classes.codes.items()]
    groups, firsts = group_firsts(keys_of([(classes.ids, len(classes)), *decided], len(classes.ids)))
    counts = np.bincount(groups, weights=classes.counts).astype(np.int64)
    of_group = np.flatnonzero(left.published)[firsts]
    quasi = {
        name: levels.codes[level][cells.codes[name][of_group]]
        for level, (name, levels) in zip(node, lattice.levels.items(), strict=True)
    }
    codes = {name: codes[firsts] for name, codes in classes.codes.items()}
    merged = replace(classes, ids=classes.ids[firsts], counts=counts, codes=codes)
    return merged.with_columns(quasi, lattice.labels_at(node))


def _paid(tables: PenaltyTables, level: int, codes: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Loss and hidden bits of a column at a level, summed over cells with these codes and weights."""
    loss, bits = (table[level] for table in tables)
    of_code = np.bincount(codes, weights=weights, minlength=len(loss))
    return float((of_code * loss).sum()), float((of_code * bits).sum())


def why_infeasible(task: Task, greedy: str = "") -> str:
    """What stands in the way: the guards that fail with every quasi column at its top, and how far off they are.

    `greedy`: the method, if it examined only some generalizations.
    """
    none = f"{greedy} found no generalization that keeps the guards" if greedy else "no generalization keeps the guards"
    broken = [verdict for verdict in _at_the_top(task) if not verdict]
    if broken:
        sentences = "; ".join(f"{verdict.guard.kind}: {verdict.sentence}" for verdict in broken)
        return f"{none}, not even with every quasi column at its top ({sentences}){_levels_that_help(task)}"
    kinds = " and ".join(guard.kind for guard in task.guards)
    return f"{none}: {kinds} do not hold together in what it examined"


def _at_the_top(task: Task) -> list[Verdict]:
    other_columns = [name for name in task.cells.codes if name not in task.levels]
    top = task.lattice.classes(task.lattice.tops, other_columns, published=True)
    return [guard.verdict(top, task.schema) for guard in task.guards]


def _levels_that_help(task: Task) -> str:
    """The lowest fixed levels of protected columns that are not quasi at which the guards can hold, in words.

    A hint only: invalid combinations of levels are skipped.
    """
    schema = task.schema
    settled = {*schema.levels, *schema.drop}
    fixed = [name for name in schema.protected if name in task.other_levels and name not in settled]
    heights = [task.other_levels[name].height for name in fixed]
    if prod(height + 1 for height in heights) > MAX_LEVELS:
        return ""
    for combination in sorted(product(*(range(height + 1) for height in heights)), key=sum)[1:]:
        levels = {name: level for name, level in zip(fixed, combination, strict=True) if level}
        try:
            coarser = replace(schema, levels={**schema.levels, **levels})
            holds = all(_at_the_top(Task.of(task.source, coarser, task.guards)))
        except (BadInput, Infeasible):  # for example, hierarchical t-closeness needs the original values
            continue
        if holds:
            return f"; with {option('levels', levels)} in the schema, which generalizes other columns, some do"
    return ""
