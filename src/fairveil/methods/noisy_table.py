"""A differentially private table that keeps the other guards, too (Hajian et al., section 7.1.2).

1. A generalization is chosen privately, for a share of ε: it should leave few classes of mixed decisions, and not
   so many cells that noise drowns the counts (as Mohammed et al. 2011 argue for generalizing at all). If α-protection
   is promised, it should also have no discriminatory rule, so that not much is lost in the third step
   (`noisy_choice.py` has the scores, and how far one record changes them).
2. Its contingency table, with every cell of the domain, even empty ones, gets discrete Laplace noise for the rest of
   ε. Its counts are then made whole and non-negative.
3. Noise makes a table more or less α-protective (the paper's Observation 4). So the search continues on the
   noisy table: the candidates are all its further generalizations that keep the guards. This step and everything
   later, such as sampling rows, uses the noisy counts only and costs no privacy.

Two sources are neighbours if one has one record more: nobody learns how many there are. One record changes one count
of step 2 by 1, whatever was chosen in step 1, so both steps together cost the sum of what they cost alone.

Only quasi columns and the decision are published. What each can hold must not be learnt from the data. It has to be
declared: by a hierarchy that lists its values, by intervals, whose range is all that need be known of numbers, or in
`public`. Rows with other or missing values are not counted. So nothing but the noisy counts depends on the data
(`declared_domains.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.data.coding import Coder, typed
from fairveil.data.hierarchy import Intervals, Levels
from fairveil.data.table import Column, Table, narrow
from fairveil.data.text_form import as_text
from fairveil.engines import InMemoryTable, Source
from fairveil.errors import BadInput, Infeasible, refuse, suggest
from fairveil.messages import counted, literal, option
from fairveil.methods.declared_domains import DeclaredDomain
from fairveil.methods.lattice_nodes import keep_guards, summarize, why_infeasible
from fairveil.methods.method import Method, Picture, Proposal, Recipes
from fairveil.methods.noise import PrivacyBudget, noisy_counts, whole_counts
from fairveil.methods.noisy_choice import DeclaredCells, choice_of, counted_in
from fairveil.methods.task import Task
from fairveil.recipes.full_domain import NoisyDomain
from fairveil.settings import setting
from fairveil.shapes import columns

if TYPE_CHECKING:
    from fairveil.counting.summary import Summary
    from fairveil.data.schema import Schema
    from fairveil.guards import Guard

MAX_ROWS = 100_000_000
"""A noisy table of more rows is nearly all noise of a tiny ε, and would not fit into memory."""
READ_BEFORE = (
    "the table was read before this search, so one record may have decided how others were read, which ε does not "
    "cover: give the path of the file, or the data frame itself"
)
Public = tuple[str, ...] | Mapping[str, Any]


@dataclass(frozen=True)
class NoisyTable(Method):
    """Differentially private contingency tables for a budget of `epsilon`; further generalizations keep the guards.

    `fairness` is how many times a denial too many counts against a generalization that a guard against
    discriminatory rules would refuse (0: the choice does not look at rules).
    `cells` is the largest contingency table considered, `rows` how many rows to sample from the noisy table (by
    default each cell is published as many times as its noisy count). `public` lists the values that columns can hold:
    {"sex": ["f", "m"]}. False for the values says that nothing of a column is published but `*`; a name alone, or True,
    that the set of values that occur there is no secret, so that it may be taken from the data. In the columns of
    `missing` a missing value is a value like others.
    """

    kind: ClassVar[str] = "noisy-table"
    title: ClassVar[str] = "noisy counts (differential privacy)"
    picture: ClassVar[Picture] = "noise"
    packages: ClassVar[tuple[str, ...]] = ("opendp",)
    says: ClassVar[str] = "Publishes counts with random noise, so that nobody can tell whether a person is in the data."
    deterministic: ClassVar[bool] = False
    declares_domains: ClassVar[bool] = True
    counts_persons: ClassVar[bool] = False
    false_values: ClassVar[str] = "noise"

    epsilon: float = setting(1.0, "privacy budget: smaller is more private, and noisier", above=0)
    choice: float = setting(0.2, "share of the budget spent on choosing the generalization", min=0.01, max=0.99)
    cells: int = setting(20_000, "maximum number of cells of the noisy table", min=2)
    fairness: int = setting(8, "how much a discriminatory rule counts against a generalization", min=0, max=1_000)
    rows: int | None = setting(None, "number of published rows; about as many as in the source by default", min=1)
    public: Public = setting(
        (), "the values that columns can hold, or names of columns whose set of values is no secret"
    )
    missing: Sequence[str] = setting((), "columns in which a missing value counts as a value", shape=columns)

    def __post_init__(self) -> None:
        object.__setattr__(self, "public", _public(self.public))
        super().__post_init__()

    def search(self, task: Task) -> Proposal:
        self._refuse(task)
        task = replace(task, source=task.source.cell_by_cell())  # methods beside this one may need types
        budget = PrivacyBudget(float(self.epsilon))
        task.report(0.0, "choosing a generalization")
        domains = self._domains(task)
        counted, uncounted = counted_in(task, domains)
        base = self._choose(counted, task.guards, budget)
        task.report(0.4, "adding noise")
        table = self._noisy(task, counted, base, budget)
        task.report(0.7, "checking guards on the noisy table")
        rules = {name: domains[name].rule for name in task.schema.quasi}
        schema = replace(_roles(task.schema), hierarchies=rules, read=task.schema.read.remembered())
        few = [problem for guard in task.guards for problem in guard.check_rows(table.rows)]
        if few:
            raise Infeasible(f"{'; '.join(few)}; this is true of the noisy table, and the budget is spent")
        inner = Task.of(InMemoryTable(table), schema, task.guards, task.seed, task.progress)
        nodes = inner.lattice.anonymous(inner.k, inner.budget)
        nodes = nodes[(nodes >= base).all(axis=1)]
        nodes = nodes[keep_guards(inner, nodes)]
        if not len(nodes):
            raise Infeasible(f"{why_infeasible(inner)}; this is true of the noisy table, and the budget is spent")
        claims = self._claims(task, base, budget)
        note = (
            f"differentially private with ε={self.epsilon:g}: every further choice among these candidates is free; "
            "searching again spends the budget again"
        )
        private = uncounted if task.source.by_cell else (*uncounted, READ_BEFORE)
        unpublished = tuple(name for name in task.schema.columns if name not in schema.columns)
        dropping = replace(schema, drop=unpublished)  # new data may still have them

        def recipe(node: np.ndarray) -> NoisyDomain:
            return NoisyDomain(dropping, dict(zip(inner.levels, map(int, node), strict=True)), claims)

        return Proposal(
            self, Recipes(nodes, recipe), lambda full: _summary(inner, nodes, full), notes=(note,), private=private,
            task=inner, nodes=nodes,
        )  # fmt: skip

    def _claims(self, task: Task, base: np.ndarray, budget: PrivacyBudget) -> dict[str, Any]:
        schema = task.schema
        from_data = [name for name in _columns(schema) if self._declared(name, schema) is True]
        ranges = [name for name in schema.quasi if isinstance(self._declared(name, schema), Intervals)]
        same = f", among sources with the same set of values in {' and '.join(from_data)}" if from_data else ""
        outside = f"values of {' and '.join(ranges)} outside the declared range are in the first and the last interval"
        return {
            "differential_privacy": f"epsilon, neighbours differ by one record added or removed{same}",
            "epsilon": float(self.epsilon),
            "spent": float(budget.spent),
            "spent_on_choice": self.epsilon * self.choice,
            "chosen_levels": dict(zip(schema.quasi, map(int, base), strict=True)),
            "noise": "discrete Laplace on every cell of the generalized contingency table, by OpenDP",
            "rows": "all numbers of rows are those of the noisy table, not of the source",
            "counted": "records whose values are all declared" + (f"; {outside}" if ranges else ""),
            "promised": "whether one record is in the source changes the odds of any such release by at most e^epsilon",
            "not_promised": "that rows are real people's, that small counts are right, or anything about a person "
            "with several records in the source",
            "public": ["the hierarchies", "the declared values", *(f"the set of values of {n}" for n in from_data)],
        }

    def _declared(self, name: str, schema: Schema) -> tuple[Any, ...] | Intervals | bool | None:
        """Return what the owner declares that a column can have: values, or numbers in intervals. True: the values that
        occur; False: nothing is published; None: nothing is declared."""
        rule = schema.hierarchy(name)
        given = self.public.get(name) if isinstance(self.public, Mapping) else name in self.public or None
        if isinstance(given, tuple) or given is False:
            return given
        if leaves := rule.extra_leaves():
            return tuple(leaves)
        return given or (rule if isinstance(rule, Intervals) else None)

    def _refuse(self, task: Task) -> None:
        """Raise BadInput with all problems of the request. Nothing here depends on the values of the data."""
        schema = task.schema
        published = _columns(schema)
        named = [*self.public, *self.missing]
        problems = [suggest(name, published, "quasi column") for name in named if name not in published]
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
        for name in published:
            rule, declared = schema.hierarchy(name), self._declared(name, schema)
            if rule.learnt:
                problems.append(
                    f"the hierarchy of {name!r} was learnt from the data, which ε does not cover: provide your own"
                )
            elif declared is None or (
                name == schema.decision and (declared is False or isinstance(declared, Intervals))
            ):
                problems.append(_undeclared(name, schema))  # a decision is published as it is, so its values are needed
            elif isinstance(declared, tuple) and name == schema.decision:
                problems += _not_among(schema, declared)
        refuse(problems)

    def _domains(self, task: Task) -> dict[str, DeclaredDomain]:
        """Return the declared domain of each published column."""
        domains = {name: self._domain(name, task) for name in _columns(task.schema)}
        for domain in domains.values():
            domain.levels  # noqa: B018 - a value that has no place in its hierarchy is refused here
        return domains

    def _domain(self, name: str, task: Task) -> DeclaredDomain:
        declared, missing = self._declared(name, task.schema), name in self.missing
        if isinstance(declared, Intervals):
            return DeclaredDomain.ranged(name, declared, missing=missing)
        if declared is False:
            return DeclaredDomain.hidden(name)
        rule = task.schema.hierarchy(name)
        values = _occurring(task.source, name) if declared is True else declared or ()
        domain = DeclaredDomain.listed(name, [*values, None] if missing else values, rule)
        return domain if declared is True else domain.spelled_out()

    def _choose(self, source: DeclaredCells, guards: Sequence[Guard], budget: PrivacyBudget) -> np.ndarray:
        """Return the generalization chosen by permute and flip."""
        choice = choice_of(
            source, guards, cells=self.cells, epsilon=self.epsilon * (1 - self.choice), fairness=self.fairness
        )
        if not len(choice.nodes):
            raise BadInput(
                f"noisy-table: {self.cells} cells are too few, because the decision alone has "
                f"{counted(len(source.decision.values), 'value')}"
            )
        return choice.pick(self.epsilon * self.choice, budget)

    def _contingency(
        self, source: DeclaredCells, base: np.ndarray
    ) -> tuple[np.ndarray, tuple[int, ...], list[np.ndarray]]:
        """Return the count of each cell of the domain, the shape of the table, and the index of each leaf in it."""
        cells, decision = source.cells, source.decision
        lookups = [_in_order(levels, level) for level, levels in zip(base, source.levels.values(), strict=True)]
        shape = (*(int(lookup.max()) + 1 for lookup in lookups), len(decision.values))
        codes = [lookup[cells.codes[name]] for lookup, name in zip(lookups, source.levels, strict=True)]
        position = np.ravel_multi_index((*codes, cells.codes[decision.name]), shape)
        counts = np.bincount(position, weights=cells.counts, minlength=int(np.prod(shape))).astype(np.int64)
        return counts, shape, lookups

    def _noisy(self, task: Task, counted: DeclaredCells, base: np.ndarray, budget: PrivacyBudget) -> Table:
        """Return the noisy contingency table as rows; the first leaf below a published value represents it."""
        counts, shape, lookups = self._contingency(counted, base)
        noisy = whole_counts(noisy_counts(counts, budget.rest, budget))
        if not noisy.sum():
            raise Infeasible(f"with ε={self.epsilon:g} the noise leaves no rows: there is nothing to publish")
        if self.rows is None and noisy.sum() > MAX_ROWS:
            raise Infeasible(
                f"with ε={self.epsilon:g} the noisy table has {noisy.sum():,} rows, nearly all of them noise: spend "
                f"more or sample some, {option('rows', 1000)}"
            )
        if self.rows is not None:
            noisy = np.random.default_rng(task.seed).multinomial(self.rows, noisy / noisy.sum())
        positions = np.unravel_index(np.repeat(np.arange(len(noisy)), noisy), shape)
        first_leaves = [np.unique(lookup, return_index=True)[1] for lookup in lookups]
        codes = [*(first[code] for first, code in zip(first_leaves, positions[:-1], strict=True)), positions[-1]]
        domains = [*(counted.domains[name] for name in counted.levels), counted.decision]
        columns = [
            Column(domain.name, narrow(of_row, len(domain.values)), domain.values)
            for domain, of_row in zip(domains, codes, strict=True)
        ]
        labels = task.source.table.labels if task.source.has_rows else None
        return Table(tuple(columns), task.source.kind, labels=labels)


def _occurring(source: Source, name: str) -> list[Any]:
    """Return the values of a column, in the type that their set has: of a column that is public, it is no secret."""
    column = source.domain(name)
    if name not in source.inferred:
        return column.domain
    coder = Coder(name)
    coder.add(column.values)
    with suppress(BadInput):  # numbers among words
        column = typed(coder, decimal=source.decimal)
    return column.domain


def _public(given: Any) -> Public:
    """Return the setting in one form: names, or names with their values."""
    if isinstance(given, Mapping):
        problems = [
            f"noisy-table: public.{name} must list the values of the column, not {literal(values)}"
            for name, values in given.items()
            if not isinstance(values, bool) and (isinstance(values, str) or not isinstance(values, Sequence))
        ]
        refuse(problems)
        return {name: values if isinstance(values, bool) else tuple(values) for name, values in given.items()}
    return (given,) if isinstance(given, str) else tuple(given)


def _columns(schema: Schema) -> list[str]:
    """Return the columns that are published: quasi columns and the decision."""
    return [*schema.quasi, *([schema.decision] if schema.decision else [])]


def _undeclared(name: str, schema: Schema) -> str:
    """Return what to write if nothing is declared about a column."""
    values = f"list its values, {option('public', {name: [...]})}"
    if name != schema.decision:
        hidden = option("public", {name: False})
        values += f", or give it an intervals hierarchy if it is numeric; {hidden} publishes nothing of it"
    return f"noisy-table must not learn from the data which values {name!r} can have: {values}"


def _not_among(schema: Schema, declared: Sequence[Any]) -> list[str]:
    """Return the denied values of the decision that are not declared."""
    texts = {as_text(value) for value in declared if value is not None}
    return [
        f"{schema.decision!r} is declared to hold {', '.join(sorted(texts))}, and {literal(value)}, which is denied, "
        "is not among these"
        for value in schema.denied_values
        if as_text(value) not in texts
    ]


def _roles(schema: Schema) -> Schema:
    """Return the roles of the published columns: quasi columns and the decision."""
    others = [name for name in schema.columns if name not in (*schema.quasi, schema.decision)]
    return replace(schema.without(others), drop=(), levels={}, weight=None)


def _in_order(levels: Levels, level: int) -> np.ndarray:
    """Return the code of each leaf at a level, numbered by label: the data's own order would disclose values."""
    order = sorted(range(len(levels.labels[level])), key=lambda code: str(levels.labels[level][code]))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    of_leaf: np.ndarray = rank[levels.codes[level]]
    return of_leaf


def _summary(task: Task, nodes: np.ndarray, full: bool) -> Summary:
    """Return the usual summary, except for the bits of values below the chosen generalization, which are unknown."""
    summary = summarize(task, nodes, full)
    unknown = np.full_like(summary.entropy, np.nan)
    return replace(summary, entropy=unknown, full_entropy=unknown)
