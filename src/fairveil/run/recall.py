"""recall: one method of an earlier exploration again, with the same candidates, from memory where it can."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fairveil import measures as known_measures
from fairveil.data.schema import Schema
from fairveil.engines import Order, source_of
from fairveil.frontier.frontier import Frontier
from fairveil.guards import Guard
from fairveil.methods.method import Method
from fairveil.methods.task import Task
from fairveil.progress import Progress
from fairveil.run.cache import SearchCache
from fairveil.run.explore import compared


def recall(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard],
    methods: Sequence[Method],
    measures: Sequence[str],
    place: int,
    keep: str | Path,
    most: int | None = None,
    order: Order = "sorted",
    seed: int = 0,
    progress: Progress | None = None,
) -> Frontier:
    """What `explore` with the same settings found by the method at a place (from 1).

    A method that was not finished then, or cannot be kept, is searched again.
    """
    bind = not all(method.declares_domains for method in methods)
    whole = all(method.whole_domains for method in methods)
    task = Task.of(source_of(table), schema, guards, seed, progress, bind=bind, whole_domains=whole)
    memory = SearchCache(Path(keep), task, alone=len(methods) == 1)
    resolved = [known_measures.get(name) for name in measures]
    return compared(task, methods, resolved, most=most, memory=memory, order=order, only=place)
