"""A first plan for a new file: it runs unedited, and gives a reason for every entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from fairveil.data import hierarchy
from fairveil.data.integer_meaning import why_a_code
from fairveil.data.table import Column
from fairveil.engines import Source
from fairveil.errors import BadInput
from fairveil.plural import counted
from fairveil.progress import Progress
from fairveil.run.profile import ColumnProfile, Profile, profile_source
from fairveil.run.suggestions.column_words import unfavourable
from fairveil.run.suggestions.fitting import Spec, fitted_to
from fairveil.run.suggestions.looks import look_of_column
from fairveil.run.suggestions.person_rows import Persons, people_to_promise, persons_of
from fairveil.toml import dumps

MISSING = ("?", "NA", "N/A", "n/a", "NULL", "null", "nan", "NaN", "#N/A", "(null)")
"""Texts that often mean a missing value."""
LARGE = 100_000
"""Maximum number of generalizations searched in full."""
EVEN = 0.8
"""If one sensitive value has a larger share of the rows, requiring another in every class costs too much."""

TELLING = 0.05
"""If a larger share of the rows has a unique sensitive value, the value itself identifies people."""

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")

Read = Callable[[Sequence[str], Sequence[str]], Source]
"""Opens the file, given its missing-value texts and its text columns."""


@dataclass(frozen=True)
class FirstLook:
    """Findings of a first look at a file."""

    source: Source
    profile: Profile
    missing_values: tuple[str, ...]
    text: tuple[str, ...]


def first_plan(found: FirstLook, settings: Mapping[str, Any]) -> str:
    """The text of a plan for a file, given a first look at it; `settings` are the known keys of its [source]."""
    roles = _roles(found.profile)
    if not roles["quasi"]:
        raise BadInput("no column looks as if it could be known to others: write a plan by hand (docs/plan.md)")
    persons = persons_of(found.source, found.profile, roles["identifier"])
    roles["identifier"] = [name for name in roles["identifier"] if name not in persons.repeating]
    roles["drop"] += persons.repeating
    specs = {name: fitted_to(found.source, name) for name in roles["quasi"]}
    found_too = {"missing_values": found.missing_values, "text": found.text}
    source = {**settings, **{key: sorted({*settings.get(key, ()), *more}) for key, more in found_too.items()}}
    parts = [
        _head(str(settings.get("table") or Path(settings["path"]).name), found.profile),
        _section("source", {key: value for key, value in source.items() if value}),
        _schema(found.profile, roles, persons),
        _whole_numbers(found.source, roles["quasi"]),
        *(_hierarchy(name, spec) for name, spec in specs.items()),
        _guards(found.profile, roles["sensitive"], persons),
        _methods(specs),
        '\n[output]\nformat = "csv"\n',
    ]
    return "".join(parts)


def look_at(read: Read, names: Sequence[str], progress: Progress) -> FirstLook:
    """Read the file, again if texts mean missing values or numbers are codes, and profile it."""
    missing: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    try:
        source = read((), ())
    except BadInput:  # a column mixes numbers and text: any column can be read as text
        source = read((), names)
        missing = tuple(sorted({sign for name in names for sign in _missing_signs(source.domain(name))}))
        text = tuple(name for name in names if _mixes(source.domain(name), missing))
        source = read(missing, text)
    domains = [source.domain(name) for name in source.names]
    signs = {sign for column in domains for sign in _missing_signs(column)}
    codes = {column.name for column in domains if _loses_zeros(column)}
    if not (signs <= set(missing) and codes <= set(text)):
        missing, text = tuple(sorted(signs.union(missing))), tuple(sorted(codes.union(text)))
        source = read(missing, text)
    return FirstLook(source, profile_source(source, pairs=False, progress=progress), missing, text)


def _missing_signs(column: Column) -> set[str]:
    """Texts that often mean a missing value, if there are at least two others."""
    texts = column.domain if str(column.values.type) == "string" else []
    return {sign for sign in MISSING if sign in texts} if len(texts) > 2 else set()


def _mixes(column: Column, missing: Sequence[str]) -> bool:
    """Whether some of a column's texts are numbers and others are neither numbers nor missing."""
    numbers = [_is_number(text) for text in column.domain if text is not None and text not in missing]
    return any(numbers) and not all(numbers)


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None


def _loses_zeros(column: Column) -> bool:
    """Whether integers are postcodes or phone numbers, whose leading zeros count."""
    look = look_of_column(column)
    return look in ("postcodes", "phone numbers", "card numbers") and str(column.values.type).startswith("int")


def _roles(profile: Profile) -> dict[str, list[str]]:
    """Columns by role. The last column that looks like a decision is one.

    Most classes would disclose a sensitive column that has one value for most people, and one with many unique values
    would itself identify people. Both are coarsened like quasi columns, as is any other decision.
    """
    by_role: dict[str, list[str]] = {
        role: [] for role in ("identifier", "quasi", "sensitive", "protected", "decision", "plain", "drop")
    }
    decisions = [column.name for column in profile.columns if "decision" in column.roles]
    for column in profile.columns:
        coarsened = "sensitive" in column.roles and (column.commonest_share > EVEN or column.unique > TELLING)
        for role in ("quasi",) if coarsened or column.name in decisions[:-1] else column.roles:
            by_role[role].append(column.name)
    if not by_role["quasi"]:
        by_role["quasi"], by_role["sensitive"] = by_role["sensitive"], []
    return by_role


def _head(name: str, profile: Profile) -> str:
    size = f"{counted(profile.rows, 'row')}, {counted(len(profile.columns), 'column')}"
    return (
        f"# A first plan for {_plain(name)} ({size}). It runs as it is:\n"
        "#   fairveil explore PLAN                 what can be published, side by side\n"
        "#   fairveil release PLAN --out release   publish the best\n"
        "# Roles and hierarchies are suggestions. You know the data: check the roles first.\n\n"
        'format = 1\nchoose = "entropy"  # of what was true, how much is still told; it compares methods of any kind\n'
    )


def _schema(profile: Profile, roles: Mapping[str, Sequence[str]], persons: Persons) -> str:
    lines = ["\n[schema]"]
    said = {
        "identifier": "names people by itself: left out",
        "quasi": "others may know it of a person: made coarser until nobody stands out",
        "sensitive": "nobody may learn it about a person",
        "protected": "nobody may be discriminated against because of it",
        "decision": "what is decided about people, or learnt from the data",
        "plain": "published as it is",
        "drop": "left out",
    }
    for role, names in roles.items():
        if not names:
            continue
        lines.append(f"# {role}: {said[role]}")
        lines += [
            f"#   {_plain(column.name)}: {_because(column, role, persons)}"
            for column in profile.columns
            if column.name in names and role != "protected"
        ]
        lines.append(_line(role, names[0] if role == "decision" else list(names)))
    denied = _denied(profile, roles["decision"])
    if denied is not None:
        lines += ["# the unfavourable decision", _line("denied", denied)]
    return "\n".join(lines) + "\n"


def _whole_numbers(source: Source, quasi: Sequence[str]) -> str:
    """The section on columns whose integers look like codes."""
    codes = {name: why for name in quasi if (why := why_a_code(source.domain(name), source.rows))}
    if not codes:
        return ""
    lines = [
        "",
        "[schema.whole_numbers]",
        "# These look like codes, which have no mean. Methods that average show the most frequent one instead.",
        '# Write "quantity" where numbers count or measure something.',
    ]
    return "\n".join([*lines, *(f"{_line(name, 'code')}  # {why}" for name, why in codes.items())]) + "\n"


def _because(column: ColumnProfile, role: str, persons: Persons) -> str:
    rule = f" (HIPAA Safe Harbor: {column.safe_harbor})" if column.safe_harbor else ""
    if column.name in persons.repeating:
        several = (
            f"up to {counted(persons.most, 'row')} are one person's, so it is no identifier of rows, and k is larger"
            if persons.most > 1
            else "some rows have the same: if they are one person's, keep one row per person"
        )
        return f"{_plain(column.reason)}; {several}{rule}"
    if "decision" in column.roles and role != "decision":
        return "looks like an outcome, and there is one decision: others may know it"
    if role not in column.roles and column.unique > TELLING:
        return f"sensitive, but {column.unique:.0%} of the rows are alone with their value: it must be coarser, too"
    if role not in column.roles:
        return "others may know it, and as a sensitive column it would ask too much: most people have the same"
    return _plain(column.reason) + rule


def _denied(profile: Profile, decision: Sequence[str]) -> Any:
    if not decision or profile.column(decision[0]).distinct != 2:
        return None
    return next(iter(unfavourable(decision[0], profile.column(decision[0]).values)), None)


def _hierarchy(name: str, spec: tuple[Spec, str] | None) -> str:
    if spec is None:
        return ""
    lines = dumps({"hierarchies": {name: spec[0]}}).strip().splitlines()
    return "\n".join(["", lines[0], f"# {spec[1]}", *lines[1:]]) + "\n"


def _guards(profile: Profile, sensitive: Sequence[str], persons: Persons) -> str:
    people = people_to_promise(profile.rows, persons)
    lines = [
        f"\n# Everybody looks like at least {people - 1} others. Offices publish with 3 to 20; 5 is common for files",
        "# that leave the house under a contract, 10 and more for files that everybody may download.",
    ]
    if persons.most > 1:
        lines += [
            f"# Promises count rows, and a person has up to {persons.most}: {people * persons.most} rows are those of",
            f"# {people} people at least. With one row per person, {people} would do, and less would be lost.",
        ]
    k = {"kind": "k-anonymity", "k": people * persons.most, "suppression": 0.02}
    lines.append(_section("guards", k, listed=True).strip())
    for name in sensitive:
        guard = _section("guards", {"kind": "distinct-diversity", "l": 2, "sensitive": name}, listed=True).strip()
        lines += [f"\n# Nobody's {_plain(name)} can be read off because all who look alike have the same.", guard]
    return "\n".join(lines) + "\n"


def _methods(specs: Mapping[str, tuple[Spec, str] | None]) -> str:
    heights = [hierarchy.from_dict(spec[0]).height or 1 if spec else 1 for spec in specs.values()]
    lines = [
        "\n# Cuts the people into groups of neighbours: little is lost, and labels differ from group to group.",
        _section("methods", {"kind": "mondrian"}, listed=True).strip(),
    ]
    if prod(height + 1 for height in heights) <= LARGE:
        lines += [
            "\n# Every column at one level for all: easier to read and to analyse, and more is lost.",
            _section("methods", {"kind": "incognito"}, listed=True).strip(),
        ]
    return "\n".join(lines) + "\n"


def _section(name: str, content: Mapping[str, Any], *, listed: bool = False) -> str:
    return "\n" + dumps({name: [content] if listed else content})


def _line(key: str, value: Any) -> str:
    return dumps({key: value}).strip()


def _plain(text: str) -> str:
    """Text as one line: a name may hold a line break."""
    return " ".join(str(text).split())
