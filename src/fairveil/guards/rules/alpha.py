"""α-protection (Hajian et al., Definition 4): every frequent rule A,B → denied has a measure below α.

A is the whole protected part of an itemset, B the rest of it; a rule is frequent when at least `min_support` of the
rows are in A, B and denied. An attribute at its top level, or with a single published value, is absent. B may use
published columns of any role except the decision and pseudonyms, which identify one person each. `contexts` narrows B
to the quasi columns and those named, `granularity` (the paper's τ) to itemsets of up to that many columns. The promise
then says so.

What it leaves open: rules below the minimum support, columns that stand for a protected one (see no-redlining), and
whether a difference has a lawful reason (see situation testing). Several denied values of the decision count as one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.tuples import KEY_BITS, bits_for, group_of
from fairveil.data.table import Table
from fairveil.data.text_form import as_text
from fairveil.errors import refuse, suggest
from fairveil.guards.guard import Guard, Verdict, about, by_unit, need_columns, published_columns
from fairveil.guards.rules.lift import (
    MEASURES,
    SLACK,
    Attribute,
    Batch,
    DiscriminatoryRule,
    compared_with,
    frequent_rules,
    least_support,
    telling,
    times_as_often,
)
from fairveil.messages import counted, verb
from fairveil.settings import required, setting
from fairveil.shapes import columns, is_integer, shape

if TYPE_CHECKING:
    from fairveil.counting.lattice import Lattice
    from fairveil.data.schema import Schema
    from fairveil.guards.rules.rule_kernels import Limit

BY_ROLE = ("quasi", "sensitive", "plain")
"""Words in `contexts` that stand for all columns of a role."""
ANY_DIFFERENCE = 1.0 + 1e-6  # rules above this deny one group more often than another, even if only slightly
support = shape(
    "a share of the rows (0.05) or a number of rows (30)",
    lambda value: (isinstance(value, float) and 0 < value <= 1) or (is_integer(value) and value >= 1),
)
_PACKABLE = 16  # with more columns, the compiled check of every subset would need too large a table


@dataclass(frozen=True)
class RuleGuard(Guard):
    """No frequent rule of at least `alpha` by `measure`; subclasses define which columns form A (the grounds)."""

    published: ClassVar[bool] = True
    finds_rules: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi", "protected", "decision")

    alpha: float = field(
        metadata=required(
            "how many times as often a group must be denied for a rule to be discriminatory", above=1, cli="--alpha"
        )
    )
    measure: str = setting(
        "slift", "how a group's denials are compared with others'", options=MEASURES, cli="--measure"
    )
    min_support: float = setting(
        0.05,
        "minimum support of a rule: a share of the rows, or an integer number of rows",
        shape=support,
        cli="--min-support",
    )
    granularity: int | None = setting(
        None, "maximum number of columns in a rule; no limit by default", min=1, cli="--granularity"
    )
    contexts: Sequence[str] = setting(
        (), "columns that may form the context of a rule; all published ones by default", shape=columns
    )
    counts: Literal["persons", "records"] | None = setting(
        None, "what is counted where people have several records: persons by default, or records, each a decision"
    )

    def grounds(self, schema: Schema) -> tuple[str, ...]:
        """The columns whose values form A."""
        raise NotImplementedError

    def subjects(self, schema: Schema) -> tuple[str, ...]:
        return self.grounds(schema)

    def attributes(self, schema: Schema) -> list[str]:
        """Every column that itemsets may use: grounds and contexts."""
        published = published_columns(schema)
        named = [name for word in self.contexts for name in (getattr(schema, word) if word in BY_ROLE else [word])]
        contexts = [*schema.quasi, *named] if self.contexts else published
        names = dict.fromkeys([*schema.quasi, *self.grounds(schema), *contexts])
        return [name for name in names if name in published and name != schema.decision]

    def scope(self) -> str:
        """The scope in words, for the promise: contexts, length of rules, support."""
        others = [word for word in self.contexts if word != "quasi"]
        spelled = " and ".join(["the quasi columns", *(f"all {w} ones" if w in BY_ROLE else w for w in others)])
        share = isinstance(self.min_support, float)
        support = f"{100 * self.min_support:g} %" if share else f"{self.min_support:,}"
        length = "" if self.granularity is None else f", in rules of at most {self.granularity} columns"
        return (
            f"in any context {f'made of {spelled}' if self.contexts else 'of published columns'}{length}, where the "
            f"rule holds for at least {support} of the records"
        )

    def columns(self, schema: Schema) -> tuple[str, ...]:
        decision = [] if schema.decision is None else [schema.decision]
        return (*(name for name in self.attributes(schema) if name not in schema.quasi), *decision)

    def check_schema(self, schema: Schema) -> list[str]:
        problems = []
        if schema.decision is None or not schema.denied_values:
            problems.append(f"{self.kind} needs a decision column and its denied values")
        allowed = [name for name in published_columns(schema) if name != schema.decision]
        return problems + [
            f"{self.kind}: {suggest(name, allowed, 'published column')} (in contexts)"
            for name in self.contexts
            if name not in (*BY_ROLE, *allowed)
        ]

    def check_rows(self, rows: int) -> list[str]:
        if least_support(self.min_support, rows) <= rows:
            return []
        return [f"{self.kind}: min_support {self.min_support} is more than the {rows} rows, so no rule could be found"]

    def verdict(self, classes: Classes, schema: Schema) -> Verdict:
        search = self.search(classes, schema)
        broken = np.zeros(len(classes), dtype=bool)
        for batch, alarms in search.alarms:
            columns = [search.attributes[i] for i in batch.chosen]
            groups, _ = group_of([(column.codes, column.size) for column in columns], len(classes.ids))
            broken[classes.ids[np.isin(groups, groups[batch.cell[alarms]])]] = True
        rules = search.rules(1)
        if rules:
            subject = f"{counted(search.total, 'rule')} {verb(search.total, 'denies', 'deny')}"
            often = f"{times_as_often(self.measure, self.alpha)} or more"
            sentence = about(self.grounds(schema), f"{subject} {often}; the worst: {rules[0]}")
        elif np.isnan(search.worst):
            sentence = f"no rule about {', '.join(self.grounds(schema))} is frequent enough to learn, {self.scope()}"
        else:
            worst = f"{times_as_often(self.measure, search.worst)} (α={self.alpha:g})"
            sentence = about(self.grounds(schema), f"the worst of all frequent rules denies {worst}, {self.scope()}")
        rows, unit = int(classes.rows[broken].sum()), self.unit(schema)
        sentence = by_unit(sentence, unit)
        return Verdict(self, not rules, search.worst, float(self.alpha), int(broken.sum()), rows, None, sentence, unit)

    def unit(self, schema: Schema) -> str:
        return "records" if self.counts == "records" else super().unit(schema)

    def without_persons(self, classes: Classes, schema: Schema) -> Verdict:
        if self.unit(schema) == "records" or not len(classes):
            return super().without_persons(classes, schema)
        stated = f"no frequent rule denies {times_as_often(self.measure, self.alpha)} or more"
        sentence = about(self.grounds(schema), f"judged by persons, whose column is not published: {stated}")
        return Verdict(self, True, float("nan"), float(self.alpha), 0, 0, None, sentence, "persons")

    def rules(self, classes: Classes, schema: Schema, max_rules: int | None = None) -> list[DiscriminatoryRule]:
        """The discriminatory rules, worst first."""
        return self.search(classes, schema).rules(max_rules)

    def details(self, classes: Classes, schema: Schema, max_reasons: int) -> list[dict[str, Any]]:
        return [rule.to_dict() for rule in self.rules(classes, schema, max_reasons)]

    @property
    def rules_by(self) -> str:
        return self.measure

    def strongest_rules(self, classes: Classes, schema: Schema, max_rules: int) -> list[dict[str, Any]]:
        return replace(self, alpha=ANY_DIFFERENCE).details(classes, schema, max_rules)

    def _attributes(self, classes: Classes, schema: Schema, min_size: int = 1) -> list[Attribute]:
        names, grounds, sizes = self.attributes(schema), self.grounds(schema), classes.sizes
        need_columns(self, classes, names)
        return [Attribute(n, classes.codes[n], sizes[n], n in grounds) for n in names if sizes[n] >= min_size]

    def search(self, classes: Classes, schema: Schema) -> RuleSearch:
        """Every frequent rule of a table, and which of them are discriminatory."""
        attributes, rows, persons = self._attributes(classes, schema), int(classes.rows.sum()), None
        if schema.person is not None and self.unit(schema) == "persons":
            need_columns(self, classes, [schema.person])
            persons = classes.codes[schema.person], classes.sizes[schema.person]
            rows = int((np.bincount(persons[0]) > 0).sum())
        min_denied, denied = least_support(self.min_support, rows), denied_cells(classes, schema)
        batches = frequent_rules(
            attributes, classes.counts, denied, self.measure, min_denied, self.granularity, persons
        )
        alarms, worst = [], float("nan")
        for batch in batches:
            if not np.isnan(batch.value).all():
                worst = float(np.fmax(worst, np.nanmax(batch.value)))
            hit = np.flatnonzero(batch.value >= self.alpha * (1 - SLACK))
            if len(hit):
                alarms.append((batch, hit))
        return RuleSearch(self, classes, attributes, alarms, worst, rows)

    def holds(self, classes: Classes, schema: Schema, stop: np.ndarray | None = None) -> bool:
        """Whether the guard holds, in compiled code: the first discriminatory rule ends the search."""
        if self.unit(schema) == "persons":
            return bool(self.verdict(classes, schema))
        from fairveil.counting.kernels.compiling import NEVER
        from fairveil.counting.kernels.group_by import KeyCounts
        from fairveil.guards.rules.rule_kernels import any_alarm

        rows, denied = int(classes.rows.sum()), denied_cells(classes, schema)
        min_denied = least_support(self.min_support, rows)
        columns = [
            column
            for own in self._attributes(classes, schema, min_size=2)
            # generalized columns have few values already
            if (column := own if own.name in schema.quasi else telling(own, classes.counts, denied, min_denied))
        ]
        bits = [bits_for(column.size) for column in columns]
        if sum(bits) > KEY_BITS or len(columns) > _PACKABLE or rows >= 1 << 31:
            return bool(self.verdict(classes, schema))
        keys, fields, never, shift = np.zeros(len(classes.ids), dtype=np.int64), [], [], 0
        for column, width in zip(columns, bits, strict=True):
            keys |= column.codes.astype(np.int64) << shift
            fields.append(((1 << width) - 1) << shift)
            if column.rare >= 0:
                never.append((fields[-1], column.rare << shift))
            shift += width
        protected = np.array([column.protected for column in columns], dtype=bool)
        cells = KeyCounts(keys, packed_counts(classes.counts, denied))
        limit = self.kernel_limit(min_denied, never)
        max_attributes = self.granularity or len(columns)
        stop = NEVER if stop is None else stop
        return not any_alarm(cells, np.array(fields, dtype=np.int64), protected, max_attributes, limit, stop)

    def kernel_limit(self, min_denied: int, never: list[tuple[int, int]]) -> Limit:
        """When kernels raise an alarm; `never` are masks of columns with the key of the merged rare values in each."""
        from fairveil.guards.rules.rule_kernels import Limit

        merged = np.array(never, dtype=np.int64).reshape(-1, 2)
        return Limit(MEASURES.index(self.measure), self.alpha * (1 - SLACK), min_denied, merged)

    def filter_nodes(self, lattice: Lattice, schema: Schema, nodes: np.ndarray) -> np.ndarray | None:
        from fairveil.guards.rules.region import protective_nodes

        if self.unit(schema) == "persons":
            return None
        return protective_nodes(self, lattice, schema, nodes)

    def excess(self, lattice: Lattice, schema: Schema, nodes: np.ndarray, denied: np.ndarray) -> np.ndarray:
        from fairveil.guards.rules.excess import Unfairness

        return Unfairness(self, lattice, schema, denied).of(nodes)

    def remarks(self, lattice: Lattice, schema: Schema, nodes: np.ndarray, solutions: np.ndarray) -> tuple[str, ...]:
        from fairveil.guards.rules.region import only_trivial

        return only_trivial(self, lattice, schema, nodes, solutions)


@dataclass(frozen=True)
class AlphaProtection(RuleGuard):
    """No frequent rule of the whole release denies a protected group `alpha` times as often as others."""

    kind: ClassVar[str] = "alpha-protection"
    title: ClassVar[str] = "α-protection"
    weakest: ClassVar[Mapping[str, Any]] = {"alpha": ANY_DIFFERENCE}
    says: ClassVar[str] = "No rule that can be learnt denies a protected group α times as often as others."
    leaves_open: ClassVar[str] = (
        "rules below the minimum support; columns that stand for a protected one; lawful reasons"
    )

    def promise(self) -> str:
        return (
            f"No rule that could be learnt from the records denies a protected group {self.alpha:g} times as often as "
            f"those it is compared with ({compared_with(self.measure)}), {self.scope()}."
        )

    def grounds(self, schema: Schema) -> tuple[str, ...]:
        return tuple(name for name in schema.protected if name not in schema.drop)

    def check_schema(self, schema: Schema) -> list[str]:
        missing = [] if self.grounds(schema) else ["alpha-protection needs a protected column that is published"]
        return missing + super().check_schema(schema)


@dataclass(frozen=True)
class RuleSearch:
    """The result of a search for rules: batches, with the positions of the discriminatory rules in each."""

    guard: RuleGuard
    classes: Classes
    attributes: list[Attribute]
    alarms: list[tuple[Batch, np.ndarray]]
    worst: float
    people: int

    @property
    def total(self) -> int:
        return sum(len(hit) for _, hit in self.alarms)

    def rules(self, max_rules: int | None = None) -> list[DiscriminatoryRule]:
        """The discriminatory rules, worst first; ties are ordered by more people, then by shorter rules."""
        order = sorted(
            ((-float(batch.value[i]), -int(batch.n1[i]), len(batch.chosen), batch.chosen, int(batch.cell[i])), b, i)
            for b, (batch, hit) in enumerate(self.alarms)
            for i in hit
        )
        values = {a.name: self.classes.values(a.name) for a in self.attributes}
        return [self._rule(self.alarms[b][0], int(i), values) for _, b, i in order[:max_rules]]

    def _rule(self, batch: Batch, i: int, values: dict[str, list[Any]]) -> DiscriminatoryRule:
        attributes = [self.attributes[a] for a in batch.chosen]
        items = [(a.protected, (a.name, values[a.name][a.codes[batch.cell[i]]])) for a in attributes]
        group, context = (tuple(item for protected, item in items if protected == wanted) for wanted in (True, False))
        a1, n1, a2, n2 = (int(counts[i]) for counts in (batch.a1, batch.n1, batch.a2, batch.n2))
        return DiscriminatoryRule(
            group, context, self.guard.measure, float(batch.value[i]), a1, n1, a2, n2, self.people
        )


def denied_cells(classes: Classes, schema: Schema) -> np.ndarray:
    """Which cells hold a denied decision."""
    assert schema.decision is not None
    return denied_codes(classes.values(schema.decision), schema)[classes.codes[schema.decision]]


def denied_codes(values: list[Any], schema: Schema) -> np.ndarray:
    """Which values of the decision are denied; values are compared as text, since plans are text."""
    denied = {as_text(value) for value in schema.denied_values}
    return np.array([as_text(value) in denied for value in values], dtype=bool)


def packed_counts(counts: np.ndarray, denied: np.ndarray) -> np.ndarray:
    """Rows in the low 32 bits, denied rows above: what the kernels add up."""
    return np.where(denied, counts << 32 | counts, counts).astype(np.int64)


def discriminatory_rules(
    table: Any,
    schema: Schema,
    *,
    alpha: float,
    measure: str = "slift",
    min_support: float = 0.05,
    granularity: int | None = None,
    contexts: tuple[str, ...] = (),
    max_rules: int | None = None,
) -> list[DiscriminatoryRule]:
    """The discriminatory rules of any table as it is, worst first; contexts as in α-protection.

    >>> import fairveil as fv
    >>> credit = fv.datasets.credit_decisions()
    >>> rules = discriminatory_rules(credit.table, credit.schema, alpha=1.2, min_support=0.2, granularity=1)
    >>> print(rules[0])
    Sex=Female → denied, 4.5 times the others, 3 of 4 people
    """
    guard = AlphaProtection(alpha, measure, min_support, granularity, contexts)
    data = Table.from_frame(table)
    return guard.rules(classes_for(guard, data, schema), schema, max_rules)


def classes_for(guard: RuleGuard, table: Table, schema: Schema) -> Classes:
    """The cells of all columns that the guard looks at, not generalized, from one pass over the rows."""
    names = list(dict.fromkeys([*guard.attributes(schema), *guard.columns(schema)]))
    table.need(names)
    refuse([*guard.check_schema(schema), *schema.denied_problems(table)])
    return Classes.of(Cells.of(table, names), guard.attributes(schema))
