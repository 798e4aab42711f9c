"""Situation testing (Luong et al. 2011; Hajian et al., section 7.2.2): discrimination that nothing lawful explains.

A denied person t is discriminated against when, among those nearest to t in the legally grounded columns LA, the share
denied in t's own protected group exceeds the share denied outside of it by more than a threshold: people who are alike
in everything that may lawfully matter are treated differently. The guard limits the share of such records.

The distance of two records is the number of LA columns in which their published values differ; those that are called
`numbers` or `ordered` differ by a degree from 0 to 1: the difference of numbers as a share of the range of all that
are published, the steps between two values in their order as a share of all steps. A generalized number counts as the
middle of its interval. Values that are not numbers, or not in the order, such as missing and suppressed ones, have the
maximum distance from all others. The neighbours of t are its k nearest, and all that are exactly as near as the k-th,
without t itself. If one side has nobody, t does not count as discriminated against. Neighbours are counted over
profiles: distinct combinations of values.

What it leaves open: reasons outside LA, and whether a column is a lawful reason at all, which the law must say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.counting.cells import Classes, classes_of
from fairveil.counting.tuples import first_rows, group_of
from fairveil.data.hierarchy import TOP, Hierarchy
from fairveil.data.table import Table
from fairveil.data.text_form import position
from fairveil.errors import BadInput, suggest
from fairveil.guards.guard import Guard, Verdict, about, need_columns, published_columns
from fairveil.guards.rules.alpha import denied_cells
from fairveil.measures.measure import Measure
from fairveil.messages import counted, option, verb
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.data.schema import Schema

_BLOCK = 1 << 24  # distances in memory at a time
_SAME = 1e-9  # tolerance for rounding in a sum of distances


@dataclass(frozen=True)
class SituationTesting(Guard):
    """At most the share `limit` of the records of the whole release are denied without a lawful explanation.

    `legal` are the legally grounded columns, `k` the neighbours on either side, `threshold` the difference between
    the two shares of denials above which a record counts. `numbers` and `ordered` are also legal columns; their values
    are more or less near.
    """

    kind: ClassVar[str] = "situation-testing"
    says: ClassVar[str] = "Hardly anybody is denied what similar people outside their protected group are granted."
    leaves_open: ClassVar[str] = "reasons outside the legally grounded columns; whether a reason is lawful"
    published: ClassVar[bool] = True
    per_record: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi", "protected", "decision")

    legal: Sequence[str] = setting((), "columns by which people may lawfully be treated differently", cli="--legal")
    k: int = setting(8, "number of nearest neighbours in and outside the group", min=1, cli="--neighbours")
    threshold: float = setting(
        0.2,
        "difference in denials between the group and others that is discriminatory",
        min=0,
        max=1,
        cli="--threshold",
    )
    limit: float = setting(0.0, "share of the records that may be discriminated against", min=0, max=1, cli="--limit")
    numbers: Sequence[str] = setting((), "legal columns whose values are compared as numbers", cli="--numbers")
    ordered: Sequence[str] = setting((), "legal columns whose values are compared by their order", cli="--ordered")

    def __post_init__(self) -> None:
        super().__post_init__()
        twice = [name for name in self.numbers if name in self.ordered]
        if twice:
            both = f"{option('numbers')} and in {option('ordered')}"
            raise BadInput(f"situation-testing: {twice[0]!r} is in {both}: keep it in one of them")
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

    def subjects(self, schema: Schema) -> tuple[str, ...]:
        return self.grounds(schema)

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

    def unit(self, schema: Schema) -> str:
        return "records"  # each is compared with those like it

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
        sentence = about(self.grounds(schema), sentence)
        return Verdict(self, share <= self.limit + 1e-12, share, float(self.limit), broken, rows, None, sentence)

    def breaking(self, classes: Classes, schema: Schema) -> np.ndarray:
        inside, outside = self.shares(classes, schema)
        broken: np.ndarray = denied_cells(classes, schema) & (inside - outside > self.threshold + 1e-12)
        return broken

    def reasons(self, classes: Classes, schema: Schema, cells: np.ndarray) -> list[dict[str, Any]]:
        inside, outside = (shares[cells] for shares in self.shares(classes, schema))
        names = (*self.grounds(schema), *self.grounded)
        values = {name: classes.values(name) for name in names}
        reasons = []
        for cell, own, others in zip(cells.tolist(), inside.tolist(), outside.tolist(), strict=True):
            of_person = {name: values[name][int(classes.codes[name][cell])] for name in names}
            person = ", ".join(f"{name}={'(missing)' if value is None else value}" for name, value in of_person.items())
            sentence = f"{person}: of the nearest {own:.1%} are denied in the same group, {others:.1%} outside of it"
            reasons.append({"values": of_person, "inside": own, "outside": others, "sentence": sentence})
        return reasons

    def shares(self, classes: Classes, schema: Schema) -> tuple[np.ndarray, np.ndarray]:
        """For each cell, if its people are denied: the shares denied among the nearest of their own protected group and
        among the nearest others."""
        need_columns(self, classes, (*self.grounds(schema), *self.grounded))
        grounds = [(classes.codes[name], classes.sizes[name]) for name in self.grounds(schema)]
        legal = [(classes.codes[name], classes.sizes[name]) for name in self.grounded]
        denied = denied_cells(classes, schema)
        group, groups = group_of(grounds, len(classes.ids))
        profile, first_cell = first_rows(legal, len(classes.ids))
        shape = len(first_cell), groups
        rows, refused = (
            np.bincount(profile * groups + group, weights=counts, minlength=shape[0] * groups).reshape(shape)
            for counts in (classes.counts, np.where(denied, classes.counts, 0))
        )
        columns = [
            ProfileColumn(classes.codes[name][first_cell], self._positions(classes, name, schema))
            for name in self.grounded
        ]
        inside, outside = denied_shares(columns, rows, refused, self.k)
        return inside[profile, group], outside[profile, group]

    def _positions(self, classes: Classes, name: str, schema: Schema) -> np.ndarray | None:
        """The positions of a column's values; only published values count."""
        if name not in (*self.numbers, *self.ordered):
            return None
        values, present = classes.values(name), np.unique(classes.codes[name])
        labels = [values[code] for code in present]
        positions = np.full(classes.sizes[name], np.nan)
        own = schema.hierarchies.get(name)
        positions[present] = numeric_places(labels) if name in self.numbers else ordered_places(labels, own)
        return positions

    def measure(self) -> Measure:
        """The share of such records as a measure: `frontier.values(guard.measure())`."""
        return Measure(
            "unexplained", "fairness", "lower", (0, 1),
            f"share of records denied without an explanation in {', '.join(self.grounded)} (situation testing)",
            of_classes=lambda classes, schema: self.verdict(classes, schema).worst, columns=self.columns,
        )  # fmt: skip


def unexplained(table: Any, schema: Schema, legal: Sequence[str] | str = (), **settings: Any) -> float:
    """The share of a table's records that are denied without an explanation in the legally grounded columns."""
    guard = SituationTesting(legal, **settings)
    return guard.verdict(classes_of(Table.from_frame(table), schema)[0], schema).worst


@dataclass(frozen=True)
class ProfileColumn:
    """A column of profiles: the position of each value from 0 to 1, NaN if it has none; None if values are names."""

    codes: np.ndarray
    positions: np.ndarray | None = None

    def distances(self, block: slice) -> np.ndarray:
        """The distances from each profile of a block to every profile."""
        differs: np.ndarray = self.codes[block, None] != self.codes[None, :]
        if self.positions is None:
            return differs.astype(np.int8)
        at = self.positions[self.codes]
        gaps: np.ndarray = np.abs(at[block, None] - at[None, :])
        return np.where(np.isnan(gaps), differs, gaps)


def numeric_places(labels: Sequence[Any]) -> np.ndarray:
    """Published values as numbers, scaled from the minimum to the maximum."""
    numbers = np.array([position(label) for label in labels], dtype=float)  # NaN for what is not a number
    if np.isnan(numbers).all():
        return numbers
    low, high = np.nanmin(numbers), np.nanmax(numbers)
    return np.asarray((numbers - low) / (high - low or 1.0))


def ordered_places(labels: Sequence[Any], rule: Hierarchy | None) -> np.ndarray:
    """The positions of published values in their order: that in which their hierarchy lists the values below them, else
    numeric for numbers and intervals, else alphabetical."""
    leaves = [] if rule is None else list(rule.extra_leaves())
    if rule is not None and leaves:
        return _in_listed_order(labels, rule, leaves)
    steps: list[Any] = [position(label) for label in labels]
    if all(step is None for step, label in zip(steps, labels, strict=True) if label not in (None, TOP)):
        steps = [None if label in (None, TOP) else str(label) for label in labels]
    distinct = sorted({step for step in steps if step is not None})
    rank = {step: number / max(len(distinct) - 1, 1) for number, step in enumerate(distinct)}
    return np.array([rank.get(step) for step in steps], dtype=float)


def _in_listed_order(labels: Sequence[Any], rule: Hierarchy, leaves: list[Any]) -> np.ndarray:
    """The mean position of all values below each published one."""
    levels = rule.bind(leaves)
    middle: dict[str, float] = {}
    for codes, names in zip(levels.codes[:-1], levels.labels[:-1], strict=True):
        rows = np.bincount(codes, minlength=len(names))
        positions = np.bincount(codes, weights=np.arange(len(codes)), minlength=len(names)) / np.maximum(rows, 1)
        for name, at in zip(names, positions, strict=True):
            middle.setdefault(str(name), float(at) / max(len(leaves) - 1, 1))
    return np.array([None if label is None else middle.get(str(label)) for label in labels], dtype=float)


def denied_shares(
    lines: Sequence[ProfileColumn], rows: np.ndarray, refused: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """For a denied person of each profile (row) and group (column): the denied share of the k nearest, and all as near
    as the k-th, inside and outside the group. The person is not counted; NaN where there is nobody."""
    inside, outside = np.full(rows.shape, np.nan), np.full(rows.shape, np.nan)
    others, others_refused = rows.sum(axis=1, keepdims=True) - rows, refused.sum(axis=1, keepdims=True) - refused
    by_name = all(line.positions is None for line in lines)
    step = max(_BLOCK // max(len(rows), 1), 1)
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        distance = np.add.reduce([line.distances(block) for line in lines], dtype=np.int64 if by_name else float)
        if by_name:
            inside[block] = _by_steps(distance, len(lines), rows, refused, k, itself=True)
            outside[block] = _by_steps(distance, len(lines), others, others_refused, k, itself=False)
        else:
            for own, far in enumerate(distance, start=start):
                inside[own] = _by_order(far, rows, refused, k, itself=own)
                outside[own] = _by_order(far, others, others_refused, k)
    return inside, outside


def _by_steps(
    distance: np.ndarray, width: int, rows: np.ndarray, refused: np.ndarray, k: int, itself: bool
) -> np.ndarray:
    """The denied shares of many profiles at once, where distances are integers."""
    neighbours = np.full((len(distance), rows.shape[1]), -float(itself))
    denied = neighbours.copy()
    for d in range(width + 1):
        near = (distance == d).astype(float)
        open_ = neighbours < k
        neighbours = np.where(open_, neighbours + near @ rows, neighbours)
        denied = np.where(open_, denied + near @ refused, denied)
    return _share(denied, neighbours)


def _by_order(far: np.ndarray, rows: np.ndarray, refused: np.ndarray, k: int, itself: int | None = None) -> np.ndarray:
    """The denied shares of one profile with any distances: profiles are sorted by distance."""
    order = np.argsort(far, kind="stable")
    # where the next profile is farther; only there may the neighbours end
    ends = np.flatnonzero(np.append(np.diff(far[order]) > _SAME, True))
    reached, denied = rows[order].cumsum(axis=0)[ends], refused[order].cumsum(axis=0)[ends]
    if itself is not None:  # at distance 0, hence among the first
        reached, denied = reached - 1, denied - 1
    enough = np.minimum((reached < k).sum(axis=0), len(ends) - 1)
    columns = np.arange(rows.shape[1])
    return _share(denied[enough, columns], reached[enough, columns])


def _share(denied: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(neighbours > 0, denied / neighbours, np.nan)
