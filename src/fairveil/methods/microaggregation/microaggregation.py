"""The settings that MDAV and Fair-MDAV share, and what both do with clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fairveil.counting.rounding import coarse_share
from fairveil.data.numeric import Meaning, codes_in
from fairveil.errors import BadInput
from fairveil.methods.method import Method, Proposal, propose
from fairveil.methods.microaggregation.aggregate import (
    Categories,
    Publish,
    aggregate,
    distinct,
    how_to_publish,
    information_loss,
)
from fairveil.methods.microaggregation.clusters import BLOCK, EXACT_UP_TO, Clusters
from fairveil.recipes.microaggregated import Microaggregated
from fairveil.recipes.record_space import Distance, RecordSpace
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.methods.task import Task
    from fairveil.recipes.change import Change


@dataclass(frozen=True)
class Microaggregation(Method):
    """`distance` euclidean (one-hot), manhattan or gower; `publish` mean, median or interval, or one by column.

    `integers` rounds means of integers, `blocks` is "auto" (exact up to a hundred thousand rows), None (exact) or
    the rows of a block.
    """

    false_values: ClassVar[str] = "averages"
    needs_rows: ClassVar[bool] = True
    blockwise: ClassVar[bool] = True

    distance: Distance = setting("euclidean", "how the distance of two records is measured")
    publish: Publish | Mapping[str, Publish] = setting(
        "mean", "what is published for a group: its mean, its median or its range"
    )
    categories: Categories = setting(
        "mode",
        "what is published for the categories of a group: the most frequent one, or only one that more than half have",
    )
    integers: bool = setting(False, "round means of integers")
    blocks: int | Literal["auto"] | None = setting(
        "auto", "maximum number of records in a block; blocks are grouped one by one", min=2
    )

    def block(self, rows: int) -> int | None:
        """Return the maximum number of rows in a block; None to group all rows at once."""
        if self.blocks == "auto":
            return None if rows <= EXACT_UP_TO else BLOCK
        return self.blocks

    def codes(self, task: Task) -> dict[str, str]:
        """Return the quasi columns whose integers are codes, with the reason, except those that `publish` names."""
        named = () if isinstance(self.publish, str) else self.publish
        domains = {name: task.source.domain(name) for name in task.schema.quasi if name not in named}
        return codes_in(domains, task.rows, task.schema.whole_numbers)

    def meanings(self, task: Task) -> dict[str, Meaning]:
        codes = self.codes(task)
        return {name: "code" if name in codes else "quantity" for name in task.schema.quasi}

    def space(self, task: Task, names: Sequence[str], standardize: bool = True) -> RecordSpace:
        if not names:
            raise BadInput(f"{self.kind}: there is no column to measure distances by")
        return RecordSpace.of(task.table, names, self.distance, task.schema.weights, standardize, self.codes(task))

    def kinds(self, task: Task, names: Sequence[str]) -> dict[str, str]:
        if not isinstance(self.publish, str):
            task.table.need(self.publish)
        codes = self.codes(task)
        return {
            name: how_to_publish(task.table.column(name), self.publish, name in codes, self.categories)
            for name in names
        }

    def learnt(
        self,
        task: Task,
        space: RecordSpace,
        clusters: Clusters,
        kinds: Mapping[str, str],
        facts: Mapping[str, Any],
        correction: Mapping[str, Any] | None = None,
        corrected: Mapping[str, np.ndarray] | None = None,
    ) -> Change:
        """Return the change that puts rows into clusters, with a recipe that aggregates the columns in `kinds`.

        Beside the given `facts` it has groups, information loss (Eq. 3), SSE/SST and published values.
        """
        columns = {name: task.table.column(name) for name in kinds}
        aggregates = {name: aggregate(columns[name], clusters, kind, self.integers) for name, kind in kinds.items()}
        types = {name: str(column.values.type) for name, column in aggregates.items()}
        values, positions = distinct(aggregates, clusters.count)
        sizes = np.bincount(positions, weights=clusters.sizes, minlength=int(positions.max(initial=-1)) + 1).astype(
            np.int64
        )
        recipe = Microaggregated(task.schema, space, dict(kinds), types, values, correction)
        # suppressed records must not be disclosed
        clustered = task.table.take(np.flatnonzero(clusters.of_row >= 0)).compact()
        plain = RecordSpace.of(clustered, space.names, "euclidean", codes=space.named)
        lost = information_loss(plain.points(clustered), clusters.clustered)
        every_fact = {
            "method": self.kind,
            "groups": clusters.count,
            "smallest_group": int(clusters.sizes.min(initial=task.table.rows)),
            "largest_group": int(clusters.sizes.max(initial=0)),
            "left_over": len(clusters.left_over),
            **{name: coarse_share(value, clustered.rows) for name, value in lost.items()},  # of values not published
            "published_values": dict(kinds),
            **facts,
        }
        return task.change(recipe.with_published_space(sizes), clusters.of_row, positions, corrected, every_fact)

    def propose(self, task: Task, changes: Sequence[Change], notes: Sequence[str] = ()) -> Proposal:
        """Return the candidates, which keep the guards, as a proposal."""
        recipe = changes[0].recipe
        assert isinstance(recipe, Microaggregated)
        by_kind: dict[str, list[str]] = {}
        for name, kind in recipe.kinds.items():
            by_kind.setdefault(kind, []).append(name)
        values = "; ".join(f"{kind} of the group: {', '.join(names)}" for kind, names in by_kind.items())
        return propose(task, self, changes, notes=[values or "values are published as they are", *notes])

    def questions(self, task: Task) -> tuple[str, ...]:
        asked = {name: why for name, why in self.codes(task).items() if why}
        if not asked:
            return ()
        listed = ", ".join(f"{name!r} ({why})" for name, why in asked.items())
        return (
            f"are the integers of {listed} codes? They look like codes, so groups publish the most frequent one, not a "
            f'mean; set whole_numbers = {{"{next(iter(asked))}" = "code"}}, or "quantity", in the schema',
        )


def several(value: Any) -> tuple[Any, ...]:
    """Return one or several values of a setting as a tuple."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)
