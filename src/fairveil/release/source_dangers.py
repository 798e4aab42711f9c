"""What only the source shows: columns that undo others (`attacks/derivation.py`), and attacks by persons whose column
is not published.

Both are looked for when a release is made, on the published people alone, by counting, wherever the source is. The
publisher is told; nothing of the figures is published, since nobody could check them. What attacks by persons found is
published as a level, and a danger must be accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.attacks import ATTACKS, Finding, Findings, Scene, run
from fairveil.attacks.derivation import MAX_ROWS, Triples, compared, derived, one_each, undoing
from fairveil.engines.relation import TooManyCells, rolled_up, suppressed_cells, without_suppressed
from fairveil.progress import Progress
from fairveil.published.judge import judged_columns
from fairveil.recipes.change import GROUP

if TYPE_CHECKING:
    from fairveil.counting.cells import Cells
    from fairveil.engines.lazy import LazySource
    from fairveil.published.published import Published
    from fairveil.release.release import Release

Counting = Callable[[str, str], Triples | None]
"""Counts the published records by a hidden and another column."""

MAX_JOINT = 1 << 20
"""Maximum number of combinations of two columns that are all counted."""
MAX_TOGETHER = 1 << 22
"""Maximum number of combinations of all hidden columns and another one that are counted together."""


STATED = {"ok": "no danger", "warn": "a warning", "danger": "a danger"}


def findings_by_persons(release: Release, published: Published | None = None) -> Findings:
    """What attacks that count persons find in a release whose readers cannot count them; nothing in any other one."""
    schema = release.schema
    if schema.person is None or schema.links or (classes := release.judged_classes(schema.sensitive)) is None:
        return Findings()
    attempts = [attack for attack in ATTACKS if attack.cheap and attack.by_person]
    return run(Scene(published or release.published, judged=classes), attempts, Progress())


def stated_by_persons(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """The same as published: a level, in words that are the same for all releases."""
    return [
        {"attack": f.attack, **({} if f.column is None else {"column": f.column}), **level_by_persons(f.level)}
        for f in findings
    ]


def level_by_persons(level: str) -> dict[str, str]:
    words = f"tried by persons, whose column is not published, with the source: {STATED[level]}"
    return {"level": level, "verdict": words}


def findings_of(
    release: Release, published: Published | None = None, with_source: Sequence[Mapping[str, Any]] | None = None
) -> list[Mapping[str, Any]]:
    """All that attacks find when a release is made: by persons, in what it publishes, and with the source; the last,
    if it is known already, is `with_source`."""
    by_persons = [finding.to_dict() for finding in release.findings_by_persons]
    with_source = source_dangers(release, published) if with_source is None else with_source
    return [*by_persons, *release.evidence()["attacks"], *with_source]


def source_dangers(release: Release, published: Published | None = None) -> list[dict[str, Any]]:
    """The dangers of a release that cannot be seen in what it publishes, as plain data; `published` is what it
    publishes, if it was written already."""
    if release.recipe.splits or release.recipe.invents:
        return []
    behind = (
        _of_rows
        if release.published.source_rows is not None
        else _of_groups
        if release.judged.change.staged
        else _of_cells
    )
    written = published or release.published
    scene = Scene(written, judged=release.judged.classes)
    return [finding.to_dict() for finding in derived(scene, behind(release, written)) if not finding]


def _of_rows(release: Release, published: Published) -> Counting:
    source, table, behind = release.source.table, release.table, release.published.source_rows
    assert behind is not None
    each = one_each(source, behind, published)
    rows = behind[each]

    def triples(name: str, other: str) -> Triples:
        shown, beside = table.column(name).codes[each], table.column(other).codes[each]
        return Triples.of_rows(shown, source.column(name).codes[rows], beside)

    return triples


def _of_cells(release: Release, published: Published) -> Counting:
    """From the cells of a source whose rows stay where they are; equal values are published alike there."""
    hidden, others = undoing(published)
    if not (hidden and others):
        return lambda name, other: None
    source, change = release.source, release.judged.change
    judged = source.count(change.columns or judged_columns(release.schema, release.guards, source.names))
    not_suppressed = ~suppressed_cells(source, change, judged)
    table = release.published_people.outcome.table  # of the same cells
    kept = _kept(release, published)

    def triples(name: str, other: str) -> Triples | None:
        try:
            cells = kept((name, other))
        except TooManyCells:  # then hardly any record shares its value: see the attack `uniqueness`
            return None
        lookup = np.zeros(judged.sizes[name], dtype=np.int64)
        lookup[judged.codes[name][not_suppressed]] = table.column(name).codes
        original = cells.codes[name]
        return Triples(lookup[original], original, cells.codes[other], cells.counts)

    return triples


def _one_each(source: LazySource, person: str) -> LazySource:
    """One record of each person, in the codes of the source."""
    from fairveil.engines.engine_cache import EngineCache
    from fairveil.engines.one_row import OneRow

    few = OneRow(person, "random").on_engine(source).engine
    assert few is not None
    return replace(few, cache=EngineCache(spelled={name: source.spelled(name) for name in source.aliases}))


def _kept(release: Release, published: Published) -> Callable[[Sequence[str]], Cells]:
    """How to count a hidden and another column of the source in the rows that are published, or in one of each person.
    What was counted with the judged columns needs no query. An engine counts all hidden columns with another one in one
    query, if their combinations are few. Of a column with very many values, it counts the rows of some."""
    source, change, person = release.source, release.judged.change, release.schema.person
    hidden, others = undoing(published)
    engine = source.engine
    if engine is None:  # a source of another package, which only counts
        return _kept_by_counts(release, published)
    names = [name for name in (*hidden, *others) if name in engine.names]
    behind = engine.behind(change, names) if release.suppressed and person is None else engine
    if person is not None:
        from fairveil.engines.engine_cache import EngineCache

        names_of_each = [name for name in compared(published, person) if name in engine.names]
        spelled = {name: engine.spelled(name) for name in names_of_each}
        whole = replace(engine.only(names_of_each), cache=EngineCache(spelled=spelled))
        behind = _one_each(engine.behind(change, names_of_each) if release.suppressed else whole, person)
    counts = engine.cache.cells if person is None else behind.cache.cells
    sizes = {name: len(engine.domain(name).values) for name in names}
    around = [name for name in hidden if name in sizes]

    @cache
    def published_cells(key: tuple[str, ...]) -> Cells:
        return without_suppressed(source, change, counts[key]) if person is None else counts[key]

    def known(asked: Sequence[str]) -> Cells | None:
        """The published cells of columns that were counted together with those that are judged; None if none were."""
        needed = {*asked, *change.columns} if release.suppressed and person is None else {*asked}
        finer = [key for key in counts if needed <= {*key}]
        if not finer:
            return None
        key = min(finer, key=lambda key: len(counts[key]))
        return rolled_up({key: published_cells(key)}, asked) or published_cells(key)

    @cache
    def count_with(other: str) -> None:
        """Count all hidden columns with all others that were not counted, or with this one, in one query, if their
        combinations are few: what is asked for later is derived from that."""
        beside, combinations = known(around), prod(sizes[name] for name in around)
        combinations = min(combinations, combinations if beside is None else len(beside))
        uncounted = [name for name in sizes if name not in around and known([around[0], name]) is None]
        for beside_them in (uncounted, [other]):
            few = min(MAX_TOGETHER, engine.budget.cells(len(around) + len(beside_them)))
            if combinations * prod(sizes[name] for name in beside_them) <= few:
                behind.count((*around, *beside_them))
                return

    @cache
    def sample(other: str) -> Cells:
        """A part of the values, by a hash of their position, with all their rows: about as many as in memory."""
        hashed = np.arange(sizes[other], dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)
        part = behind.holding(other, hashed % np.uint64(-(-behind.rows // MAX_ROWS)) == 0)
        return part.count((*around, other))

    def count(asked: Sequence[str]) -> Cells:
        name, other = asked
        if (cells := known(asked)) is not None:
            return cells
        if sizes[name] * sizes[other] > MAX_JOINT:
            return sample(other)
        count_with(other)
        return behind.count(asked)

    return count


def _kept_by_counts(release: Release, published: Published) -> Callable[[Sequence[str]], Cells]:
    """The same from counts alone: equal records of a person are one, whichever is taken."""
    from fairveil.engines.one_row import OneRow

    source, change, person = release.source, release.judged.change, release.schema.person
    columns = change.columns if release.suppressed else ()
    if person is None:
        return lambda asked: without_suppressed(source, change, source.count((*columns, *asked)))
    names = [name for name in compared(published, person) if name in source.names]

    @cache
    def of_each() -> Cells:
        cells = without_suppressed(source, change, source.count(tuple(dict.fromkeys((*columns, *names)))))
        rows = OneRow(person, "random").rows(cells.table().select(names))
        codes = {name: cells.codes[name][rows] for name in names}
        return replace(cells, codes=codes, counts=np.ones(len(rows), dtype=np.int64))

    return lambda asked: rolled_up({tuple(names): of_each()}, asked) or of_each()


def _of_groups(release: Release, published: Published) -> Counting:
    """From rows that were grouped where they are."""
    from fairveil.published.judge_groups import kept_groups

    kept, positions = kept_groups(release.source, release.judged.change)
    person = release.schema.person
    each = kept if person is None or person not in kept.names else _one_each(kept, person)

    def triples(name: str, other: str) -> Triples | None:
        try:
            cells = each.count((GROUP, name, other))
        except TooManyCells:
            return None
        shown = [release.recipe.shown_by_group(column) for column in (name, other)]
        codes = [
            cells.codes[column] if by_group is None else by_group.codes[positions[cells.codes[GROUP]]].astype(np.int64)
            for column, by_group in zip((name, other), shown, strict=True)
        ]
        return Triples(codes[0], cells.codes[name], codes[1], cells.counts)

    return triples
