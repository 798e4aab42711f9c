"""Top-down search: start with everything suppressed, and disclose more, step by step, while the guards hold.

What TDS and TDR share. Every quasi column has a ladder of possible specializations. The information that a step gains
about the decision depends on its column alone; the anonymity it costs depends on all columns, counted on cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.counting.tuples import group_of
from fairveil.data.interval_edges import Edges, Number
from fairveil.data.numeric import is_number
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput, Infeasible
from fairveil.learning.information_gain import NumberHistogram, best_cut, entropy
from fairveil.messages import counted
from fairveil.methods.lattice_nodes import survivors, why_infeasible
from fairveil.methods.left_out import published_alone
from fairveil.methods.method import Method, Proposal, propose
from fairveil.recipes.change import Change
from fairveil.recipes.recoding import ColumnRule, Cut, CutNodes, IntervalBins, KeptValues

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Levels
    from fairveil.data.table import Column
    from fairveil.methods.task import Task


@dataclass(frozen=True)
class Refinement:
    """One specialization: these values of a column are now distinguished, as `child` numbers them."""

    leaves: np.ndarray
    child: np.ndarray
    gain: float


class Ladder:
    """The published state of one column: the node of each value, and its possible specializations."""

    def __init__(self, column: Column, histogram: np.ndarray) -> None:
        self.column, self.histogram = column, histogram
        self.node = np.zeros(len(column.values), dtype=np.int64)

    def steps(self) -> list[Refinement]:
        raise NotImplementedError

    def rule(self) -> ColumnRule:
        raise NotImplementedError

    def take(self, step: Refinement) -> None:
        """Apply a step: its values are distinguished from now on."""
        self.node = self.after(step)

    def after(self, step: Refinement) -> np.ndarray:
        """Return the nodes after a step: its first child keeps the node's number, the others get new numbers."""
        node = self.node.copy()
        node[step.leaves] = np.where(step.child == 0, node[step.leaves], node.max() + step.child)
        return node

    def step(self, leaves: np.ndarray, child: np.ndarray) -> Refinement:
        rows = self.histogram[leaves]
        parts = np.zeros((int(child.max()) + 1, rows.shape[1]))
        np.add.at(parts, child, rows)
        after = (parts.sum(axis=1) * entropy(parts)).sum() / max(rows.sum(), 1)
        return Refinement(leaves, child, float(entropy(rows.sum(axis=0)) - after))

    def groups(self) -> list[np.ndarray]:
        """Return the values under each node, for nodes with more than one value and more than one class."""
        order = np.argsort(self.node, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(self.node[order])) + 1)
        return [part for part in parts if len(part) > 1 and (self.histogram[part].sum(axis=0) > 0).sum() > 1]


class Taxonomy(Ladder):
    """A column with a hierarchy: a value is specialized to the nodes below it. Two levels without a hierarchy."""

    def __init__(self, column: Column, histogram: np.ndarray, levels: Levels) -> None:
        super().__init__(column, histogram)
        self.levels = levels
        self.height = np.full(len(column.values), levels.height)

    def steps(self) -> list[Refinement]:
        return [self.step(leaves, self._below(leaves)[1]) for leaves in self.groups()]

    def _below(self, leaves: np.ndarray) -> tuple[int, np.ndarray]:
        """Return the first lower level at which these values differ, and the child of each value there."""
        level = int(self.height[leaves[0]])
        while level > 0:
            level -= 1
            _, child = np.unique(self.levels.codes[level, leaves], return_inverse=True)
            if child.max() > 0:
                break
        return level, child

    def take(self, step: Refinement) -> None:
        self.height[step.leaves] = self._below(step.leaves)[0]
        super().take(step)

    def rule(self) -> ColumnRule:
        return CutNodes.at(self.levels, self.height, np.flatnonzero(self.histogram.sum(axis=1) > 0))


class Splits(Ladder):
    """A number, split in two at the most informative point, after missing values are split off.

    Numbers are compared by the cell of their grid.
    """

    def __init__(self, column: Column, histogram: np.ndarray) -> None:
        super().__init__(column, histogram)
        numbers = [value for value in column.domain if value is not None]
        self.between = Edges(numbers, upper=True)
        missing = len(column.values) - len(numbers)
        self.numbers = np.append(self.between.cells.astype(float), [np.nan] * missing)
        self.edges: list[Number] = []
        self.open = not column.has_missing

    def steps(self) -> list[Refinement]:
        if not self.open:
            missing = np.isnan(self.numbers).astype(np.int64)
            return [self.step(np.arange(len(missing)), missing)]
        edges = [(leaves, self._edge(leaves)) for leaves in self.groups()]
        return [self.step(leaves, (self.numbers[leaves] > edge).astype(np.int64)) for leaves, edge in edges if edge]

    def _edge(self, leaves: np.ndarray) -> float | None:
        """Return the most informative point between two cells; None if the values are all in one."""
        cells, position = np.unique(self.numbers[leaves], return_inverse=True)
        counts = np.zeros((len(cells), self.histogram.shape[1]))
        np.add.at(counts, position, self.histogram[leaves])
        cut = best_cut(NumberHistogram(cells, counts))
        return None if cut is None else cut.edge

    def take(self, step: Refinement) -> None:
        if self.open:
            edge = self.between.below(int(self.numbers[step.leaves[step.child == 1]].min()))
            assert edge is not None
            self.edges.append(edge)
        self.open = True
        super().take(step)

    def rule(self) -> ColumnRule:
        return IntervalBins(tuple(sorted(self.edges))) if self.open else KeptValues(())


class Disclosure(Ladder):
    """A column without hierarchy in TDR: all values are suppressed at first, then disclosed one by one."""

    def __init__(self, column: Column, histogram: np.ndarray) -> None:
        super().__init__(column, histogram)
        self.disclosed = np.zeros(len(column.values), dtype=bool)

    def steps(self) -> list[Refinement]:
        hidden = np.flatnonzero(~self.disclosed)
        if len(hidden) < 2 or (self.histogram[hidden].sum(axis=0) > 0).sum() < 2:
            return []
        return [self.step(hidden, (hidden == value).astype(np.int64)) for value in hidden]

    def take(self, step: Refinement) -> None:
        self.disclosed[step.leaves[step.child == 1]] = True
        if (~self.disclosed).sum() == 1:
            self.disclosed[:] = True  # a single suppressed value could be inferred
        super().take(step)

    def rule(self) -> ColumnRule:
        texts = map(text_or_none, self.column.domain)
        return KeptValues(tuple(text for text, disclosed in zip(texts, self.disclosed, strict=True) if disclosed))


def ladders_of(task: Task, disclose: bool) -> dict[str, Ladder]:
    """Return a Taxonomy for columns with a hierarchy, Splits for other numbers, else two levels or Disclosure."""
    cells, decision = task.cells, task.schema.decision or ""
    ladders: dict[str, Ladder] = {}
    for name in task.schema.quasi:
        column = task.source.domain(name)
        histogram = np.zeros((len(column.values), cells.sizes[decision]))
        np.add.at(histogram, (cells.codes[name], cells.codes[decision]), cells.counts)
        if name not in task.schema.hierarchies and is_number(column):
            ladders[name] = Splits(column, histogram)
        elif name not in task.schema.hierarchies and disclose:
            ladders[name] = Disclosure(column, histogram)
        else:
            ladders[name] = Taxonomy(column, histogram, task.levels[name])
    return ladders


class TopDownSearch:
    """The state of a search: the group of each cell, and the ladders of the columns."""

    def __init__(self, task: Task, method: TopDownMethod) -> None:
        self.task, self.method, self.ladders = task, method, ladders_of(task, method.discloses)
        self.plain = task.budget == 0 and not task.other_guards
        self.needs_labels = any(guard.published for guard in task.guards)
        self.groups = np.zeros(len(task.cells), dtype=np.int64)
        self.dead: set[tuple[str, bytes]] = set()
        if self.anonymity(self.groups, 1) is None:
            raise Infeasible(why_infeasible(task, method.kind))

    def anonymity(self, groups: np.ndarray, total: int, name: str = "", step: Refinement | None = None) -> int | None:
        """Return the rows of the smallest published group after a step; None if the guards do not hold."""
        cells = self.task.cells
        if self.plain:
            smallest = int(np.bincount(groups, weights=cells.counts, minlength=total).min())
            return smallest if smallest >= self.task.k else None
        classes = Classes.from_ids(groups, total, cells.counts, cells.codes, cells)
        if self.needs_labels:
            nodes = {column: ladder.node for column, ladder in self.ladders.items()}
            if step is not None:
                nodes[name] = self.ladders[name].after(step)
            codes = {column: node[cells.codes[column]] for column, node in nodes.items()}
            classes = classes.with_columns(codes, {column: range(node.max() + 1) for column, node in nodes.items()})
        published = survivors(self.task, classes)
        return None if published is None or not len(published) else int(published.rows.min())

    def regrouped(self, name: str, step: Refinement) -> tuple[np.ndarray, int]:
        """Return the groups after a specialization, and their number."""
        child = np.zeros(len(self.ladders[name].node), dtype=np.int64)
        child[step.leaves] = step.child
        codes = child[self.task.cells.codes[name]]
        return group_of([(self.groups, int(self.groups.max()) + 1), (codes, int(step.child.max()) + 1)], len(codes))

    def best(self) -> tuple[str, Refinement] | None:
        """Return the valid specialization with the highest score, the first of equal ones. Failed steps stay failed."""
        before = self.anonymity(self.groups, int(self.groups.max()) + 1) or 0
        best: tuple[float, str, Refinement] | None = None
        for name, ladder in self.ladders.items():
            for step in ladder.steps():
                mark = (name, step.leaves.tobytes() + step.child.tobytes())
                if mark in self.dead or (self.method.must_gain and step.gain <= 1e-12):
                    continue
                after = self.anonymity(*self.regrouped(name, step), name, step)
                if after is None:
                    if self.plain:
                        self.dead.add(mark)
                    continue
                score = self.method.score(step.gain, before - after)
                if best is None or score > best[0] + 1e-12:
                    best = (score, name, step)
        return None if best is None else best[1:]

    def run(self, found: Callable[[list[dict[str, ColumnRule]]], object]) -> list[dict[str, ColumnRule]]:
        """Return the rules after each step, from everything suppressed to the most specific valid state; `found` is
        called with those so far."""
        states = [{name: ladder.rule() for name, ladder in self.ladders.items()}]
        while (choice := self.best()) is not None:
            name, step = choice
            self.groups, _ = self.regrouped(name, step)
            self.ladders[name].take(step)
            states.append({**states[-1], name: self.ladders[name].rule()})
            smallest = np.bincount(self.groups, weights=self.task.cells.counts).min()
            self.task.report(0.5, f"{counted(len(states) - 1, 'specialization')}, smallest class {smallest:,.0f}")
            found(states)
        return states


@dataclass(frozen=True)
class TopDownMethod(Method):
    """What TDS and TDR share; they differ in the score.

    discloses  columns without a hierarchy disclose single values
    must_gain  every step must tell something about the decision
    """

    reaches_top: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi", "decision")
    discloses: ClassVar[bool] = False
    must_gain: ClassVar[bool] = False

    def score(self, gain: float, lost: int) -> float:
        """Return the score of a step that gains this information and costs this anonymity; the highest comes next."""
        raise NotImplementedError

    def search(self, task: Task) -> Proposal:
        """Return the states as candidates, the last and most specific one first."""
        if task.schema.decision is None:
            raise BadInput(f"{self.kind} needs a decision column: it keeps what predicts it")
        alone, left_out = published_alone(task)
        note = "a greedy search: the first candidate is its end, the others are the steps before it"

        def proposal(states: list[dict[str, ColumnRule]]) -> Proposal:
            changes = [Change(Cut(alone.schema, rules), **left_out) for rules in reversed(states)]
            return propose(task, self, changes, notes=[note])

        return proposal(TopDownSearch(alone, self).run(lambda states: task.offer(lambda: proposal(states))))
