"""fairveil apply: a recipe applied to new data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from fairveil.cli.options import How, Json, Overwrite, Where, argument, is_url, opt, reading, working_on
from fairveil.cli.terminal import say, say_json, short, working
from fairveil.errors import BadInput, suggest
from fairveil.messages import counted


@working_on
@reading
def apply(
    folder: Annotated[Path, argument("DIR", "A release folder, whose recipe is used.")],
    file: Annotated[str, argument("FILE", "New data with the same columns.")],
    *,
    out: Annotated[Path, opt("FILE", "Where to write: a .csv or .parquet file.")],
    unknown: Annotated[str, opt("refuse|suppress", "What to do with values that the recipe does not know.")] = "refuse",
    how: How,
    where: Where,
    overwrite: Overwrite = False,
    json: Json = False,
) -> int:
    """Apply the recipe of a release to new data.

    FILE is read as the source of the release was, unless options say otherwise.
    With --engine, or where FILE is the URL of a database, the rows stay there and go into a .parquet file.
    If the release is split into projections, each gets a file: --out new.csv gives new-1.csv, new-2.csv, …
    The promises of the release do not extend to the new rows.
    """
    from fairveil.data.writers import refuse_file_target, refuse_format, write_files
    from fairveil.published.folder import load_recipe
    from fairveil.run.apply import apply_there
    from fairveil.shapes import made

    if unknown not in ("refuse", "suppress"):
        raise BadInput(suggest(unknown, ["refuse", "suppress"], "value of --unknown:"))
    refuse_format(out)
    with working(f"reading {short(file)}") as progress:
        recipe = load_recipe(folder)
        recipe.refuse_invented()
        numbers = [f"-{number}" if recipe.splits else "" for number in range(1, len(recipe.table_names) + 1)]
        paths = [out.with_name(f"{out.stem}{number}{out.suffix}") for number in numbers]
        files = dict(zip(recipe.table_names, paths, strict=True))
        for path in files.values():
            refuse_file_target(path, overwrite=overwrite)
        if where.given.get("engine") not in (None, "auto", "memory") or is_url(file):
            if unknown != "refuse":
                raise BadInput("on an engine, unknown values can only be refused: leave --unknown out")
            source = progress.run(lambda: where.open(file, how.header(file, recipe.schema.read)[1], progress=progress))
            rows = progress.run(lambda: apply_there(recipe, source, out, progress, overwrite=overwrite))
            return _show(rows, source.rows, source.dropped, [out], out, json)
        table = progress.run(lambda: how.table(file, recipe.schema.read))
        outcome = progress.run(
            lambda: made(lambda: recipe.outcome(table, unknown=unknown), f"the recipe of {folder}")  # type: ignore[arg-type]
        )
        write_files({files[name]: table for name, table in outcome.tables.items()}, progress, overwrite=overwrite)
    return _show(outcome.published_rows, outcome.rows, table.dropped, list(files.values()), out, json)


def _show(rows: int, given: int, dropped: int, files: Sequence[Path], out: Path, json: bool) -> int:
    """Print what was written."""
    written = ", ".join(map(str, files)) or "nothing: the release publishes no table"
    if json:
        say_json({"path": str(out), "files": [str(path) for path in files], "rows": rows, "suppressed": given - rows})
        return 0
    before = f", {dropped:,} dropped before for missing values" if dropped else ""
    say(f"{rows:,} of {counted(given, 'row')} written to {written}, {given - rows:,} suppressed{before}")
    say("Nothing is promised for these rows: `fairveil check` says whether a promise holds.")
    return 0
