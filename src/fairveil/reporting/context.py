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
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.attacks import tried
from fairveil.counting.cells import Classes
from fairveil.engines.relation import Source, in_value_order
from fairveil.guards.guard import by_unit
from fairveil.published.folder import guard_of
from fairveil.published.published import Published
from fairveil.shapes import anything, cell, each, either, flag, integer, many, number, optional, record, text

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.guards import Guard
    from fairveil.recipes.recipe import Recipe

EXAMPLES = 4  # published values shown per column
_COUNT = integer(0, (1 << 63) - 1)
_FIGURE = optional(number())
_FINDING = record(
    {},
    {
        "attack": text, "column": optional(text), "level": text, "verdict": text, "sentence": text, "best": _FIGURE,
        "average": _FIGURE, "baseline": _FIGURE, "against": optional(text), "affected": optional(_COUNT),
        "records": optional(_COUNT), "details": each(anything),
    },
    more=True,
)  # fmt: skip
_CLAIM = record(
    {"kind": text, "holds": flag, "sentence": text},
    {"worst": _FIGURE, "limit": _FIGURE, "broken_classes": _COUNT, "broken_rows": _COUNT},
    more=True,
)
_SKETCH = record(
    {"candidates": _COUNT, "measures": each(many(number(), 1)), "chosen": _COUNT}, {"methods": many(text, 1)}
)
EVIDENCE = record(
    {"rows": each(_COUNT), "guards": many(_CLAIM)},
    {
        "format": integer(1, 1), "fairveil": text, "versions": each(text), "seed": _COUNT, "holds": flag,
        "measures": each(number()), "loss_per_column": each(_FIGURE), "types": each(either(text, each(text))),
        "attacks": many(_FINDING), "by_persons": many(_FINDING), "accepted": many(text), "weaknesses": each(text),
        "notes": many(text), "about": each(text), "levels": each(many(_COUNT, 2)), "risk_before": each(number()),
        "files": each(text), "seal": text, "facts": each(anything), "claims": each(anything), "alternatives": _SKETCH,
        "utility": optional(record({}, {"guess": cell}, more=True)),
    },
    more=True,
)  # fmt: skip
"""The shape of evidence.json that a report can be made from. Unknown keys are allowed."""


def readable(evidence: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the evidence; raises BadInput that names the entry from which no report can be made."""
    checked: Mapping[str, Any] = EVIDENCE(evidence, "evidence")
    return checked


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
        top = (self.loss or 0.0) > 1 - 1e-9 if self.level is None else 0 < self.level == self.height
        return top or not self.published

    @property
    def changed(self) -> bool:
        return bool(self.level) if self.level is not None else bool(self.loss)


@dataclass(frozen=True)
class OwnerView:
    """What only the owner of the data may see: the source, and notes that are not published."""

    source: Source
    notes: tuple[str, ...] = ()
    classes: Classes | None = None  # as they were judged: by persons, also where their column is not published


@dataclass(frozen=True)
class GroupSizes:
    """The equivalence classes of a table: how many of a `unit`, records or persons, and how many records each has."""

    sizes: np.ndarray
    records: np.ndarray
    unit: str = "record"


@dataclass(frozen=True)
class ReportContext:
    """What is published, the evidence as it is in its file, and what is wrong with the folder, if anything."""

    published: Published
    evidence: Mapping[str, Any]
    problems: tuple[str, ...] = ()
    inside: OwnerView | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence", json.loads(json.dumps(self.evidence, default=str)))

    @property
    def internal(self) -> bool:
        return self.inside is not None

    @property
    def recipe(self) -> Recipe:
        return self.published.recipe

    @property
    def schema(self) -> Schema:
        return self.recipe.schema

    def by_unit(self, sentence: str) -> str:
        """A sentence about records, or about persons if those are counted."""
        return by_unit(sentence, "records" if self.schema.person is None else "persons")

    @property
    def rows(self) -> Mapping[str, int]:
        return {"source": 0, "dropped_for_missing_values": 0, "suppressed": 0, "published": 0, **self.evidence["rows"]}

    @cached_property
    def guards(self) -> list[tuple[Guard, Mapping[str, Any]]]:
        """The guards with what the evidence says of each."""
        return [(guard_of(claim), claim) for claim in self.evidence.get("guards", [])]

    @property
    def findings(self) -> list[Mapping[str, Any]]:
        """What attacks on the release found."""
        return [finding for finding in tried(self.evidence) if isinstance(finding, Mapping)]

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
        table = next((table for table in self.published.content.values() if name in table.names), None)
        values, distinct = ([], 0) if table is None else table.frequent(name, EXAMPLES)
        examples = () if name in self.schema.pseudonyms else tuple(values)
        return ReportedColumn(name, self.schema.roles(name), level, height, loss, distinct, examples)

    @cached_property
    def hidden_share(self) -> float:
        """The share of the quasi values of all records of which nothing is left; suppressed records count."""
        rows, quasi = self.rows["published"] + self.rows["suppressed"], self.schema.quasi
        gone = 0.0
        for column in (column for column in self.columns if column.name in quasi):
            shown = 0 if column.hidden else self.rows["published"]
            for table in self.published.content.values() if shown else ():
                losses = self.recipe.listed_losses(table.domain(column.name)) if column.name in table.names else None
                if losses is not None:
                    shown = int((in_value_order(table.count([column.name])).counts * (losses < 1 - 1e-9)).sum())
            gone += rows - shown
        return gone / max(rows * len(quasi), 1)

    @cached_property
    def class_sizes(self) -> dict[str, GroupSizes]:
        """The equivalence classes of each published table that has any."""
        judged = None if self.inside is None else self.inside.classes
        classes, tables = judged or self.published.classes, self.published.content
        if classes is not None:
            person = self.published.visible.person if judged is None else self.schema.person
            sizes = GroupSizes(classes.people(person), classes.rows, "record" if person is None else "person")
            return dict.fromkeys(tables, sizes) if len(classes) else {}
        quasi = {stem: [name for name in self.schema.quasi if name in table.names] for stem, table in tables.items()}
        counts = {stem: table.count(quasi[stem]).counts for stem, table in tables.items() if quasi[stem]}
        return {stem: GroupSizes(rows, rows) for stem, rows in counts.items() if len(rows)}

    @cached_property
    def same_answer(self) -> dict[str, int]:
        """Per sensitive column and decision: published rows in classes where all have the same value."""
        classes = self.published.classes
        records = {}
        for name in dict.fromkeys([*self.schema.sensitive, self.schema.decision or ""]):
            if classes is not None and name in classes.codes:
                of_class = self.published.sensitive if name in self.schema.sensitive else classes.histogram
                histogram = of_class(name)
                values = np.bincount(histogram.ids, minlength=len(histogram.rows))
                records[name] = int(histogram.rows[values == 1].sum())
        return records

    @cached_property
    def right_by_group(self) -> tuple[float, float] | None:
        """The share of published rows with the most frequent decision of their class, and with that of the table."""
        classes, decision = self.published.classes, self.schema.decision
        if classes is None or decision is None or decision not in classes.codes or not len(classes):
            return None
        histogram = classes.histogram(decision)
        top = np.zeros(len(classes))
        np.maximum.at(top, histogram.ids, histogram.counts)
        return float(top.sum() / histogram.rows.sum()), float(histogram.overall().max())
