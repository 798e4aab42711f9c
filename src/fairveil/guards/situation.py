"""Situation testing (Luong et al. 2011; Hajian et al., section 7.2.2): discrimination that nothing lawful explains.

A denied person t is discriminated against when, among those nearest to t in the legally grounded columns LA, the share
denied in t's own protected group exceeds the share denied outside of it by more than a threshold: people who are alike
in everything that may lawfully matter are treated differently. The guard limits the share of such records.

The distance of two records is the number of LA columns in which their published values differ; those that are called
`numbers` or `ordered` differ by degrees (see `neighbours.py`). The neighbours of t are its k nearest, and all that are
exactly as near as the k-th, without t itself. If one side has nobody, t does not count as discriminated against.

What it leaves open: reasons outside LA, and whether a column is a lawful reason at all, which the law must say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fairveil.counting.cells import Classes, classes_of, group_of
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import BadInput, suggest
from fairveil.guards.guard import Guard, Verdict, need_columns, published_columns
from fairveil.guards.neighbours import ProfileColumn, denied_shares, numeric_places, ordered_places
from fairveil.guards.rules.alpha import denied_cells
from fairveil.measures.measure import Measure
from fairveil.messages import option
from fairveil.plural import counted, verb
from fairveil.settings import setting


@dataclass(frozen=True)
class SituationTesting(Guard):
    """At most the share `limit` of the records denied without a lawful explanation.

    `legal` are the legally grounded columns, `k` the neighbours on either side, `threshold` the difference between
    the two shares of denials above which a record counts. `numbers` and `ordered` are legal columns, too, whose values
    are more or less near.
    """

    kind: ClassVar[str] = "situation-testing"
    says: ClassVar[str] = "Hardly anybody is denied what similar people outside their protected group are granted."
    leaves_open: ClassVar[str] = "reasons outside the legally grounded columns; whether a reason is lawful"
    published: ClassVar[bool] = True
    per_record: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi", "protected", "decision")

    legal: tuple[str, ...] = field(
        default=(), metadata=setting("columns by which people may lawfully be treated differently")
    )
    k: int = field(default=8, metadata=setting("number of nearest neighbours in and outside the group", min=1))
    threshold: float = field(
        default=0.2,
        metadata=setting("difference in denials between the group and others that is discriminatory", min=0, max=1),
    )
    limit: float = field(
        default=0.0, metadata=setting("share of the records that may be discriminated against", min=0, max=1)
    )
    numbers: tuple[str, ...] = field(default=(), metadata=setting("legal columns whose values are compared as numbers"))
    ordered: tuple[str, ...] = field(
        default=(), metadata=setting("legal columns whose values are compared by their order")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        twice = [name for name in self.numbers if name in self.ordered]
        if twice:
            raise BadInput(
                f"situation-testing: {twice[0]!r} is in {option('numbers')} and in {option('ordered')}: say which of "
                "the two it is"
            )
        if not self.grounded:
            raise BadInput(
                f"situation-testing: {option('legal')} must name at least one column that may lawfully matter"
            )

    @property
    def grounded(self) -> tuple[str, ...]:
        """LA: every column that may lawfully matter, once."""
        return tuple(dict.fromkeys((*self.legal, *self.numbers, *self.ordered)))

    def promise(self) -> str:
        return (
            f"At most {100 * self.limit:g} % of the records are denied while people outside their protected group, "
            f"alike in {', '.join(self.grounded)}, are denied far less often."
        )

    def grounds(self, schema: Schema) -> tuple[str, ...]:
        return tuple(name for name in schema.protected if name not in schema.drop)

    def columns(self, schema: Schema) -> tuple[str, ...]:
        decision = [] if schema.decision is None else [schema.decision]
        return (*(n for n in (*self.grounded, *self.grounds(schema)) if n not in schema.quasi), *decision)

    def check_schema(self, schema: Schema) -> list[str]:
        problems = []
        if schema.decision is None or not schema.denied_values:
            problems.append(f"{self.kind} needs a decision column and its denied values")
        if not self.grounds(schema):
            problems.append(f"{self.kind} needs a protected column that is published")
        taken = {*schema.protected, schema.decision}
        allowed = [name for name in published_columns(schema) if name not in taken]
        problems += [
            f"{self.kind}: {suggest(name, allowed, 'published column that is not protected')} (in legal)"
            for name in self.grounded
            if name not in allowed
        ]
        return problems + [
            f"{self.kind}: the order of {name!r} was inferred from the data, and the release does not show it: give "
            "the column a hierarchy of your own"
            for name in self.ordered
            if (rule := schema.hierarchy(name)).learnt and rule.extra_leaves()
        ]

    def verdict(self, classes: Classes, schema: Schema) -> Verdict:
        cells = self.breaking(classes, schema)
        rows = int(classes.counts[cells].sum())
        share = rows / max(int(classes.rows.sum()), 1)
        broken = len(np.unique(classes.ids[cells]))
        sentence = (
            f"{counted(rows, 'record')} ({share:.2%}) {verb(rows, 'is', 'are')} denied although people alike in "
            f"{', '.join(self.grounded)} outside their protected group are denied more than {self.threshold:g} less "
            f"often (at most {self.limit:.2%})"
        )
        return Verdict(self, share <= self.limit + 1e-12, share, float(self.limit), broken, rows, None, sentence)

    def breaking(self, classes: Classes, schema: Schema) -> np.ndarray:
        inside, outside = self.shares(classes, schema)
        return denied_cells(classes, schema) & (inside - outside > self.threshold + 1e-12)

    def reasons(self, classes: Classes, schema: Schema, cells: np.ndarray) -> list[dict[str, Any]]:
        inside, outside = (shares[cells] for shares in self.shares(classes, schema))
        names = (*self.grounds(schema), *self.grounded)
        values = {name: classes.values(name) for name in names}
        reasons = []
        for cell, own, others in zip(cells.tolist(), inside.tolist(), outside.tolist(), strict=True):
            shown = {name: values[name][int(classes.codes[name][cell])] for name in names}
            person = ", ".join(f"{name}={'(missing)' if value is None else value}" for name, value in shown.items())
            sentence = f"{person}: of the nearest {own:.1%} are denied in the same group, {others:.1%} outside of it"
            reasons.append({"values": shown, "inside": own, "outside": others, "sentence": sentence})
        return reasons

    def shares(self, classes: Classes, schema: Schema) -> tuple[np.ndarray, np.ndarray]:
        """For each cell, if its people are denied: the shares denied among the nearest of their own protected group and
        among the nearest others."""
        need_columns(self, classes, (*self.grounds(schema), *self.grounded))
        grounds = [(classes.codes[name], classes.sizes[name]) for name in self.grounds(schema)]
        legal = [(classes.codes[name], classes.sizes[name]) for name in self.grounded]
        denied = denied_cells(classes, schema)
        group, groups = group_of(grounds, len(classes.ids))
        profile, profiles = group_of(legal, len(classes.ids))
        place = profile * groups + group
        counts = (classes.counts, np.where(denied, classes.counts, 0))
        rows, refused = (
            np.bincount(place, weights=each, minlength=profiles * groups).reshape(profiles, groups) for each in counts
        )
        first_cell = np.zeros(profiles, dtype=np.int64)
        first_cell[profile[::-1]] = np.arange(len(profile) - 1, -1, -1)
        lines = [
            ProfileColumn(classes.codes[name][first_cell], self._places(classes, name, schema))
            for name in self.grounded
        ]
        inside, outside = denied_shares(lines, rows, refused, self.k)
        return inside[profile, group], outside[profile, group]

    def _places(self, classes: Classes, name: str, schema: Schema) -> np.ndarray | None:
        """The positions of a column's values; only published values count."""
        if name not in (*self.numbers, *self.ordered):
            return None
        values, present = classes.values(name), np.unique(classes.codes[name])
        labels = [values[code] for code in present]
        places = np.full(classes.sizes[name], np.nan)
        own = schema.hierarchies.get(name)
        places[present] = numeric_places(labels) if name in self.numbers else ordered_places(labels, own)
        return places

    def measure(self) -> Measure:
        """The share of such records as a measure: `frontier.values(guard.measure())`."""
        return Measure(
            "unexplained", "fairness", "lower", (0, 1),
            f"share of records denied without an explanation in {', '.join(self.grounded)} (situation testing)",
            of_classes=self._share,
        )  # fmt: skip

    def _share(self, classes: Classes, schema: Schema) -> float:
        return self.verdict(classes, schema).worst


def unexplained(table: Any, schema: Schema, legal: Sequence[str] | str = (), **settings: Any) -> float:
    """The share of a table's records that are denied without an explanation in the legally grounded columns."""
    guard = SituationTesting(legal, **settings)  # type: ignore[arg-type]
    return guard.verdict(classes_of(Table.from_frame(table), schema)[0], schema).worst
