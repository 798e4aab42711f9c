"""Where the rows of a release are: in its folder, or in a database table, of which the folder knows only the name.

A reader names the database; a URL in a release is never followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairveil.data.types import type_named
from fairveil.engines.database_tables import counted, within
from fairveil.errors import BadInput
from fairveil.messages import option
from fairveil.published.database import counted_rows, digest
from fairveil.published.folder import table_of

if TYPE_CHECKING:
    from fairveil.engines import InMemoryTable
    from fairveil.engines.native import EngineAdapter
    from fairveil.progress import Progress
    from fairveil.recipes.recipe import Recipe


def counted_table(
    evidence: Mapping[str, Any],
    recipe: Recipe,
    database: EngineAdapter | None,
    table: str | None = None,
    progress: Progress | None = None,
) -> tuple[InMemoryTable, list[str]]:
    """Count the rows of a release in this database, in the `table` of the evidence or the one that is given; return
    them and the problems."""
    transaction = None if database is None else database.transaction(writes=False)
    if transaction is None:
        where = f"in a database, table {table_of(evidence)!r}"
        raise BadInput(f"the published rows are {where}: name the database ({option('published', 'URL')})")
    name, types = table or str(table_of(evidence)), evidence.get("types", {})
    with within(transaction, f"counting the table {name!r}"):
        columns = transaction.names(name)
        if columns is None:
            raise BadInput(f"the table {name!r} does not exist")
        if columns != list(types):
            raise BadInput(f"the columns of the table {name!r} differ from those in the evidence")
        kinds = {column: type_named(kind) for column, kind in types.items()}
        rows = counted_rows(counted(transaction, name, kinds), kinds, recipe.schema, progress)
    if digest(rows) != evidence["table"].get("digest"):
        return rows, [f"the table {name!r} was changed: its digest is not the one in the evidence"]
    return rows, []
