"""fairveil release: from a plan to a release folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fairveil.cli.options import REQUEST, Given, Json, Overwrite, PlanFile, Where, opt, split, taking, working_on
from fairveil.cli.terminal import as_json, called, mark, number, say, say_json, say_table, share, warn, working
from fairveil.data.about import About
from fairveil.messages import counted
from fairveil.run.sections import PREPARE
from fairveil.settings import Setting, settings_of

if TYPE_CHECKING:
    from fairveil.release.release import Release, SavedRelease

HEADLINES = ("loss", "truthful", "precision", "dr", "cm", "k", "average-risk", "at-risk", "ig")
"""The measures that are shown after a release; all are in its evidence.json."""


def _or_today(day: Setting) -> Setting:
    def check(value: Any, where: str) -> Any:
        return day.check(date.today().isoformat() if value == "today" else value, where)

    return replace(day, says=f"{day.says}, such as 2026-11-16, or today", check=check)


ABOUT = [_or_today(setting) if setting.name == "date" else setting for setting in settings_of(About)]


@working_on
@taking("options", [REQUEST[name] for name in ("format", "table", "candidate", "accept", *PREPARE)])
@taking("about", ABOUT)
def release(
    plan: PlanFile,
    *,
    out: Annotated[Path, opt("DIR", "Folder for the release.")],
    options: Given,
    about: Given,
    internal: Annotated[Path | None, opt("FILE", "Also write the internal report, for you: .html or .json.")] = None,
    sign: Annotated[Path | None, opt("KEY", "Sign with this SSH key (its .pub if it is in the ssh-agent).")] = None,
    overwrite: Overwrite = False,
    where: Where,
    json: Json = False,
) -> int:
    """Publish what a plan says.

    Options replace what the plan says, and --accept adds to it.
    Searches, picks the best candidate by the plan's measure, attacks it, and writes the release folder with its
    evidence. Nothing is written, and the exit code is 1, where an attack is a danger that nobody has accepted.
    """
    from fairveil.attacks import refuse_unknown
    from fairveil.cli.report import refuse_page
    from fairveil.data.atomic import write_text
    from fairveil.release.release import refuse_target
    from fairveil.release.signing import refuse_key
    from fairveil.run.hidden_shares import hidden_shares, mostly_hidden, remedies

    accepted = split(options.get("accept", ()))
    refuse_unknown(accepted)
    refuse_target(out, overwrite=overwrite)
    if sign is not None:
        refuse_key(sign)
    if internal is not None:
        refuse_page(internal, out.resolve(), overwrite=overwrite, kinds=(".html", ".json"))
    given = About(**about)
    loaded = where.plan(plan)
    written = {name: options[name] for name in ("format", "table", *PREPARE) if name in options}
    loaded = replace(loaded, about=replace(loaded.about, **given.to_dict()), **written)
    with working("reading the data", frames=loaded.utility is not None) as progress:
        release = loaded.run(progress, candidate=options.get("candidate"))
        saved = loaded.save_release(release, out, accept=accepted, overwrite=overwrite, sign=sign, progress=progress)
        if internal is not None:
            from fairveil.run.report import report, report_dict

            if internal.suffix == ".json":
                page = as_json(report_dict(release, internal=True, progress=progress))
            else:
                page = report(release, internal=True, progress=progress)
            write_text(page, internal, overwrite=overwrite, private=True)
        hidden = mostly_hidden(hidden_shares(release))
        helping = remedies(loaded, release, progress) if hidden and not json else []
    kept = f"The internal report is in {internal}, which only you can read: it shows the source, so do not publish it"
    if json:
        say_json({"path": str(out), **saved.evidence})
        if internal is not None:
            warn(kept)
        return 0
    first = [*(f"! READ THIS, {line}" for line in hidden), *(f"  would help, tried: {line}" for line in helping)]
    show(release, saved, (loaded.choose, *loaded.measures), first)
    offer = "For yourself, records before and after, rules in the source and the other candidates: --internal FILE.html"
    say(offer if internal is None else kept)
    return 0


def show(release: Release, saved: SavedRelease, names: Sequence[str] = (), hidden: Sequence[str] = ()) -> None:
    """Print what is promised, what it cost, and where the release is; right after dangers, what is mostly `hidden`."""
    from fairveil.attacks import first_to_say
    from fairveil.measures import get
    from fairveil.measures.summarized import loss_per_column
    from fairveil.published.folder import table_of

    evidence = saved.evidence
    first = first_to_say(evidence)
    for name, sentence in first:
        accepted = ", accepted" if name in evidence["accepted"] else ""
        say(f"! READ THIS, {name}{accepted}: {sentence}")
    for line in hidden:
        say(line)
    for verdict in saved.verification.verdicts:
        say(mark(verdict))
    rows, published = release.outcome.rows, release.published.rows
    count = counted(published, "row") if release.invented else f"{published:,} of {counted(rows, 'row')}"
    say(f"{count} published, {release.suppressed:,} suppressed"
        + (f", {release.dropped:,} dropped before for missing values" if release.dropped else ""))  # fmt: skip
    if release.persons is not None:
        say(release.persons.sentence)
    say(f"snapshot (not published): {release.snapshot}")
    for note in release.notes:
        say(f"note: {note}")
    for note in release.private:
        say(f"note (not published): {note}")
    lost = zip(release.schema.quasi, loss_per_column(release.summary)[0], strict=True)
    levels = {name: "{} of {}".format(*level) for name, level in release.outcome.levels.items()}
    lines = [[name, levels.get(name, "–"), share(loss)] for name, loss in lost]
    say_table(["column", "level", "information lost"], lines)
    values = release.measures
    person = release.schema.person
    measured = [get(name).counting(person) for name in dict.fromkeys([*names, *HEADLINES]) if name in values]
    say_table(
        ["measure", "value", "better", "meaning"],
        [[called(measure), number(values[measure.name]), measure.better, measure.meaning] for measure in measured],
    )
    if release.utility is not None:
        from fairveil.cli.utility import show as show_utility

        show_utility(release.utility, brief=True)
    by_persons = [finding.to_dict() for finding in release.findings_by_persons]
    tried = {(finding["attack"], finding.get("column")) for finding in by_persons}
    by_records = [f for f in evidence["attacks"] if (f["attack"], f.get("column")) not in tried]
    for finding in [*by_persons, *by_records]:
        if finding["level"] != "ok" and (finding["attack"], finding["verdict"]) not in first:
            say(f"attack tried, {finding['attack']}: {finding['verdict']}")
    for name, sentence in evidence["weaknesses"].items():
        if (name, sentence) not in first:
            say(f"known weakness, {name}: {sentence}")
    table = table_of(evidence)
    data = "data" if table is None else f"its rows in the table {table}"
    say(f"The release is in {saved.path}: {data}, recipe.json, evidence.json, and report.html to read first")
