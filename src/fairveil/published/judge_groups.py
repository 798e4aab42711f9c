"""Judging a change whose rows were grouped on their engine: everything is counted there, by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells, classes_of
from fairveil.counting.summary import hidden_bits
from fairveil.data.coding import alike
from fairveil.data.table import Column, Table
from fairveil.guards import Guard, guarded_columns
from fairveil.guards.guard import EARLIER
from fairveil.published.judge import Judged, judged_columns
from fairveil.recipes.change import GROUP, Change
from fairveil.recipes.outcome import ONLY, Outcome, PersonCounts

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.engines.blocked import GroupedSource
    from fairveil.engines.relation import Sizes, Source


def judge_groups(
    given: Source, schema: Schema, guards: Sequence[Guard], change: Change, also: Sequence[str] = ()
) -> Judged:
    """Return what a change would publish, computed group by group."""
    source = _grouped(given)
    published = {*schema.published, schema.person, EARLIER}
    judged = [name for name in judged_columns(schema, guards, source.names, also) if name in published]
    described = [*guarded_columns(guards, schema), *also]
    by_group = {name: change.recipe.shown_by_group(name) for name in judged}
    cells = source.count((GROUP, *(name for name in judged if by_group[name] is None)))
    suppressed = np.zeros(len(cells), dtype=bool)  # of groups of records, nobody else is left out
    change = replace(change, columns=tuple(cells.codes), suppressed=suppressed)
    kept = source.without(change.columns, suppressed)
    persons = None if schema.person is None else _persons(source, schema.person)
    if cells.rows < source.rows or schema.learns:
        units = (source.rows, cells.rows) if persons is None else (persons.source, persons.published)
        change = change.recalibrated(*units)
        schema = replace(schema, weight_factor=change.recipe.schema.weight_factor)
        change = _of_published(source, kept, schema, change)
        by_group = {name: change.recipe.shown_by_group(name) for name in judged}
    table, counts = _as_published(change, by_group, cells).compact(), cells.counts
    outcome = _outcome(source, kept, schema, change, table, counts)
    classes, _ = classes_of(table, schema, counts, described)
    if persons is not None:  # values are counted by group, without persons: a mean over records stands for theirs
        scale = persons.published / max(int(counts.sum()), 1)
        totals = {name: (loss * scale, bits * scale) for name, (loss, bits) in outcome.totals.items()}
        outcome = replace(outcome, totals=totals, persons=persons)
    return Judged(change, outcome, schema, classes, tuple(guard.verdict(classes, schema) for guard in guards))


def _grouped(source: Source) -> GroupedSource:
    grouped = source.engine.grouped if source.engine is not None else None
    assert grouped is not None, "the change was staged on an engine"
    return grouped


def _persons(source: GroupedSource, person: str) -> PersonCounts:
    """The persons of all rows, of those without a group, and of those in groups."""
    assert source.ungrouped is not None
    kept = source.count((person,))
    if kept.rows == source.rows:
        return PersonCounts(len(kept), 0, len(kept))
    everybody = source.ungrouped.count((person,))
    (of_all, of_kept), _ = alike([cells.table().column(person) for cells in (everybody, kept)])
    rows = np.zeros(len(everybody), dtype=np.int64)
    rows[of_all] = everybody.counts
    rows[of_kept] -= kept.counts
    return PersonCounts(len(everybody), int(np.count_nonzero(rows)), len(kept))


def _as_published(change: Change, by_group: dict[str, Column | None], cells: Cells) -> Table:
    """Cells as they are published: by the value of their group, or unchanged."""
    groups, columns = cells.codes[GROUP], []
    positions = groups if change.positions is None else change.positions[groups]
    for name, column in by_group.items():
        if column is not None:
            columns.append(column.take(positions))
        else:
            columns.append(Column(name, cells.codes[name], cells.labels[name]))
    return Table(tuple(columns))


def _positions(source: GroupedSource, kept: GroupedSource, change: Change) -> np.ndarray:
    """The positions in the recipe of the groups that are kept."""
    groups = np.searchsorted(source.groups, kept.groups)
    return groups if change.positions is None else change.positions[groups]


def _of_published(source: GroupedSource, kept: GroupedSource, schema: Schema, change: Change) -> Change:
    """The change as if the source had only the rows that it publishes."""

    def margin(name: str) -> tuple[Column, np.ndarray] | None:
        if name not in kept.names:
            return None
        pairs = kept.pairs(name)
        return pairs.margin, pairs.rows_of_value

    sizes = kept.count((GROUP,)).counts
    narrowed = schema.narrowed_each(margin)
    recipe, fresh = change.recipe.relearnt(narrowed, kept.pairs, _positions(source, kept, change), sizes)
    of_group = np.zeros(len(source.groups), dtype=np.int64)
    of_group[np.searchsorted(source.groups, kept.groups)] = np.arange(len(sizes)) if fresh is None else fresh
    change = replace(change, recipe=recipe, positions=of_group)
    if not recipe.schema.learns:
        return change
    by_group = {name: recipe.shown_by_group(name) for name in schema.quasi}
    columns = [kept.domain(name) if column is None else column for name, column in by_group.items()]
    return replace(change, recipe=recipe.shown({column.name: Table((column,)) for column in columns}))


def _outcome(
    source: GroupedSource, kept: GroupedSource, schema: Schema, change: Change, table: Table, counts: np.ndarray
) -> Outcome:  # fmt: skip
    totals, entropies = dict.fromkeys(schema.quasi, (0.0, 0.0)), dict.fromkeys(schema.quasi, 0.0)
    for name in schema.quasi if len(counts) else ():
        pairs = kept.pairs(name)
        totals[name] = change.recipe.paid(pairs, _positions(source, kept, change))
        rows = pairs.rows_of_value.astype(float)
        entropies[name] = float(hidden_bits(rows, np.zeros(len(rows), dtype=np.int64))[:1].sum())
    return Outcome({ONLY: table}, source.rows, {}, entropies, counts=counts, totals=totals, facts=change.facts)


def people_alike(source: Source, change: Change) -> Sizes:
    """How many distinct tuples of original quasi values how many published people have."""
    return kept_groups(source, change)[0].sizes(change.recipe.schema.quasi)


def kept_groups(source: Source, change: Change) -> tuple[GroupedSource, np.ndarray]:
    """The published rows of a source, and the position of each of their groups in the recipe."""
    assert change.suppressed is not None
    grouped = _grouped(source)
    kept = grouped.without(change.columns, change.suppressed)
    return kept, _positions(grouped, kept, change)
