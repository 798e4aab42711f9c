"""check: whether a table keeps promises, and which records break them; without any, what it attains.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> [verdict] = check(credit.table, credit.schema, [fv.KAnonymity(2)])
>>> verdict.holds, verdict.worst
(False, 1.0)
>>> check(credit.table, credit.schema)[0].sentence
'k = 1'

Nothing is changed or generalized. Columns without a role are ignored, except identifiers of the table: guards count
rows, unless the schema says which person a row is about, so a table with several rows of one person is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import Classes, numbered_classes
from fairveil.data.table import Table
from fairveil.display import DisplayTable
from fairveil.engines import Source, source_of
from fairveil.engines.repeated_persons import person_problems
from fairveil.errors import refuse, suggest
from fairveil.guards import GUARDS, Guard, Verdict, guarded_columns
from fairveil.messages import counted
from fairveil.progress import Progress, Report
from fairveil.run.given import given_guards, given_schema

if TYPE_CHECKING:
    from fairveil.data.dialect import Missing
    from fairveil.data.schema import Schema


@dataclass(frozen=True, repr=False)
class CheckedVerdict(Verdict):
    """A verdict with the worst class and the records that break the guard.

    `values` are the quasi values that the records of the worst class share, `size` is their number, `people` that of
    their persons, if the schema says who a record is about, `sensitive` counts their values in the guard's columns;
    `records` are row numbers, from 0, of all that break the guard (none
    for guards that single records cannot break). `details` are the worst reasons of guards that have reasons, such as
    discriminatory rules. Guards that single records break (situation testing) give a reason per record, with its
    `record`, the same row number; if rows have no numbers, one per distinct record, with its number of `rows`.
    """

    values: dict[str, Any] = field(default_factory=dict)
    size: int = 0
    people: int | None = None
    sensitive: dict[str, dict[Any, int]] = field(default_factory=dict)
    details: list[dict[str, Any]] = field(default_factory=list)
    records: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64), repr=False, compare=False)

    def _tables(self) -> list[DisplayTable]:
        worst = [[name, value] for name, value in self.values.items()] if self.size else []
        return [DisplayTable(["column", f"worst class ({counted(self.size, 'row')})"], worst)] if worst else []

    def to_dict(self) -> dict[str, Any]:
        worst_class: dict[str, Any] = {"rows": self.size, "values": self.values}
        if self.people is not None:
            worst_class["persons"] = self.people
        if self.sensitive:
            worst_class["sensitive"] = {name: [{"value": value, "rows": rows} for value, rows in counts.items()]
                                        for name, counts in self.sensitive.items()}  # fmt: skip
        verdict = {**super().to_dict(), "worst_class": worst_class if self.size else None}
        return {**verdict, "details": self.details} if self.details else verdict


def check(
    table: Any,
    schema: Schema | None = None,
    guards: Sequence[Guard] | Guard = (),
    *,
    missing: Missing = "category",
    details: int = 10,
    progress: Progress | Report | bool | None = None,
) -> list[CheckedVerdict]:
    """The verdict of each guard, in order, with at most `details` reasons each. The table or frame is not changed.

    Without guards, what the table attains: `worst` of the verdicts is its k and, if the schema has the roles, its ℓ,
    t and α. Without a schema, the roles are those that `init` suggests, and each sentence names the quasi columns.
    `table` may also be a path, a lazy frame of an engine, or a source. Records are named only if single
    classes or records break a guard and rows have numbers (rows on an engine do not).
    """
    promised = list(given_guards(guards))
    given = None if schema is None else given_schema(schema)
    progress = Progress.visible(progress)

    def work() -> list[CheckedVerdict]:
        source = source_of(table, missing=missing, progress=progress)
        roles = given or suggested_schema(table)
        if promised:
            verdicts = _checked(source, roles, promised, details, progress)
        else:
            verdicts = _checked(source, roles, weakest_guards(roles), 1, progress, bounded=False)
            verdicts = list(map(_attained, verdicts))
        by = f", with {', '.join(roles.quasi)} as quasi columns (suggested)"
        return verdicts if given else [replace(verdict, sentence=verdict.sentence + by) for verdict in verdicts]

    return progress.run(work)


def suggested_schema(data: Any) -> Schema:
    """The roles that `init` suggests."""
    from fairveil.run.init import init

    schema = init(data, k=2, progress=False).schema
    assert schema is not None
    return schema


def weakest_guards(schema: Schema) -> list[Guard]:
    """The guards whose bound is defined for any table with these roles, with their weakest settings."""
    promised = [kind(**kind.weakest) for kind in GUARDS if kind.weakest]
    roles = {role for role in ("quasi", "sensitive", "protected", "decision", "population") if getattr(schema, role)}
    return [guard for guard in promised if roles.issuperset(guard.needs) and not guard.check_schema(schema)]


def _attained(verdict: CheckedVerdict) -> CheckedVerdict:
    """The verdict, with the value attained instead of whether a bound holds."""
    name, *others = verdict.guard.weakest
    symbol = {"l": "ℓ", "alpha": "α"}.get(name, name)
    given = [f"{'ℓ' if other == 'l' else other}={verdict.guard.weakest[other]}" for other in others]
    if verdict.unit == "persons":
        several = name == "t" and verdict.worst > 1
        given.append("persons are counted" + (", and their values add up" if several else ""))
    sentence = f"{symbol} = {verdict.worst:.4g}" + (f" ({', '.join(given)})" if given else "")
    return replace(
        verdict, holds=True, limit=verdict.worst, broken_classes=0, broken_rows=0,
        records=np.empty(0, dtype=np.int64), sentence=verdict.sentence if np.isnan(verdict.worst) else sentence,
    )  # fmt: skip


def _checked(
    source: Source, schema: Schema, guards: Sequence[Guard], details: int, progress: Progress, *, bounded: bool = True
) -> list[CheckedVerdict]:
    _refuse_roles(source, schema, guards)
    people = _people(source, schema, guards)  # first: it counts the quasi columns on the way
    _refuse_data(source, schema, guards, bounded)
    progress.tell(0.0, "counting")
    if source.has_rows and any(guard.per_class or guard.per_record for guard in guards):
        rows = source.table
        grouped = _Grouped(rows, None, *numbered_classes(rows, schema, columns=_needed(schema, guards)))
    else:  # no guard names records, or rows have no numbers
        names = checked_columns(schema, guards, source.names)
        cells = source.count(names if people is None else [name for name in names if name != schema.person])
        table = cells.table()
        classes, cell_of_row = numbered_classes(table, schema, cells.counts, _needed(schema, guards))
        grouped = _Grouped(table, cells.counts, replace(classes, persons=people), cell_of_row)
    verdicts = []
    for number, guard in enumerate(guards):
        progress.tell(number / len(guards), f"checking {guard.kind}")
        verdicts.append(_verdict(grouped, schema, guard, details))
    return verdicts


def _only_people(source: Source, schema: Schema, guards: Sequence[Guard]) -> bool:
    """Whether nothing but the number of persons of each class matters, on an engine."""
    counted = source.engine is not None and schema.person is not None and not schema.links
    return counted and all(guard.by_size for guard in guards)


def _people(source: Source, schema: Schema, guards: Sequence[Guard]) -> np.ndarray | None:
    """The number of persons of each class, classes in the order of values; None if cells say who they are about."""
    if not _only_people(source, schema, guards):
        return None
    from fairveil.engines.person_cells import people_of_cells

    assert source.engine is not None and schema.person is not None
    return people_of_cells(source.engine, tuple(schema.quasi), schema.person)


@dataclass(frozen=True)
class _Grouped:
    """The data to check: rows, or cells with their row counts, and their classes."""

    table: Table
    counts: np.ndarray | None
    classes: Classes
    cell_of_row: np.ndarray


def checked_columns(schema: Schema, guards: Sequence[Guard], names: Sequence[str]) -> list[str]:
    """The columns, of those with these names, that a check of these guards reads."""
    decision = [] if schema.decision is None else [schema.decision]
    optional = [name for name in (*schema.protected, *decision) if name in names]
    return list(dict.fromkeys([*_needed(schema, guards), *optional]))


def _needed(schema: Schema, guards: Sequence[Guard]) -> list[str]:
    return list(dict.fromkeys([*schema.quasi, *schema.sensitive, *guarded_columns(guards, schema)]))


def _refuse_roles(source: Source, schema: Schema, guards: Sequence[Guard]) -> None:
    problems = [suggest(name, source.names, "column") for name in _needed(schema, guards) if name not in source.names]
    if not schema.quasi:
        problems.append("no column is quasi: name those that can be linked to other data")
    problems += [problem for guard in guards for problem in guard.check_schema(schema)]
    refuse(problems)


def _refuse_data(source: Source, schema: Schema, guards: Sequence[Guard], bounded: bool) -> None:
    if source.engine is not None:
        names, without = checked_columns(schema, guards, source.names), _only_people(source, schema, guards)
        together = [name for name in names if not (without and name == schema.person)]
        source.engine.count_together(together, schema.person)
    problems = schema.denied_problems(source)
    if bounded:
        problems += [problem for guard in guards for problem in guard.check_rows(source.rows)]
    refuse(problems + person_problems(source, schema))


def _verdict(grouped: _Grouped, schema: Schema, guard: Guard, details: int) -> CheckedVerdict:
    classes = grouped.classes
    verdict = guard.verdict(classes, schema)
    answers = dict(vars(verdict))
    if details and (guard.per_record or not verdict):  # a limit may allow some records; they are still named
        answers["details"] = guard.details(classes, schema, details) or _reasons(grouped, schema, guard, details)
    if grouped.counts is None and (guard.per_class or guard.per_record):
        answers["records"] = np.flatnonzero(guard.breaking(classes, schema)[grouped.cell_of_row])
    if verdict.worst_class is None:
        return CheckedVerdict(**answers)
    members = np.flatnonzero(classes.ids[grouped.cell_of_row] == verdict.worst_class)
    columns = {name: grouped.table.column(name) for name in schema.quasi}
    return CheckedVerdict(
        **answers,
        values={name: column.domain[int(column.codes[members[0]])] for name, column in columns.items()},
        size=int(classes.rows[verdict.worst_class]),
        people=None if schema.person is None else int(classes.people(schema.person)[verdict.worst_class]),
        sensitive={name: _counts(grouped, name, members) for name in guard.columns(schema)},
    )


def _reasons(grouped: _Grouped, schema: Schema, guard: Guard, max_reasons: int) -> list[dict[str, Any]]:
    """Why single records break a guard: for the first ones, or for distinct ones if rows have no numbers."""
    breaking = guard.breaking(grouped.classes, schema) if guard.per_record else np.zeros(0, dtype=bool)
    if grouped.counts is not None:
        cells = np.flatnonzero(breaking)[:max_reasons]
        rows = [{"rows": int(count)} for count in grouped.classes.counts[cells]]
    else:
        records = (
            np.flatnonzero(breaking[grouped.cell_of_row])[:max_reasons] if breaking.any() else np.zeros(0, np.int64)
        )
        cells, rows = grouped.cell_of_row[records], [{"record": int(record)} for record in records]
    reasons = guard.reasons(grouped.classes, schema, cells)
    return [{**where, **reason} for where, reason in zip(rows, reasons, strict=True)]


def _counts(grouped: _Grouped, name: str, members: np.ndarray) -> dict[Any, int]:
    """How often each value occurs among these rows, the most frequent first."""
    column = grouped.table.column(name)
    weights = None if grouped.counts is None else grouped.counts[members]
    rows = np.bincount(column.codes[members], weights=weights, minlength=len(column.values))
    order = np.argsort(-rows, kind="stable")
    return {column.domain[int(code)]: int(rows[code]) for code in order if rows[code]}
