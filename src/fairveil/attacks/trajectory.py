"""Trajectory: somebody knows several records of a person, such as two visits, and looks for people who have them all.

Knowing m records is knowing m classes. The candidates are the persons with records in each of these; the success
against a person is one over their number, averaged over the sets of m of the person's classes (all of their classes, if
these are fewer). If the release says which records are of one person, the attacker finds the candidates in it. If not,
no published record tells them, and what is found here is what they could do if anything else linked the records: a
warning, never a danger. k-anonymity by persons on a release that links records keeps this at 1/k or below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fairveil.attacks.attack import Finding, Level, attempt, percent
from fairveil.learning.folds import sample
from fairveil.messages import counted, verb

if TYPE_CHECKING:
    from fairveil.attacks.scene import Scene
    from fairveil.counting.cells import Classes

KNOWN = (2, 3)  # records of a person that somebody knows
MAX_TARGETS = 2000  # people whose records are tried; of more, a sample is taken
BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1)  # that are 1 in each byte
MAX_CLASSES = 12  # of a person, that are tried; of more, some at random


def _unfit(scene: Scene) -> str:
    if scene.published.schema.person is None:
        return "the schema does not say who a record is about"
    if scene.described is None:
        return "it needs the original data, with the column that says who a record is about"
    return ""


@attempt("table", by_person=True, unfit=_unfit, title="visits of a person linked")
def trajectory(scene: Scene) -> Iterable[Finding]:
    """Picking out a person by several of their records, of which somebody knows the published classes."""
    classes, person = scene.described, scene.published.schema.person
    assert classes is not None and person is not None
    linked, k = scene.published.schema.links, scene.published.k
    one, *several = candidates(classes, person, (1, *KNOWN), scene.seed)
    for known, sizes in zip(KNOWN, several, strict=True):
        fewest = np.array([own.min() for own in sizes])
        best, average = 1 / int(fewest.min()), _mean(sizes)
        few, people = int((fewest < k).sum()), len(fewest)
        level: Level = "ok" if not few else "danger" if linked else "warn"
        verdict = (
            f"somebody who knows {known} records of a person finds at least {counted(int(fewest.min()), 'person')} "
            f"with such records, and picks the right one in {percent(average)} of the cases on average"
        )
        if few:
            verdict += f"; {few:,} of {counted(people, 'person')} {verb(few, 'is', 'are')} among fewer than {k}"
        if not linked:
            verdict += "; the release does not say which records are of one person"
        yield Finding(
            "trajectory", level, verdict, best, average, _mean(one), "somebody who knows one record", few, people,
            details={"records_known": known, "fewest": int(fewest.min()), "linked": linked},
        )  # fmt: skip


def _mean(sizes: list[np.ndarray]) -> float:
    return float(np.mean([(1 / own).mean() for own in sizes]))


def candidates(classes: Classes, person: str, known: Sequence[int], seed: int = 0) -> list[list[np.ndarray]]:
    """For each number of known records, and each person (or a sample of them), the number of persons with records in
    all classes of each set of so many of the person's."""
    once = classes.by_person(person)
    persons, of_person = np.unique(once.codes[person], return_inverse=True)
    by_class, by_person = (np.argsort(ids, kind="stable") for ids in (once.ids, of_person))
    ends_of_class, ends_of_person = (np.cumsum(np.bincount(ids)) for ids in (once.ids, of_person))
    targets, rng = sample(len(persons), seed, MAX_TARGETS), np.random.default_rng(seed)
    results: list[list[np.ndarray]] = [[] for _ in known]
    for target in range(len(persons)) if targets is None else targets.tolist():
        start = ends_of_person[target - 1] if target else 0
        own = once.ids[by_person[start : ends_of_person[target]]]
        if len(own) > MAX_CLASSES:
            own = rng.choice(own, MAX_CLASSES, replace=False)
        inside = np.zeros((len(own), len(persons)), dtype=bool)
        for row, number in enumerate(own.tolist()):
            begin = ends_of_class[number - 1] if number else 0
            inside[row, of_person[by_class[begin : ends_of_class[number]]]] = True
        packed = np.packbits(inside, axis=1)
        for result, m in zip(results, known, strict=True):
            sets = np.array(list(combinations(range(len(own)), min(m, len(own)))))
            both = np.bitwise_and.reduce(packed[sets], axis=1)
            result.append(BITS[both].sum(axis=1, dtype=np.int64))
    return results
