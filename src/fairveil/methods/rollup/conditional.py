"""Conditional dependencies: roll-up rules that hold among the records with one value of a column, not among all.

Caruccio et al. (sections 7 and 8) want to look at further kinds of dependencies. A conditional rule says where in the
data a correlation lives that generalization would lose; a release that keeps it must treat these records by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.guards import KAnonymity
from fairveil.methods.rollup.border import discover
from fairveil.methods.rollup.rule import Rule
from fairveil.methods.task import Task

if TYPE_CHECKING:
    from fairveil.data.schema import Schema


@dataclass(frozen=True)
class ConditionalRule:
    """Among the records whose `column` is `value`, so many `records`, the rule holds."""

    column: str
    value: Any
    rule: Rule
    records: int

    def __str__(self) -> str:
        return f"{self.column} = {self.value}: {self.rule} → decision ({self.records:,} records)"


def conditional_rules(
    table: Any,
    schema: Schema,
    *,
    k: int,
    exceptions: float = 0.0,
    min_share: float = 0.05,
    columns: Sequence[str] | None = None,
    time_limit: float = 10.0,
) -> list[ConditionalRule]:
    """Return the rules with classes of at least `k` and at most the share `exceptions` of exceptions (as in
    `discover`) that hold under a condition, most records first.

    Conditions are the values of quasi columns (those in `columns`) that at least `min_share` of the records have. A
    rule that follows from one that holds among all records is left out. `time_limit` is in seconds, per condition.
    """
    if not 0 < min_share <= 1:
        raise BadInput(f"min_share must be above 0 and at most 1, not {min_share}")
    whole = Task.of(Table.of(table, schema.read), schema, [KAnonymity(k)])
    whole.table.need(columns or ())
    everywhere = discover(whole, exceptions, k=k, time_limit=time_limit).nodes
    names, tops = whole.lattice.names, whole.lattice.tops
    found = []
    for name in columns or schema.quasi:
        column = whole.table.column(name)
        counts = np.bincount(column.codes, minlength=len(column.values))
        for code in np.flatnonzero(counts >= max(min_share * whole.table.rows, 2 * k)).tolist():
            part = whole.table.take(np.flatnonzero(column.codes == code)).compact()
            decisions = part.column(schema.decision or "").codes
            if len(np.unique(decisions)) < 2:  # nothing is left to depend on
                found.append(ConditionalRule(name, column.domain[code], Rule({}), part.rows))
                continue
            inside = Task.of(part, schema, [KAnonymity(k)])
            nodes = discover(inside, exceptions, k=k, time_limit=time_limit).nodes
            raised = np.where(nodes == inside.lattice.tops, tops, nodes)
            raised[:, names.index(name)] = tops[names.index(name)]  # it is the same for all of them
            new = [node for node in np.unique(raised, axis=0) if not (everywhere >= node).all(axis=1).any()]
            found += [
                ConditionalRule(name, column.domain[code], Rule.of_node(node, names, tops), part.rows) for node in new
            ]
    return sorted(found, key=lambda rule: (-rule.records, rule.column, str(rule.value), str(rule.rule)))
