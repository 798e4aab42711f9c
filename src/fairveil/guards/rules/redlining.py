"""Non-redlining α-protection (Hajian et al., Definition 7): no indirect discrimination.

When the protected columns are not published, others may stand for them: most people who live in 47602 are black.
Background knowledge is a list of rules such as zip=47602 → race=Black, each with its confidence. The columns on the
left of rules with enough confidence are the indirect grounds IA. Every frequent rule D,B → denied with D over IA must
stay below α.

What it leaves open: knowledge that was not given, and columns that stand for a protected one only in combination,
unless a rule names the combination. The guard includes its knowledge, so it can be checked from the release alone.

>>> guard = NoRedlining(1.2, knowledge=["zip -> race"])
>>> guard.indirect
('zip',)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.tuples import first_rows
from fairveil.data.table import Table
from fairveil.errors import BadInput, suggest
from fairveil.guards.guard import published_columns
from fairveil.guards.rules.alpha import RuleGuard
from fairveil.guards.rules.lift import compared_with, least_support
from fairveil.messages import literal, option
from fairveil.settings import setting
from fairveil.shapes import integer, number

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Hierarchy
    from fairveil.data.schema import Schema

Items = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Correlation:
    """A piece of background knowledge: people with `premise` mostly have `conclusion`. A value of None is any value."""

    premise: Items
    conclusion: Items
    confidence: float = 1.0

    def __post_init__(self) -> None:
        number(0, 1)(self.confidence, f"background knowledge: {option('confidence')}")
        for side in (self.premise, self.conclusion):
            if not side or not all(isinstance(name, str) and name for name, _ in side):
                raise BadInput(f"background knowledge {self}: name at least one column on either side of the rule")
            missing = [value is None or (isinstance(value, float) and np.isnan(value)) for _, value in side]
            if any(missing) and not all(value is None for _, value in side):
                raise BadInput(f"background knowledge {self}: a value is missing; name all of them, or columns alone")
        both = {name for name, _ in self.premise} & {name for name, _ in self.conclusion}
        if both:
            raise BadInput(f"background knowledge {self}: {sorted(both)[0]!r} cannot stand for itself")

    @classmethod
    def of(cls, spec: Any) -> Correlation:
        """Return `spec` as a correlation: a rule, its dictionary, or a text of columns such as "zip -> race"."""
        if isinstance(spec, Correlation):
            return spec
        if isinstance(spec, str) and spec.count("->") == 1:
            left, right = (tuple((name.strip(), None) for name in side.split(",")) for side in spec.split("->"))
            return cls(left, right)
        if isinstance(spec, Mapping) and {"if", "then"} <= set(spec) <= {"if", "then", "confidence"}:
            left, right = (_items(spec[side]) for side in ("if", "then"))
            return cls(left, right, spec.get("confidence", 1.0))
        raise BadInput(f"background knowledge {literal(spec)}: write 'zip -> race', or give if, then and confidence")

    def to_dict(self) -> dict[str, Any]:
        return {"if": _plain(self.premise), "then": _plain(self.conclusion), "confidence": self.confidence}

    def __str__(self) -> str:
        sides = (
            ", ".join(name if value is None else f"{name}={value}" for name, value in side)
            for side in (self.premise, self.conclusion)
        )
        return f"{' → '.join(sides)} ({self.confidence:.0%})"


def _items(side: Any) -> Items:
    """Values by column, or a list of columns alone."""
    if isinstance(side, Mapping):
        if any(value is None for value in side.values()):
            raise BadInput(
                f"background knowledge about {literal(dict(side))}: a value is missing; list the columns alone for any"
            )
        return tuple(side.items())
    if isinstance(side, str):
        return ((side, None),)
    if not isinstance(side, Sequence):
        raise BadInput(f"background knowledge {literal(side)}: give values by column, or a list of columns")
    return tuple((name, None) for name in side)


def _plain(items: Items) -> dict[str, Any] | list[str]:
    return [name for name, _ in items] if all(value is None for _, value in items) else dict(items)


@dataclass(frozen=True)
class NoRedlining(RuleGuard):
    """No frequent rule of the whole release denies a proxy of an unpublished protected group `alpha` times as often.

    Only rules of `knowledge` with at least `confidence` count.
    """

    kind: ClassVar[str] = "no-redlining"
    says: ClassVar[str] = "No column that stands for a protected group is used to deny it α times as often as others."
    leaves_open: ClassVar[str] = "knowledge that was not given"
    needs: ClassVar[tuple[str, ...]] = ("quasi", "decision")
    takes_knowledge: ClassVar[bool] = True

    knowledge: Sequence[Any] = setting((), "background knowledge of an attacker, such as 'zip -> race'")
    confidence: float = setting(
        0.8, "minimum confidence of background knowledge that counts", min=0, max=1, cli="--confidence"
    )

    def __post_init__(self) -> None:
        rules = (self.knowledge,) if isinstance(self.knowledge, str | Mapping | Correlation) else self.knowledge
        if not isinstance(rules, list | tuple):
            raise BadInput(
                f"no-redlining: {option('knowledge')} must be rules such as 'zip -> race', not {literal(rules)}"
            )
        object.__setattr__(self, "knowledge", tuple(Correlation.of(rule) for rule in rules))
        super().__post_init__()

    def promise(self) -> str:
        return (
            "Columns that are known to stand for a protected one give no rule learnt from the records that denies a "
            f"group {self.alpha:g} times as often as those it is compared with ({compared_with(self.measure)}), "
            f"{self.scope()}."
        )

    @property
    def indirect(self) -> tuple[str, ...]:
        """IA: the columns that stand for a protected one."""
        strong = [rule for rule in self.knowledge if rule.confidence >= self.confidence]
        return tuple(dict.fromkeys(name for rule in strong for name, _ in rule.premise))

    def grounds(self, schema: Schema) -> tuple[str, ...]:
        published = published_columns(schema)
        return tuple(name for name in self.indirect if name in published and name != schema.decision)

    def check_schema(self, schema: Schema) -> list[str]:
        problems = super().check_schema(schema)
        if not self.knowledge:
            problems.append(f"no-redlining needs background knowledge, such as {option('knowledge', ['zip -> race'])}")
        elif not self.indirect:
            problems.append(
                f"no-redlining guards nothing: no rule of its knowledge has a confidence of {self.confidence:g} or more"
            )
        elif not self.grounds(schema) and all(name in schema.columns for name in self.indirect):
            named = ", ".join(map(repr, self.indirect))
            problems.append(f"no-redlining guards nothing: {named} is not published or is the decision itself")
        problems += [
            f"no-redlining: {suggest(name, schema.columns, 'column')} (in its knowledge)"
            for name in dict.fromkeys(name for rule in self.knowledge for name, _ in rule.premise)
            if name not in schema.columns
        ]
        return problems + [
            f"no-redlining is for releases without {name!r}: give it the role drop (it may be protected, too)"
            for name in dict.fromkeys(name for rule in self.knowledge for name, _ in rule.conclusion)
            if name in published_columns(schema)
        ]

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "knowledge": [rule.to_dict() for rule in self.knowledge]}


def background_knowledge(
    sample: Any,
    protected: Sequence[str] | str,
    *,
    confidence: float = 0.8,
    lift: float = 1.2,
    min_support: float = 0.01,
    columns: Sequence[str] | None = None,
    width: int = 1,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    count: str | None = None,
) -> tuple[Correlation, ...]:
    """Rules premise → protected value in a table that still has the protected columns, strongest first.

    `sample` is that table, `protected` its protected columns, and `columns` those that may stand for them (all others
    unless given). A rule needs the share `min_support` of the rows behind it. `confidence` is the minimum share of the
    premise that has the conclusion; it must also be `lift` times the share in the whole sample. Otherwise any column
    would stand for what is true of nearly everybody. Premises have up to `width` columns, as they are and at every
    level of their `hierarchies` below the top. `count` names a column that says how many people a row stands for, as in
    a published table of counts.
    """
    checks = {"confidence": (number(0, 1), confidence), "lift": (number(0), lift), "width": (integer(1), width)}
    for name, (shape, value) in checks.items():
        shape(value, f"background knowledge: {option(name)}")
    table = Table.from_frame(sample)
    guarded = (protected,) if isinstance(protected, str) else tuple(protected)
    skipped = {*guarded, count}
    names = [name for name in (columns or table.names) if name not in skipped]
    table.need([*guarded, *names, *([count] if count else [])])
    weights = _weights(table, count)
    cells, cell_of_row = Cells.numbered(table, [*names, *guarded])
    rows = np.bincount(cell_of_row, weights=weights, minlength=len(cells))
    min_rows = least_support(min_support, round(float(rows.sum())))
    views = {name: _views(table, name, (hierarchies or {}).get(name)) for name in names}
    rules = []
    premises = [premise for size in range(1, width + 1) for premise in combinations(names, size)]
    for premise in premises:
        levels = range(len(views[premise[0]]) if len(premise) == 1 else 1)  # several columns only as they are
        for level, goal in product(levels, guarded):
            labelled = {name: views[name][level] for name in premise}
            rules += _rules(table, cells, rows, labelled, goal, (confidence, lift, min_rows))
    return tuple(sorted(dict.fromkeys(rules), key=lambda rule: (-rule.confidence, str(rule))))


def _weights(table: Table, count: str | None) -> np.ndarray:
    if count is None:
        return np.ones(table.rows)
    column = table.column(count)
    try:
        values = np.array(column.domain, dtype=float)
    except (TypeError, ValueError):
        raise BadInput(
            f"column {count!r} should hold counts of people, but not all of its values are numbers"
        ) from None
    counts = values[column.codes]
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise BadInput(f"column {count!r} should hold counts of people, but some are negative or missing")
    return counts


def _views(table: Table, name: str, hierarchy: Hierarchy | None) -> list[tuple[np.ndarray, Sequence[Any]]]:
    """A column as it is and at every level below the top: code of each value, and labels."""
    column = table.column(name)
    if hierarchy is None:
        return [(np.arange(len(column.values)), column.domain)]
    levels = hierarchy.bind(column.domain, name)
    return [(levels.codes[level], levels.labels[level]) for level in range(levels.height)]


def _rules(
    table: Table,
    cells: Cells,
    rows: np.ndarray,
    views: Mapping[str, tuple[np.ndarray, Sequence[Any]]],
    goal: str,
    limits: tuple[float, float, int],
) -> list[Correlation]:
    """The rules with a value of each viewed column on the left and a value of `goal` on the right."""
    confidence, lift, min_rows = limits
    coded = [(codes[cells.codes[name]], len(labels)) for name, (codes, labels) in views.items()]
    ids, first_cell = first_rows(coded, len(cells))
    total, size = len(first_cell), cells.sizes[goal]
    joint = np.bincount(ids * size + cells.codes[goal], weights=rows, minlength=total * size).reshape(total, size)
    base = joint.sum(axis=0) / joint.sum()
    share = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    strong = (share >= confidence) & (share >= lift * base) & (joint >= min_rows)
    values = table.column(goal).domain
    premises = [
        tuple((name, labels[codes[cells.codes[name][cell]]]) for name, (codes, labels) in views.items())
        for cell in first_cell
    ]
    return [
        Correlation(premises[g], ((goal, values[v]),), float(share[g, v]))
        for g, v in zip(*np.nonzero(strong), strict=True)
        if values[v] is not None and all(label is not None for _, label in premises[g])  # missing is not knowledge
    ]
