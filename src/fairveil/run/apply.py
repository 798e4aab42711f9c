"""Apply a recipe to new data on an engine; the result is a Parquet file."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from fairveil.data.atomic import whole_files
from fairveil.data.writers import write_stream
from fairveil.engines import Source, TablesInMemory
from fairveil.errors import BadInput, refuse, suggest
from fairveil.progress import Progress
from fairveil.published.published_table import InMemoryTable, PublishedTable
from fairveil.recipes.change import Change
from fairveil.recipes.outcome import ONLY
from fairveil.recipes.recipe import Recipe


def apply_there(recipe: Recipe, source: Source, path: Path, progress: Progress, *, overwrite: bool = False) -> int:
    """Apply a recipe to a source on an engine; return the number of rows written. They are sorted by their values.
    Values that the recipe does not know are refused by name."""
    if path.suffix != ".parquet":
        raise BadInput(f"rows on an engine are written as Parquet: name a .parquet file, not {path.name}")
    if recipe.splits or recipe.groups_rows:
        raise BadInput('this recipe looks at single rows: take engine "memory"')
    schema = recipe.schema
    refuse([suggest(name, source.names, "column") for name in schema.quasi if name not in source.names])
    bare = [name for name in source.names if name not in schema.columns]
    if bare:
        raise BadInput(f"column {bare[0]!r} has no role in the recipe's schema: leave it out first")
    sink = TablesInMemory()
    source.publish(Change(recipe), sink)
    content: PublishedTable
    if ONLY in sink.tables:
        content = InMemoryTable(sink.tables[ONLY], sink.counts.get(ONLY))
    else:
        from fairveil.published.parquet import PendingTable

        content = PendingTable(sink.elsewhere[ONLY], schema, ())
    fields, pieces = content.in_pieces()
    with closing(pieces), whole_files([path], overwrite=overwrite) as asides:
        write_stream(pieces, fields, asides[path], progress)
    return content.rows
