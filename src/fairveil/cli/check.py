"""fairveil check: is this file k-anonymous, ℓ-diverse, t-close, α-protective? Exit code 0 yes, 1 no."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairveil.cli.guard_options import Guards, guard_of, guarding, long_guards
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
@guarding
def check(
    file: DataFile,
    guard: Guards = [],  # noqa: B006
    quasi: Annotated[list[str], typer.Option(metavar="COLUMNS", help="Columns that others may know.")] = [],  # noqa: B006
    sensitive: Annotated[list[str], typer.Option(metavar="COLUMNS", help="Columns nobody may learn.")] = [],  # noqa: B006
    identifier: Annotated[
        list[str], typer.Option(metavar="COLUMNS", help="Columns that name people: each may have one row only.")
    ] = [],  # noqa: B006
    protected: Annotated[list[str], typer.Option(metavar="COLUMNS", help="Grounds not to discriminate on.")] = [],  # noqa: B006
    decision: Annotated[str | None, typer.Option(metavar="COLUMN", help="The outcome that rules are about.")] = None,
    denied: Annotated[list[str], typer.Option(metavar="VALUE", help="An unfavourable value of the decision.")] = [],  # noqa: B006
    bounds: dict[str, Any] = {},  # noqa: B006 - replaced by the short options
    knowledge: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --alpha: a sample that still has the protected columns (no-redlining)."
        ),
    ] = None,
    count: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Of --knowledge: the number of people that a row stands for.")
    ] = None,
    rules: Annotated[int, typer.Option(min=0, metavar="N", help="Number of discriminatory rules to show.")] = 10,
    plan: Annotated[Path | None, typer.Option(metavar="PLAN", help="Take columns and guards from a plan.")] = None,
    records: Annotated[int, typer.Option(min=0, metavar="N", help="Number of breaking rows to name.")] = 10,
    how: HowToRead = HowToRead(),  # noqa: B008 - frozen
    where: WhereToWork = WhereToWork(),  # noqa: B008
    json: Json = False,
) -> int:
    """Check whether a file keeps promises, or what it has.

    With guards (--guard, or a short option such as --k) it shows the worst class and the rows that break a promise.
    Exit code 0: the file keeps them, 1: it does not. Without guards it shows the k, ℓ, t and α of the file.
    FILE is a data file (CSV, Parquet, Excel, Stata, SPSS, SAS), a pattern of several, or the URL of a database with
    --table (docs/engines.md).
    """
    from fairveil.cli.terminal import say, say_json, working
    from fairveil.run.check import check as check_source
    from fairveil.run.check import looked_at, weakest_guards

    asked = _Asked(guard, bounds, knowledge, count)
    if plan is not None and (guard or bounds or quasi or sensitive or identifier):
        raise BadInput(
            "--plan already names columns and guards: leave out --quasi, --sensitive, --identifier, --guard and the "
            "short options of guards"
        )
    schema: Schema | None = None
    known: Dialect | None = None
    guards: list[Guard] = []
    if plan is not None:
        schema, guards, known = _from_plan(plan)
    else:
        asked.refuse_missing(quasi, protected, decision, denied)
    with working(f"reading {short(file)}") as progress:
        header = how.like(known).names(file)
        dialect = how.dialect(header, known)
        names = header or where.open(file, dialect).names
        if schema is None:
            gone = columns(protected, names) if knowledge is not None else []
            schema = _schema(names, quasi, sensitive, protected, decision, denied, identifier, gone)
            guards = asked.guards(schema, names, dialect)
        needed = looked_at(schema, guards or weakest_guards(schema), names)
        refuse([suggest(name, names, "column") for name in needed if name not in names])
        persons = [name for name in schema.identifier if name in names and name not in needed]
        source = where.open(file, replace(dialect, missing="category"), [*needed, *persons], progress)
        findings = check_source(source, schema, guards, details=max(rules, records), progress=progress)
    findings = [replace(f, details=f.details[: records if f.guard.per_record else rules]) for f in findings]
    holds = all(findings)
    if not guards:
        return _show_attained(file, source.rows, schema, findings, json)
    if json:
        verdicts = [_as_dict(finding, records) for finding in findings]
        say_json({"file": file, "rows": source.rows, "holds": holds, "guards": verdicts})
        return 0 if holds else 1
    say(f"{file}: {counted(source.rows, 'row')}, quasi columns {', '.join(schema.quasi)}")
    for finding in findings:
        _show(finding, records)
    return 0 if holds else 1


def _show_attained(file: str, rows: int, schema: Schema, findings: Sequence[CheckedVerdict], json: bool) -> int:
    """Print what a file attains without bounds."""
    from fairveil.cli.terminal import say, say_json

    if json:
        values = [
            {"kind": f.guard.kind, "setting": next(iter(f.guard.weakest)), "value": f.to_dict()["worst"],
             "sentence": f.sentence, "worst_class": f.to_dict()["worst_class"], "details": f.details}
            for f in findings
        ]  # fmt: skip
        say_json({"file": file, "rows": rows, "has": values})
        return 0
    say(f"{file}: {counted(rows, 'row')}, quasi columns {', '.join(schema.quasi)}")
    for finding in findings:
        say(f"{finding.guard.kind}: {finding.sentence}")
        _show_worst(finding)
    return 0


@dataclass(frozen=True)
class _Asked:
    """The guards that the options name; those of short options come first."""

    long: Sequence[str]
    short: Mapping[str, Mapping[str, Sequence[str]]]
    knowledge: Path | None
    count: str | None

    def without_knowledge(self, names: Sequence[str] = ()) -> list[Guard]:
        kinds = dict(self.short)
        if self.knowledge is not None:  # --alpha then applies to proxies of the protected columns
            kinds["no-redlining"] = {**kinds.pop("alpha-protection", {}), **kinds.get("no-redlining", {})}
        return [*(guard_of(kind, texts, names) for kind, texts in kinds.items()), *long_guards(self.long, names)]

    def guards(self, schema: Schema, names: Sequence[str], dialect: Dialect) -> list[Guard]:
        """The guards for data with these columns."""
        return [self._informed(guard, schema, names, dialect) for guard in self.without_knowledge(names)]

    def _informed(self, guard: Guard, schema: Schema, names: Sequence[str], dialect: Dialect) -> Guard:
        """The guard, with knowledge from --knowledge if it takes any."""
        from fairveil.guards import NoRedlining
        from fairveil.run.knowledge import knowledge_of

        if self.knowledge is None or not isinstance(guard, NoRedlining):
            return guard
        known = [name for name in names if name not in (*schema.protected, *schema.identifier, schema.decision)]
        rules = knowledge_of(
            self.knowledge, schema.protected, known, confidence=guard.confidence, dialect=dialect, count=self.count
        )
        return replace(guard, knowledge=rules)

    def refuse_missing(
        self, quasi: Sequence[str], protected: Sequence[str], decision: str | None, denied: Sequence[str]
    ) -> None:
        """Refuse bad settings and missing roles before reading data."""
        informed = "alpha-protection" in self.short or any(text.startswith("no-redlining") for text in self.long)
        if self.knowledge is not None and not informed:
            raise BadInput("--knowledge says what stands for a protected column: give --alpha, too")
        guards = self.without_knowledge()
        about_rules = [guard for guard in guards if guard.finds_rules or guard.per_record]
        if about_rules and not (protected and decision and denied):
            named = {"alpha-protection": "--alpha", "situation-testing": "--legal"}.get(about_rules[0].kind, "")
            asked = named if about_rules[0].kind in self.short else f"--guard {about_rules[0].kind}"
            raise BadInput(f"{asked} needs --protected, --decision and --denied")
        if not quasi and (len(about_rules) < len(guards) or not (guards or protected)):
            raise BadInput("--quasi is needed: name the columns that can be linked to other data")


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
    protected columns that are treated as unpublished."""
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
    """The finding for JSON; rows count from 1, as in text."""
    shown = finding.to_dict()
    if finding.details:
        shown["details"] = [
            {**detail, "record": detail["record"] + 1} if "record" in detail else detail for detail in finding.details
        ]
    return {**shown, "records": [int(row) + 1 for row in finding.records[:records]]}


def _show(finding: CheckedVerdict, records: int) -> None:
    from fairveil.cli.terminal import mark, say

    say(mark(finding))
    _show_worst(finding)
    if len(finding.records) and records:
        numbers = ", ".join(str(int(row) + 1) for row in finding.records[:records])
        more = f", … ({len(finding.records):,} in all)" if len(finding.records) > records else ""
        say(f"    rows that break it (the first after the header is 1): {numbers}{more}")


def _show_worst(finding: CheckedVerdict) -> None:
    """Print the worst class and reasons."""
    from fairveil.cli.terminal import say

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
