"""search: from a table, roles and guards to the frontier of releases that keep them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairveil import measures as known_measures
from fairveil.data.schema import Schema
from fairveil.data.table import Missing, Table
from fairveil.frontier.candidates import Frontier
from fairveil.guards import Guard
from fairveil.methods.base import Method
from fairveil.methods.incognito import Incognito
from fairveil.methods.task import Task
from fairveil.progress import Report
from fairveil.release.release import Order


def search(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard],
    method: Method | None = None,
    measures: Sequence[str] = (),
    missing: Missing = "category",
    order: Order = "sorted",
    seed: int = 0,
    progress: Report | None = None,
) -> Frontier:
    """All candidates that one method finds. `table` is a Table or any data frame; it is not changed.

    `measures` are computed at once; any other is computed when first asked for. `order="keep"` publishes the rows
    in the order of the source instead of by their values.
    """
    for name in measures:
        known_measures.get(name)
    task = Task.of(Table.from_frame(table, missing=missing), schema, guards, seed, progress)
    found = Frontier(task, (method or Incognito()).search(task), order=order)
    for name in measures:
        found.values(name)
    return found
