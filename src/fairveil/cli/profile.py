"""fairveil profile: what a file holds, and how identifying its columns are."""

from __future__ import annotations

from typing import Annotated

import typer

from fairveil.cli.options import DataFile, Json, MissingValues, Separator, TextColumns, read_table
from fairveil.plural import counted


def profile(
    file: DataFile,
    pairs: Annotated[int, typer.Option(min=0, metavar="N", help="How many pairs of columns to show.")] = 10,
    missing_values: MissingValues = [],  # noqa: B006 - Typer wants a list and never changes it
    text: TextColumns = [],  # noqa: B006
    separator: Separator = None,
    json: Json = False,
) -> int:
    """Show how identifying the columns of a file are.

    Types, distinct and missing values, each column and pair, and suggested roles with their reason.
    FILE is a CSV, TSV (also .gz) or Parquet file.
    """
    from fairveil.cli.terminal import say, say_json, say_table, share, working
    from fairveil.run.profile import profile as profile_table

    with working(f"reading {file.name}") as progress:
        table = read_table(file, missing_values, text, separator)
        file_profile = profile_table(table, pairs=pairs > 0, progress=progress)
    if json:
        say_json({"file": str(file), **file_profile.to_dict()})
        return 0
    say(f"{file}: {counted(file_profile.rows, 'row')}, {counted(len(file_profile.columns), 'column')}")
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
    return 0
