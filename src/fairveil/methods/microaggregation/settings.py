"""Settings that MDAV and Fair-MDAV share, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from fairveil.counting.summary import Summary
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.methods.base import Method, Proposal
from fairveil.methods.full_domain import survivors
from fairveil.methods.microaggregation.aggregate import Publish, described, how_to_publish, information_loss
from fairveil.methods.microaggregation.clusters import Clusters, block_size
from fairveil.methods.task import Task
from fairveil.recipes.base import classes_of
from fairveil.recipes.groups import Microaggregated
from fairveil.recipes.space import Distance, Space
from fairveil.release.release import passing_classes


@dataclass(frozen=True)
class Microaggregation(Method):
    """`distance` euclidean (one-hot), manhattan or gower; `publish` mean, median or interval, or one by column.

    `integers` keeps whole numbers whole, `blocks` is "auto" (exact up to a hundred thousand rows), None (exact) or
    the rows of a block.
    """

    distance: Distance = "euclidean"
    publish: Publish | Mapping[str, Publish] = "mean"
    integers: bool = False
    blocks: int | str | None = "auto"

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Method:
        return super().from_dict({name: tuple(v) if isinstance(v, list) else v for name, v in spec.items()})

    def block(self, rows: int) -> int | None:
        return block_size(self.blocks, rows)

    def space(self, table: Table, names: Sequence[str], weights: Mapping[str, float] | None = None) -> Space:
        if not names:
            raise BadInput(f"{self.kind}: no column is left to measure distances by")
        return Space.of(table, names, self.distance, weights)

    def kinds(self, table: Table, names: Sequence[str]) -> dict[str, str]:
        if not isinstance(self.publish, str):
            table.need(self.publish)
        return {name: how_to_publish(table.column(name), self.publish) for name in names}

    def facts(self, table: Table, space: Space, clusters: Clusters, kinds: Mapping[str, str]) -> dict[str, Any]:
        """What every microaggregated release tells: groups, information loss (Eq. 3), SSE/SST, values published."""
        plain = Space.of(table, space.names, "euclidean")
        lost = information_loss(plain.place(table), clusters)
        return {
            "method": self.kind,
            "groups": clusters.count,
            "smallest_group": int(clusters.sizes.min(initial=table.rows)),
            "largest_group": int(clusters.sizes.max(initial=0)),
            "left_over": int((clusters.of_row < 0).sum()),
            **{name: float(f"{value:.12g}") for name, value in lost.items()},
            "published_values": dict(kinds),
        }

    def propose(self, task: Task, made: Sequence[Microaggregated], notes: Sequence[str] = ()) -> Proposal:
        """The candidates as a proposal; they have been found to keep the guards."""
        values = described(made[0].kinds) or "values are published as they are"

        def summary(full: bool) -> Summary:
            each = [_summary(task, recipe) for recipe in made]
            return Summary(**{f.name: np.concatenate([getattr(s, f.name) for s in each]) for f in fields(Summary)})

        return Proposal(self, list(made), summary, exhaustive=False, notes=(values, *notes))


def broken(task: Task, made: Microaggregated) -> str | None:
    """Why a recipe does not keep the guards, or None where it does."""
    classes, _ = classes_of(made.apply(task.table).table, task.schema)
    if survivors(task, classes) is not None:
        return None
    verdicts = [guard.verdict(classes, task.schema) for guard in task.guards]
    return "; ".join(f"{v.guard.kind}: {v.sentence}" for v in verdicts if not v) or "the guards fail after suppression"


def _summary(task: Task, made: Microaggregated) -> Summary:
    """What is published of one recipe, classes that break a guard left out."""
    outcome = made.apply(task.table)
    classes, class_of_row = classes_of(outcome.table, task.schema)
    kept = survivors(task, classes)
    if kept is None or len(kept) == len(classes):
        return outcome.summary(task.schema)
    passing = passing_classes(classes, task.schema, task.guards)
    return outcome.take(np.flatnonzero(passing[class_of_row])).summary(task.schema)


def several(value: Any) -> tuple[Any, ...]:
    """One setting or several of it."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)
