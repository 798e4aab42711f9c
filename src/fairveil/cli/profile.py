"""fairveil profile: what a file holds, and how identifying its columns are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fairveil.cli.options import (
    POPULATION,
    ROLES,
    DataFile,
    How,
    Json,
    Overwrite,
    Where,
    columns,
    opt,
    population_of,
    reading,
    taking,
    working_on,
)
from fairveil.cli.terminal import say, say_json, say_table, share, short, working
from fairveil.errors import BadInput
from fairveil.messages import counted, option

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.progress import Progress

SHOWN_SETS = 20
"""How many sets of columns are shown; --json has all."""
CHARACTERS = {",": "comma", ";": "semicolon", "\t": "tab"}


@reading
@working_on
@taking("roles", [ROLES[name] for name in ("quasi", "person", "household", "weight")])
@taking("population", POPULATION, population_of)
def profile(
    file: DataFile,
    *,
    pairs: Annotated[int, opt("N", "How many pairs of columns to show; 0 for none.", min=0)] = 10,
    keys: Annotated[
        int, opt("M", "Show the risk of every set of up to M quasi columns: of --quasi, or as suggested.", min=0)
    ] = 0,
    plan: Annotated[Path | None, opt("PLAN", "Also write a first plan, as fairveil init does.")] = None,
    roles: Mapping[str, Any],
    population: Any,
    how: How,
    where: Where,
    overwrite: Overwrite = False,
    json: Json = False,
) -> int:
    """Show how identifying the columns of a file are.

    Types, distinct and missing values, each column and pair, and suggested roles with their reason. With --quasi, also
    how easily people are picked out by these columns, and in a population that --weight, --size, --fraction or
    --register declares. With --person, persons are counted, and with --household, the risk of households is shown.
    """
    from fairveil.cli.init import first_look, need_room, write_first_plan
    from fairveil.run.profile import profile as profile_table

    if plan is not None:
        need_room(plan, overwrite, "--plan")
    summary: list[str] = []
    with working(f"reading {short(file)}") as progress:
        if plan is None:
            source, as_written = _opened(file, how, where, progress)
        else:
            as_written = {}  # the summary of the plan says it
            look = first_look(file, how, where, progress)
            source = look.source
            summary = write_first_plan(look, file, plan, how, where, overwrite=overwrite)
        schema = None
        if roles or population is not None:
            from fairveil.data.schema import Schema

            named = {**roles, "quasi": columns(roles.get("quasi", ()), source.names)}
            schema = Schema(**named, population=population)
        file_profile = profile_table(source, pairs=pairs > 0, schema=schema, keys=keys, progress=progress)
    if json:
        further = {"plan": str(plan)} if plan is not None else {"options": as_written} if as_written else {}
        say_json({"file": file, **file_profile.to_dict(), **further})
        return 0
    say(f"{file}: {counted(file_profile.rows, 'row')}, {counted(len(file_profile.columns), 'column')}")
    if file_profile.read_as:
        say("read as: " + ", ".join(f"{name} {CHARACTERS.get(c, c)}" for name, c in file_profile.read_as.items()))
    if as_written:
        say("columns mix numbers and text, so values are read as they look: " + ", ".join(
            option(name, value) for name, value in as_written.items()
        ))  # fmt: skip
    for note in source.snapshot.notes:
        say(f"joined: {note}")
    rows = [[c.name, c.type, c.distinct, c.missing, share(c.unique), share(c.risk)] for c in file_profile.columns]
    say_table(["column", "type", "distinct", "missing", "unique", "average risk"], rows)
    if file_profile.pairs and pairs:
        rows = [[" + ".join(p.names), p.distinct, share(p.unique), share(p.risk)] for p in file_profile.pairs[:pairs]]
        head = ["pair of columns", "distinct", "unique", "average risk"]
        say_table(head, rows, title="the most identifying pairs")
    if file_profile.risk is not None:
        risk, figures = file_profile.risk, file_profile.risk.measures
        say_table(["risk", "value"], [[name, f"{value:.6g}"] for name, value in figures.items()], title="risk as it is")
        say_table(["column", "share"], [[name, share(part)] for name, part in risk.suda.shares.items()],
                  title="what makes records special (SUDA2)")  # fmt: skip
        if risk.estimator:
            say(f"population-uniqueness is by {risk.estimator}; highest-risk and average-risk are the prosecutor's.")
    if file_profile.keys is not None:
        from fairveil.measures.key_risk import HEAD

        title = f"the riskiest of {counted(len(file_profile.keys), 'set')} of up to {counted(keys, 'quasi column')}"
        say_table(list(HEAD), file_profile.keys.lines(SHOWN_SETS), title=title)
    suggested = [[c.name, " + ".join(c.roles), c.reason] for c in file_profile.columns]
    say_table(["column", "suggested role", "because"], suggested)
    say("unique: the share of rows with a value that no other row has. Roles are suggestions: write yours into a plan.")
    if (person := schema.person if schema is not None else None) is not None:
        each = file_profile.rows / max(file_profile.column(person).distinct, 1)
        say(
            f"{person!r} has {each:.1f} rows a person on average: of single columns and pairs, unique and average risk "
            "count rows, and are higher by persons; the risk as it is counts persons."
        )
    elif names := [column.name for column in file_profile.columns if "person" in column.roles]:
        say(f"Rows are counted, and a person may have several: --person {names[0]} counts persons.")
    for line in summary:
        say(line)
    return 0


def _opened(file: str, how: How, where: Where, progress: Progress) -> tuple[Source, dict[str, Any]]:
    """The data; if a column mixes numbers and text, read as its values suggest, and the options that say so."""
    origin = where.origin(file, how.header(file)[1])
    try:
        return origin.open(progress=progress), {}
    except BadInput:
        if origin.path is None:
            raise
    from fairveil.run.init import as_written

    written, given = as_written(origin, progress), origin.dialect.to_dict()
    added = {name: value for name, value in written.dialect.to_dict().items() if given.get(name) != value}
    return written.open(progress=progress), added
