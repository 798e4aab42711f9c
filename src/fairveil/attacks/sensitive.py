"""Attacks on what classes say about sensitive values.

homogeneity  The attacker finds a person's class and guesses its most frequent value. The baseline guesses that of the
             whole table: without the quasi columns, nobody can do better. A class is homogeneous when one value has the
             share HOMOGENEOUS or more there, and more than in the whole table. Where the value has that share in the
             whole table, too, as that of people without a rare disease, certainty adds little, and is a warning.
background   Somebody who knows that a person does *not* have some values strikes them from the class. The attack counts
             the fewest to strike until one of the others has the share CERTAINTY or more: the most frequent value
             stays, the next most frequent ones go first. 0 is homogeneity; ℓ-diversity promises that certainty takes at
             least ℓ-1 values (Machanavajjhala et al. 2007, section 3.2).
skewness     A class that differs much from the whole table says something about its people, however diverse it is: the
             share of a value may rise from 1 % to 50 % (Li, Li and Venkatasubramanian 2007, section 3). `gap` is half
             the sum of the differences between the two distributions; t-closeness with equal distance bounds it.
similarity   Values that differ but mean nearly the same (gastritis, gastric ulcer) give away what they share: a group
             of the column's hierarchy at any level below the top, or, for numbers without one, a tenth of their range.
             A class is caught where one group has the share SIMILAR or more, more than in the whole table, and the
             class is not homogeneous anyway.

Where it is known who a record is about, all count persons: each has every value of their records in a class, so that
shares may add up to more than 1, and somebody who is known not to have a value is none of those who have it.

All are about the known values of a class, as an attacker sees them who knows that a person has one: missing and blank
cells, and spellings that differ in case or outer blanks, are no values of their own. Records without a value are not
counted. If a guard of the column takes a missing value as a value, so do the attacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairveil.attacks.attack import Finding, Level, attempt, percent
from fairveil.counting.cells import Classes, spelt_alike
from fairveil.counting.class_histogram import ClassHistogram
from fairveil.counting.tuples import first_rows
from fairveil.data.numeric import significant
from fairveil.engines.relation import in_value_order
from fairveil.messages import counted, verb

if TYPE_CHECKING:
    from fairveil.attacks.scene import Scene

HOMOGENEOUS = 0.9
CERTAINTY = 0.9
EASY = 1  # ruling out this many values counts as easy: one fact about a person is often known
WIDE = 0.4  # from this gap on a class says much: the value of two in five people would have to change to hide it
SIMILAR = 0.9
BANDS = 10
TELLING = 0.1  # share of the records from which on a column that is not sensitive is a warning
MAX_TARGETS = 60  # columns that are tried where none is sensitive


def top_shares(histogram: ClassHistogram) -> tuple[np.ndarray, np.ndarray]:
    """Per class the most frequent value and its share; of equally frequent values the first."""
    order = np.lexsort((-histogram.counts, histogram.ids))
    first = order[np.searchsorted(histogram.ids[order], np.arange(len(histogram.rows)))]
    return histogram.values[first], histogram.counts[first] / histogram.rows


@attempt("table", "sensitive", cheap=True, by_person=True, title="everybody in a class alike")
def homogeneity(scene: Scene) -> Iterable[Finding]:
    """Reading a person's sensitive value off a class in which (nearly) all have the same."""
    for column, histogram in scene.histograms():
        rows = histogram.rows
        value, share = top_shares(histogram)
        overall = histogram.overall()
        usual = float(overall.max())
        caught = (share >= HOMOGENEOUS) & (share > overall[value] + 1e-9)
        pure = caught & (share >= 1)
        telling = pure & (overall[value] < HOMOGENEOUS)  # not certain anyway
        certain, nearly, total = (histogram.people(classes) for classes in (pure, caught, rows > 0))
        # one value in the whole table: no class says more, but the release does; version 0.1 did not look
        same = usual >= 1 and not scene.published.missing_counts
        verdict = _homogeneity_verdict(column, int(pure.sum()), certain, nearly, total, float(share.max()), scene.unit)
        if pure.any() and not telling.any():
            verdict += f"; {percent(usual)} of the whole table have that value"
        level: Level = "danger" if telling.any() else "warn" if caught.any() or same else "ok"
        yield Finding(
            "homogeneity", level,
            f"all who have a value of {column} have the same one, in every class" if same else verdict,
            float(share.max()), histogram.average(share), usual,
            "always guessing the most frequent value of the whole table", nearly, total, column,
            {"homogeneous_classes": int(pure.sum()), "nearly_homogeneous_classes": int(caught.sum()),
             "classes": len(rows), "threshold": HOMOGENEOUS, "certain": certain},
        )  # fmt: skip


def _homogeneity_verdict(
    column: str, classes: int, certain: int, nearly: int, total: int, best: float, unit: str
) -> str:
    """`classes` with `certain` people give the value away; those in which it is nearly certain hold `nearly` people."""
    known = f"known with {percent(HOMOGENEOUS)} certainty or more"
    if certain:
        alike = "all in a class have the same"
        if unit == "person":  # who may have other values in other records
            alike = "everybody in a class has the same value in some record"
        return (
            f"{counted(classes, 'class', 'classes')} with {counted(certain, unit)} ({percent(certain / total)}) "
            f"{verb(classes, 'gives', 'give')} away {column} for certain, because {alike}; for "
            f"{counted(nearly, unit)} ({percent(nearly / total)}) it is {known}"
        )
    if nearly:
        return (
            f"no class gives away {column} for certain, but for {counted(nearly, unit)} "
            f"({percent(nearly / total)}) it is {known}"
        )
    return f"no class gives away {column}: the best guess is right in {percent(best)} of the cases at most"


def strikes(histogram: ClassHistogram, certainty: float = CERTAINTY) -> np.ndarray:
    """Per class the fewest values to rule out until one has the share `certainty` of the rest."""
    order = np.lexsort((-histogram.counts, histogram.ids))
    ids, counts = histogram.ids[order], histogram.counts[order]
    start = np.searchsorted(ids, np.arange(len(histogram.rows)))
    rank = np.arange(len(ids)) - start[ids]
    before = np.concatenate([[0.0], np.cumsum(counts)])
    end = np.append(start[1:], len(ids))
    first = counts[start][ids]
    behind = before[end[ids]] - before[1:]  # all that are less frequent than this one
    enough = first >= certainty * (first + behind) - 1e-9
    fewest = np.full(len(histogram.rows), np.iinfo(np.int64).max)
    np.minimum.at(fewest, ids[enough], rank[enough])  # having struck the ranks 1 … rank
    return fewest


def strikes_of_people(classes: Classes, column: str, known: bool, person: str) -> np.ndarray:
    """The same where people have several values: somebody who is known not to have one of them is none of those who
    have it. Where nobody has the most frequent value alone, nothing is certain: as many as the class has values."""
    size, histogram = classes.sizes[column], classes.histogram(column, known, person).occupied()
    ids, persons, values = classes.values_of_people(column, known, person)
    ids = np.unique(ids, return_inverse=True)[1]
    order = np.lexsort((-histogram.counts, histogram.ids))
    start = np.searchsorted(histogram.ids, np.arange(len(histogram.rows)))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order)) - start[histogram.ids]
    ranks = rank[np.searchsorted(histogram.ids * size + histogram.values, ids * size + values)]
    pairs, firsts = first_rows([(ids, len(histogram.rows)), (persons, classes.sizes[person])], len(ids))
    has_first = np.zeros(len(firsts), dtype=bool)
    has_first[pairs[ranks == 0]] = True
    struck_at = np.full(len(firsts), size, dtype=np.int64)  # the most frequent other value of each person
    np.minimum.at(struck_at, pairs[ranks > 0], ranks[ranks > 0])
    places = start[ids[firsts]] + struck_at

    def left(people: np.ndarray) -> np.ndarray:
        """How many of these people are left in each class, having struck the ranks 1 … rank."""
        gone = np.cumsum(np.bincount(places[people & (struck_at < size)], minlength=len(order)))
        before = np.concatenate([[0], gone])[start]
        everybody = np.bincount(ids[firsts[people]], minlength=len(histogram.rows))
        remaining: np.ndarray = (everybody + before)[histogram.ids] - gone
        return remaining

    sure, remaining = left(has_first), left(np.ones(len(firsts), dtype=bool))
    enough = (sure > 0) & (sure >= CERTAINTY * remaining - 1e-9)
    fewest = np.bincount(histogram.ids)
    places_of = np.arange(len(order)) - start[histogram.ids]
    np.minimum.at(fewest, histogram.ids[enough], places_of[enough])
    return fewest


def strikes_of(scene: Scene, column: str, histogram: ClassHistogram) -> tuple[np.ndarray, int]:
    """The fewest values to rule out in each class, and in the whole table."""
    classes, schema = scene.counted
    if schema.person is None:
        overall = histogram.overall()
        values = np.flatnonzero(overall > 0)
        whole = ClassHistogram(np.zeros_like(values), values, overall[values], np.ones(1), len(overall))
        return strikes(histogram), int(strikes(whole)[0])
    known = not scene.published.counts_missing(column)
    together = replace(classes, ids=np.zeros_like(classes.ids), rows=classes.rows.sum(keepdims=True))
    needed, usual = (strikes_of_people(each, column, known, schema.person) for each in (classes, together))
    return needed, int(usual[0])


@attempt("table", "sensitive", cheap=True, by_person=True, title="background knowledge")
def background(scene: Scene) -> Iterable[Finding]:
    """Ruling out sensitive values that a person is known not to have, until the class gives away the right one."""
    for column, histogram in scene.histograms():
        rows = histogram.rows
        needed, usual = strikes_of(scene, column, histogram)
        easy = (needed <= EASY) & (needed < usual)
        affected, total = histogram.people(easy), histogram.people(rows > 0)
        level: Level = "warn" if affected else "ok"
        fewest = int(needed.min())
        task = "need not rule out any value" if fewest == 0 else f"must rule out {counted(fewest, 'value')}"
        verdict = (
            f"an attacker {task} to be (nearly) certain of somebody's {column}; in the whole table they must rule out "
            f"{usual}"
        )
        if affected:
            verdict += f"; one fact is enough for {affected:,} of {counted(total, scene.unit)}"
        people = {int(n): histogram.people(needed == n) for n in sorted({*needed.tolist()})}
        yield Finding(
            "background", level, verdict, float((needed <= EASY).any()), affected / total, float(usual <= EASY),
            f"ruling out {EASY} value in the whole table", affected, total, column,
            {"fewest_to_rule_out": fewest, "in_whole_table": usual, "certainty": CERTAINTY,
             "records_by_values_to_rule_out": people},
        )  # fmt: skip


@attempt("table", "sensitive", cheap=True, by_person=True, title="classes unlike the whole")
def skewness(scene: Scene) -> Iterable[Finding]:
    """Learning from how far a class's sensitive values are from those of the whole table."""
    from fairveil.guards.closeness import gaps

    for column, histogram in scene.histograms():
        rows = histogram.rows
        gap = gaps(histogram)
        overall = histogram.overall()
        share = histogram.counts / rows[histogram.ids]
        rise = share - overall[histogram.values]
        steepest = int(np.argmax(significant(rise)))
        wide = significant(gap) > WIDE
        far, average = histogram.people(wide), histogram.average(gap)
        level: Level = "warn" if wide.any() else "ok"
        before = percent(float(overall[histogram.values[steepest]]))
        rises = f"the likelihood of one value rises from {before} to {percent(float(share[steepest]))}"
        if significant(rise)[steepest] < 0:  # in the whole table people have more values than in a class
            rises = "no value is likelier in a class than in the whole table"
        verdict = (
            f"the class farthest from the whole table is {gap.max():.2f} away in {column}, {average:.2f} on average; "
            f"{rises}"
        )
        if wide.any():
            verdict += f"; {counted(far, scene.unit)} {verb(far, 'is', 'are')} in classes more than {WIDE:g} away"
        if significant(gap.max()) > 1:
            verdict += (
                f" (a person may have several values of {column}: the distance adds up how many more persons of the "
                "class have each of them, so it can be more than 1)"
            )
        yield Finding(  # a distance above 1 is no share of cases
            "skewness", level, verdict, min(float(gap.max()), 1.0), min(average, 1.0), 0.0,
            "classes distributed like the whole table", far, histogram.people(rows > 0), column,
            {"gap": float(gap.max()), "limit": WIDE, "rise": float(rise[steepest])},
        )  # fmt: skip


def groupings(classes: Classes, column: str) -> Iterator[tuple[str, np.ndarray, int]]:
    """Ways to group the values of a sensitive column: their name, the group of each value, the number of groups."""
    levels = classes.levels.get(column)
    if levels is not None:
        for level in range(1, levels.height):
            size = len(levels.labels[level])
            if 1 < size < len(levels.labels[level - 1]):
                yield f"level {level} of its hierarchy", levels.codes[level], size
        return
    values, occurs = classes.values(column), np.bincount(classes.codes[column], minlength=classes.sizes[column]) > 0
    numbers = [
        value for value, published in zip(values, occurs.tolist(), strict=True) if published and value is not None
    ]
    plain = all(isinstance(v, int | float) and not isinstance(v, bool) and np.isfinite(v) for v in numbers)
    if plain and len(numbers) > BANDS:
        low, high = float(min(numbers)), float(max(numbers))
        of_value = np.full(len(values), BANDS, dtype=np.int64)  # a missing value is a group of its own
        for code in np.flatnonzero(occurs).tolist():
            if (value := values[code]) is not None:
                of_value[code] = min(int((float(value) - low) / (high - low) * BANDS), BANDS - 1)
        yield "tenths of its range", of_value, BANDS + 1


def grouped(scene: Scene, column: str, group: np.ndarray, size: int) -> ClassHistogram:
    """The histogram of groups of values, in the classes that have any; a person counts once in each group."""
    classes, schema = scene.counted
    same = None if scene.published.counts_missing(column) else spelt_alike(classes, column)
    codes = classes.codes[column] if same is None else same[classes.codes[column]]
    known = classes.keep(codes >= 0)
    known = replace(
        known,
        codes={**known.codes, column: group[codes[codes >= 0]].astype(np.int64)},
        sizes={**known.sizes, column: size},
    )
    return known.histogram(column, person=schema.person)


@attempt("table", "sensitive", cheap=True, by_person=True, title="values of a class alike")
def similarity(scene: Scene) -> Iterable[Finding]:
    """Learning what different sensitive values of a class have in common."""
    for column, histogram in scene.histograms():
        rows = histogram.rows
        for name, group, size in groupings(scene.counted[0], column):
            coarse = grouped(scene, column, group, size)
            value, share = top_shares(coarse)
            overall = coarse.overall()
            diverse = top_shares(histogram)[1] < HOMOGENEOUS
            caught = diverse & (share >= SIMILAR) & (share > overall[value] + 1e-9)
            affected, total = histogram.people(caught), histogram.people(rows > 0)
            level: Level = "warn" if affected else "ok"
            verdict = (
                f"{affected:,} of {counted(total, scene.unit)} {verb(affected, 'is', 'are')} in classes whose values "
                f"of {column} differ but mean the same (by {name})"
                if affected
                else f"no class has values of {column} that differ in name only (by {name}): at most "
                f"{percent(float(share[diverse].max(initial=0)))} of a diverse class is alike"
            )
            yield Finding(
                "similarity", level, verdict, float(share.max()), coarse.average(share),
                float(overall.max()), "always guessing the most frequent group of the whole table",
                affected, total, column, {"grouping": name, "classes": int(caught.sum()), "threshold": SIMILAR},
            )  # fmt: skip


def _has_sensitive(scene: Scene) -> str:
    return "the schema names sensitive columns, which other attacks try" if scene.sensitive else ""


@attempt("table", unfit=_has_sensitive, title="any value guessed")
def any_column(scene: Scene) -> Iterable[Finding]:
    """Guessing any published column from the quasi columns, where the schema names no sensitive one."""
    schema = scene.published.schema
    targets = [name for name in scene.content.names if name not in (*schema.pseudonyms, schema.person)]
    for column in targets[:MAX_TARGETS]:
        known = [name for name in scene.known if name != column]
        classes = Classes.of(in_value_order(scene.content.count([*known, column])), known)
        histogram = classes.histogram(column, known=True).occupied()
        if not len(histogram.rows) or len(histogram.values) == len(histogram.rows) == 1:
            continue
        rows, (value, share), overall = histogram.rows, top_shares(histogram), histogram.overall()
        certain = int(rows[(share >= 1) & (overall[value] < 1)].sum())
        right, usual, total = float((share * rows).sum() / rows.sum()), float(overall.max()), int(rows.sum())
        verdict = (
            f"{column} is guessed from the other columns in {percent(right)} of the records, instead of "
            f"{percent(usual)}, and certain for {counted(certain, 'record')}; if it is nobody's business, make it "
            "sensitive and guard it"
        )
        yield Finding(
            "any-column", "warn" if certain / total > TELLING or right - usual > TELLING else "ok", verdict,
            float(share.max()), right, usual, "always guessing the most frequent value of the whole table", certain,
            total, column, {"certain": certain},
        )  # fmt: skip
