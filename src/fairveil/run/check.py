"""check: does a table, as it is, keep these promises? And if not, who breaks them?

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> [finding] = check(credit.table, credit.schema, [fv.KAnonymity(2)])
>>> finding.holds, finding.worst
(False, 1.0)

Nothing is changed and no hierarchy is climbed. Columns without a role are not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.data.schema import Schema
from fairveil.data.table import Missing, Table
from fairveil.engines.counted import Counted
from fairveil.errors import refuse, suggest
from fairveil.guards import ClassGuard, Guard, KAnonymity, Verdict
from fairveil.recipes.base import classes_of


@dataclass(frozen=True)
class Finding(Verdict):
    """A verdict with the worst class and the records that break the guard.

    `values` are the quasi values that the records of the worst class share, `size` is their number, `sensitive`
    counts what the guard looks at among them; `records` are row numbers, from 0, of all that break the guard (none
    for guards that no record breaks by itself). `details` are the worst reasons of guards that have reasons, such as
    discriminatory rules.
    """

    values: dict[str, Any] = field(default_factory=dict)
    size: int = 0
    sensitive: dict[str, dict[Any, int]] = field(default_factory=dict)
    details: list[dict[str, Any]] = field(default_factory=list)
    records: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64), repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        worst = {"rows": self.size, "values": self.values}
        if self.sensitive:
            worst["sensitive"] = {
                name: [{"value": value, "rows": rows} for value, rows in counts.items()]
                for name, counts in self.sensitive.items()
            }
        said = {**super().to_dict(), "worst_class": worst if self.size else None}
        return {**said, "details": self.details} if self.details else said


def check(
    table: Any, schema: Schema, guards: Sequence[Guard], *, missing: Missing = "category", details: int = 10
) -> list[Finding]:
    """The finding of each guard, in order, with at most so many details. The table or frame is not changed.

    `table` may also be `Counted`, such as one read from a file that is larger than memory; no records are named then.
    """
    counted = table if isinstance(table, Counted) else None
    table = Table.from_frame(table, missing=missing) if counted is None else counted.table
    _refuse_request(table, schema, guards, table.rows if counted is None else counted.rows)
    if counted is None and not any(isinstance(guard, ClassGuard) for guard in guards):
        counted = Counted.of(
            table, looked_at(schema, guards, table.names)
        )  # nobody asks for records, so that none need to be held
        table = counted.table
    counts = None if counted is None else counted.counts
    classes, class_of_row = classes_of(table, schema, counts)
    return [_finding(table, schema, guard, classes, class_of_row, counts, details) for guard in guards]


def looked_at(schema: Schema, guards: Sequence[Guard], names: Sequence[str]) -> list[str]:
    """The columns of a table with these names that a check of these guards looks at."""
    decision = [] if schema.decision is None else [schema.decision]
    others = [name for name in (*schema.protected, *decision) if name in names]
    return list(dict.fromkeys([*_needed(schema, guards), *others]))


def _needed(schema: Schema, guards: Sequence[Guard]) -> list[str]:
    named = [*schema.quasi, *schema.sensitive, *(name for guard in guards for name in guard.columns(schema))]
    return list(dict.fromkeys(named))


def _refuse_request(table: Table, schema: Schema, guards: Sequence[Guard], rows: int) -> None:
    problems = [suggest(name, table.names, "column") for name in _needed(schema, guards) if name not in table]
    if not schema.quasi:
        problems.append("no column is quasi: name those that can be linked to other data")
    if not guards:
        problems.append("nothing to check: name at least one guard")
    problems += [problem for guard in guards for problem in guard.check_schema(schema)]
    problems += schema.denied_problems(table)
    problems += [
        f"k={guard.k} is more than the {rows} rows of the table"
        for guard in guards
        if isinstance(guard, KAnonymity) and guard.k > rows
    ]
    refuse(problems)


def _finding(
    table: Table,
    schema: Schema,
    guard: Guard,
    classes: Classes,
    class_of_row: np.ndarray,
    counts: np.ndarray | None,
    details: int,
) -> Finding:
    verdict = guard.verdict(classes, schema)
    said = dict(vars(verdict))
    if details and not verdict:
        said["details"] = guard.details(classes, schema, details)
    if counts is None and isinstance(guard, ClassGuard):
        said["records"] = np.flatnonzero(~guard.passing(classes, schema)[class_of_row])
    if verdict.worst_class is None:
        return Finding(**said)
    members = np.flatnonzero(class_of_row == verdict.worst_class)
    first = table.take(members[:1])
    return Finding(
        **said,
        values={name: _value(first, name) for name in schema.quasi},
        size=int(classes.rows[verdict.worst_class]),
        sensitive={name: _counts(table, name, members, counts) for name in guard.columns(schema)},
    )


def _value(row: Table, name: str) -> Any:
    column = row.column(name)
    return column.domain[int(column.codes[0])]


def _counts(table: Table, name: str, members: np.ndarray, counts: np.ndarray | None) -> dict[Any, int]:
    """How often each value occurs among these rows, the most frequent first."""
    column = table.column(name)
    weights = None if counts is None else counts[members]
    rows = np.bincount(column.codes[members], weights=weights, minlength=len(column.values))
    order = np.argsort(-rows, kind="stable")
    return {column.domain[int(code)]: int(rows[code]) for code in order if rows[code]}
