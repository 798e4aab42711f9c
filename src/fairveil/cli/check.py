"""fairveil check: is this file k-anonymous, ℓ-diverse, t-close, α-protective? Exit code 0 yes, 1 no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairveil.cli.options import DataFile, HowToRead, Json, WhereToWork, columns, reading, short, working_on
from fairveil.errors import BadInput, refuse, suggest
from fairveil.plural import counted

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect
    from fairveil.data.schema import Schema
    from fairveil.guards import Guard
    from fairveil.run.check import CheckedVerdict


@reading
@working_on
def check(
    file: DataFile,
    quasi: Annotated[list[str], typer.Option(metavar="COLUMNS", help="Columns that others may know.")] = [],  # noqa: B006
    sensitive: Annotated[list[str], typer.Option(metavar="COLUMNS", help="Columns nobody may learn.")] = [],  # noqa: B006
    identifier: Annotated[
        list[str], typer.Option(metavar="COLUMNS", help="Columns that name people: each may have one row only.")
    ] = [],  # noqa: B006
    k: Annotated[int | None, typer.Option("--k", help="k-anonymity: at least K records alike.")] = None,
    l: Annotated[int | None, typer.Option("--l", help="ℓ-diversity: at least L sensitive values.")] = None,  # noqa: E741
    entropy_l: Annotated[float | None, typer.Option("--entropy-l", help="Entropy ℓ-diversity.")] = None,
    c: Annotated[float | None, typer.Option("--c", help="With --l: recursive (c,ℓ)-diversity instead.")] = None,
    t: Annotated[float | None, typer.Option("--t", help="t-closeness: at most T from the whole table.")] = None,
    distance: Annotated[str, typer.Option(help="Of t-closeness: equal or ordered.")] = "equal",
    alpha: Annotated[float | None, typer.Option("--alpha", help="α-protection: no rule of ALPHA or more.")] = None,
    measure: Annotated[str, typer.Option(help="Of α-protection: slift, elift, clift or olift.")] = "slift",
    protected: Annotated[list[str], typer.Option(metavar="COLUMNS", help="Grounds not to discriminate on.")] = [],  # noqa: B006
    decision: Annotated[str | None, typer.Option(metavar="COLUMN", help="The outcome that rules are about.")] = None,
    denied: Annotated[list[str], typer.Option(metavar="VALUE", help="An unfavourable value of the decision.")] = [],  # noqa: B006
    min_support: Annotated[
        str, typer.Option(metavar="SHARE", help="Rows of a rule: a share (0.05), a number.")
    ] = "0.05",
    granularity: Annotated[int | None, typer.Option(metavar="N", help="At most N columns in a rule.")] = None,
    knowledge: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --alpha: a sample that still has the protected columns (no-redlining)."
        ),
    ] = None,
    confidence: Annotated[float, typer.Option(metavar="SHARE", help="Of --knowledge: how sure it must be.")] = 0.8,
    count: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Of --knowledge: how many people a row of it stands for.")
    ] = None,
    legal: Annotated[
        list[str], typer.Option(metavar="COLUMNS", help="Situation testing: what may lawfully matter.")
    ] = [],  # noqa: B006
    numbers: Annotated[list[str], typer.Option(metavar="COLUMNS", help="Lawful, too: compared as numbers.")] = [],  # noqa: B006
    ordered: Annotated[list[str], typer.Option(metavar="COLUMNS", help="Lawful, too: compared by order.")] = [],  # noqa: B006
    neighbours: Annotated[int, typer.Option(metavar="N", help="Of situation testing: on either side.")] = 8,
    threshold: Annotated[float, typer.Option(metavar="SHARE", help="A difference above it counts.")] = 0.2,
    limit: Annotated[float, typer.Option(metavar="SHARE", help="Records that may count.")] = 0.0,
    rules: Annotated[int, typer.Option(min=0, metavar="N", help="How many discriminatory rules to show.")] = 10,
    plan: Annotated[Path | None, typer.Option(metavar="PLAN", help="Take columns and guards from a plan.")] = None,
    records: Annotated[int, typer.Option(min=0, metavar="N", help="How many breaking rows to name.")] = 10,
    how: HowToRead = HowToRead(),  # noqa: B008 - frozen
    where: WhereToWork = WhereToWork(),  # noqa: B008
    json: Json = False,
) -> int:
    """Check whether a file keeps promises.

    Shows the worst class and the rows that break a promise. Exit code 0: it keeps them, 1: it does not.
    FILE is a data file (CSV, Parquet, Excel, Stata, SPSS, SAS), a pattern of several, or the URL of a database with
    --table (docs/engines.md).
    """
    from fairveil.cli.terminal import say, say_json, working
    from fairveil.run.check import check as check_source
    from fairveil.run.check import looked_at

    promised = _guards(k, l, entropy_l, c, t, distance)
    if knowledge is not None and alpha is None:
        raise BadInput("--knowledge says what stands for a protected column: give --alpha, too")
    tested = bool(legal or numbers or ordered)
    if (alpha is not None or tested) and plan is None and not (protected and decision and denied):
        raise BadInput(f"{'--legal' if alpha is None else '--alpha'} needs --protected, --decision and --denied")
    fairness: list[Guard] = [] if alpha is None else [_protection(alpha, measure, min_support, granularity)]
    if tested:  # refuses its numbers before anything is read
        fairness.append(_situations(legal, numbers, ordered, neighbours, threshold, limit, ()))
    if plan is not None and (promised or fairness or quasi or sensitive or identifier):
        raise BadInput(
            "--plan already names columns and guards: leave out --quasi, --sensitive, --identifier, --k, --l, --t, "
            "--alpha and --legal"
        )
    schema: Schema | None = None
    known: Dialect | None = None
    if plan is not None:
        schema, promised, known = _from_plan(plan)
    elif not (promised or fairness):
        raise BadInput(
            "nothing to check: give at least one of --k, --l, --entropy-l, --t, --alpha, --legal, or a --plan"
        )
    elif promised and not quasi:
        raise BadInput("--quasi is needed: name the columns that can be linked to other data")
    with working(f"reading {short(file)}") as progress:
        header = how.like(known).names(file)
        dialect = how.dialect(header, known)
        names = header or where.open(file, dialect).names
        if schema is None:
            gone = columns(protected, names) if knowledge is not None else []
            schema = _schema(names, quasi, sensitive, protected, decision, denied, identifier, gone)
        if knowledge is not None and alpha is not None:
            fairness[0] = _redlining(fairness[0], knowledge, confidence, count, schema, names, dialect)
        if tested:
            fairness[-1] = _situations(legal, numbers, ordered, neighbours, threshold, limit, names)
        guards = [*promised, *fairness]
        needed = looked_at(schema, guards, names)
        refuse([suggest(name, names, "column") for name in needed if name not in names])
        persons = [name for name in schema.identifier if name in names and name not in needed]
        source = where.open(file, replace(dialect, missing="category"), [*needed, *persons], progress)
        findings = check_source(source, schema, guards, details=max(rules, records), progress=progress)
    findings = [replace(f, details=f.details[: records if f.guard.per_record else rules]) for f in findings]
    holds = all(findings)
    if json:
        verdicts = [_as_dict(finding, records) for finding in findings]
        say_json({"file": file, "rows": source.rows, "holds": holds, "guards": verdicts})
        return 0 if holds else 1
    say(f"{file}: {counted(source.rows, 'row')}, quasi columns {', '.join(schema.quasi)}")
    for finding in findings:
        _show(finding, records)
    return 0 if holds else 1


def _guards(
    k: int | None,
    l: int | None,  # noqa: E741
    entropy_l: float | None,
    c: float | None,
    t: float | None,
    distance: str,
) -> list[Guard]:
    from fairveil import guards

    if c is not None and l is None:
        raise BadInput("--c belongs to recursive (c,ℓ)-diversity: give --l, too")
    promised: list[Guard] = []
    if k is not None:
        promised.append(guards.KAnonymity(k))
    if l is not None:
        promised.append(guards.DistinctDiversity(l) if c is None else guards.RecursiveDiversity(c, l))
    if entropy_l is not None:
        promised.append(guards.EntropyDiversity(entropy_l))
    if t is not None:
        promised.append(guards.TCloseness(t, distance))
    return promised


def _protection(alpha: float, measure: str, min_support: str, granularity: int | None) -> Guard:
    from fairveil.guards import AlphaProtection

    try:
        support = int(min_support) if min_support.isdigit() else float(min_support)
    except ValueError:
        raise BadInput(f"--min-support {min_support!r}: say a share such as 0.05, or a number of rows") from None
    return AlphaProtection(alpha, measure, support, granularity)


def _redlining(
    like: Guard,
    knowledge: Path,
    confidence: float,
    count: str | None,
    schema: Schema,
    names: Sequence[str],
    dialect: Dialect,
) -> Guard:
    """The same promise about columns that stand for the protected ones."""
    from fairveil.guards import NoRedlining
    from fairveil.run.knowledge import knowledge_of

    known = [name for name in names if name not in (*schema.protected, *schema.identifier, schema.decision)]
    rules = knowledge_of(knowledge, schema.protected, known, confidence=confidence, dialect=dialect, count=count)
    settings = {name: value for name, value in vars(like).items() if name != "contexts"}
    return NoRedlining(**settings, knowledge=rules, confidence=confidence)


def _situations(
    legal: Sequence[str],
    numbers: Sequence[str],
    ordered: Sequence[str],
    neighbours: int,
    threshold: float,
    limit: float,
    names: Sequence[str],
) -> Guard:
    from fairveil.guards import SituationTesting

    named = [tuple(columns(given, names)) for given in (legal, numbers, ordered)]
    return SituationTesting(named[0], neighbours, threshold, limit, named[1], named[2])


def _schema(
    names: Sequence[str],
    quasi: Sequence[str],
    sensitive: Sequence[str],
    protected: Sequence[str],
    decision: str | None,
    denied: Sequence[str],
    identifier: Sequence[str],
    gone: Sequence[str],
) -> Schema:
    """The roles that the options name; without --quasi every other column may be the context of a rule. `gone` are
    protected columns that are looked at as if they were not published."""
    from fairveil.data.schema import Schema

    hidden, persons = columns(sensitive, names), columns(identifier, names)
    refuse([suggest(name, names, "column") for name in persons if name not in names])
    linkable = columns(quasi, names) or [name for name in names if name not in (*hidden, *persons, *gone, decision)]
    grounds = columns(protected, names)
    return Schema(
        quasi=[*linkable, *(name for name in grounds if name not in (*linkable, *hidden, *gone))],
        sensitive=hidden,
        identifier=persons,
        protected=grounds,
        decision=decision,
        denied=list(denied) or None,
        drop=gone,
    )


def _from_plan(path: Path) -> tuple[Schema, list[Guard], Dialect]:
    """Schema and guards of a plan, and how it reads files."""
    from fairveil.run.plan import Plan

    plan = Plan.read(path)
    return plan.schema or plan.data[1], list(plan.guards), plan.source.dialect


def _as_dict(finding: CheckedVerdict, records: int) -> dict[str, object]:
    """For a machine; rows are counted from 1, as for people."""
    shown = finding.to_dict()
    if finding.details:
        shown["details"] = [
            {**detail, "record": detail["record"] + 1} if "record" in detail else detail for detail in finding.details
        ]
    return {**shown, "records": [int(row) + 1 for row in finding.records[:records]]}


def _show(finding: CheckedVerdict, records: int) -> None:
    from fairveil.cli.terminal import mark, say

    say(mark(finding))
    if finding.size:
        values = ", ".join(f"{name} = {'(missing)' if v is None else v}" for name, v in finding.values.items())
        say(f"    worst class: {values} ({counted(finding.size, 'row')})")
        for name, counts in finding.sensitive.items():
            frequent = ", ".join(f"{value} × {rows:,}" for value, rows in list(counts.items())[:6])
            say(f"    {name} there: {frequent}{', …' if len(counts) > 6 else ''}")
    for detail in finding.details:
        row = f"row {detail['record'] + 1}: " if "record" in detail else ""
        alike = f" ({counted(detail['rows'], 'row')})" if "rows" in detail else ""
        say(f"    {row}{detail['sentence']}{alike}")
    if len(finding.records) and records:
        numbers = ", ".join(str(int(row) + 1) for row in finding.records[:records])
        more = f", … ({len(finding.records):,} in all)" if len(finding.records) > records else ""
        say(f"    rows that break it (the first after the header is 1): {numbers}{more}")
