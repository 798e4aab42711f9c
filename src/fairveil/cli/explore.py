"""fairveil explore: the candidates of a plan side by side, to see what each promise costs before one is published.

All methods of the plan are on one frontier, shown as a table, data, a plot or sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fairveil.cli.options import REQUEST, Given, Json, PlanFile, Where, flag, opt, split, taking, working_on
from fairveil.cli.terminal import number, say, say_csv, say_json, say_table, share, warn, working
from fairveil.errors import BadInput, need
from fairveil.messages import counted, verb

if TYPE_CHECKING:
    import numpy as np

    from fairveil.frontier.frontier import Frontier
    from fairveil.run.request import Request

SHOWN = 20
TRAINED = 30
"""Default number of candidates compared per method if a measure trains classifiers."""
ENDINGS = (".png", ".svg", ".pdf")


@working_on
@taking("options", [REQUEST["measures"]])
def explore(
    plan: PlanFile,
    *,
    options: Given,
    pareto: Annotated[list[str], opt("NAMES", "Only candidates that no other beats in all of these measures.")] = [],  # noqa: B006
    top: Annotated[int | None, opt("N", f"At most N candidates (table: {SHOWN}).", min=1)] = None,
    preferences: Annotated[bool, flag("--preferences", "Find a release interactively, by your preferences.")] = False,
    session: Annotated[Path | None, opt("FILE", "With --preferences: keep the session here, or continue it.")] = None,
    out: Annotated[Path | None, opt("DIR", "With --preferences: where to publish; asked if not given.")] = None,
    csv: Annotated[bool, flag("--csv", "Print CSV.")] = False,
    json: Json = False,
    compare: Annotated[str | None, opt("I,J", "Only these two candidates (3,17 or 1.3,2.17), by column.")] = None,
    explain: Annotated[
        bool, flag("--explain", "Explain what each candidate keeps and loses, and what beats it.")
    ] = False,
    what_if: Annotated[
        bool, flag("--what-if", "Say what one more promise costs, and what repairs each danger of the best candidate.")
    ] = False,
    plot: Annotated[Path | None, opt("FILE", "Draw all candidates: a .png, .svg or .pdf file.")] = None,
    max_candidates: Annotated[int | None, opt("N", "Compare at most N candidates of each method.", min=1)] = None,
    most: Annotated[int | None, opt("N", "The earlier spelling of --max-candidates.", min=1, hidden=True)] = None,
    depths: Annotated[
        str | None, opt("N,N", "Search once per depth of the hierarchies (1,2,4), and compare only the best values.")
    ] = None,
    keep: Annotated[Path | None, opt("DIR", "Keep results of finished methods here, and resume from them.")] = None,
    where: Where,
) -> int:
    """Show the candidates of a plan side by side.

    Shows their levels and measures, best first. Only --preferences can write a release.
    """
    if csv and json:
        raise BadInput("--csv or --json, not both")
    if max_candidates and most:
        raise BadInput("--most is the earlier spelling of --max-candidates: leave it out")
    max_candidates = max_candidates or most
    further, beaten_in = split(options.get("measures", ())), split(pareto)
    if preferences:
        from fairveil.cli.preferences import walk

        if csv or json or pareto or top or further or compare or explain or what_if or plot or max_candidates or keep:
            raise BadInput("--preferences is interactive: it can be combined with --session and --out only")
        return walk(where.plan(plan), session, out)
    if session or out:
        raise BadInput("--session and --out belong to --preferences")
    from fairveil import measures

    loaded = where.plan(plan)
    names = list(dict.fromkeys([loaded.choose, *beaten_in, *loaded.measures, *further]))
    trains = any(measures.get(name).trains for name in names)
    if depths is not None:
        if compare or explain or plot or keep or pareto or top:
            raise BadInput(
                "--depths prints a line per depth: combine it with --measures, --max-candidates, --csv or --json only"
            )
        return _print_depths(loaded, depths, names, max_candidates or (TRAINED if trains else None), csv, json)
    pair = None if compare is None else _pair(compare)
    drawn = beaten_in or names[:2]
    if plot is not None:
        _refuse_plot(plot, drawn)
    in_table = not (csv or json)
    with working("reading the data", frames=trains) as progress:
        limit = max_candidates or (TRAINED if trains else None)
        comparison = loaded.explore(names, max_candidates=limit, keep=keep, progress=progress)
        ranked = _ranked(comparison, loaded.choose, beaten_in, pair)
        positions = ranked[: top or (SHOWN if in_table else None)]
        records = comparison.records(names, positions)
        baseline = comparison.baseline(names)
        if explain:
            from fairveil.frontier.explain import keeps_and_loses, why_dominated

            for position, record in zip(map(int, positions), records, strict=True):
                record["keeps"], record["loses"] = keeps_and_loses(comparison, position)
                record["beaten"] = why_dominated(comparison, position, beaten_in or names)
        balanced = comparison.compromise(*beaten_in) if len(beaten_in) > 1 and pair is None else None
        amended: list[Any] = []
        if what_if:
            from fairveil.run.amendments import costs_of_all_repairs, costs_of_promises

            amended = [*costs_of_promises(loaded, progress=progress), *costs_of_all_repairs(loaded, progress=progress)]
        columns: list[dict[str, Any]] = []
        if pair is not None:
            from fairveil.frontier.explain import compare as compare_columns

            columns = compare_columns(comparison, *map(int, ranked))
        if plot is not None:
            from fairveil.frontier.plots import plot as draw

            groups = [_called(comparison.label(i), comparison.method(i).false_values) for i in range(len(comparison))]
            title = f"{counted(len(comparison), 'candidate')} of {counted(len(comparison.results), 'method')}"
            draw(comparison, drawn, plot, title=title, groups=groups, baseline=baseline)
    if json:
        say_json({
            "candidates": comparison.total, "compared": len(comparison), "shown": len(records),
            "chosen_by": loaded.choose, "exhaustive": comparison.exhaustive, "notes": list(comparison.notes),
            "baseline": baseline, "records": records, **({"columns": columns} if pair is not None else {}),
            **({} if balanced is None else {"compromise": {
                "candidate": comparison.number(balanced.position), "reason": balanced.reason,
            }}),
            **({"what_if": [
                {"change": cost.amendment.sentence, "danger": cost.danger, "before": cost.before, "after": cost.after,
                 "cost": cost.cost} for cost in amended
            ]} if what_if else {}),
        })  # fmt: skip
    elif csv:
        _print_csv(records, names)
    else:
        _print_table(comparison, records, names, columns, len(ranked), loaded.choose, baseline)
        if balanced is not None:
            say(f"A compromise is candidate {comparison.number(balanced.position)}: {balanced.reason}")
        for cost in amended:
            say(f"{f'Repair of {cost.danger}: ' if cost.danger else ''}{cost.amendment.sentence}: {cost.cost}")
        say(f"Publish one: fairveil release {plan} --out DIR --candidate N")
    for what, file in (("plot", plot), ("kept search", keep)):
        if file is not None:
            notice = f"The {what} is in {file}: it discloses more than a release, and only you can read it"
            (say if in_table else warn)(notice)
    return 0


def _print_depths(
    plan: Request, depths: str, names: Sequence[str], max_candidates: int | None, csv: bool, json: bool
) -> int:
    """Print what hierarchies of each depth leave to choose from."""
    if not all(depth.isdigit() for depth in split([depths])):
        raise BadInput(f"--depths must be integers such as 1,2,4, not {depths!r}")
    from fairveil.run.depths import depths_of_request

    asked = [int(depth) for depth in split([depths])]
    with working("reading the data") as progress:
        sweep = depths_of_request(plan, asked, names, max_candidates=max_candidates, progress=progress)
    rows = sweep.rows()
    if json:
        say_json({"depths": rows, "problems": {str(one.depth): one.problem for one in sweep.depths if one.problem}})
    elif csv:
        say_csv([list(rows[0]), *(["" if value is None else value for value in row.values()] for row in rows)])
    else:
        cells = [
            ["–" if v is None else f"{v:.4g}" if isinstance(v, float) else v for v in row.values()] for row in rows
        ]
        say_table(["depth", "levels", "candidates", *(f"best {name}" for name in names)], cells)
        for one in sweep.depths:
            if one.problem:
                say(f"depth {one.depth}: {one.problem}")
    return 0


def _ranked(comparison: Frontier, choose: str, beaten_in: Sequence[str], pair: Sequence[str] | None) -> np.ndarray:
    """The positions of a pair; or of all non-dominated candidates, best first, those without a value last."""
    import numpy as np

    from fairveil import measures
    from fairveil.choice.pareto import pareto

    if pair is not None:
        return np.array([comparison.position_of(candidate) for candidate in pair])
    front = pareto(comparison.points(beaten_in)) if beaten_in else np.ones(len(comparison), dtype=bool)
    losses = measures.get(choose).loses(comparison.values(choose)[front])
    return np.flatnonzero(front)[np.argsort(losses, kind="stable")]


def _pair(compare: str) -> list[str]:
    """The two candidates of --compare."""
    pair = [candidate.strip() for candidate in compare.split(",")]
    are_numbers = all(digits.isdigit() for candidate in pair for digits in candidate.split("."))
    if len(pair) != 2 or not are_numbers or pair[0] == pair[1]:
        raise BadInput(f"--compare needs two different candidates, such as 3,17 or 1.3,2.17, not {compare!r}")
    return pair


def _refuse_plot(plot: Path, measures: Sequence[str]) -> None:
    """Refuse, before any work, what cannot be drawn."""
    need("matplotlib", "--plot")
    if plot.suffix not in ENDINGS:
        raise BadInput(f"--plot {plot}: the name must end in {', '.join(ENDINGS)}")
    if len(measures) not in (2, 3):
        raise BadInput("--plot draws two or three measures: name them with --pareto, such as --pareto loss,k")


def _print_table(
    comparison: Frontier, records: list[dict[str, Any]], names: Sequence[str], columns: list[dict[str, Any]],
    total: int, choose: str, baseline: Mapping[str, float],
) -> None:  # fmt: skip
    from fairveil.measures import get

    with_levels = any(record["levels"] for record in records)
    compared = f" of {len(comparison):,} compared" if total < len(comparison) else ""
    if len(comparison) < comparison.total:
        compared += f" ({comparison.total:,} {verb(comparison.total, 'was', 'were')} found)"
    levels = f"; levels are {' · '.join(comparison.results[0].task.levels)}" if with_levels else ""
    say(f"{counted(total, 'candidate')}{compared}, best {choose} first{levels}")
    blank = "–" if with_levels else ""
    rows = [[r["candidate"], _called(r["method"], r["false_values"]), " ".join(map(str, r["levels"].values())) or blank,
             *(float(r[name]) for name in names)] for r in records]  # fmt: skip
    if baseline:
        rows.append(["–", "the source itself", blank, *(baseline.get(name, nan) for name in names)])
    say_table(["candidate", "method", "levels", *names], rows)
    titles = [f"{name}: {measure.title}" for name in names if (measure := get(name)).title != name.replace("-", " ")]
    if titles:
        say("; ".join(titles))
    if columns:
        _print_columns(columns, records)
    for record in records:
        if "keeps" in record:
            method = _called(record["method"], record["false_values"])
            say(f"candidate {record['candidate']} ({method}): {record['keeps']}; {record['loses']}")
            say(f"  {record['beaten']}")
    for note in dict.fromkeys((*comparison.notes, *_compares_badly(records, names))):
        say(f"note: {note}")
    if len(records) < total and not columns:
        say(f"{total - len(records):,} more: --top N, --pareto, or --csv for all")


def _called(method: str, false_values: str) -> str:
    """The method, with a note if its published values may be false."""
    return f"{method}, {false_values}" if false_values else method


def _compares_badly(records: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    """A warning if loss would compare false values with coarse ones."""
    false = {record["method"]: record["false_values"] for record in records if record["false_values"]}
    if "loss" not in names or not false or len(false) == len({record["method"] for record in records}):
        return []
    listed = ", ".join(f"{method} ({word})" for method, word in false.items())
    return [f"some values of {listed} are false, which loss does not charge: compare by entropy, error or truthful"]


def _print_columns(columns: list[dict[str, Any]], records: list[dict[str, Any]]) -> None:
    first, second = (record["candidate"] for record in records[:2])
    keeper = {"one": f"candidate {first}", "other": f"candidate {second}", "both alike": "both alike"}
    head = ["column", f"values in {first}", f"in {second}", f"lost in {first}", f"in {second}", "keeps more"]
    rows = []
    for column in columns:
        sides = (column["one"], column["other"])
        lost = [share(side["lost"]) if isfinite(side["lost"]) else number(side["lost"]) for side in sides]
        rows.append([column["column"], *(side["values"] for side in sides), *lost, keeper[column["keeps_more"]]])
    say_table(head, rows)


def _print_csv(records: list[dict[str, Any]], names: list[str]) -> None:
    columns = list(dict.fromkeys(column for record in records for column in record["levels"]))
    words = [name for name in ("keeps", "loses", "beaten") if records and name in records[0]]
    rows = [["candidate", "method", "false values", *(f"level of {column}" for column in columns), *names, *words]]
    for record in records:
        levels = [record["levels"].get(column, "") for column in columns]
        measured = [repr(record[name]) for name in names]
        facts = [record[name] for name in ("candidate", "method", "false_values")]
        rows.append([*facts, *levels, *measured, *(record[word] for word in words)])
    say_csv(rows)
