"""fairveil explore: the candidates of a plan side by side, to see what each promise costs before one is published."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairveil.cli.options import Json, Measures, PlanFile, split
from fairveil.errors import BadInput

if TYPE_CHECKING:
    import numpy as np

    from fairveil.frontier import Frontier
    from fairveil.recipe import Recipe

SHOWN = 20


def explore(
    plan: PlanFile,
    measures: Measures = [],  # noqa: B006
    pareto: Annotated[
        list[str], typer.Option(metavar="NAMES", help="Only candidates that none beats in all of these measures.")
    ] = [],  # noqa: B006
    top: Annotated[int | None, typer.Option(min=1, metavar="N", help=f"At most N candidates (table: {SHOWN}).")] = None,
    preferences: Annotated[
        bool, typer.Option("--preferences", help="Walk to a release by wishes, in a conversation.")
    ] = False,
    session: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --preferences: keep the session, go on with it.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="With --preferences: where to publish; asked if not given.")
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    json: Json = False,
) -> int:
    """Show the candidates of a plan side by side.

    Their levels and measures, best first. PLAN is a plan.toml (docs/plan.md). Nothing is written, unless a release is
    chosen in the conversation of --preferences.
    """
    import numpy as np

    from fairveil import measures as known
    from fairveil.cli.terminal import say, say_json, say_table, working
    from fairveil.plan import Plan

    if csv and json:
        raise BadInput("--csv or --json, not both")
    if preferences:
        from fairveil.cli.preferences import walk

        if csv or json or pareto or top or measures:
            raise BadInput("--preferences is a conversation: leave --csv, --json, --pareto, --top, --measures away")
        return walk(Plan.read(plan), session, out)
    if session or out:
        raise BadInput("--session and --out belong to --preferences")
    beaten_in = split(pareto)
    read = Plan.read(plan)
    names = list(dict.fromkeys([read.choose, *beaten_in, *read.measures, *split(measures)]))
    for name in names:
        known.get(name)
    with working("reading the data") as progress:
        found = read.search(progress)
        values = {name: np.concatenate([frontier.values(name) for frontier in found]) for name in names}
        ranked = _ranked(found, read.choose, values, beaten_in)
        total = len(ranked)
        shown = ranked[: top or (total if csv or json else SHOWN)]
        records = [_record(found, int(position), values) for position in shown]
    if json:
        say_json({
            "candidates": sum(map(len, found)), "shown": len(records), "chosen_by": read.choose,
            "exhaustive": all(frontier.exhaustive for frontier in found), "records": records,
        })  # fmt: skip
    elif csv:
        _print_csv(records, names)
    else:
        say(f"{total:,} candidates, best {read.choose} first; levels are {_level_names(found)}")
        say_table(
            ["candidate", "method", "levels", *names],
            [[r["candidate"], r["method"], _levels(r), *(float(r[name]) for name in names)] for r in records],
        )
        for note in dict.fromkeys(note for frontier in found for note in frontier.notes):
            say(f"note: {note}")
        if len(records) < total:
            say(f"{total - len(records):,} more: --top N, --pareto, or --csv for all")
        say(f"Publish one: fairveil release {plan} --out DIR --candidate N")
    return 0


def _ranked(found: list[Frontier], choose: str, values: dict[str, np.ndarray], beaten_in: list[str]) -> np.ndarray:
    """Positions through all frontiers, best first, what has no value last; only those that no other beats."""
    import numpy as np

    from fairveil import measures as known
    from fairveil.choice.pareto import pareto

    kept = np.arange(sum(map(len, found)))
    if beaten_in:
        kept = kept[pareto(np.column_stack([known.get(name).loses(values[name]) for name in beaten_in]))]
    return kept[np.argsort(known.get(choose).loses(values[choose][kept]), kind="stable")]


def _record(found: list[Frontier], position: int, values: dict[str, np.ndarray]) -> dict[str, Any]:
    from fairveil.plan import candidate_of

    frontier, place = candidate_of(found, position + 1)
    return {
        "candidate": position + 1,
        "method": frontier.proposal.method.kind,
        "levels": _levels_of(frontier.recipe(place)),
        **{name: float(column[position]) for name, column in values.items()},
    }


def _levels_of(recipe: Recipe) -> dict[str, int]:
    """Level per column, for recipes that generalize whole domains."""
    levels = getattr(recipe, "levels", None)
    return dict(levels) if isinstance(levels, Mapping) else {}


def _levels(record: dict[str, Any]) -> str:
    return " ".join(str(level) for level in record["levels"].values()) or "–"


def _level_names(found: list[Frontier]) -> str:
    return " · ".join(found[0].task.levels)


def _print_csv(records: list[dict[str, Any]], names: list[str]) -> None:
    import csv
    import sys

    columns = list(dict.fromkeys(column for record in records for column in record["levels"]))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["candidate", "method", *(f"level of {column}" for column in columns), *names])
    for record in records:
        levels = [record["levels"].get(column, "") for column in columns]
        writer.writerow([record["candidate"], record["method"], *levels, *(repr(record[name]) for name in names)])
