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

from fairveil.cells import Classes
from fairveil.errors import refuse, suggest
from fairveil.guards import ClassGuard, Guard, KAnonymity, Verdict
from fairveil.recipe import classes_of
from fairveil.schema import Schema
from fairveil.table import Missing, Table


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
    """The finding of each guard, in order, with at most so many details. The table or frame is not changed."""
    table = Table.from_frame(table, missing=missing)
    _refuse_request(table, schema, guards)
    classes, class_of_row = classes_of(table, schema)
    return [_finding(table, schema, guard, classes, class_of_row, details) for guard in guards]


def _refuse_request(table: Table, schema: Schema, guards: Sequence[Guard]) -> None:
    named = [*schema.quasi, *schema.sensitive, *(name for guard in guards for name in guard.columns(schema))]
    problems = [suggest(name, table.names, "column") for name in dict.fromkeys(named) if name not in table]
    if not schema.quasi:
        problems.append("no column is quasi: name those that can be linked to other data")
    if not guards:
        problems.append("nothing to check: name at least one guard")
    problems += [problem for guard in guards for problem in guard.check_schema(schema)]
    problems += schema.denied_problems(table)
    problems += [
        f"k={guard.k} is more than the {table.rows} rows of the table"
        for guard in guards
        if isinstance(guard, KAnonymity) and guard.k > table.rows
    ]
    refuse(problems)


def _finding(
    table: Table, schema: Schema, guard: Guard, classes: Classes, class_of_row: np.ndarray, details: int
) -> Finding:
    verdict = guard.verdict(classes, schema)
    said = dict(vars(verdict))
    if details and not verdict:
        said["details"] = guard.details(classes, schema, details)
    if isinstance(guard, ClassGuard):
        said["records"] = np.flatnonzero(~guard.passing(classes, schema)[class_of_row])
    if verdict.worst_class is None:
        return Finding(**said)
    members = np.flatnonzero(class_of_row == verdict.worst_class)
    first = table.take(members[:1])
    return Finding(
        **said,
        values={name: _value(first, name) for name in schema.quasi},
        size=len(members),
        sensitive={name: _counts(table, name, members) for name in guard.columns(schema)},
    )


def _value(row: Table, name: str) -> Any:
    column = row.column(name)
    return column.domain[int(column.codes[0])]


def _counts(table: Table, name: str, members: np.ndarray) -> dict[Any, int]:
    """How often each value occurs among these rows, the most frequent first."""
    column = table.column(name)
    rows = np.bincount(column.codes[members], minlength=len(column.values))
    order = np.argsort(-rows, kind="stable")
    return {column.domain[int(code)]: int(rows[code]) for code in order if rows[code]}
