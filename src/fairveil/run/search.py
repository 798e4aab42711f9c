"""search: from data, roles and guards to the frontier of releases that keep them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairveil.data.dialect import Missing
from fairveil.data.schema import Schema
from fairveil.engines import Order
from fairveil.frontier.frontier import Frontier
from fairveil.guards import Guard
from fairveil.methods.incognito import Incognito
from fairveil.methods.method import Method
from fairveil.progress import Progress, Report
from fairveil.run.explore import explore


def search(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard] | Guard,
    method: Method | None = None,
    measures: Sequence[str] = (),
    missing: Missing = "category",
    order: Order = "sorted",
    seed: int = 0,
    progress: Progress | Report | bool | None = None,
) -> Frontier:
    """Return all candidates that one `method` finds (Incognito by default).

    `table` is a Table, any data frame, a lazy frame of an engine, a path or a source; it is not changed. `measures` are
    computed at once; any other is computed when first asked for. `order="keep"` publishes the rows in the order of the
    source instead of by their values. The candidates' records are added to `progress.found` before the measures that
    need more than a summary are computed.
    """
    return explore(
        table, schema, guards=guards, methods=[method or Incognito()], measures=measures, most=None,
        missing=missing, order=order, seed=seed, progress=progress,
    )  # fmt: skip
