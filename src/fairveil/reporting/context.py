"""ReportContext: what the sections of a report may look at.

The published report is made from what is published: the evidence, the recipe and the data as they are in the release
folder, nothing else. So it cannot say anything about the source that the folder does not say. Rebuilt from the folder,
it is identical byte for byte. Only the internal report sees the source.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.guards import Guard
from fairveil.published.folder import guard_of
from fairveil.published.published import Published
from fairveil.published.published_table import PublishedTable
from fairveil.recipes.recipe import Recipe

EXAMPLES = 4
"""Published values shown per column."""


@dataclass(frozen=True)
class ReportedColumn:
    """One column of the source and what became of it. `examples` are published values, the most frequent first."""

    name: str
    roles: tuple[str, ...]
    level: int | None = None
    height: int | None = None
    loss: float | None = None
    distinct: int = 0
    examples: tuple[Any, ...] = ()

    @property
    def published(self) -> bool:
        return self.distinct > 0

    @property
    def hidden(self) -> bool:
        """Whether nothing is left of it: left out, or one value for all."""
        if self.level is None:
            return not self.published or (self.loss or 0.0) > 1 - 1e-9
        return not self.published or 0 < self.level == self.height

    @property
    def changed(self) -> bool:
        return bool(self.level) if self.level is not None else bool(self.loss)


@dataclass(frozen=True)
class OwnerView:
    """What only the owner of the data may see: all rows of the source, and notes that are not published."""

    original: Table
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReportContext:
    """What is published, the evidence as it is in its file, and what is wrong with the folder, if anything."""

    published: Published
    evidence: Mapping[str, Any]
    problems: tuple[str, ...] = ()
    inside: OwnerView | None = None

    @classmethod
    def of(
        cls,
        published: Published,
        evidence: Mapping[str, Any],
        problems: tuple[str, ...] = (),
        inside: OwnerView | None = None,
    ) -> ReportContext:
        as_written = json.loads(json.dumps(evidence, default=str))
        return cls(published, as_written, problems, inside)

    @property
    def internal(self) -> bool:
        return self.inside is not None

    @property
    def tables(self) -> Mapping[str, PublishedTable]:
        """The published tables by file name without ending: one, several projections, or none."""
        return self.published.content

    @property
    def recipe(self) -> Recipe:
        return self.published.recipe

    @property
    def schema(self) -> Schema:
        return self.recipe.schema

    @property
    def rows(self) -> Mapping[str, int]:
        return {"source": 0, "dropped_for_missing_values": 0, "suppressed": 0, "published": 0, **self.evidence["rows"]}

    @cached_property
    def guards(self) -> list[tuple[Guard, Mapping[str, Any]]]:
        """The guards with what the evidence says of each."""
        return [(guard_of(claim), claim) for claim in self.evidence.get("guards", [])]

    @property
    def about(self) -> Mapping[str, str]:
        """Title, data set, publisher and date, as far as the owner gave them."""
        return dict(self.evidence.get("about", {}))

    @property
    def measures(self) -> Mapping[str, float]:
        return dict(self.evidence.get("measures", {}))

    @property
    def before(self) -> Mapping[str, float]:
        """Risk of the source, rounded; empty where it is not known."""
        return dict(self.evidence.get("risk_before", {}))

    @property
    def utility(self) -> Mapping[str, Any]:
        """The results of models and statistics on the release; empty if they were not tried or are not published."""
        utility = self.evidence.get("utility")
        return utility if isinstance(utility, Mapping) and utility.get("models") else {}

    @cached_property
    def columns(self) -> list[ReportedColumn]:
        return [self._column(name) for name in self.schema.columns]

    def _column(self, name: str) -> ReportedColumn:
        level, height = self.evidence.get("levels", {}).get(name, (None, None))
        loss = self.evidence.get("loss_per_column", {}).get(name)
        table = next((table for table in self.tables.values() if name in table.names), None)
        values, distinct = ([], 0) if table is None else table.frequent(name, EXAMPLES)
        shown = () if name in self.schema.pseudonyms else tuple(values)
        return ReportedColumn(name, self.schema.roles(name), level, height, loss, distinct, shown)

    @cached_property
    def class_sizes(self) -> dict[str, np.ndarray]:
        """Rows of each equivalence class, per published table."""
        if self.classes is not None:
            return dict.fromkeys(self.tables, self.classes.rows)
        quasi = {stem: [n for n in self.schema.quasi if n in table.names] for stem, table in self.tables.items()}
        return {stem: table.count(quasi[stem]).counts for stem, table in self.tables.items() if quasi[stem]}

    @property
    def classes(self) -> Classes | None:
        """The equivalence classes of the published table, where the columns are not split into projections."""
        return self.published.classes

    @cached_property
    def same_answer(self) -> dict[str, int]:
        """Per sensitive column and decision: published rows in classes where all have the same value."""
        classes = self.classes
        if classes is None:
            return {}
        decision = [self.schema.decision] if self.schema.decision else []
        records = {}
        for name in dict.fromkeys([*self.schema.sensitive, *decision]):
            if name in classes.codes:
                kinds = np.bincount(classes.histogram(name).ids, minlength=len(classes))
                records[name] = int(classes.rows[kinds == 1].sum())
        return records

    @cached_property
    def right_by_group(self) -> tuple[float, float] | None:
        """The share of published rows with the most frequent decision of their class, and with that of the table."""
        classes, decision = self.classes, self.schema.decision
        if classes is None or decision is None or decision not in classes.codes or not len(classes):
            return None
        histogram = classes.histogram(decision)
        top = np.zeros(len(classes))
        np.maximum.at(top, histogram.ids, histogram.counts)
        return float(top.sum() / histogram.rows.sum()), float(histogram.overall().max())
