"""Dangers that only the source shows: columns that undo others (`attacks/derivation.py`).

They are looked for when a release is made, on the published people alone, by counting, wherever the source is. The
publisher is told; nothing of the figures is published, since nobody could check them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from fairveil.attacks.derivation import Triples, derived
from fairveil.engines.relation import TooManyCells, suppressed_cells
from fairveil.published.judge import judged_columns
from fairveil.published.published import Published
from fairveil.recipes.change import GROUP
from fairveil.release.release import Release


def source_dangers(release: Release, published: Published | None = None) -> list[dict[str, Any]]:
    """The dangers of a release that cannot be seen in what it publishes, as plain data; `published` is what it
    publishes, if it was written already."""
    if release.recipe.splits or release.recipe.invents:
        return []
    behind = _of_rows if release.source_rows is not None else _of_groups if release.judged.change.staged else _of_cells
    return [
        finding.to_dict()
        for finding in derived(published or release.published, partial(behind, release))
        if not finding
    ]


def _of_rows(release: Release, name: str, other: str) -> Triples:
    source, table = release.source.table, release.table
    return Triples.of_rows(
        table.column(name).codes, source.column(name).codes[release.source_rows], table.column(other).codes
    )


def _of_cells(release: Release, name: str, other: str) -> Triples | None:
    """From the cells of a source whose rows stay where they are; equal values are published alike there."""
    source, change = release.source, release.judged.change
    judged = source.count(change.columns or judged_columns(release.schema, release.guards, source.names))
    try:
        cells = source.count((*(change.columns if release.suppressed else ()), name, other))
    except TooManyCells:  # then hardly any record shares its value: see the attack `uniqueness`
        return None
    published = np.zeros(judged.sizes[name], dtype=np.int64)
    shown = np.flatnonzero(~suppressed_cells(source, change, judged))
    outcome = change.of_rows(judged.table(), shown, judged.counts)
    published[judged.codes[name][shown]] = outcome.table.column(name).codes
    kept = ~suppressed_cells(source, change, cells) if release.suppressed else slice(None)
    original, counts = cells.codes[name][kept], cells.counts[kept]
    return Triples(published[original], original, cells.codes[other][kept], counts)


def _of_groups(release: Release, name: str, other: str) -> Triples | None:
    """From rows that were grouped where they are."""
    from fairveil.published.judge_groups import kept_groups

    kept, positions = kept_groups(release.source, release.judged.change)
    try:
        cells = kept.count((GROUP, name, other))
    except TooManyCells:
        return None
    shown = [release.recipe.shown_by_group(column) for column in (name, other)]
    codes = [
        cells.codes[column] if by_group is None else by_group.codes[positions[cells.codes[GROUP]]].astype(np.int64)
        for column, by_group in zip((name, other), shown, strict=True)
    ]
    return Triples(codes[0], cells.codes[name], codes[1], cells.counts)
