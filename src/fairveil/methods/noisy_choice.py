"""The private choice of a generalization: the candidates and their scores.

A score is in rows: those whose decision is the most frequent one of their class, minus the noise that all cells will
get, minus, where a guard looks for discriminatory rules, `fairness` times the excess denials of the worst rule.

What one record more changes, whatever the table (tests/methods/test_noisy_privacy.py tries all small ones):

- Which generalizations there are, and their noise: nothing. Both follow from the declared domains.
- The rows of the most frequent decision: one class has one row more, so its largest count grows by 0 or 1. Sums of
  integers below 2**53 are exact.
- The excess of the worst rule: at most 1, in either direction, also in floats (`guards/rules/excess.py`). For x and
  y with x ≤ y + f and a whole f, ⌊x⌋ ≤ ⌊y + f⌋ = ⌊y⌋ + f: so ⌊fairness·excess⌋ changes by at most `fairness`.

So without rules every score grows by 0 or 1, and with them it changes by at most 1 + `fairness`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.lattice import Lattice
from fairveil.counting.summary import summarize_nodes
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.engines.coarser import firsts, merge
from fairveil.engines.relation import TooManyCells
from fairveil.guards.rules.alpha import denied_codes
from fairveil.methods.declared_domains import DeclaredDomain
from fairveil.methods.noise import PrivacyBudget, choose, noisy_counts

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Levels
    from fairveil.guards import Guard
    from fairveil.methods.task import Task

MAX_NOISE = 2.0**60
"""Expected noise is capped here, so that it remains an integer."""
OF_NOTES = 1.0
"""The ε of the notes to the owner about rows that are not counted, besides that of the release."""
CLEARLY = 5.0
"""A number is said if it is this many times the scale of its noise: of 300 that are 0, one is."""


@dataclass(frozen=True)
class DeclaredCells:
    """The source in terms of the declared domains: cells of the rows whose values are all declared."""

    schema: Schema
    domains: Mapping[str, DeclaredDomain]
    cells: Cells
    lattice: Lattice

    @property
    def levels(self) -> dict[str, Levels]:
        return self.lattice.levels

    @property
    def decision(self) -> DeclaredDomain:
        return self.domains[str(self.schema.decision)]


def counted_in(task: Task, domains: Mapping[str, DeclaredDomain]) -> tuple[DeclaredCells, tuple[str, ...]]:
    """Return the cells, and notes for the owner about rows that are not in them."""
    source = task.source
    values = {name: source.domain(name).domain for name, domain in domains.items() if domain.known}
    places = {name: domains[name].positions(values[name], source.decimal or ".") for name in values}
    try:
        cells = source.count(list(values))
    except TooManyCells:  # one record more must not be one too many: fewer, if undeclared values are one
        assert source.engine is not None
        cells = merge(source.engine, {name: firsts(of_value) for name, of_value in places.items()}).count(list(values))
    codes = dict.fromkeys(domains, np.zeros(len(cells), dtype=np.int64))
    for name, positions in places.items():
        codes[name] = positions[cells.codes[name]]
    keep = np.logical_and.reduce([column >= 0 for column in codes.values()])
    columns = tuple(Column(name, codes[name][keep], domain.values) for name, domain in domains.items())
    fitting = Cells.of(Table(columns, task.source.kind), list(domains), None, cells.counts[keep])
    lattice = Lattice(fitting, {name: domains[name].levels for name in task.schema.quasi}, task.progress)
    undeclared = {name: int(cells.counts[codes[name] < 0].sum()) for name in places}
    return DeclaredCells(task.schema, domains, fitting, lattice), _uncounted(undeclared)


def _uncounted(undeclared: Mapping[str, int]) -> tuple[str, ...]:
    """Notes on columns in which many rows are not counted. Each number has noise, so that what is said does not depend
    on one record either: one changes each of them by 1 at most, so all together cost `OF_NOTES`."""
    if not undeclared:
        return ()
    scale = len(undeclared) / OF_NOTES
    noisy = noisy_counts(np.array([*undeclared.values()]), 1 / scale, PrivacyBudget(OF_NOTES))
    return tuple(
        f"about {rows:,} rows are not counted, because {name!r} holds values that are not declared (the number has "
        "noise of its own)"
        for name, rows in zip(undeclared, noisy.tolist(), strict=True)
        if rows > CLEARLY * scale
    )


@dataclass(frozen=True)
class PrivateChoice:
    """The candidate generalizations, each with its score; one record changes no score by more than `change`, and lowers
    none if `monotone`."""

    nodes: np.ndarray
    scores: np.ndarray
    change: int = 1
    monotone: bool = True

    def pick(self, epsilon: float, budget: PrivacyBudget) -> np.ndarray:
        node: np.ndarray = self.nodes[choose(self.scores, epsilon, budget, change=self.change, monotone=self.monotone)]
        return node


def choice_of(
    source: DeclaredCells, guards: Sequence[Guard], *, cells: int, epsilon: float, fairness: int
) -> PrivateChoice:
    """Return all generalizations of at most this many `cells`, whose counts will be published for `epsilon`."""
    decisions = len(source.decision.values)
    nodes, sizes = small_nodes(source.levels, source.domains, cells // decisions)
    noise = sizes * decisions / epsilon
    right = np.zeros(len(nodes))
    if source.cells.rows and len(nodes):
        summary = summarize_nodes(source.lattice, source.schema, nodes, 1)
        right = summary.kept - summary.minority
    scores = np.round(right).astype(np.int64) - np.round(np.minimum(noise, MAX_NOISE)).astype(np.int64)
    if not fairness or not any(guard.finds_rules for guard in guards):
        return PrivateChoice(nodes, scores)
    denied = denied_codes(source.decision.values.to_pylist(), source.schema)
    of_cells = denied[source.cells.codes[source.decision.name]]
    unfair = np.max([guard.excess(source.lattice, source.schema, nodes, of_cells) for guard in guards], axis=0)
    scores = scores - np.floor(fairness * unfair).astype(np.int64)
    return PrivateChoice(nodes, scores, change=1 + fairness, monotone=False)


def small_nodes(
    every: Mapping[str, Levels], domains: Mapping[str, DeclaredDomain], max_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return every node with at most `max_classes` classes in the whole domain, and their number."""
    nodes, sizes = np.zeros((1, 0), dtype=np.int64), np.ones(1, dtype=np.int64)
    for name, levels in every.items():
        steps = np.arange(domains[name].lowest, levels.height + 1)
        widths = np.array([len(levels.labels[level]) for level in steps])
        grown = (sizes[:, None] * widths).ravel()
        nodes = np.column_stack([np.repeat(nodes, len(steps), axis=0), np.tile(steps, len(nodes))])
        nodes, sizes = nodes[grown <= max_classes], grown[grown <= max_classes]
    return nodes, sizes
