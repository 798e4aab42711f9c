"""Who is in an earlier release, and in which of its classes, by the columns that its recipe looks at.

A recipe says how each tuple of values was published, and the release how many such rows it has. If it has all of a
tuple's rows, or none, the tuple decides. If it has some of them, its guards say which persons were suppressed: they are
judged again. If that does not give the published rows, nobody knows who is in it, and the answer would be a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairveil.attacks.scene import as_published, is_function, matched, share_known
from fairveil.counting.cells import Cells, numbered_classes
from fairveil.errors import BadInput
from fairveil.guards import guarded_columns
from fairveil.messages import counted, option
from fairveil.published.judge import publishable
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.data.table import Table
    from fairveil.engines import PublishedTable, Source
    from fairveil.published.published import Published

NOWHERE = -1
"""The class of somebody who is not in a release."""


def classes_then(
    published: Published, people: Source, release: str
) -> tuple[tuple[str, ...], Cells, np.ndarray]:  # fmt: skip
    """Return columns of the people, the cells of these, and the class of each cell in a release, NOWHERE if none.

    Raises BadInput if the recipe and the guards do not tell.
    """
    schema, content = published.schema, published.content[ONLY]
    refused = BadInput(
        f"earlier release {release}: its recipe does not say how each person was published: give the "
        f"source it was made of ({option('source', ...)})"
    )
    quasi = [name for name in schema.quasi if name in people.names]
    if len(quasi) < len(schema.quasi):
        raise refused
    every = [name for name in content.names if name in people.names and name not in schema.pseudonyms]
    partial = 0
    for columns in dict.fromkeys((tuple(quasi), tuple(dict.fromkeys([*quasi, *every])))):
        cells = people.count(columns)
        recoded = _as_published(published, cells.table())
        if recoded is None or not _recodes(published, content, cells, recoded):
            raise refused
        mine, theirs, total, there = _counted(content, recoded, columns)
        then = np.bincount(theirs, weights=there.counts, minlength=total)
        now = np.bincount(mine, weights=cells.counts, minlength=total)
        partial = int(now[(then > 0) & (then < now)].sum())
        if not partial:
            return columns, cells, _numbered(recoded, schema.quasi, then[mine] > 0)
    if (judged := _judged_again(published, people, every)) is not None:
        return judged
    raise BadInput(
        f"earlier release {release}: {counted(partial, 'record')} of the data look like records in it, but it has only "
        f"some of these, and nothing says whose: give the source it was made of ({option('source', ...)}) and a key, "
        "or the release as it is in memory"
    )


def _as_published(published: Published, table: Table) -> Table | None:
    """The cells as the recipe publishes them; None if it does not know some of them."""
    try:
        recoded = as_published(published.recipe, table)
    except BadInput:
        return None
    return recoded if recoded.rows == table.rows else None


def _counted(
    content: PublishedTable, recoded: Table, columns: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray, int, Cells]:
    """The published tuples of each cell and of the release, how many there are, and the release's cells."""
    names = [name for name in content.names if name in columns and name in recoded]
    there = content.count(names)
    mine, theirs, total = matched(recoded, there.table(), names)
    return mine, theirs, total, there


def _recodes(published: Published, content: PublishedTable, cells: Cells, recoded: Table) -> bool:
    """Whether the recipe says how everybody was published: it reproduces all published rows, or it always publishes a
    value of a column in the same way, mostly as one that the release has."""
    quasi = tuple(published.schema.quasi)
    mine, theirs, total, there = _counted(content, recoded, quasi)
    then, now = (
        np.bincount(ids, weights=n, minlength=total) for ids, n in ((theirs, there.counts), (mine, cells.counts))
    )
    if np.minimum(then, now).sum() == content.rows:
        return True
    return all(
        is_function(cells.codes[name], recoded.column(name).codes)
        and share_known(recoded.column(name), there.table().column(name), cells.counts) > 0.5
        for name in quasi
    )


def _judged_again(
    published: Published, people: Source, every: list[str]
) -> tuple[tuple[str, ...], Cells, np.ndarray] | None:
    """The same, if the guards, judged on these people, leave exactly the published rows."""
    schema, guards = published.schema, published.guards
    hidden = [name for name in (schema.person,) if name is not None]
    if not all(name in people.names for name in hidden):
        return None
    columns = tuple(dict.fromkeys([*every, *hidden]))
    cells = people.count(columns)
    table = cells.table()
    recoded = _as_published(published, table)
    if recoded is None:
        return None
    judged = replace(recoded, columns=(*recoded.drop(hidden).columns, *(table.column(name) for name in hidden)))
    classes, cell_of_row = numbered_classes(judged, schema, cells.counts, guarded_columns(guards, schema))
    left = publishable(classes, schema, guards, cells.rows)
    if left is None:
        return None
    members = left.published[cell_of_row]
    mine, theirs, total, there = _counted(published.content[ONLY], recoded, columns)
    then = np.bincount(theirs, weights=there.counts, minlength=total)
    if not np.array_equal(np.bincount(mine, weights=cells.counts * members, minlength=total), then):
        return None
    return columns, cells, _numbered(recoded, schema.quasi, members)


def _numbered(recoded: Table, quasi: Sequence[str], members: np.ndarray) -> np.ndarray:
    """The class of each cell whose records are in the release."""
    classes = matched(recoded, recoded, quasi)[0]
    return np.where(members, classes, NOWHERE)
