"""fairveil profile: what a file holds, and how identifying its columns are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fairveil.cli.options import DataFile, How, Json, Overwrite, Where, opt, reading, working_on
from fairveil.cli.terminal import say, say_json, say_table, share, short, working
from fairveil.messages import counted

CHARACTERS = {",": "comma", ";": "semicolon", "\t": "tab"}


@reading
@working_on
def profile(
    file: DataFile,
    *,
    pairs: Annotated[int, opt("N", "How many pairs of columns to show; 0 for none.", min=0)] = 10,
    plan: Annotated[Path | None, opt("PLAN", "Also write a first plan, as fairveil init does.")] = None,
    how: How,
    where: Where,
    overwrite: Overwrite = False,
    json: Json = False,
) -> int:
    """Show how identifying the columns of a file are.

    Types, distinct and missing values, each column and pair, and suggested roles with their reason.
    """
    from fairveil.cli.init import first_look, need_room, write_first_plan
    from fairveil.run.profile import profile as profile_table

    if plan is not None:
        need_room(plan, overwrite, "--plan")
    summary: list[str] = []
    with working(f"reading {short(file)}") as progress:
        if plan is None:
            source = where.open(file, how.header(file)[1], progress=progress)
        else:
            look = first_look(file, how, where, progress)
            source = look.source
            summary = write_first_plan(look, file, plan, how, where, overwrite=overwrite)
        file_profile = profile_table(source, pairs=pairs > 0, progress=progress)
    if json:
        say_json({"file": file, **file_profile.to_dict(), **({} if plan is None else {"plan": str(plan)})})
        return 0
    say(f"{file}: {counted(file_profile.rows, 'row')}, {counted(len(file_profile.columns), 'column')}")
    if file_profile.read_as:
        say("read as: " + ", ".join(f"{name} {CHARACTERS.get(c, c)}" for name, c in file_profile.read_as.items()))
    rows = [[c.name, c.type, c.distinct, c.missing, share(c.unique), share(c.risk)] for c in file_profile.columns]
    say_table(["column", "type", "distinct", "missing", "unique", "average risk"], rows)
    if file_profile.pairs and pairs:
        rows = [[" + ".join(p.names), p.distinct, share(p.unique), share(p.risk)] for p in file_profile.pairs[:pairs]]
        head = ["pair of columns", "distinct", "unique", "average risk"]
        say_table(head, rows, title="the most identifying pairs")
    roles = [[c.name, " + ".join(c.roles), c.reason] for c in file_profile.columns]
    say_table(["column", "suggested role", "because"], roles)
    say("unique: the share of rows with a value that no other row has. Roles are suggestions: write yours into a plan.")
    for line in summary:
        say(line)
    return 0
