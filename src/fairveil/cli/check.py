"""fairveil check: is this file k-anonymous, ℓ-diverse, t-close, α-protective? Exit code 0 yes, 1 no."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from warnings import catch_warnings, simplefilter, warn

from fairveil.cli.options import (
    POPULATION,
    ROLES,
    DataFile,
    How,
    Json,
    Where,
    columns,
    number_of,
    opt,
    parameter_of,
    population_of,
    reading,
    taking,
    taking_late,
    working_on,
)
from fairveil.cli.terminal import mark, say, say_json, short, working
from fairveil.errors import BadInput, BrokenPackage, UnreadableColumns, refuse, suggest
from fairveil.messages import PLAN, counted, speaking, verb
from fairveil.registry import packages
from fairveil.settings import Setting, current_names, settings_of
from fairveil.shapes import many, text

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect
    from fairveil.data.schema import Schema
    from fairveil.engines import Source
    from fairveil.guards import Guard
    from fairveil.run.check import CheckedVerdict

T = TypeVar("T")
LISTS = ("names", "numbers", "other")
"""The types of settings that may be given several times."""


def short_options() -> dict[str, list[tuple[str, Setting]]]:
    """Option -> the kinds of guard, in the order of the registry, and the setting of each that it spells.

    A guard has short options if all its required settings have one. Those of built-in guards are theirs alone.
    """
    from fairveil.guards import GUARDS

    with catch_warnings():  # a broken package matters only where one of its parts is missed
        simplefilter("ignore", BrokenPackage)
        packages.load()
    built_in = {setting.cli for kind in GUARDS.own for setting in _settings(kind).values()}
    options: dict[str, list[tuple[str, Setting]]] = {}
    for kind in GUARDS.names:
        settings = _settings(kind).values()
        free = [setting for setting in settings if setting.cli and (kind in GUARDS.own or setting.cli not in built_in)]
        if all(setting in free for setting in settings if setting.required):
            for setting in free:
                options.setdefault(parameter_of(setting), []).append((kind, setting))
    return options


def _settings(kind: str) -> dict[str, Setting]:
    """The settings of a kind of guard, by name."""
    from fairveil.guards import GUARDS

    guard: type = GUARDS.get(kind)
    return {setting.name: setting for setting in settings_of(guard)}


def _short_settings() -> list[Setting]:
    """A setting for each short option, any number of texts; `_Asked` checks them."""
    settings = []
    for name, spelled in short_options().items():
        kinds, setting = ", ".join(kind for kind, _ in spelled), spelled[0][1]
        usual = "" if setting.default in (None, []) else f"; default: {setting.default}"
        says, metavar = f"{setting.says} ({kinds}{usual})", setting.name.upper()
        settings.append(Setting(says, metavar=metavar, name=name, check=many(text)))
    return settings


@taking_late("bounds", _short_settings)
@reading
@working_on
@taking("roles", tuple(ROLES.values()))
@taking("population", POPULATION, population_of)
def check(
    file: DataFile,
    *,
    guard: Annotated[
        list[str], opt("KIND:SETTING=VALUE,…", "A promise, such as k-anonymity:k=5; may be repeated.")
    ] = [],  # noqa: B006
    roles: Mapping[str, Any],
    population: Any,
    bounds: Mapping[str, Any],
    knowledge: Annotated[Path | None, opt("FILE", "With --alpha: a sample that has the protected columns.")] = None,
    count: Annotated[str | None, opt("COLUMN", "Of --knowledge: the number of people that a row stands for.")] = None,
    rules: Annotated[int, opt("N", "Maximum number of discriminatory rules shown.", min=0)] = 10,
    plan: Annotated[Path | None, opt("PLAN", "Take columns, guards and reading options from a plan.")] = None,
    records: Annotated[int, opt("N", "Maximum number of violating rows shown.", min=0)] = 10,
    how: How,
    where: Where,
    json: Json = False,
) -> int:
    """Check whether a file keeps promises, or which k, ℓ, t and α it has.

    With guards (--guard, or a short option such as --k) it shows the worst class and the rows that violate a promise.
    Exit code 0: the file keeps them, 1: it does not. Without guards it shows the k, ℓ, t and α of the file.
    """
    from fairveil.run.check import check as check_source
    from fairveil.run.check import checked_columns, weakest_guards
    from fairveil.run.suggestions.asked_persons import numbering, unasked_persons

    asked = _Asked(guard, bounds, knowledge, count)
    schema: Schema | None = None
    plan_dialect: Dialect | None = None
    guards: list[Guard] = []
    if plan is not None:
        if guard or bounds or {"quasi", "sensitive", "identifier"} & roles.keys():
            others = "--quasi, --sensitive, --identifier, --guard and the short options of guards"
            raise BadInput(f"--plan already names columns and guards: leave out {others}")
        from fairveil.run.plan import Plan

        loaded = Plan.read(plan)
        schema, guards, plan_dialect = loaded.schema or loaded.data[1], list(loaded.guards), loaded.source.dialect
    with working(f"reading {short(file)}") as progress:
        problems = [] if schema else asked.problems(roles)
        header, dialect = _beside(problems, lambda: how.header(file, plan_dialect))
        if not header:
            refuse(problems)  # before a database is queried
        names, hidden = _columns(header, lambda: where.open(file, dialect))
        if schema is None:
            schema, guards = asked.about(names, {**roles, "population": population}, dialect)
        elif population is not None:
            schema = replace(schema, population=population)
        needed = checked_columns(schema, guards or weakest_guards(schema), names)
        refuse([suggest(name, names, "column") for name in needed if name not in names])
        persons = [name for name in schema.identifier if name in names and name not in needed]
        persons += [name for name in numbering(names, schema) if name not in needed]
        source = where.open(file, dialect, [*needed, *(name for name in persons if name not in hidden)], progress)
        unseen = [
            f"{name!r} may not be read, so persons with several rows are not noticed by it"
            for name in persons
            if name in hidden and schema.person is None
        ]
        notes = [*unseen, *unasked_persons(source, schema), *source.snapshot.notes]
        verdicts = check_source(source, schema, guards, details=max(rules, records), progress=progress)
    for problem in [] if guards else packages.problems:  # the file is measured by all guards there are
        warn(problem, BrokenPackage, stacklevel=2)
    verdicts = [replace(v, details=v.details[: records if v.guard.per_record else rules]) for v in verdicts]
    read = {"file": file, "rows": source.rows, "dropped": source.dropped, **({"notes": list(notes)} if notes else {})}
    if json and guards:
        entries = [_as_dict(verdict, records) for verdict in verdicts]
        say_json({**read, "holds": all(verdicts), "guards": entries})
    elif json:
        say_json({**read, "has": [_attained(verdict) for verdict in verdicts]})
    else:
        dropped = f", {source.dropped:,} dropped before for missing values" if source.dropped else ""
        say(f"{file}: {counted(source.rows, 'row')}{dropped}, quasi columns {', '.join(schema.quasi)}")
        first = "the first that was not dropped is 1" if source.dropped else "the first after the header is 1"
        for verdict in verdicts:
            _show(verdict, records, first, bounded=bool(guards))
        for note in notes:
            say(f"note: {note}")
    return 0 if all(verdicts) else 1


def spelled_guard(text: str) -> tuple[str, dict[str, list[str]]]:
    """The kind and the settings of `--guard`; text without a setting's name continues the list before it."""
    kind, _, rest = text.partition(":")
    settings: dict[str, list[str]] = {}
    for piece in filter(None, rest.split(",")):
        name, equals, value = piece.partition("=")
        if equals:
            settings.setdefault(name.strip(), []).append(value.strip())
        elif settings:
            settings[next(reversed(settings))].append(piece.strip())
        else:
            raise BadInput(f"--guard {text!r}: a setting is written as NAME=VALUE, for example k-anonymity:k=5")
    return kind.strip(), settings


def guard_of(kind: str, texts: Mapping[str, Sequence[str]], names: Sequence[str] = ()) -> Guard:
    """The guard with these settings, checked by its declarations; `names` are the columns that lists may name."""
    from fairveil import guards

    settings = _settings(kind)
    texts = current_names([*settings.values()], texts, f"--guard {kind}")
    values = {
        name: _value(settings[name], given, names) if name in settings else given for name, given in texts.items()
    }
    return guards.from_dict({"kind": kind, **values})


def _value(setting: Setting, texts: Sequence[str], names: Sequence[str]) -> Any:
    """Texts as the type of a setting; what does not fit stays text, and the setting's own check refuses it."""
    if setting.type in ("names", "other"):
        return columns(texts, names)
    if setting.type == "numbers":
        return [number_of(text) for entry in texts for text in entry.split(",")]
    text = ",".join(texts)
    if setting.type == "boolean":
        return {"true": True, "false": False}.get(text.lower(), text)
    return number_of(text) if setting.type in ("integer", "number") else text


@dataclass(frozen=True)
class _Asked:
    """The guards that the options name; those of short options come first."""

    long: Sequence[str]
    given: Mapping[str, Sequence[str]]
    knowledge: Path | None
    count: str | None

    @cached_property
    def short(self) -> dict[str, dict[str, Sequence[str]]]:
        """What the short options give of each kind of guard.

        An option of several guards is of the one that another option asks for (with --c, --l is of recursive
        diversity, and with --knowledge, --alpha is of no-redlining), otherwise of the first.
        """
        from fairveil.guards import GUARDS

        meanings = {name: kinds for name, kinds in short_options().items() if name in self.given}
        asked = {kinds[0][0] for kinds in meanings.values() if len(kinds) == 1}
        if self.knowledge is not None:
            asked |= {guard.kind for guard in GUARDS if guard.takes_knowledge}
        by_kind: dict[str, dict[str, Sequence[str]]] = {}
        for name, kinds in meanings.items():
            kind, setting = next((meaning for meaning in kinds if meaning[0] in asked), kinds[0])
            by_kind.setdefault(kind, {})[setting.name] = self.given[name]
        return by_kind

    def about(self, names: Sequence[str], roles: Mapping[str, Any], dialect: Dialect) -> tuple[Schema, list[Guard]]:
        """The schema and the guards for data with these columns; raises BadInput with all problems."""
        from fairveil.run.check import checked_columns, weakest_guards

        guards, problems = self.guards(names)
        problems += self.missing(roles)
        schema = _beside(problems, lambda: _schema(names, roles, unpublished=self.knowledge is not None))
        needed = [*checked_columns(schema, guards or weakest_guards(schema), names), *schema.identifier]
        problems += [suggest(name, names, "column") for name in dict.fromkeys(needed) if name not in names]
        if problems:  # otherwise the check itself refuses these
            guarded = [guard for guard in guards if set(guard.columns(schema)).issubset(names)]
            ready = [guard for guard in guarded if self.knowledge is None or not guard.takes_knowledge]
            refuse(problems + [problem for guard in ready for problem in guard.check_schema(schema)])
        return schema, [self.informed(guard, schema, names, dialect) for guard in guards]

    def problems(self, roles: Mapping[str, Any]) -> list[str]:
        """The problems that show without data."""
        return self.guards()[1] + self.missing(roles)

    def guards(self, names: Sequence[str] = ()) -> tuple[list[Guard], list[str]]:
        """The guards for data with these columns, without knowledge, and the problems with the others."""
        guards: list[Guard] = []
        problems: list[str] = []
        for kind, texts in self.short.items():
            settings = _settings(kind)
            repeated = [settings[name] for name, given in texts.items() if len(given) > 1]
            wrong = [f"{s.cli} is given {_times(len(texts[s.name]))}" for s in repeated if s.type not in LISTS]
            lacking = [s.cli for s in settings.values() if s.required and s.name not in texts]
            wrong += _belonging([settings[name].cli for name in texts], lacking)
            problems += wrong
            if not wrong:
                spelled = {name: setting.cli or name for name, setting in settings.items()}
                with speaking(replace(PLAN, name=spelled.__getitem__)):
                    _collect(guards, problems, lambda: guard_of(kind, texts, names))  # noqa: B023 - called at once
        with speaking(PLAN):  # messages name the settings of --guard as a plan does
            for text in self.long:
                _collect(guards, problems, lambda: guard_of(*spelled_guard(text), names))  # noqa: B023
        return guards, problems

    def informed(self, guard: Any, schema: Schema, names: Sequence[str], dialect: Dialect) -> Guard:
        """The guard, with knowledge from --knowledge if it takes any."""
        from fairveil.run.knowledge import knowledge_of

        if self.knowledge is not None and guard.takes_knowledge:
            premises = [name for name in names if name not in (*schema.protected, *schema.identifier, schema.decision)]
            settings: dict[str, Any] = {"confidence": guard.confidence, "dialect": dialect, "count": self.count}
            guard = replace(guard, knowledge=knowledge_of(self.knowledge, schema.protected, premises, **settings))
        informed: Guard = guard
        return informed

    def missing(self, roles: Mapping[str, Any]) -> list[str]:
        """What the guards need besides their settings, and was not given."""
        from fairveil.guards import GUARDS

        spelled = {kind: f"--guard {kind}" for kind in (text.partition(":")[0].strip() for text in self.long)}
        for kind, texts in self.short.items():
            spelled[kind] = next(s.cli for s in _settings(kind).values() if s.name in texts)
        asked = [GUARDS.get(kind) for kind in spelled if kind in GUARDS]
        problems = []
        if self.knowledge is not None and not any(guard.takes_knowledge for guard in asked):
            informed = next(guard.kind for guard in GUARDS if guard.takes_knowledge)
            problems += _belonging(["--knowledge"], [s.cli for s in _settings(informed).values() if s.required])
        about_rules = [guard for guard in asked if guard.finds_rules or guard.per_record]
        if about_rules and not {"protected", "decision", "denied"} <= roles.keys():
            problems.append(f"{spelled[about_rules[0].kind]} needs --protected, --decision and --denied")
        if "quasi" not in roles and (len(about_rules) < len(asked) or not (spelled or "protected" in roles)):
            problems.append("--quasi is needed: name the columns that can be linked to other data")
        return problems


def _columns(header: list[str], open_all: Callable[[], Source]) -> tuple[list[str], list[str]]:
    """The columns of a file or of a table in a database, and those of them that may not be read."""
    try:
        return header or open_all().names, []
    except UnreadableColumns as problem:
        return problem.names, problem.hidden


def _beside(problems: list[str], make: Callable[[], T]) -> T:
    """Return `make()`; if it raises BadInput, its problems are raised together with these."""
    try:
        return make()
    except BadInput as problem:
        refuse([*problems, *problem.problems])
        raise


def _collect(guards: list[Guard], problems: list[str], make: Callable[[], Guard]) -> None:
    try:
        guards.append(make())
    except BadInput as problem:
        problems += problem.problems


def _belonging(given: Sequence[str], lacking: Sequence[str]) -> list[str]:
    """The problem with options that mean nothing without those that are lacking, if any are."""
    others = " and ".join(lacking)
    belong = f"{' and '.join(given)} {verb(len(given), 'belongs', 'belong')} to {others}"
    return [f"{belong}: also give {others}"] if lacking else []


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _schema(names: Sequence[str], roles: Mapping[str, Any], *, unpublished: bool) -> Schema:
    """The roles that the options name; without --quasi every other column may be the context of a rule.

    `unpublished`: the protected columns are not published.
    """
    from fairveil.data.schema import Schema

    quasi, sensitive, protected, identifier = (
        columns(roles.get(role, ()), names) for role in ("quasi", "sensitive", "protected", "identifier")
    )
    decision, gone = roles.get("decision"), protected if unpublished else []
    single: dict[str, Any] = {role: roles.get(role) for role in ("person", "household", "weight")}
    others = (*sensitive, *identifier, *gone, decision, *single.values())
    quasi = quasi or [name for name in names if name not in others]
    quasi = [*quasi, *(name for name in protected if name not in (*quasi, *sensitive, *gone))]
    return Schema(
        quasi, sensitive, protected, decision, roles.get("denied"), identifier=identifier, drop=gone,
        population=roles.get("population"), **single,
    )  # fmt: skip


def _attained(verdict: CheckedVerdict) -> dict[str, object]:
    """What the file attains, for JSON."""
    facts = verdict.to_dict()
    return {
        "kind": verdict.guard.kind, "setting": next(iter(verdict.guard.weakest)), "value": facts["worst"],
        "sentence": verdict.sentence, "worst_class": facts["worst_class"], "details": verdict.details,
    }  # fmt: skip


def _as_dict(verdict: CheckedVerdict, records: int) -> dict[str, object]:
    """The verdict for JSON; rows count from 1, as in text."""
    facts = verdict.to_dict()
    if verdict.details:
        facts["details"] = [{**d, "record": d["record"] + 1} if "record" in d else d for d in verdict.details]
    return {**facts, "records": [int(row) + 1 for row in verdict.records[:records]]}


def _show(verdict: CheckedVerdict, records: int, first: str, *, bounded: bool) -> None:
    """Print the verdict, the worst class, reasons, and the first rows that violate the guard.

    `first` says which row has number 1.
    """
    say(mark(verdict) if bounded else f"{verdict.guard.kind}: {verdict.sentence}")
    if verdict.size:
        values = ", ".join(f"{name} = {'(missing)' if v is None else v}" for name, v in verdict.values.items())
        people = f", {counted(verdict.people, 'person')}" if verdict.people is not None else ""
        say(f"    worst class: {values} ({counted(verdict.size, 'row')}{people})")
        for name, counts in verdict.sensitive.items():
            frequent = ", ".join(f"{value} × {rows:,}" for value, rows in list(counts.items())[:6])
            say(f"    {name} there: {frequent}{', …' if len(counts) > 6 else ''}")
    for detail in verdict.details:
        row = f"row {detail['record'] + 1}: " if "record" in detail else ""
        alike = f" ({counted(detail['rows'], 'row')})" if "rows" in detail else ""
        say(f"    {row}{detail['sentence']}{alike}")
    if len(verdict.records) and records:
        numbers = ", ".join(str(int(row) + 1) for row in verdict.records[:records])
        more = f", … ({len(verdict.records):,} in all)" if len(verdict.records) > records else ""
        say(f"    rows that break it ({first}): {numbers}{more}")
