"""A differentially private table that keeps the other guards, too (Hajian et al., section 7.1.2).

1. A generalization is chosen privately, for a share of ε: it should leave few classes of mixed decisions, and not
   so many cells that noise drowns the counts (as Mohammed et al. 2011 argue for generalizing at all).
2. Its contingency table, with every cell of the domain, even empty ones, gets discrete Laplace noise for the rest of
   ε. Its counts are then made whole and non-negative.
3. Noise makes a table more or less α-protective (the paper's Observation 4). So the search continues on the
   noisy table: the candidates are all its further generalizations that keep the guards. This step and everything
   later, such as sampling rows, uses the noisy counts only and costs no privacy.

Only quasi columns and the decision are published. What each column can hold must not be learnt from the data: a
column needs a hierarchy that lists its values, or must be declared `public`; all others are published at their top.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from fairveil.counting.lattice import Lattice
from fairveil.counting.summary import Summary, summarize_nodes
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table, narrow
from fairveil.engines import Memory
from fairveil.errors import BadInput, Infeasible, refuse, suggest
from fairveil.guards.base import need_number
from fairveil.methods.base import Method, Proposal, Recipes
from fairveil.methods.full_domain import NodeRecipes, keep_guards, summarize, why_infeasible
from fairveil.methods.noise import Budget, choose, noisy_counts, whole_counts
from fairveil.methods.task import Task
from fairveil.recipes.full_domain import NoisyDomain


@dataclass(frozen=True)
class NoisyTable(Method):
    """Contingency tables for a privacy budget of `epsilon`, of which `choice` is spent on the generalization.

    `cells` is the largest contingency table looked at, `rows` how many rows to sample from the noisy table (by
    default each cell is published as many times as its noisy count), `public` the columns whose values are no secret.
    """

    kind: ClassVar[str] = "noisy-table"
    deterministic: ClassVar[bool] = False

    epsilon: float = 1.0
    choice: float = 0.2
    cells: int = 20_000
    rows: int | None = None
    public: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "public", (self.public,) if isinstance(self.public, str) else tuple(self.public))
        if isinstance(self.epsilon, bool) or not isinstance(self.epsilon, int | float) or not self.epsilon > 0:
            raise BadInput(f"noisy-table: epsilon must be above 0, not {self.epsilon!r}")
        need_number(self.kind, "choice", self.choice, 0.01, 0.99)
        need_number(self.kind, "cells", self.cells, 2)
        if self.rows is not None:
            need_number(self.kind, "rows", self.rows, 1)

    def search(self, task: Task) -> Proposal:
        self._refuse(task)
        budget = Budget(float(self.epsilon))
        task.report(0.0, "choosing a generalization")
        base = self._choose(task, budget)
        task.report(0.4, "adding noise")
        table = self._noisy(task, base, budget)
        task.report(0.7, "checking guards on the noisy table")
        schema = _published(task.schema)
        inner = Task.of(Memory(table), schema, task.guards, task.seed, task.progress)
        nodes = inner.lattice.anonymous(inner.k, inner.budget).nodes
        nodes = nodes[(nodes >= base).all(axis=1)]
        nodes = nodes[keep_guards(inner, nodes)]
        if not len(nodes):
            raise Infeasible(f"{why_infeasible(inner)}; this is true of the noisy table, and the budget is spent")
        claims = self._claims(task, base, budget)
        note = (
            f"differentially private with ε={self.epsilon:g}: every further choice among these candidates is free; "
            "searching again spends the budget again"
        )
        unpublished = tuple(name for name in task.schema.columns if name not in schema.columns)
        whole = replace(schema, drop=unpublished)  # new data may still have them
        changes = Recipes(NodeRecipes(inner, nodes, lambda _, levels: NoisyDomain(whole, levels, claims)))
        return Proposal(
            self, changes, lambda full: _summary(inner, nodes, full), notes=(note,), task=inner, nodes=nodes
        )

    def _claims(self, task: Task, base: np.ndarray, budget: Budget) -> dict[str, Any]:
        return {
            "differential_privacy": "epsilon, neighbours differ by one record added or removed",
            "epsilon": float(self.epsilon),
            "spent": budget.spent,
            "spent_on_choice": self.epsilon * self.choice,
            "chosen_levels": dict(zip(task.levels, map(int, base), strict=True)),
            "noise": "discrete Laplace on every cell of the generalized contingency table, by OpenDP",
            "promised": "whether one record is in the source changes the odds of any such release by at most e^epsilon",
            "not_promised": "that rows are real people's, that small counts are right, or anything about a person "
            "with several records in the source",
            "public": ["the hierarchies", f"the values of {task.schema.decision}", *self.public],
        }

    def _refuse(self, task: Task) -> None:
        schema = task.schema
        problems = [suggest(name, schema.quasi, "quasi column") for name in self.public if name not in schema.quasi]
        if schema.decision is None:
            problems.append("noisy-table needs a decision column")
        problems += [
            f"noisy-table publishes quasi columns and the decision only, and {guard.kind} looks at {name!r}"
            for guard in task.guards
            if guard.check_schema(_published(schema))
            for name in guard.columns(schema)
            if name != schema.decision
        ]
        problems += [
            f"column {name!r} has missing values, which would reveal something about the data: "
            "drop them, or declare the column public"
            for name in schema.quasi
            if task.source.domain(name).has_missing and name not in self.public
        ]
        refuse(problems)

    def _choose(self, task: Task, budget: Budget) -> np.ndarray:
        """The exponential mechanism over all generalizations small enough; both sides of the score are in rows.

        Score: the rows whose decision is the most frequent one of their class (one more record adds 0 or 1), minus
        the expected noise of all cells, which does not depend on the data.
        """
        lattice, schema = task.lattice, task.schema
        free = [name in self.public or bool(schema.hierarchy(name).extra_leaves()) for name in lattice.levels]
        nodes, sizes = _small_nodes(lattice, free, self.cells // lattice.cells.sizes[str(schema.decision)])
        summary = summarize_nodes(lattice, schema, nodes, 1)
        noise = sizes * lattice.cells.sizes[str(schema.decision)] / (self.epsilon * (1 - self.choice))
        scores = np.round(summary.kept - summary.minority).astype(np.int64) - np.round(noise).astype(np.int64)
        return nodes[choose(scores, self.epsilon * self.choice, budget)]

    def _noisy(self, task: Task, base: np.ndarray, budget: Budget) -> Table:
        """The noisy contingency table as rows; each published value is held by the first leaf below it."""
        cells, schema = task.cells, task.schema
        decision = task.source.domain(str(schema.decision))
        lookups = [_in_order(levels, level) for level, levels in zip(base, task.levels.values(), strict=True)]
        shape = (*(int(lookup.max()) + 1 for lookup in lookups), len(decision.values))
        codes = [lookup[cells.codes[name]] for lookup, name in zip(lookups, task.levels, strict=True)]
        place = np.ravel_multi_index((*codes, cells.codes[decision.name]), shape)
        counts = np.bincount(place, weights=cells.counts, minlength=int(np.prod(shape))).astype(np.int64)
        noisy = whole_counts(noisy_counts(counts, self.epsilon * (1 - self.choice), budget))
        if not noisy.sum():
            raise Infeasible(f"with ε={self.epsilon:g} noise drowns the whole table: nothing is left to publish")
        if self.rows is not None:
            noisy = np.random.default_rng(task.seed).multinomial(self.rows, noisy / noisy.sum())
        places = np.unravel_index(np.repeat(np.arange(len(noisy)), noisy), shape)
        columns = []
        for lookup, name, cell_codes in zip(lookups, task.levels, places[:-1], strict=True):
            first_leaf = np.unique(lookup, return_index=True)[1]
            leaves = task.levels[name].labels[0]
            if len({type(leaf) for leaf in leaves if leaf is not None}) > 1:
                leaves = tuple(None if leaf is None else str(leaf) for leaf in leaves)
            columns.append(Column(name, narrow(first_leaf[cell_codes], len(leaves)), pa.array(leaves)))
        columns.append(Column(decision.name, narrow(places[-1], len(decision.values)), decision.values))
        return Table(tuple(columns), task.source.kind)


def _small_nodes(lattice: Lattice, free: list[bool], most: int) -> tuple[np.ndarray, np.ndarray]:
    """Every node whose classes number at most `most` in the whole domain, and that number."""
    nodes, sizes = np.zeros((1, 0), dtype=np.int64), np.ones(1, dtype=np.int64)
    for movable, levels in zip(free, lattice.levels.values(), strict=True):
        steps = np.arange(levels.height + 1) if movable else np.array([levels.height])
        widths = np.array([len(levels.labels[level]) for level in steps])
        grown = (sizes[:, None] * widths).ravel()
        nodes = np.column_stack([np.repeat(nodes, len(steps), axis=0), np.tile(steps, len(nodes))])
        nodes, sizes = nodes[grown <= most], grown[grown <= most]
    return nodes, sizes


def _published(schema: Schema) -> Schema:
    """The roles of what is published: quasi columns and the decision."""
    return replace(
        schema,
        sensitive=(),
        protected=tuple(name for name in schema.protected if name in schema.quasi),
        identifier=(), plain=(), drop=(), pseudonyms=(), levels={},
        hierarchies={name: rule for name, rule in schema.hierarchies.items() if name in schema.quasi},
    )  # fmt: skip


def _in_order(levels: Levels, level: int) -> np.ndarray:
    """The code of each leaf at a level, numbered by label: the data's own order would tell which values it has."""
    order = sorted(range(len(levels.labels[level])), key=lambda code: str(levels.labels[level][code]))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[levels.codes[level]]


def _summary(task: Task, nodes: np.ndarray, full: bool) -> Summary:
    """The usual summary, except for the bits of values below the chosen generalization: nobody knows them."""
    summary = summarize(task, nodes, full)
    unknown = np.full_like(summary.entropy, np.nan)
    return replace(summary, entropy=unknown, full_entropy=unknown)
