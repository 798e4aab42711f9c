"""fairveil explore: the candidates of a plan side by side, to see what each promise costs before one is published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairveil.cli.options import Json, Measures, PlanFile, WhereToWork, split, working_on
from fairveil.errors import BadInput

SHOWN = 20


@working_on
def explore(
    plan: PlanFile,
    measures: Measures = [],  # noqa: B006
    pareto: Annotated[
        list[str], typer.Option(metavar="NAMES", help="Only candidates that no other beats in all of these measures.")
    ] = [],  # noqa: B006
    top: Annotated[int | None, typer.Option(min=1, metavar="N", help=f"At most N candidates (table: {SHOWN}).")] = None,
    preferences: Annotated[
        bool, typer.Option("--preferences", help="Find a release by your wishes, in a conversation.")
    ] = False,
    session: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --preferences: keep the session here, or continue it.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="With --preferences: where to publish; asked if not given.")
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    json: Json = False,
    compare: Annotated[
        str | None, typer.Option(metavar="I,J", help="Only these two candidates (3,17 or 1.3,2.17), column by column.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what each candidate keeps and loses, and what beats it.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the candidates (.png, .svg, .pdf) by the first measures.")
    ] = None,
    most: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Compare at most N candidates of each method.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Remember finished methods here, and continue from there.")
    ] = None,
    where: WhereToWork = WhereToWork(),  # noqa: B008 - frozen
) -> int:
    """Show the candidates of a plan side by side.

    Shows their levels and measures, best first. PLAN is a plan.toml (docs/plan.md). Only --preferences can write a
    release.
    """
    if csv and json:
        raise BadInput("--csv or --json, not both")
    if preferences:
        from fairveil.cli.preferences import walk

        if csv or json or pareto or top or measures or compare or explain or plot or most or keep:
            raise BadInput("--preferences is a conversation: of the other options it takes --session and --out only")
        return walk(where.plan(plan), session, out)
    if session or out:
        raise BadInput("--session and --out belong to --preferences")
    from fairveil.cli.comparing import ExploreOptions, run

    request = ExploreOptions(
        split(pareto), split(measures), top, "csv" if csv else "json" if json else "table", SHOWN,
        compare=compare, explain=explain, plot=plot, most=most, keep=keep,
    )  # fmt: skip
    return run(where.plan(plan), plan, request)
