"""Apply a recipe to new data on an engine; the result is a Parquet file."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from fairveil.data.atomic import whole_files
from fairveil.data.writers import piece_rows, write_stream
from fairveil.engines.relation import arrow_schema
from fairveil.errors import BadInput, refuse, suggest
from fairveil.messages import option
from fairveil.recipes.change import Change
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.progress import Progress
    from fairveil.recipes.recipe import Recipe


def apply_there(recipe: Recipe, source: Source, path: Path, progress: Progress, *, overwrite: bool = False) -> int:
    """Apply a recipe to a source on an engine; return the number of rows written. They are sorted by their values.
    Values that the recipe does not know are refused by name."""
    recipe.refuse_invented()
    if path.suffix != ".parquet":
        raise BadInput(f"rows on an engine are written as Parquet: name a .parquet file, not {path.name}")
    if recipe.splits or recipe.groups_rows:
        raise BadInput(f"this recipe needs single rows: use {option('engine', 'memory')}")
    schema = recipe.schema
    refuse([suggest(name, source.names, "column") for name in schema.quasi if name not in source.names])
    bare = [name for name in source.names if name not in schema.columns]
    if bare:
        raise BadInput(f"column {bare[0]!r} has no role in the recipe's schema: leave it out first")
    recipe.refuse_unlisted(source)
    table = source.publish(Change(recipe))[0][ONLY]
    with closing(table.pieces(piece_rows())) as pieces, whole_files([path], overwrite=overwrite) as asides:
        with source.snapshot.explaining():
            write_stream(pieces, arrow_schema(table), asides[path], progress)
        progress.run(source.snapshot.check)
    return table.rows
