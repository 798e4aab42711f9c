"""fairveil apply: a recipe applied to new data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fairveil.cli.options import HowToRead, Json, Overwrite, WhereToWork, is_url, reading, short, working_on
from fairveil.errors import BadInput, suggest
from fairveil.plural import counted


@working_on
@reading
def apply(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release folder, whose recipe is used.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="New data with the same columns.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write: a .csv or .parquet file.")],
    unknown: Annotated[
        str, typer.Option(metavar="refuse|suppress", help="What to do with values that the recipe does not know.")
    ] = "refuse",
    how: HowToRead = HowToRead(),  # noqa: B008 - frozen
    where: WhereToWork = WhereToWork(),  # noqa: B008 - frozen
    overwrite: Overwrite = False,
    json: Json = False,
) -> int:
    """Apply the recipe of a release to new data.

    DIR is the release folder, FILE a data file of the same columns. It is read as the source of the release was, unless
    options say otherwise.
    With --engine, or where FILE is the URL of a database, the rows stay there and go into a .parquet file.
    If the release is split into projections, each gets a file: --out new.csv gives new-1.csv, new-2.csv, …
    The promises of the release do not extend to the new rows.
    """
    from fairveil.cli.terminal import working
    from fairveil.data.writers import refuse_file_target, refuse_format, write_files
    from fairveil.published.folder import load_recipe
    from fairveil.run.apply import apply_there
    from fairveil.shapes import made

    if unknown not in ("refuse", "suppress"):
        raise BadInput(suggest(unknown, ["refuse", "suppress"], "value of --unknown:"))
    refuse_format(out)
    with working(f"reading {short(file)}") as progress:
        recipe = load_recipe(folder)
        places = dict(zip(recipe.table_names, targets(out, len(recipe.table_names), recipe.splits), strict=True))
        for place in places.values():
            refuse_file_target(place, overwrite=overwrite)
        if where.engine not in (None, "auto", "memory") or is_url(file):
            if unknown != "refuse":
                raise BadInput("on an engine, unknown values can only be refused: leave --unknown out")
            dialect = how.dialect(how.like(recipe.schema.read).names(file), recipe.schema.read)
            source = progress.run(lambda: where.open(file, dialect, progress=progress))
            rows = progress.run(lambda: apply_there(recipe, source, out, progress, overwrite=overwrite))
            return _tell(rows, source.rows, source.dropped, [out], out, json)
        table = progress.run(lambda: how.table(file, recipe.schema.read))
        outcome = progress.run(
            lambda: made(lambda: recipe.apply(table, unknown=unknown), f"the recipe of {folder}")  # type: ignore[arg-type]
        )
        write_files({places[name]: table for name, table in outcome.tables.items()}, progress, overwrite=overwrite)
    return _tell(outcome.published_rows, outcome.rows, table.dropped, list(places.values()), out, json)


def _tell(rows: int, given: int, dropped: int, places: Sequence[Path], out: Path, json: bool) -> int:
    """Print what was written."""
    from fairveil.cli.terminal import say, say_json

    written = ", ".join(map(str, places)) or "nothing: the release publishes no table"
    if json:
        say_json({"path": str(out), "files": [str(p) for p in places], "rows": rows, "suppressed": given - rows})
        return 0
    before = f", {dropped:,} dropped before for missing values" if dropped else ""
    say(f"{rows:,} of {counted(given, 'row')} written to {written}, {given - rows:,} suppressed{before}")
    say("Nothing is promised for these rows: `fairveil check` says whether a promise holds.")
    return 0


def targets(out: Path, tables: int, split: bool) -> list[Path]:
    """One file, or one per projection: people.csv becomes people-1.csv, people-2.csv, …"""
    if not split:
        return [out]
    return [out.with_name(f"{out.stem}-{number}{out.suffix}") for number in range(1, tables + 1)]
