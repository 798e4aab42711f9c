"""Judging rows that were put into groups where they are: everything is counted there, by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fairveil.counting.cells import Cells, classes_of
from fairveil.counting.summary import hidden_bits
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.engines.base import Source
from fairveil.engines.blocked import Grouped
from fairveil.guards import Guard, looked_at
from fairveil.published.judge import Judged, judged_columns, publishable
from fairveil.recipes.base import GROUP, ONLY, Change, Outcome


def judge_groups(source: Source, schema: Schema, guards: Sequence[Guard], change: Change) -> Judged:
    """What a change would publish: classes that break a guard are left out, group by group."""
    assert isinstance(source, Grouped)
    published = set(schema.published)
    seen = [name for name in judged_columns(schema, guards, source.names) if name in published]
    made = {name: change.recipe.shown_by_group(name) for name in seen}
    cells = source.count((GROUP, *(name for name in seen if made[name] is None)))
    table = _shown(change, made, cells)
    classes, class_of_cell = classes_of(table, schema, cells.counts, looked_at(guards, schema))
    budget = max((guard.budget(source.rows) for guard in guards), default=0)
    left = publishable(classes, schema, guards, budget)
    suppressed = np.zeros(len(cells), dtype=bool)
    if left is not None and not left.published.all():
        suppressed = ~left.published[class_of_cell]
        change = replace(change, facts={})  # what the method reported is about more rows than are published
    change = replace(change, columns=tuple(cells.codes), suppressed=suppressed)
    if suppressed.any() or cells.rows < source.rows or schema.learns:
        change = _of_published(source, schema, change, cells)
        made = {name: change.recipe.shown_by_group(name) for name in seen}
        table = _shown(change, made, cells)
    kept = np.flatnonzero(~suppressed)
    table, counts = table.take(kept).compact(), cells.counts[kept]
    outcome = _outcome(source, schema, change, table, counts)
    classes, _ = classes_of(table, schema, counts, looked_at(guards, schema))
    return Judged(change, outcome, schema, classes, tuple(guard.verdict(classes, schema) for guard in guards))


def _shown(change: Change, made: dict[str, Column | None], cells: Cells) -> Table:
    """Cells as they are published: by their group, or as they are."""
    groups, columns = cells.codes[GROUP], []
    places = groups if change.places is None else change.places[groups]
    for name, column in made.items():
        if column is not None:
            columns.append(column.take(places))
        else:
            columns.append(Column(name, cells.codes[name], cells.labels[name]))
    return Table(tuple(columns))


def _kept_groups(source: Grouped, change: Change) -> np.ndarray:
    """Which groups are published; a class is left out with all its groups."""
    assert change.suppressed is not None
    kept = np.zeros(len(source.spelled(GROUP).values), dtype=bool)
    kept[source.count(change.columns).codes[GROUP][~change.suppressed]] = True
    return kept


def _of_published(source: Grouped, schema: Schema, change: Change, cells: Cells) -> Change:
    """The change as if there had never been more rows than it publishes."""
    kept = _kept_groups(source, change)
    if not kept.any():
        return change

    def margin(name: str) -> tuple[Column, np.ndarray] | None:
        if name not in source.names:
            return None
        pairs = source.pairs(name, kept)
        return pairs.margin, pairs.rows_of_value

    sizes = np.bincount(cells.codes[GROUP], weights=cells.counts, minlength=len(kept))[kept].astype(np.int64)
    places = None if change.places is None else change.places[kept]
    if places is None:
        places = np.flatnonzero(kept)
    recipe, fresh = change.recipe.relearnt(
        schema.narrowed_each(margin), lambda name: source.pairs(name, kept), places, sizes
    )
    of_group = np.zeros(len(kept), dtype=np.int64)
    of_group[kept] = np.arange(len(sizes)) if fresh is None else fresh
    change = replace(change, recipe=recipe, places=of_group)
    if not recipe.schema.learns:
        return change
    made = {name: recipe.shown_by_group(name) for name in schema.quasi}
    shown = Table(tuple(column for column in made.values() if column is not None))
    return replace(change, recipe=recipe.shown({ONLY: shown}))


def _outcome(source: Grouped, schema: Schema, change: Change, table: Table, counts: np.ndarray) -> Outcome:
    kept = _kept_groups(source, change)
    totals, entropies = {}, {}
    for name in schema.quasi:
        pairs = source.pairs(name, kept)
        places = np.flatnonzero(kept) if change.places is None else change.places[kept]
        totals[name] = change.recipe.paid(pairs, places)
        rows = pairs.rows_of_value.astype(float)
        entropies[name] = float(hidden_bits(rows, np.zeros(len(rows), dtype=np.int64))[:1].sum())
    return Outcome({ONLY: table}, source.rows, {}, entropies, counts=counts, totals=totals, facts=change.facts)


def people_alike(source: Source, change: Change) -> np.ndarray:
    """How many of the published people are alike in their own quasi values, of each distinct tuple."""
    assert isinstance(source, Grouped)
    return source.alike(change.recipe.schema.quasi, _kept_groups(source, change))
