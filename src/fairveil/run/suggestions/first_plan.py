"""A first plan for a new file: it runs unedited, and gives a reason for every entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from fairveil.data import hierarchy
from fairveil.data.numeric import why_a_code
from fairveil.data.table import Column
from fairveil.engines import Source
from fairveil.errors import BadInput
from fairveil.messages import counted
from fairveil.progress import Progress
from fairveil.run.profile import ColumnProfile, Profile, profile_source
from fairveil.run.suggestions.column_words import (
    NAMED,
    NUMBERED,
    NUMBERING,
    PEOPLE,
    PERSON_NUMBERS,
    unfavourable,
    words_of,
)
from fairveil.run.suggestions.fitting import Spec, fitted_to, rows_per_value
from fairveil.run.suggestions.looks import look_of_column
from fairveil.toml import dumps

MISSING = ("?", "NA", "N/A", "n/a", "NULL", "null", "nan", "NaN", "#N/A", "(null)")
"""Texts that often mean a missing value."""
LARGE = 100_000
"""Maximum number of generalizations searched in full."""
EVEN = 0.8
"""If one sensitive value has a larger share of the rows, requiring another in every class costs too much."""

TOLD, MAX_TOLD = 0.8, 100
"""A column of at most `MAX_TOLD` values is told by the decision that takes this share of the doubt."""
TELLING = 0.05
"""If a larger share of the rows has a unique sensitive value, the value itself identifies people."""

_OWN: Set[str] = {"e-mail addresses", "UUIDs", "bank account numbers", "card numbers", "social security numbers"}
"""Looks of identifiers that are unique to a person; a name, phone or ticket may be shared."""
CLASSES = 4
"""Minimum number of classes; with fewer, nothing is left to publish."""

MEANINGS = {
    "identifier": "names people by itself: left out",
    "quasi": "others may know it of a person: made coarser until nobody stands out",
    "sensitive": "nobody may learn it about a person",
    "protected": "nobody may be discriminated against because of it",
    "decision": "what is decided about people, or learnt from the data",
    "plain": "published as it is",
    "drop": "left out",
}
"""Roles in the order in which a plan lists them, and what they mean."""
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
    doubtful: tuple[str, ...] = ()
    """Columns with a text that may mean a missing value, in too few rows to be named."""


@dataclass(frozen=True)
class Persons:
    """Persons with several rows: identifiers that repeat, and the most rows that one person may have.

    Promises count rows. If nobody has more than m rows, k times m rows belong to at least k people, so a first plan
    asks for that many, and leaves the repeating identifiers out.
    """

    repeating: tuple[str, ...] = ()
    max_rows: int = 1


def first_plan(look: FirstLook, settings: Mapping[str, Any]) -> str:
    """The text of a plan for a file, given a first look at it; `settings` are the known keys of its [source]."""
    roles = _roles(look.profile)
    if not roles["quasi"]:
        raise BadInput("no column looks as if it could be known to others: write a plan by hand (docs/plan.md)")
    persons = persons_of(look.source, look.profile, roles["identifier"])
    roles["identifier"] = [name for name in roles["identifier"] if name not in persons.repeating]
    told = [name for name in roles["quasi"] for decision in roles["decision"] if _tells(look.source, decision, name)]
    roles["quasi"] = [name for name in roles["quasi"] if name not in told]
    roles["drop"] += [*persons.repeating, *told]
    specs = {name: fitted_to(look.source, name) for name in roles["quasi"]}
    detected = {"missing_values": look.missing_values, "text": look.text}
    source = {**settings, **{key: sorted({*settings.get(key, ()), *more}) for key, more in detected.items()}}
    return "".join([
        _head(str(settings.get("table") or Path(settings["path"]).name), look.profile),
        "\n" + dumps({"source": {key: value for key, value in source.items() if value}}),
        *(_asked(name) for name in look.doubtful),
        _schema(look.profile, roles, persons),
        _whole_numbers(look.source, roles["quasi"]),
        *(_hierarchy(name, spec) for name, spec in specs.items()),
        _guards(look.profile, roles["sensitive"], persons),
        _methods(specs),
        '\n[output]\nformat = "csv"\n',
    ])  # fmt: skip


def look_at(read: Read, names: Sequence[str], progress: Progress) -> FirstLook:
    """Read the file, again if texts mean missing values or numbers are codes, and profile it."""
    missing: set[str] = set()
    text: set[str] = set()
    doubtful: list[str] = []
    try:
        source = read((), ())
    except BadInput:  # a column mixes numbers and text: any column can be read as text
        source = read((), names)
        missing, doubtful = _missing_values(source)
        text = {name for name in names if _mixes(source.domain(name), missing)}
        source = read(sorted(missing), sorted(text))
    more, also = _missing_values(source)
    codes = {name for name in source.names if _loses_zeros(source.domain(name))}
    if not (more <= missing and codes <= text):
        missing, text = missing | more, text | codes
        source = read(sorted(missing), sorted(text))
    profile = profile_source(source, pairs=False, progress=progress)
    asked = tuple(dict.fromkeys([*doubtful, *also]))
    return FirstLook(source, profile, tuple(sorted(missing)), tuple(sorted(text)), asked)


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


def _mixes(column: Column, missing: Set[str]) -> bool:
    """Whether some of a column's texts are numbers and others are neither numbers nor missing."""
    present = [text for text in column.domain if text is not None and text not in missing]
    numbers = [_NUMBER.fullmatch(text.strip()) is not None for text in present]
    return any(numbers) and not all(numbers)


def _loses_zeros(column: Column) -> bool:
    """Whether integers are postcodes or phone numbers, whose leading zeros count."""
    look = look_of_column(column)
    return look in ("postcodes", "phone numbers", "card numbers") and str(column.values.type).startswith("int")


def _tells(source: Source, decision: str, name: str) -> bool:
    """Whether the decision, which is published unchanged, all but determines a column, and so would undo it."""
    if source.sizes([name]).distinct > MAX_TOLD:
        return False
    cells = source.count([decision, name])
    rows = np.zeros((cells.sizes[decision], cells.sizes[name]))
    rows[cells.codes[decision], cells.codes[name]] = cells.counts
    doubt = rows.sum() - rows.sum(axis=0).max()
    return bool(doubt and rows.sum() - rows.max(axis=1).sum() < (1 - TOLD) * doubt)


def _roles(profile: Profile) -> dict[str, list[str]]:
    """Columns by role. The last column that looks like a decision is one.

    Most classes would disclose a sensitive column that has one value for most people, and one with many unique values
    would itself identify people. Both are coarsened like quasi columns, as is any other decision.
    """
    by_role: dict[str, list[str]] = {role: [] for role in MEANINGS}
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
    for role, names in roles.items():
        if not names:
            continue
        lines.append(f"# {role}: {MEANINGS[role]}")
        reasons = [column for column in profile.columns if column.name in names and role != "protected"]
        lines += [f"#   {_plain(column.name)}: {_because(column, role, persons)}" for column in reasons]
        lines.append(_line(role, names[0] if role == "decision" else list(names)))
    for decision in roles["decision"]:
        column = profile.column(decision)
        for denied in unfavourable(decision, column.values):
            named = column.fewest >= NAMED
            lines += ["# the unfavourable decision", _line("denied", denied)] if named else [
                "# denied = which value is the unfavourable decision? Few rows hold it, and a recipe would name it."
            ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _asked(name: str) -> str:
    return (
        f"# {_plain(name)}: a few rows hold a text that may mean a missing value. It is not named here, because a\n"
        "# recipe would publish it. If it does mean that, add it to missing_values.\n"
    )


def _whole_numbers(source: Source, quasi: Sequence[str]) -> str:
    """The section on columns whose integers look like codes."""
    codes = {name: why for name in quasi if (why := why_a_code(source.domain(name), source.rows))}
    if not codes:
        return ""
    return (
        "\n[schema.whole_numbers]\n"
        "# These look like codes, which have no mean. Methods that average show the most frequent one instead.\n"
        '# Write "quantity" where numbers count or measure something.\n'
        + "".join(f"{_line(name, 'code')}  # {why}\n" for name, why in codes.items())
    )


def _because(column: ColumnProfile, role: str, persons: Persons) -> str:
    rule = f" (HIPAA Safe Harbor: {column.safe_harbor})" if column.safe_harbor else ""
    if column.name in persons.repeating:
        several = (
            f"up to {counted(persons.max_rows, 'row')} are one person's, so it is no identifier of rows, and k is "
            "larger"
            if persons.max_rows > 1
            else "some rows share a value: if they belong to one person, keep one row per person"
        )
        return f"{_plain(column.reason)}; {several}{rule}"
    if "decision" in column.roles and role == "quasi":
        return "looks like an outcome, and there is one decision: others may know it"
    if role == "drop" and "drop" not in column.roles:
        return "the decision, which is published, tells it: it could not be made coarser"
    if role not in column.roles and column.unique > TELLING:
        return f"sensitive, but {column.unique:.0%} of the rows have a unique value: it must also be generalized"
    if role not in column.roles:
        return "others may know it, and as a sensitive column it would ask too much: most people have the same"
    return _plain(column.reason) + rule


def _hierarchy(name: str, spec: tuple[Spec, str] | None) -> str:
    if spec is None:
        return ""
    lines = dumps({"hierarchies": {name: spec[0]}}).strip().splitlines()
    return "\n".join(["", lines[0], f"# {spec[1]}", *lines[1:]]) + "\n"


def _guards(profile: Profile, sensitive: Sequence[str], persons: Persons) -> str:
    people = people_to_promise(profile.rows, persons)
    comment = (
        f"# Everybody looks like at least {people - 1} others. Statistical offices use 3 to 20; 5 is common for files\n"
        "# that are shared under a contract, 10 or more for public downloads.\n"
    )
    if persons.max_rows > 1:
        comment += (
            f"# Promises count rows, and a person has up to {persons.max_rows}: {people * persons.max_rows} rows are "
            "those of\n"
            f"# {people} people at least. With one row per person, {people} would do, and less would be lost.\n"
        )
    text = _part("guards", {"kind": "k-anonymity", "k": people * persons.max_rows, "suppression": 0.02}, comment)
    for name in sensitive:
        comment = f"# Nobody's {_plain(name)} can be read off because all who look alike have the same.\n"
        text += _part("guards", {"kind": "distinct-diversity", "l": 2, "sensitive": name}, comment)
    return text


def _methods(specs: Mapping[str, tuple[Spec, str] | None]) -> str:
    heights = [hierarchy.from_dict(spec[0]).height or 1 if spec else 1 for spec in specs.values()]
    comment = "# Divides the records into groups of similar ones: little is lost, but labels differ between groups.\n"
    text = _part("methods", {"kind": "mondrian"}, comment)
    if prod(height + 1 for height in heights) <= LARGE:
        comment = "# Generalizes each column to one level: easier to read and analyse, but more is lost.\n"
        text += _part("methods", {"kind": "incognito"}, comment)
    return text


def _part(section: str, content: Mapping[str, Any], comment: str) -> str:
    return f"\n{comment}{dumps({section: [content]})}"


def _line(key: str, value: Any) -> str:
    return dumps({key: value}).strip()


def _plain(text: str) -> str:
    """Text as one line: a name may hold a line break."""
    return " ".join(str(text).split())


def persons_of(source: Source, profile: Profile, identifiers: Sequence[str]) -> Persons:
    """What the identifiers say about persons with several rows."""
    max_rows = {name: source.sizes([name], named=True).largest for name in identifiers}
    repeating = tuple(name for name in identifiers if max_rows[name] > 1)
    naming = [name for name in repeating if _is_own(profile.column(name))]
    if naming:
        return Persons(repeating, max(max_rows[name] for name in naming))
    if len(repeating) < len(identifiers) or not repeating:
        return Persons()  # one of them is unique per row
    together = source.sizes(identifiers, named=True).largest if len(identifiers) > 1 else 1
    return Persons(repeating, max(together, 1))


def _is_own(column: ColumnProfile) -> bool:
    """Whether rows with equal values are one person's."""
    words = words_of(column.name)
    return column.look in _OWN or bool(words & (NUMBERING | PERSON_NUMBERS) or (words & PEOPLE and words & NUMBERED))


def people_to_promise(rows: int, persons: Persons) -> int:
    """The k to promise, in people, that the size of the file allows."""
    usual = 5 if rows >= 1000 else 3
    for people in (usual, 3):
        if people * persons.max_rows * (CLASSES if persons.max_rows > 1 else 2) <= rows:
            return people
    if persons.max_rows == 1:
        raise BadInput(f"{counted(rows, 'row')} are too few to hide anybody among 3: there is no plan for this file")
    raise BadInput(
        f"up to {counted(persons.max_rows, 'row')} of {rows:,} are one person's ({', '.join(persons.repeating)}), so "
        "no promise about people can be kept by counting rows: keep one row per person, or, if the repeated value is a "
        "placeholder, give it as --missing-values"
    )
