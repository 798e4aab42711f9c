"""A differentially private table that keeps the other guards, too (Hajian et al., section 7.1.2).

1. A generalization is chosen privately, for a share of ε: it should leave few classes of mixed decisions, and not
   so many cells that noise drowns the counts (as Mohammed et al. 2011 argue for generalizing at all). If α-protection
   is promised, it should also have no discriminatory rule, so that not much is lost in the third step.
2. Its contingency table, with every cell of the domain, even empty ones, gets discrete Laplace noise for the rest of
   ε. Its counts are then made whole and non-negative.
3. Noise makes a table more or less α-protective (the paper's Observation 4). So the search continues on the
   noisy table: the candidates are all its further generalizations that keep the guards. This step and everything
   later, such as sampling rows, uses the noisy counts only and costs no privacy.

Only quasi columns and the decision are published. What each column can hold must not be learnt from the data: a
column needs a hierarchy that lists its values, or `public` must list them; all others are published at their top. Rows
with other or missing values are not counted. So nothing but the noisy counts depends on the data (`domains.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.lattice import Lattice
from fairveil.counting.summary import Summary, summarize_nodes
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table, narrow
from fairveil.engines import Memory
from fairveil.errors import BadInput, Infeasible, refuse, suggest
from fairveil.guards import Guard
from fairveil.guards.base import need_number
from fairveil.guards.rules.alpha import denied_codes
from fairveil.methods.base import Method, Proposal, Recipes
from fairveil.methods.domains import Domain
from fairveil.methods.full_domain import NodeRecipes, keep_guards, summarize, why_infeasible
from fairveil.methods.noise import Budget, choose, noisy_counts, whole_counts
from fairveil.methods.task import Task
from fairveil.plural import counted
from fairveil.recipes.full_domain import NoisyDomain
from fairveil.spelling import literal, option

MOST_NOISE = 2.0**60
"""Expected noise beyond this is as good as endless, and still a whole number."""
Public = tuple[str, ...] | Mapping[str, Any]


@dataclass(frozen=True)
class NoisyTable(Method):
    """Contingency tables for a privacy budget of `epsilon`, of which `choice` is spent on the generalization.

    `fairness` is how many times a denial too many counts against a generalization that a guard against
    discriminatory rules would refuse (0: the choice does not look at rules).
    `cells` is the largest contingency table looked at, `rows` how many rows to sample from the noisy table (by
    default each cell is published as many times as its noisy count). `public` lists the values that columns can hold:
    {"sex": ["f", "m"]}. A name alone, or True for the values, says that the set of values that occur there is no
    secret; then it is taken from the data.
    """

    kind: ClassVar[str] = "noisy-table"
    deterministic: ClassVar[bool] = False
    declares_domains: ClassVar[bool] = True
    false_values: ClassVar[str] = "noise"

    epsilon: float = 1.0
    choice: float = 0.2
    cells: int = 20_000
    fairness: int = 8
    rows: int | None = None
    public: Public = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "public", _public(self.public))
        if isinstance(self.epsilon, bool) or not isinstance(self.epsilon, int | float) or not 0 < self.epsilon < inf:
            raise BadInput(f"noisy-table: {option('epsilon')} must be above 0, not {literal(self.epsilon)}")
        need_number(self.kind, "choice", self.choice, 0.01, 0.99)
        need_number(self.kind, "cells", self.cells, 2)
        if isinstance(self.fairness, bool) or not isinstance(self.fairness, int) or not 0 <= self.fairness <= 1_000:
            raise BadInput(f"noisy-table: fairness must be a whole number from 0 to 1000, not {self.fairness!r}")
        if self.rows is not None:
            need_number(self.kind, "rows", self.rows, 1)

    def search(self, task: Task) -> Proposal:
        self._refuse(task)
        budget = Budget(float(self.epsilon))
        task.report(0.0, "choosing a generalization")
        domains = self._domains(task)
        counted, uncounted = _counted(task, domains)
        base = self._choose(counted, task.guards, budget)
        task.report(0.4, "adding noise")
        table = self._noisy(task, counted, base, budget)
        task.report(0.7, "checking guards on the noisy table")
        schema = _published(task.schema, domains)
        few = [problem for guard in task.guards for problem in guard.check_rows(table.rows)]
        if few:
            raise Infeasible(f"{'; '.join(few)}; this is true of the noisy table, and the budget is spent")
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
            self, changes, lambda full: _summary(inner, nodes, full), notes=(note,), private=uncounted, task=inner,
            nodes=nodes,
        )  # fmt: skip

    def _claims(self, task: Task, base: np.ndarray, budget: Budget) -> dict[str, Any]:
        taken = [f"the set of values of {name}" for name in self._names_alone(task.schema)]
        return {
            "differential_privacy": "epsilon, neighbours differ by one record added or removed",
            "epsilon": float(self.epsilon),
            "spent": budget.spent,
            "spent_on_choice": self.epsilon * self.choice,
            "chosen_levels": dict(zip(task.schema.quasi, map(int, base), strict=True)),
            "noise": "discrete Laplace on every cell of the generalized contingency table, by OpenDP",
            "rows": "all numbers of rows are those of the noisy table, not of the source",
            "promised": "whether one record is in the source changes the odds of any such release by at most e^epsilon",
            "not_promised": "that rows are real people's, that small counts are right, or anything about a person "
            "with several records in the source",
            "public": ["the hierarchies", *taken],
        }

    def _names_alone(self, schema: Schema) -> list[str]:
        """The columns whose set of values is taken from the data, because the owner says that it is no secret."""
        alone = [name for name in self.public if not isinstance(self.public, Mapping) or self.public[name] is True]
        decision = str(schema.decision)
        return alone if decision in self.public or schema.hierarchy(decision).extra_leaves() else [*alone, decision]

    def _refuse(self, task: Task) -> None:
        """What is wrong with the request. Nothing here depends on the values of the data."""
        schema = task.schema
        published = [*schema.quasi, *([schema.decision] if schema.decision else [])]
        problems = [suggest(name, published, "quasi column") for name in self.public if name not in published]
        if schema.decision is None:
            problems.append("noisy-table needs a decision column")
        problems += [
            f"noisy-table publishes quasi columns and the decision only, and {guard.kind} looks at {name!r}"
            for guard in task.guards
            if guard.check_schema(_roles(schema))
            for name in guard.columns(schema)
            if name != schema.decision
        ]
        problems += [
            f"noisy-table cannot publish {name!r} at a fixed level" for name in schema.levels if name in published
        ]
        problems += [
            f"the hierarchy of {name!r} was read off the data, which ε does not cover: give it one of your own"
            for name in published
            if schema.hierarchy(name).learnt
        ]
        refuse(problems)

    def _domains(self, task: Task) -> dict[str, Domain]:
        """What each published column can hold."""
        schema = task.schema
        alone = self._names_alone(schema)
        domains = {}
        for name in (*schema.quasi, str(schema.decision)):
            rule = schema.hierarchy(name)
            leaves = list(rule.extra_leaves())
            if isinstance(self.public, Mapping) and name in self.public and name not in alone:
                domains[name] = Domain.listed(name, self.public[name], rule)
            elif leaves:
                missing = [None] if name in alone and task.source.domain(name).has_missing else []
                domains[name] = Domain.listed(name, [*leaves, *missing], rule)
            elif name in alone:
                domains[name] = Domain.listed(name, task.source.domain(name).domain, rule)
            else:
                domains[name] = Domain.hidden(name)
        for domain in domains.values():
            domain.levels  # noqa: B018 - a value that has no place in its hierarchy is refused here
        return domains

    def _choose(self, lattice: Counted, guards: Sequence[Guard], budget: Budget) -> np.ndarray:
        """The exponential mechanism over all generalizations small enough; all parts of the score are in rows.

        Score: the rows whose decision is the most frequent one of their class (one more record adds 0 or 1), minus
        the expected noise of all cells, which does not depend on the data, minus `fairness` times the denials too many
        of the worst rule (one more record changes them by at most 1).
        """
        decisions = len(lattice.decision.values)
        free = [lattice.domains[name].known for name in lattice.levels]
        nodes, sizes = _small_nodes(lattice.levels, free, self.cells // decisions)
        if not len(nodes):
            raise BadInput(
                f"noisy-table: {self.cells} cells are too few, because the decision alone has "
                f"{counted(decisions, 'value')}"
            )
        noise = sizes * decisions / (self.epsilon * (1 - self.choice))
        right = np.zeros(len(nodes))
        if lattice.cells.rows:
            summary = summarize_nodes(lattice.lattice, lattice.schema, nodes, 1)
            right = summary.kept - summary.minority
        scores = np.round(right).astype(np.int64) - np.round(np.minimum(noise, MOST_NOISE)).astype(np.int64)
        price = self.epsilon * self.choice
        if not self.fairness or not any(guard.finds_rules for guard in guards):
            return nodes[choose(scores, price, budget)]
        denied = denied_codes(lattice.decision.values.to_pylist(), lattice.schema)
        of_cells = denied[lattice.cells.codes[lattice.decision.name]]
        unfair = np.max([g.excess(lattice.lattice, lattice.schema, nodes, of_cells) for g in guards], axis=0)
        scores = scores - np.floor(self.fairness * unfair).astype(np.int64)
        return nodes[choose(scores, price, budget, change=1 + self.fairness, monotone=False)]

    def _noisy(self, task: Task, counted: Counted, base: np.ndarray, budget: Budget) -> Table:
        """The noisy contingency table as rows; each published value is held by the first leaf below it."""
        cells, decision = counted.cells, counted.decision
        lookups = [_in_order(levels, level) for level, levels in zip(base, counted.levels.values(), strict=True)]
        shape = (*(int(lookup.max()) + 1 for lookup in lookups), len(decision.values))
        codes = [lookup[cells.codes[name]] for lookup, name in zip(lookups, counted.levels, strict=True)]
        place = np.ravel_multi_index((*codes, cells.codes[decision.name]), shape)
        counts = np.bincount(place, weights=cells.counts, minlength=int(np.prod(shape))).astype(np.int64)
        noisy = whole_counts(noisy_counts(counts, self.epsilon * (1 - self.choice), budget))
        if not noisy.sum():
            raise Infeasible(f"with ε={self.epsilon:g} noise drowns the whole table: nothing is left to publish")
        if self.rows is not None:
            noisy = np.random.default_rng(task.seed).multinomial(self.rows, noisy / noisy.sum())
        places = np.unravel_index(np.repeat(np.arange(len(noisy)), noisy), shape)
        columns = []
        for lookup, name, cell_codes in zip(lookups, counted.levels, places[:-1], strict=True):
            first_leaf = np.unique(lookup, return_index=True)[1]
            leaves = counted.domains[name].values
            columns.append(Column(name, narrow(first_leaf[cell_codes], len(leaves)), leaves))
        columns.append(Column(decision.name, narrow(places[-1], len(decision.values)), decision.values))
        return Table(tuple(columns), task.source.kind)


def _public(given: Any) -> Public:
    """The setting in one form: names, or names with their values."""
    if isinstance(given, Mapping):
        problems = [
            f"noisy-table: public.{name} must list the values of the column, not {literal(values)}"
            for name, values in given.items()
            if values is not True and (isinstance(values, str) or not isinstance(values, Sequence))
        ]
        refuse(problems)
        return {name: True if values is True else tuple(values) for name, values in given.items()}
    return (given,) if isinstance(given, str) else tuple(given)


@dataclass(frozen=True)
class Counted:
    """The source in terms of the declared domains: cells of the rows whose values all have a place there."""

    schema: Schema
    domains: Mapping[str, Domain]
    cells: Cells
    lattice: Lattice

    @property
    def levels(self) -> dict[str, Levels]:
        return self.lattice.levels

    @property
    def decision(self) -> Domain:
        return self.domains[str(self.schema.decision)]


def _counted(task: Task, domains: Mapping[str, Domain]) -> tuple[Counted, tuple[str, ...]]:
    """The cells, and what the owner should know of rows that are not in them."""
    cells = task.source.count(list(domains))
    places = {name: domain.places(task.source.domain(name).domain) for name, domain in domains.items()}
    codes = {name: places[name][cells.codes[name]] for name in domains}
    keep = np.logical_and.reduce([column >= 0 for column in codes.values()])
    notes = [
        f"{counted(int(cells.counts[codes[name] < 0].sum()), 'row')} not counted, because {name!r} holds "
        f"{task.source.domain(name).domain[int(np.flatnonzero(place < 0)[0])]!r} or the like, which is not among its "
        "declared values"
        for name, place in places.items()
        if (codes[name] < 0).any()
    ]
    table = Table(
        tuple(Column(name, codes[name][keep], domain.values) for name, domain in domains.items()), task.source.kind
    )
    fitting = Cells.of(table, list(domains), None, cells.counts[keep])
    lattice = Lattice(fitting, {name: domains[name].levels for name in task.schema.quasi}, task.progress)
    return Counted(task.schema, domains, fitting, lattice), tuple(notes)


def _small_nodes(every: Mapping[str, Levels], free: list[bool], most: int) -> tuple[np.ndarray, np.ndarray]:
    """Every node whose classes number at most `most` in the whole domain, and that number."""
    nodes, sizes = np.zeros((1, 0), dtype=np.int64), np.ones(1, dtype=np.int64)
    for movable, levels in zip(free, every.values(), strict=True):
        steps = np.arange(levels.height + 1) if movable else np.array([levels.height])
        widths = np.array([len(levels.labels[level]) for level in steps])
        grown = (sizes[:, None] * widths).ravel()
        nodes = np.column_stack([np.repeat(nodes, len(steps), axis=0), np.tile(steps, len(nodes))])
        nodes, sizes = nodes[grown <= most], grown[grown <= most]
    return nodes, sizes


def _published(schema: Schema, domains: Mapping[str, Domain]) -> Schema:
    """The roles of what is published, with the hierarchies of what is declared; those of hidden columns are gone."""
    return replace(_roles(schema), hierarchies={name: domains[name].rule for name in schema.quasi})


def _roles(schema: Schema) -> Schema:
    """The roles of what is published: quasi columns and the decision."""
    return replace(
        schema,
        sensitive=(),
        protected=tuple(name for name in schema.protected if name in schema.quasi),
        identifier=(), plain=(), drop=(), pseudonyms=(), levels={},
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
