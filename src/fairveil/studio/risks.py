"""Inspect › Risk: attackers, sets of columns, and the records that are easiest to single out.

Rows are listed where the source has them; elsewhere they are counted, and groups of equal records are listed.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from fairveil.counting.cells import Cells, Classes, numbered_classes
from fairveil.counting.tuples import first_rows
from fairveil.engines import TooManyCells
from fairveil.engines.relation import suppressed_cells
from fairveil.measures.key_risk import KeySetRisks, key_set_risks
from fairveil.progress import Progress
from fairveil.published.judge import with_hidden, without_hidden
from fairveil.recipes.outcome import ONLY
from fairveil.release.release import Release
from fairveil.run.attacker_risks import (
    AttackerRisk,
    class_size_of_rows,
    classes_after,
    classes_before,
    risks_by_attacker,
)  # fmt: skip
from fairveil.run.key_risks import key_risks_of
from fairveil.settings import required
from fairveil.studio.answers import Answer, Cell
from fairveil.studio.candidate_store import need_candidate, release_of
from fairveil.studio.endpoints import Limit, Offset, endpoint
from fairveil.studio.inspecting import published_rows
from fairveil.studio.jobs import JobView, started
from fairveil.studio.looking import cells_of
from fairveil.studio.sessions import OpenSession

NOT_PUBLISHED = np.iinfo(np.int64).max
"""The class size of records that are suppressed."""
TOO_MANY = (
    "There are too many different records to list them here. The class sizes and the risk by attacker above count all "
    "of them."
)


class RiskyRow(Answer):
    """A row of the source, or, where `row` is null, all `records` of it with these values. `class_after` is null where
    they are suppressed."""

    row: int | None
    records: int
    values: list[Cell]
    class_before: int
    class_after: int | None


class RiskyRecords(Answer):
    """A window of the records at risk. `by_class`: groups of equal records are listed, not single ones. `matched`: it
    is known in which published class they are. `note` says why there are none, if so."""

    offset: int
    total: int
    columns: list[str]
    rows: list[RiskyRow]
    by_class: bool = False
    matched: bool = True
    note: str = ""


class KeySetFacts(Answer):
    """What somebody learns who knows only these columns: the smallest class, and the share of records in classes below
    5, before and after; null where they are not published together."""

    columns: list[str]
    smallest_before: int
    exposed_before: float
    smallest_after: int | None
    exposed_after: float | None


class KeySets(Answer):
    sets: list[KeySetFacts]


@endpoint("GET", "/inspect/risky?candidate&offset&limit")
def risky(session: OpenSession, candidate: str, offset: Offset = 0, limit: Limit = 100) -> RiskyRecords:
    """Return the people who are easiest to single out in the release, then in the source."""
    release = release_of(session, candidate)
    if not release.source.has_rows:
        return risky_classes(release, offset, limit)
    original, positions = release.original, published_rows(release)
    before = session.keep(("sizes-before", candidate), lambda: class_size_of_rows(original, release))
    after = np.full(original.rows, NOT_PUBLISHED, dtype=np.int64)
    if positions is not None:
        sizes = session.keep(
            ("sizes", candidate), lambda: class_size_of_rows(release.table, release, release.published.source_rows)
        )
        after[positions >= 0] = sizes[positions[positions >= 0]]
    order = np.lexsort([np.arange(original.rows), before, after])[offset : offset + limit]
    names = list(release.schema.quasi)
    values = cells_of([original.column(name) for name in names], order)
    listed = [
        RiskyRow(int(row), 1, line, int(before[row]), _published(after[row]))
        for row, line in zip(order, values, strict=True)
    ]
    return RiskyRecords(offset, original.rows, names, listed, matched=positions is not None)


def _published(size: int) -> int | None:
    return None if size == NOT_PUBLISHED else int(size)


def risky_classes(release: Release, offset: int, limit: int) -> RiskyRecords:
    """Return groups of equal records, counted where the rows are: those in the smallest classes first."""
    schema, names = release.schema, list(release.schema.quasi)
    person = [] if schema.person is None else [schema.person]
    try:
        cells = release.source.count(list(dict.fromkeys([*names, *release.judged.change.columns, *person])))
    except TooManyCells:
        return RiskyRecords(offset, 0, names, [], note=TOO_MANY)
    classes, after = Classes.of(cells, names), _published_sizes(release, cells)
    before = classes.people(schema.person)[classes.ids]
    published = np.zeros(len(cells), dtype=np.int64) if after is None else after
    alike, firsts = first_rows(
        [(classes.ids, len(classes)), ((published == NOT_PUBLISHED).astype(np.int64), 2)], len(cells)
    )
    records = np.bincount(alike, weights=cells.counts, minlength=len(firsts)).astype(np.int64)
    table = cells.table()
    by_value = [table.column(name).codes[firsts] for name in reversed(names)]
    order = np.lexsort([*by_value, before[firsts], published[firsts]])[offset : offset + limit]
    values = cells_of([table.column(name) for name in names], firsts[order])
    listed = [
        RiskyRow(None, int(records[group]), line, int(before[cell]), None if after is None else _published(after[cell]))
        for group, cell, line in zip(order, firsts[order], values, strict=True)
    ]
    return RiskyRecords(offset, len(firsts), names, listed, by_class=True, matched=after is not None)


def _published_sizes(release: Release, cells: Cells) -> np.ndarray | None:
    """Return the size of the published class of each cell, NOT_PUBLISHED where it is suppressed; None if it is not
    known how a cell is published, because rows are in groups, in several tables, or made up."""
    change, schema = release.judged.change, release.schema
    if change.staged or change.recipe.groups_rows or change.recipe.splits or release.invented:
        return None
    table = cells.table()
    kept = np.flatnonzero(~suppressed_cells(release.source, change, cells))
    outcome = change.of_rows(without_hidden(table), kept, cells.counts)
    classes, cell_of_row = numbered_classes(with_hidden(outcome, table, schema), schema, outcome.counts, [])
    sizes = np.full(len(cells), NOT_PUBLISHED, dtype=np.int64)
    rows = np.arange(len(cells)) if outcome.source_rows is None else outcome.source_rows
    sizes[rows] = classes.people(schema.person)[classes.ids][cell_of_row]
    return sizes


@endpoint("GET", "/inspect/attackers?candidate&threshold")
def attackers(session: OpenSession, candidate: str, threshold: float = 0.2) -> list[AttackerRisk]:
    """Return the risk as a prosecutor, a journalist and a marketer see it, and how many records are above it."""
    release = release_of(session, candidate)
    before, after = session.keep(("classes", candidate), lambda: (classes_before(release), classes_after(release)))
    return risks_by_attacker(release, before, after, threshold)


def published_key_risks(release: Release, size: int, progress: Progress) -> KeySetRisks:
    """Return the risk of sets of published quasi columns; of none where it is not known."""
    schema, classes = release.schema, release.judged.classes
    if release.recipe.splits:
        return KeySetRisks([], 0)
    if schema.person is None or schema.links:
        return key_risks_of(release.published.content[ONLY], schema, size, progress)
    if classes is None or not {*schema.quasi, schema.person} <= {*classes.codes}:
        return KeySetRisks([], 0)
    return key_set_risks(classes, schema.quasi, size, progress.check, schema.person)


@endpoint("POST", "/inspect/key-sets")
def key_sets(
    session: OpenSession, candidate: str, size: Annotated[int, required(min=1, max=3)] = 2
) -> JobView[KeySets]:
    """Return the risk of every set of up to `size` quasi columns, before and after, the riskiest first."""
    need_candidate(session, candidate)

    def work(progress: Progress) -> KeySets:
        release = release_of(session, candidate)
        schema = release.schema
        before = key_risks_of(release.source, schema, size, progress)
        whole = max(before.rows, 1)
        published = published_key_risks(release, size, progress)
        after, left = {risk.columns: risk for risk in published}, max(published.rows, 1)
        return KeySets([
            KeySetFacts(
                list(risk.columns), risk.smallest, risk.exposed / whole,
                after[risk.columns].smallest if risk.columns in after else None,
                after[risk.columns].exposed / left if risk.columns in after else None,
            )
            for risk in before
        ])  # fmt: skip

    return started(session, "key sets", work)
