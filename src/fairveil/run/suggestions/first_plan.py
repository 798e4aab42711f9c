"""A first plan for a new file: it runs unedited, and gives a reason for every entry.

Decisions are made here, and put into words in `plan_text.py`. What the owner says wins over every suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.numeric import is_number, numbers_per_value
from fairveil.data.schema import Schema
from fairveil.data.spelling import Spelling
from fairveil.engines import Source, TooManyCells
from fairveil.errors import BadInput, Unpublishable, refuse, suggest
from fairveil.messages import option
from fairveil.run.profile import ColumnProfile, Profile, profile_source
from fairveil.run.suggestions.column_words import NAMED
from fairveil.run.suggestions.counted_people import (
    PROMISED,
    RARE_T,
    Persons,
    people_to_promise,
    persons_of,
    several_rows,
)
from fairveil.run.suggestions.detected_spelling import detect
from fairveil.run.suggestions.fitting import Spec, fitted_to, rows_per_value
from fairveil.run.suggestions.looks import look_of_column
from fairveil.run.suggestions.moved_roles import Coarser, move
from fairveil.run.suggestions.suggested_roles import Audience
from fairveil.run.suggestions.telling import rows_with_others, untie

if TYPE_CHECKING:
    from fairveil.data.table import Column
    from fairveil.progress import Progress
    from fairveil.run.suggestions.undone_columns import Seen

MISSING = (
    "?", "NA", "N/A", "n/a", "NULL", "null", "nan", "NaN", "#N/A", "(null)", ".", "-", "--", "..", "#VALUE!", "#DIV/0!",
)  # fmt: skip
"""Texts that often mean a missing value."""
EVEN = 0.8
"""If one sensitive value has a larger share of the rows, requiring two others in every class costs too much."""
USUAL = 0.9
"""If one has a larger share than this, requiring any other in every class does: who has others is hidden by
t-closeness, and nobody learns much by not having one."""
FEW = 5
"""Up to this many sensitive values, two in every class must do."""
KINDS = 10
"""Up to this number of numbers, a column of which nothing is known may say kinds of people, which others know."""
ORDER = ("identifier", "person", "household", "weight", "quasi", "sensitive", "protected", "decision", "plain", "drop")

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|\.\d+)([eE][+-]?\d+)?")

Read = Callable[..., Source]
"""Opens the file, given its missing-value texts, its text columns and, by name, other settings of its dialect."""


@dataclass(frozen=True)
class Wishes:
    """What the owner says: columns by role, the person column, k, the unfavourable value, and who gets the release."""

    roles: Mapping[str, Sequence[str]] = field(default_factory=dict)
    person: str | None = None
    k: int | None = None
    denied: Sequence[Any] = ()
    audience: Audience = "partners"

    def check(self, names: Sequence[str]) -> None:
        """Raise BadInput for columns that do not exist, and for a column with two roles."""
        named = [name for columns in self.roles.values() for name in columns] + [self.person] * (
            self.person is not None
        )
        problems = [suggest(str(name), names, "column") for name in named if name not in names]
        main = [name for role, columns in self.roles.items() if role != "protected" for name in columns]
        problems += [
            f"column {name!r} is given two roles: give it one" for name in dict.fromkeys(main) if main.count(name) > 1
        ]
        refuse(problems)


@dataclass(frozen=True)
class FirstLook:
    """Findings of a first look at a file."""

    source: Source
    profile: Profile
    missing_values: tuple[str, ...]
    text: tuple[str, ...]
    doubtful: tuple[str, ...] = ()
    """Columns with a text that may mean a missing value, in too few rows to be named."""
    whole: Callable[[Sequence[str]], Source] | None = None
    """Opens some columns of the whole file, if the source is a part of it."""
    spelled: Mapping[str, Any] = field(default_factory=dict)
    """The settings of [source] that say how numbers and dates are written."""
    ambiguous: tuple[str, ...] = ()
    """Columns of dates whose days may be months."""
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """Columns whose values cannot be published, and why."""


@dataclass(frozen=True)
class Draft:
    """All that a first plan says: columns by role, the reason of each, what to ask, hierarchies and promises."""

    roles: Mapping[str, Sequence[str]]
    reasons: Mapping[str, str]
    asked: Sequence[ColumnProfile]
    """Columns whose role is unsure, the owner not having said it."""
    persons: Persons
    people: int
    guards: Sequence[tuple[Mapping[str, Any], str]]
    specs: Mapping[str, tuple[Spec, str] | None]
    levels: Mapping[str, int]
    """Sensitive columns that are published at a fixed level of their hierarchy."""
    denied: Sequence[Any]
    audience: Audience
    optional: Mapping[str, str] = field(default_factory=dict)
    """Columns that may be left out if much more of the others is shown then, and why."""


def draft(
    look: FirstLook, wishes: Wishes | None = None, without: Mapping[str, str] | None = None, seen: Seen | None = None
) -> Draft:
    """The decisions of a first plan for a file, `without` some columns, each with the reason why it is left out; which
    columns undo others is predicted, or was `seen` in releases that were tried."""
    wishes = wishes or Wishes()
    wishes.check([*look.source.names, *look.unreadable])
    roles, reasons = _roles(look.profile, wishes)
    roles["drop"] += look.unreadable
    reasons |= {name: problem.split(": ")[0] for name, problem in look.unreadable.items()}
    for name, because in (without or {}).items():
        move(roles, reasons, [name], "drop", because)
    _check_denied(look.source, wishes.denied, roles["decision"])
    given = {name for columns in wishes.roles.values() for name in columns} | {wishes.person}
    identifiers = [*roles["identifier"], *roles["person"]]
    source = look.whole(identifiers) if look.whole and identifiers else look.source
    persons = persons_of(source, look.profile, identifiers, wishes.person)
    roles["person"] = [persons.column] if persons.column is not None else []
    roles["identifier"] = [name for name in identifiers if name not in (*persons.repeating, persons.column)]
    roles["drop"] += persons.repeating
    reasons |= {name: reasons[name] + several_rows(persons) for name in persons.repeating}
    coarser = untie(look.source, look.profile, roles, reasons, given, seen)
    if not roles["quasi"] and (left := [name for name in roles["sensitive"] if name not in given]):
        name = min(left, key=lambda name: look.profile.column(name).distinct)
        move(roles, reasons, [name], "quasi", "no other column could be known to others")
    if not roles["quasi"]:
        raise BadInput(
            f"no column looks as if it could be known to others: give those that are the role quasi "
            f"({option('quasi', ...)})"
        )
    _single(look, roles, reasons)
    people = wishes.k or people_to_promise(look.profile.rows, persons, wishes.audience)
    asked = [column for column in look.profile.columns if column.unsure and column.name not in given]
    specs = {
        **coarser.specs,
        **{name: coarser.ties.get(name) or fitted_to(look.source, name) for name in roles["quasi"]},
    }
    guards = _guards(look.profile, roles["sensitive"], people, persons, wishes.audience, coarser)
    return Draft(
        roles, reasons, asked, persons, people, guards, specs, coarser.levels, wishes.denied, wishes.audience,
        {name: because for name, because in coarser.optional.items() if name not in given},
    )  # fmt: skip


def _check_denied(source: Source, denied: Sequence[Any], decisions: Sequence[str]) -> None:
    """Raise BadInput for unfavourable values that the decision does not have, or without one."""
    if denied and not decisions:
        raise BadInput(f"{option('denied')} is given, but no column is a decision: name it ({option('decision', ...)})")
    for decision in decisions if denied else ():
        refuse(Schema(quasi=[], decision=decision, denied=list(denied)).denied_problems(source))


def look_at(read: Read, names: Sequence[str], progress: Progress, audience: Audience = "partners") -> FirstLook:
    """Read the file, again if texts mean missing values, numbers or dates, or numbers are codes, and profile it."""
    text: set[str] = set()
    mixed = False
    try:
        source = read((), ())
    except BadInput:  # a column mixes numbers and text: any column can be read as text
        source, mixed = read((), names), True
    source, unreadable = _readable(source)
    missing, doubtful = _missing_values(source)
    found = detect(source, sorted(missing), inferred=not mixed)
    spelled = found.keys()
    if mixed:
        signs = Spelling(**{key: value for key, value in spelled.items() if key != "decimal"})
        text = {name for name in source.names if _mixes(source.domain(name), missing, signs)}
    if mixed or missing or spelled:
        source, _ = _readable(read(sorted(missing), sorted(text), **spelled))
    more, also = _missing_values(source)
    codes = {name for name in source.names if _loses_zeros(source.domain(name))}
    if not (more <= missing and codes <= text):
        missing, text = missing | more, text | codes
        source, _ = _readable(read(sorted(missing), sorted(text), **spelled))
    profile = profile_source(source, pairs=False, progress=progress, audience=audience)
    asked = tuple(name for name in dict.fromkeys([*doubtful, *also]) if name not in found.others_missing)
    return FirstLook(
        source, profile, tuple(sorted(missing)), tuple(sorted(text)), asked, None, spelled, tuple(found.ambiguous),
        unreadable,
    )  # fmt: skip


def _readable(source: Source) -> tuple[Source, dict[str, str]]:
    """The source without the columns whose values cannot be published, and why they cannot."""
    unreadable: dict[str, str] = {}
    for name in source.names:
        try:
            source.domain(name)
        except TooManyCells:
            continue
        except Unpublishable as problem:
            unreadable[name] = str(problem)
    kept = [name for name in source.names if name not in unreadable]
    if not kept:
        raise BadInput(next(iter(unreadable.values()), "the table has no columns"))
    return source.only(kept) if unreadable else source, unreadable


def _missing_values(source: Source) -> tuple[set[str], list[str]]:
    """Texts that often mean a missing value, in columns with at least two others, and the columns with such a text that
    fewer than NAMED rows hold: a plan would disclose that somebody has it."""
    held: dict[str, dict[str, float]] = {}
    for name in source.names:
        column = source.domain(name)
        texts = column.domain if str(column.values.type) == "string" else []
        if len(texts) > 2 and any(value in texts for value in MISSING):
            rows = rows_per_value(source, name)
            held[name] = {value: rows[texts.index(value)] for value in MISSING if value in texts}
    named = {value for rows in held.values() for value, count in rows.items() if count >= NAMED}
    return named, [name for name, rows in held.items() if not rows.keys() <= named]


def _mixes(column: Column, missing: Set[str], spelling: Spelling) -> bool:
    """Whether some of a column's texts are numbers and others are neither numbers nor missing."""
    texts = [text for text in column.domain if text is not None and text not in missing]
    plain = [spelling.plain(column.name, text) for text in texts] if spelling.covers(column.name) else texts
    present = [text for text in plain if text is not None]
    numbers = [_NUMBER.fullmatch(text.strip()) is not None for text in present]
    return any(numbers) and not all(numbers)


def _loses_zeros(column: Column) -> bool:
    """Whether integers are postcodes or phone numbers, whose leading zeros count, or dates without signs, which have no
    mean."""
    look = look_of_column(column)
    return look in ("postcodes", "phone numbers", "card numbers", "dates as numbers") and str(
        column.values.type
    ).startswith("int")


def _roles(profile: Profile, wishes: Wishes) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Columns by role, and the reason of each. The owner's words come first."""
    given = {name: role for role, names in wishes.roles.items() if role != "protected" for name in names}
    given |= {wishes.person: "person"} if wishes.person is not None else {}
    by_role: dict[str, list[str]] = {role: [] for role in ORDER}
    reasons: dict[str, str] = {}
    for column in profile.columns:
        suggested = column.roles
        if "decision" in suggested and wishes.roles.get("decision"):
            suggested = ("sensitive",)
        roles = (given[column.name], *set(suggested) & {"protected"}) if column.name in given else suggested
        if column.name in wishes.roles.get("protected", ()):
            roles = (roles[0] if roles[0] in ("quasi", "sensitive", "plain", "drop") else "quasi", "protected")
        elif roles[0] in ("identifier", "person", "household", "weight", "decision", "drop"):
            roles = roles[:1]
        for role in roles:
            by_role[role].append(column.name)
        rule = f" (HIPAA Safe Harbor: {column.safe_harbor})" if column.safe_harbor else ""
        reasons[column.name] = "you said so" if column.name in given else f"{column.reason}{rule}"
    if not by_role["quasi"]:
        free = _perhaps_known(
            [c for c in profile.columns if c.roles == ("sensitive",) and c.name not in given], len(by_role["sensitive"])
        )
        by_role["quasi"] = free
        by_role["sensitive"] = [name for name in by_role["sensitive"] if name not in free]
        reasons |= dict.fromkeys(
            free, "no name says that others know a column: what nothing is known of is often known"
        )
    return by_role, reasons


def _perhaps_known(columns: Sequence[ColumnProfile], sensitive: int) -> list[str]:
    """Columns that others may know, where no name says so: the first of those that nothing is known of and that say
    kinds of people, or else one that measures them; if all are known to be secret, the one that is the least so."""
    unknown = [column for column in columns if column.kind == "unknown"]
    if len(unknown) == len(columns) == sensitive > 1 and unknown[-1].distinct <= FEW:
        unknown.pop()  # the last column is often the outcome
    if unknown:
        kinds = [column for column in unknown if column.type == "text" or column.distinct <= KINDS]
        return [column.name for column in kinds[:FEW] or unknown[:1]]
    return [min(columns, key=lambda column: (column.kind not in _MILD, column.certainty)).name] if columns else []


_MILD = ("score", "outcome", "money")
"""Kinds of secrets that hurt less than others."""


def _guards(
    profile: Profile,
    sensitive: Sequence[str],
    people: int,
    persons: Persons,
    audience: Audience,
    coarser: Coarser,
) -> list[tuple[Mapping[str, Any], str]]:
    """The promises, each with what it means."""
    _, diversity, t, suppression = PROMISED[audience]
    guards: list[tuple[Mapping[str, Any], str]] = [
        ({"kind": "k-anonymity", "k": people * persons.rows_each, "suppression": suppression}, "")
    ]
    for name in sensitive:
        column = profile.column(name)
        if persons.column is not None and (closeness := coarser.closeness.get(name)):
            says = f"Everybody has one {name} in some record. Who has others differs about as among all."
            guards.append(({"kind": "t-closeness", "t": closeness, "distance": "ordered", "sensitive": name}, says))
            continue
        blank = {"missing": "value"} if column.ticked else {}
        if rows_with_others(profile, column) < (1 - USUAL) * (profile.rows - (0 if column.ticked else column.missing)):
            says = f"Nobody's {name} can be read off if it is another than most have: few in a class have it."
            guards.append(({"kind": "t-closeness", "t": t or RARE_T, "sensitive": name, **blank}, says))
            continue
        few = coarser.labels.get(name, column.distinct) <= FEW or column.commonest_share > EVEN
        most = diversity if persons.column is None else min(diversity, coarser.diversity.get(name, diversity))
        says = f"Nobody's {name} can be read off because all who look alike have the same."
        judged = {"judged": {name: coarser.judged[name]}} if name in coarser.judged else {}
        if judged:
            says += "\nIt is published in narrow intervals that many share; all in one wide interval count as the same."
        if blank:
            says += "\nIt has one value or none: none counts as a value."
        guards.append(
            (
                {"kind": "distinct-diversity", "l": 2 if few else max(most, 2), "sensitive": name, **judged, **blank},
                says,
            )
        )
        if few and t:
            guards.append(({"kind": "t-closeness", "t": t, "sensitive": name, **blank},
                           f"Those who look alike differ in {name} about as all do."))  # fmt: skip
    return guards


def _single(look: FirstLook, roles: dict[str, list[str]], reasons: dict[str, str]) -> None:
    """Leave one household and one weight; weights that tell people apart, even rounded, are left out."""
    for name in roles["household"][1:]:
        roles["drop"].append(name)
        reasons[name] += "; there is one column of households"
    weights, roles["weight"], roles["household"] = roles["weight"], [], roles["household"][:1]
    for name in weights:
        column = look.source.domain(name)
        numbers = numbers_per_value(column) if is_number(column) else np.array([np.nan])
        rounded = np.unique(np.rint(numbers[np.isfinite(numbers)]))
        if roles["weight"] or column.has_missing or not np.all(numbers > 0) or len(rounded) * NAMED > look.profile.rows:
            roles["drop"].append(name)
        else:
            roles["weight"] = [name]
            reasons[name] += "; published rounded"
