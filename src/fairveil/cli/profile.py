"""fairveil profile: what a file holds, and how identifying its columns are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairveil.cli.options import DataFile, HowToRead, Json, Overwrite, WhereToWork, reading, short, working_on
from fairveil.plural import counted

_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab"}


@reading
@working_on
def profile(
    file: DataFile,
    pairs: Annotated[int, typer.Option(min=0, metavar="N", help="How many pairs of columns to show.")] = 10,
    plan: Annotated[
        Path | None,
        typer.Option("--plan", metavar="PLAN", help="Also write a first plan, as fairveil init does."),
    ] = None,
    how: HowToRead = HowToRead(),  # noqa: B008 - frozen
    where: WhereToWork = WhereToWork(),  # noqa: B008
    overwrite: Overwrite = False,
    json: Json = False,
) -> int:
    """Show how identifying the columns of a file are.

    Types, distinct and missing values, each column and pair, and suggested roles with their reason.
    FILE is a data file (CSV, Parquet, Excel, Stata, SPSS, SAS), a pattern of several, or the URL of a database with
    --table (docs/engines.md).
    """
    from fairveil.cli.init import looked_at, need_room, write_first_plan
    from fairveil.cli.terminal import say, say_json, say_table, share, working
    from fairveil.run.profile import profile as profile_table

    if plan is not None:
        need_room(plan, overwrite, "--plan")
    summary: list[str] = []
    with working(f"reading {short(file)}") as progress:
        if plan is None:
            source = where.open(file, how.dialect(how.names(file)), progress=progress)
        else:
            found = looked_at(file, how, where, progress)
            source = found.source
            summary = write_first_plan(found, file, plan, how, where, overwrite=overwrite)
        file_profile = profile_table(source, pairs=pairs > 0, progress=progress)
    if json:
        say_json({"file": file, **file_profile.to_dict(), **({} if plan is None else {"plan": str(plan)})})
        return 0
    say(f"{file}: {counted(file_profile.rows, 'row')}, {counted(len(file_profile.columns), 'column')}")
    if file_profile.read_as:
        say("read as: " + ", ".join(f"{name} {_SIGNS.get(sign, sign)}" for name, sign in file_profile.read_as.items()))
    say_table(
        ["column", "type", "distinct", "missing", "alone", "average risk"],
        [[c.name, c.type, c.distinct, c.missing, share(c.unique), share(c.risk)] for c in file_profile.columns],
    )
    if file_profile.pairs and pairs:
        say_table(
            ["pair of columns", "distinct", "alone", "average risk"],
            [
                [" + ".join(pair.names), pair.distinct, share(pair.unique), share(pair.risk)]
                for pair in file_profile.pairs[:pairs]
            ],
            title="the most identifying pairs",
        )
    say_table(
        ["column", "suggested role", "because"], [[c.name, " + ".join(c.roles), c.reason] for c in file_profile.columns]
    )
    say("alone: rows that nobody else shares the value with. Roles are suggestions: write yours into a plan.")
    for line in summary:
        say(line)
    return 0
