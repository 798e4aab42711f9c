"""search: from data, roles and guards to the frontier of releases that keep them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairveil import measures as known_measures
from fairveil.data.schema import Schema
from fairveil.data.table import Missing
from fairveil.engines import Order, source_of
from fairveil.frontier.frontier import Frontier
from fairveil.frontier.search_result import SearchResult
from fairveil.guards import Guard
from fairveil.methods.blocks.row_search import searched
from fairveil.methods.incognito import Incognito
from fairveil.methods.method import Method
from fairveil.methods.task import Task
from fairveil.progress import Progress, Report


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
    """All candidates that one `method` finds (Incognito unless given). `table` is a Table, any data frame, a lazy frame
    of an engine, a path or a source; it is not changed.

    `measures` are computed at once; any other is computed when first asked for. `order="keep"` publishes the rows
    in the order of the source instead of by their values. If a `progress` is given, the candidates' records are added
    to its `found` before the measures that need more than a summary.
    """
    cheap = [name for name in measures if known_measures.get(name).cost == "summary"]
    progress = Progress.visible(progress)
    promised = [guards] if isinstance(guards, Guard) else guards

    def work() -> Frontier:
        chosen = method or Incognito()
        chosen.need_packages()
        source = source_of(table, missing=missing, rows=chosen.needs_rows, progress=progress)
        task = Task.of(
            source, schema, promised, seed, progress, bind=not chosen.declares_domains,
            whole_domains=chosen.whole_domains,
        )  # fmt: skip
        frontier = Frontier.of(SearchResult.of(task, searched(chosen, task, order), order))
        if progress.watched:
            progress.add(frontier.records(cheap))
        for name in measures:
            frontier.values(name)
        return frontier

    return progress.run(work)
