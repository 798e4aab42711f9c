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
    fairness = (
        [] if alpha is None else [_protection(alpha, measure, min_support, granularity, protected, decision, denied)]
    )
    if plan is not None and (promised or fairness or quasi or sensitive or identifier):
        raise BadInput(
            "--plan already names columns and guards: leave out --quasi, --sensitive, --identifier, --k, --l, --t and "
            "--alpha"
        )
    schema: Schema | None = None
    known: Dialect | None = None
    if plan is not None:
        schema, promised, known = _from_plan(plan)
    elif not (promised or fairness):
        raise BadInput("nothing to check: give at least one of --k, --l, --entropy-l, --t, --alpha, or a --plan")
    elif promised and not quasi:
        raise BadInput("--quasi is needed: name the columns that can be linked to other data")
    guards = [*promised, *fairness]
    with working(f"reading {short(file)}") as progress:
        header = how.like(known).names(file)
        dialect = how.dialect(header, known)
        names = header or where.open(file, dialect).names
        if schema is None:
            schema = _schema(names, quasi, sensitive, protected, decision, denied, identifier)
        needed = looked_at(schema, guards, names)
        refuse([suggest(name, names, "column") for name in needed if name not in names])
        persons = [name for name in schema.identifier if name in names and name not in needed]
        source = where.open(file, replace(dialect, missing="category"), [*needed, *persons], progress)
        findings = check_source(source, schema, guards, details=rules, progress=progress)
    holds = all(findings)
    if json:
        verdicts = [{**f.to_dict(), "records": [int(row) + 1 for row in f.records[:records]]} for f in findings]
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


def _protection(
    alpha: float,
    measure: str,
    min_support: str,
    granularity: int | None,
    protected: Sequence[str],
    decision: str | None,
    denied: Sequence[str],
) -> Guard:
    from fairveil.guards import AlphaProtection

    if not (protected and decision and denied):
        raise BadInput("--alpha needs --protected, --decision and --denied")
    try:
        support = int(min_support) if min_support.isdigit() else float(min_support)
    except ValueError:
        raise BadInput(f"--min-support {min_support!r}: say a share such as 0.05, or a number of rows") from None
    return AlphaProtection(alpha, measure, support, granularity)


def _schema(
    names: Sequence[str],
    quasi: Sequence[str],
    sensitive: Sequence[str],
    protected: Sequence[str],
    decision: str | None,
    denied: Sequence[str],
    identifier: Sequence[str],
) -> Schema:
    """The roles that the options name; without --quasi every other column may be the context of a rule."""
    from fairveil.data.schema import Schema

    hidden, persons = columns(sensitive, names), columns(identifier, names)
    refuse([suggest(name, names, "column") for name in persons if name not in names])
    linkable = columns(quasi, names) or [name for name in names if name not in (*hidden, *persons, decision)]
    grounds = columns(protected, names)
    return Schema(
        quasi=[*linkable, *(name for name in grounds if name not in (*linkable, *hidden))],
        sensitive=hidden,
        identifier=persons,
        protected=grounds,
        decision=decision,
        denied=list(denied) or None,
    )


def _from_plan(path: Path) -> tuple[Schema, list[Guard], Dialect]:
    """Schema and guards of a plan, and how it reads files."""
    from fairveil.run.plan import Plan

    plan = Plan.read(path)
    return plan.schema or plan.data[1], list(plan.guards), plan.source.dialect


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
        say(f"    {detail['sentence']}")
    if len(finding.records) and records:
        numbers = ", ".join(str(int(row) + 1) for row in finding.records[:records])
        more = f", … ({len(finding.records):,} in all)" if len(finding.records) > records else ""
        say(f"    rows that break it (the first after the header is 1): {numbers}{more}")
