"""Derivation: a column that is published as it is and tells what a generalized quasi column hides.

A year of birth beside ages in tens, a district beside masked postcodes, a decision that encodes an attribute: somebody
who knows a person's age looks for the year, and the class falls apart, whatever k is. So this compares, for every such
pair of columns, how well a person's original value is known from the published one alone, and with the other column.

For each published record, take the other records with the same published value. The share of them that also have the
same original value is how well it is known: `1 / share` values are left, so to speak. Then take only those that also
have the same value in the other column. Because a record is compared with others, never with itself, a column that has
nothing to do with the original value leaves the share as it is on average, however many values it has. Numbers and
dates that hardly ever repeat are compared in intervals of neighbouring values. What is reported must be far beyond
chance, and either leave half as many values or fewer, or all but determine the value. A class then hides a person among
so many records fewer; it is a danger if that is below k for anybody.

If people have several records, a record is compared with those of other people: a person's own agree in whatever stays
the same, such as a religion and a place, without one telling the other. So where it is known who a record is about, one
record of each person is compared, drawn by what it contains (`engines/one_row.py`), and classes hide among persons.

The thresholds, and why they are what they are:

HALF     a column that leaves half as many values doubles every guess; weaker ones are correlations, such as of age
         with education, which no set of columns about people is without.
CERTAIN  where a published value stands for fewer than two values on average, nothing can halve them: a column that
         removes four fifths of the doubt all but tells the value.
CHANCE   some thousand pairs of columns, resolutions and releases are compared before somebody is told wrongly, so one
         comparison may go wrong in a million: five standard deviations.
PER_INTERVAL, MAX_INTERVALS  dates of birth and amounts hardly repeat: ten rows are the fewest in which a share says
         something, and with 64 intervals a year of birth is told apart in any range of ages.

The attack needs the original values. So its figures are for the publisher: nothing of them is in the evidence, except
that the danger was accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairveil.attacks.attack import Finding, attempt
from fairveil.counting.tuples import first_rows, group_of
from fairveil.data.table import Table
from fairveil.messages import counted, verb

if TYPE_CHECKING:
    from fairveil.attacks.scene import Scene
    from fairveil.published.published import Published

HALF = 2.0  # an alarm: a column that leaves at most one value in this many
CERTAIN = 0.8  # or one that takes away this share of the doubt
CHANCE = 5.0  # standard deviations
MAX_ROWS = 1 << 17  # rows that are counted, if they are in memory
PER_INTERVAL, MAX_INTERVALS = 10, 64  # rows in an interval of neighbouring values, and the number of these


@dataclass(frozen=True)
class Triples:
    """Records counted by published value, original value and value of another column, each as codes in order."""

    published: np.ndarray
    original: np.ndarray
    other: np.ndarray
    counts: np.ndarray

    @classmethod
    def of_rows(cls, published: np.ndarray, original: np.ndarray, other: np.ndarray) -> Triples:
        """Count rows in memory; of many, an evenly spaced part says enough."""
        step = -(-len(original) // MAX_ROWS)
        columns = (published[::step], original[::step], other[::step])
        groups, firsts = first_rows([(codes, int(codes.max()) + 1) for codes in columns], len(columns[0]))
        published, original, other = (codes[firsts].astype(np.int64) for codes in columns)
        return cls(published, original, other, np.bincount(groups))


def undoing(published: Published) -> tuple[list[str], list[str]]:
    """The quasi columns that are not published as they are, and the columns that might undo them."""
    schema, names = published.schema, published.names
    hidden = [name for name in schema.quasi if name in names and not published.recipe.publishes_as_read(name)]
    others = [name for name in names if name not in (*schema.quasi, *schema.pseudonyms)]
    return hidden, others


def one_each(original: Table, rows: np.ndarray, published: Published) -> np.ndarray:
    """The positions of one record of each person among records that are published, by the row of the original behind
    each; of all records where nobody says who they are about."""
    from fairveil.engines.one_row import OneRow

    person = published.schema.person
    if person is None or person not in original:
        return np.arange(len(rows))
    names = [name for name in compared(published, person) if name in original]
    return OneRow(person, "random").rows(Table(tuple(original.column(name).take(rows) for name in names)))


def compared(published: Published, person: str) -> list[str]:
    """The columns that decide which record of a person is compared."""
    hidden, others = undoing(published)
    return list(dict.fromkeys((*hidden, *others, person)))


def derived(scene: Scene, triples: Callable[[str, str], Triples | None]) -> Iterator[Finding]:
    """A finding for each pair of columns of which one undoes the other; if there is none, one that says so."""
    published = scene.published
    if not published.rows or published.classes is None:
        return
    hidden, others = undoing(published)
    if not (hidden and others):
        return
    classes, schema = scene.counted
    sizes, people, rows, undone = classes.rows, classes.people(schema.person), published.rows, False
    for name in hidden:
        for other in others:
            given = triples(name, other)
            before, after = (1.0, 1.0) if given is None else known(given)
            affected = int(sizes[people * before < published.k * after].sum())
            if after > before and affected:
                undone = True
                yield Finding(
                    "derivation", "danger",
                    f"{other} undoes {name}: of about {1 / before:.1f} original values behind a published one, it "
                    f"leaves {1 / after:.1f}; {counted(affected, 'record')} of {rows:,} {verb(affected, 'is', 'are')} "
                    f"then hidden among fewer than {published.k} (remove {other}, publish it at a level of a "
                    "hierarchy, or make it quasi)",
                    after, after, before, f"{name} as published", affected, rows, other, {"undoes": name},
                )  # fmt: skip
    if not undone:
        yield Finding(
            "derivation", "ok", "no column that is published as it is tells what a generalized one hides",
            0.0, 0.0, 0.0, "the generalized columns as published", 0, rows,
        )  # fmt: skip


def known(triples: Triples, half: float = HALF) -> tuple[float, float]:
    """How well original values are known: the mean share of other records with the same one, among those with the same
    published value, and among those that also agree in the other column; the same twice where that is by chance, or
    where not at most one value in `half` is left."""
    published, counts = triples.published, triples.counts
    beside = [
        _numbered(columns) for other in _resolutions(triples.other, counts) for columns in ([published, other], [other])
    ]
    shares: list[tuple[float, float]] = []
    for original in _resolutions(triples.original, counts):
        before, _ = _agreeing(published, original, counts)
        shares += [_known(before, *_agreeing(groups, original, counts), counts, half) for groups in beside]
    return max(shares, key=lambda share: share[1] / share[0])


def _resolutions(codes: np.ndarray, counts: np.ndarray) -> Iterator[np.ndarray]:
    """The values as they are, and in intervals of neighbouring ones where most are rare."""
    yield codes
    per_code = np.bincount(codes, weights=counts)
    rows, distinct = per_code.sum(), np.count_nonzero(per_code)
    intervals = int(min(rows // PER_INTERVAL, MAX_INTERVALS))
    if 2 <= intervals < distinct / 2:
        middle = np.cumsum(per_code) - per_code / 2
        yield np.minimum(middle * intervals / rows, intervals - 1).astype(np.int64)[codes]


def _known(before: np.ndarray, after: np.ndarray, groups: int, counts: np.ndarray, half: float) -> tuple[float, float]:
    """The two shares for one resolution, of what each cell agrees in `before` and `after` the other column is seen."""
    rows = counts.sum()
    tested = ~np.isnan(after)
    if not tested.any():
        return 1.0, 1.0
    before = np.nan_to_num(before)
    share, weight = max(float((before * counts).sum() / rows), 1 / rows), counts[tested]
    expected, observed = float((before[tested] * weight).sum()), float((after[tested] * weight).sum())
    spread = 2 * np.sqrt(groups * share * (1 - share) + 1)  # of pairs of records that agree by chance, by group
    gained = share + (observed - expected) / rows
    chance = observed - expected < CHANCE * spread
    weak = gained < half * share and gained - share < CERTAIN * (1 - share)
    return (1.0, 1.0) if chance or weak else (share, min(gained, 1.0))


def _numbered(columns: list[np.ndarray]) -> np.ndarray:
    """The group of each cell by these columns; the codes themselves number the groups of one column."""
    if len(columns) == 1:
        return columns[0]
    return group_of([(codes, int(codes.max()) + 1) for codes in columns], len(columns[0]))[0]


def _agreeing(groups: np.ndarray, original: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, int]:
    """Per cell the share of the other records of its group which also have the same original value, NaN where there is
    no other; and the number of groups with several records."""
    sizes = np.bincount(groups, weights=counts)
    same = _numbered([groups, original])
    alike = np.bincount(same, weights=counts)[same]
    of_group = sizes[groups]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(of_group > 1, (alike - 1) / (of_group - 1), np.nan), int((sizes > 1).sum())


def _unmatched(scene: Scene) -> str:
    return "" if _rows_behind(scene) is not None else "which person is behind which record is not known"


def _rows_behind(scene: Scene) -> tuple[Table, np.ndarray, np.ndarray] | None:
    """The records as published, those of them to look at, and the row of the original behind each; None if unknown."""
    original, rows = scene.original, scene.published.source_rows
    if original is None:
        return None
    if rows is not None and scene.published.rows + scene.published.suppressed == original.rows:
        return scene.published.table, np.arange(scene.published.rows), rows
    if scene.recodes and scene.people.rows == original.rows:
        members = np.flatnonzero(scene.members)
        return scene.people, members, members
    return None


@attempt("table", "rows", "original", unfit=_unmatched, title="hidden values derived from others")
def derivation(scene: Scene) -> Iterable[Finding]:
    """Reading what a generalized column hides off another column that is published as it is."""
    behind, original = _rows_behind(scene), scene.original
    assert behind is not None and original is not None
    table, chosen, rows = behind
    each = one_each(original, rows, scene.published)
    chosen, rows = chosen[each], rows[each]

    def triples(name: str, other: str) -> Triples | None:
        if other not in table:
            return None
        published, beside = table.column(name).codes[chosen], table.column(other).codes[chosen]
        return Triples.of_rows(published, original.column(name).codes[rows], beside)

    return derived(scene, triples)
