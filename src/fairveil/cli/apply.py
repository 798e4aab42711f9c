"""fairveil apply: the same change, on new data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairveil.cli.options import DataFile, Json, MissingValues, Overwrite, Separator, TextColumns, read_table
from fairveil.errors import BadInput, suggest


def apply(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release folder, whose recipe is used.")],
    file: DataFile,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write: a .csv or .parquet file.")],
    unknown: Annotated[
        str, typer.Option(metavar="refuse|suppress", help="What to do with values that the recipe does not know.")
    ] = "refuse",
    missing_values: MissingValues = [],  # noqa: B006
    text: TextColumns = [],  # noqa: B006
    separator: Separator = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> int:
    """Change new data as a release was changed.

    DIR is the release folder, FILE a CSV, TSV (also .gz) or Parquet file of the same columns.
    What was promised for the release is not promised for the new rows.
    """
    from fairveil.cli.terminal import say, say_json, working
    from fairveil.release.release import refuse_file_target, write_file
    from fairveil.release.verify import load_recipe

    if unknown not in ("refuse", "suppress"):
        raise BadInput(suggest(unknown, ["refuse", "suppress"], "way with unknown values:"))
    refuse_file_target(out, overwrite=overwrite)
    with working(f"reading {file.name}"):
        recipe = load_recipe(folder)
        table = read_table(file, missing_values, text, separator)
        outcome = recipe.apply(table, unknown=unknown)  # type: ignore[arg-type]
        write_file(outcome.table, out)
    left_out = outcome.rows - outcome.table.rows
    if json:
        say_json({"path": str(out), "rows": outcome.table.rows, "suppressed": left_out})
    else:
        say(f"{outcome.table.rows:,} of {outcome.rows:,} rows written to {out}, {left_out:,} suppressed")
        say("No promise is made for them: `fairveil check` tells whether one holds.")
    return 0
