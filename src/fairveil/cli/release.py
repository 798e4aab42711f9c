"""fairveil release: from a plan to a release folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairveil.cli.options import Json, Overwrite, PlanFile, WhereToWork, split, working_on
from fairveil.errors import BadInput
from fairveil.plural import counted

if TYPE_CHECKING:
    from fairveil.release.release import Release, SavedRelease

HEADLINES = ("loss", "truthful", "precision", "dr", "cm", "k", "average-risk", "at-risk", "ig")
"""The measures that are shown after a release; all are in its evidence.json."""


@working_on
def release(
    plan: PlanFile,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the release.")],
    format: Annotated[str | None, typer.Option(metavar="csv|parquet|parts", help="Instead of the plan's.")] = None,
    into: Annotated[
        str | None,
        typer.Option(metavar="TABLE", help="Rows into this table of the source's database instead of a file."),
    ] = None,
    candidate: Annotated[
        str | None, typer.Option(metavar="N", help="Publish candidate N of `explore` (15, or 2.15), not the best.")
    ] = None,
    internal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the internal report, for you only: .html or .json.")
    ] = None,
    accept: Annotated[
        list[str], typer.Option(metavar="NAME", help="Publish despite this danger that an attack finds.")
    ] = [],  # noqa: B006
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the report.")] = None,
    dataset: Annotated[str | None, typer.Option(metavar="TEXT", help="Name of the data set, for the report.")] = None,
    publisher: Annotated[str | None, typer.Option(metavar="TEXT", help="Who publishes it, for the report.")] = None,
    date: Annotated[
        str | None, typer.Option(metavar="DAY", help="Day of the release, for the report: 2026-11-16, or today.")
    ] = None,
    sign: Annotated[
        Path | None, typer.Option(metavar="KEY", help="Sign with this SSH key (its .pub if it is in the ssh-agent).")
    ] = None,
    overwrite: Overwrite = False,
    where: WhereToWork = WhereToWork(),  # noqa: B008 - frozen
    json: Json = False,
) -> int:
    """Publish what a plan says.

    PLAN is a plan.toml (docs/plan.md).
    Searches, picks the best candidate by the plan's measure, attacks it, and writes the release folder with its
    evidence. Nothing is written, and the exit code is 1, where an attack is a danger that nobody has accepted.
    """
    from fairveil.attacks import refuse_unknown
    from fairveil.cli.report import refuse_page
    from fairveil.cli.terminal import as_json, say, say_json, warn, working
    from fairveil.data.atomic import write_text
    from fairveil.published.about import About
    from fairveil.release.release import refuse_target
    from fairveil.release.signing import refuse_key

    if format not in (None, "csv", "parquet", "parts"):
        raise BadInput(f"--format must be csv, parquet or parts, not {format!r}")
    accepted = split(accept)
    refuse_unknown(accepted)
    refuse_target(out, overwrite=overwrite)
    if sign is not None:
        refuse_key(sign)
    if internal is not None:
        refuse_page(internal, out.resolve(), overwrite=overwrite, kinds=(".html", ".json"))
    told = {"title": title, "dataset": dataset, "publisher": publisher, "date": _day(date)}
    given = About(**{name: text for name, text in told.items() if text is not None})
    loaded = where.plan(plan)
    loaded = replace(loaded, about=replace(loaded.about, **given.to_dict()))
    accepted += loaded.accept
    with working("reading the data", frames=loaded.utility is not None) as progress:
        release = loaded.run(progress, candidate=candidate)
        saved = release.save(
            out, accept=accepted, format=format or loaded.format,  # type: ignore[arg-type]  # save checks it
            table=into or loaded.table, overwrite=overwrite,
            sign=sign, progress=progress,
        )  # fmt: skip
        if internal is not None:
            from fairveil.run.report import report, report_dict

            as_data = internal.suffix == ".json"
            page = (
                as_json(report_dict(release, internal=True, progress=progress))
                if as_data
                else report(release, internal=True, progress=progress)
            )
            write_text(page, internal, overwrite=overwrite, private=True)
    kept = f"The internal report is in {internal}, which only you can read: it shows the source, so do not publish it"
    if json:
        say_json({"path": str(out), **saved.evidence})
        if internal is not None:
            warn(kept)
        return 0
    show(release, saved, (loaded.choose, *loaded.measures))
    if internal is not None:
        say(kept)
    else:
        say(
            "For yourself, records before and after, rules in the source and the other candidates: --internal FILE.html"
        )
    return 0


def _day(date: str | None) -> str | None:
    from datetime import date as Day

    return Day.today().isoformat() if date == "today" else date


def show(release: Release, saved: SavedRelease, names: Sequence[str] = ()) -> None:
    """Print what is promised, what it cost, and where the release is."""
    from fairveil.attacks import first_to_say
    from fairveil.cli.terminal import mark, number, say, say_table, share
    from fairveil.measures import get
    from fairveil.published.folder import table_of

    evidence = saved.evidence
    first = first_to_say(evidence)
    for name, sentence in first:
        known = ", accepted" if name in evidence["accepted"] else ""
        say(f"! READ THIS, {name}{known}: {sentence}")
    for verdict in saved.verification.verdicts:
        say(mark(verdict))
    rows, shown = release.outcome.rows, release.published.rows
    of_all = counted(shown, "row") if release.invented else f"{shown:,} of {counted(rows, 'row')}"
    say(f"{of_all} published, {release.suppressed:,} suppressed"
        + (f", {release.dropped:,} dropped before for missing values" if release.dropped else ""))  # fmt: skip
    for note in release.notes:
        say(f"note: {note}")
    for note in release.private:
        say(f"note (not published): {note}")
    lost = zip(release.schema.quasi, release.summary.loss[0], strict=True)
    levels = release.outcome.levels
    say_table(
        ["column", "level", "information lost"],
        [
            [
                name,
                "{} of {}".format(*levels[name]) if name in levels else "–",
                share((paid + release.suppressed) / rows),
            ]
            for name, paid in lost
        ],
    )
    values = release.measures
    say_table(
        ["measure", "value", "better", "meaning"],
        [
            [name, number(values[name]), get(name).better, get(name).meaning]
            for name in dict.fromkeys([*names, *HEADLINES])
            if name in values
        ],
    )
    if release.utility is not None:
        from fairveil.cli.utility import show as show_utility

        show_utility(release.utility, brief=True)
    for finding in evidence["attacks"]:
        if finding["level"] != "ok" and (finding["attack"], finding["verdict"]) not in first:
            say(f"attack tried, {finding['attack']}: {finding['verdict']}")
    for name, sentence in evidence["weaknesses"].items():
        if (name, sentence) not in first:
            say(f"known weakness, {name}: {sentence}")
    table = table_of(evidence)
    data = "data" if table is None else f"its rows in the table {table}"
    say(f"The release is in {saved.path}: {data}, recipe.json, evidence.json, and report.html to read first")
