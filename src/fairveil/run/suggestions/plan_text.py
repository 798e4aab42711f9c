"""The text of a first plan: who is assumed to attack, what to check first, and the decisions of a draft with their
reasons. No value that fewer than NAMED rows hold is written into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.data import hierarchy
from fairveil.data.numeric import why_a_code
from fairveil.data.schema import SINGLE
from fairveil.messages import counted
from fairveil.run.suggestions.column_words import NAMED
from fairveil.run.suggestions.counted_people import PROMISED
from fairveil.run.suggestions.first_plan import Draft, FirstLook, Wishes, draft
from fairveil.run.suggestions.suggested_roles import ATTACKERS
from fairveil.run.suggestions.unfavourable_values import unfavourable
from fairveil.toml import dumps

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.run.profile import Profile
    from fairveil.run.suggestions.fitting import Spec

LARGE, LARGE_OF_PERSONS = 100_000, 1_000
"""Maximum number of generalizations searched in full; where persons are counted, each takes longer."""
MEANINGS = {
    "identifier": "names people by itself: left out",
    "person": "who a row is about: promises count persons, and it is left out",
    "household": "to which household somebody belongs: left out",
    "weight": "how many people of the population a row stands for",
    "quasi": "others may know it of a person: made coarser until nobody stands out",
    "sensitive": "nobody may learn it about a person",
    "protected": "nobody may be discriminated against because of it",
    "decision": "what is decided about people, or learnt from the data",
    "plain": "published as it is",
    "drop": "left out",
}
"""Roles in the order in which a plan lists them, and what they mean."""
_CHOOSE = (
    '\nformat = 1\nchoose = "entropy"  # of what was true, how much is still told; it compares methods of any kind\n'
)
WIDE, SHOWN = 9, 12
"""From this number of quasi columns single cells are hidden, too; and how many labels a column then has at most."""
LISTED, MANY = 12, 30
"""Columns that are listed one by one before the rest is named in a line, and how many such a line names."""


def first_plan(look: FirstLook, settings: Mapping[str, Any], wishes: Wishes | None = None) -> str:
    """The text of a plan for a file, given a first look at it; `settings` are the known keys of its [source]."""
    return text_of(draft(look, wishes), look, settings)


def text_of(plan: Draft, look: FirstLook, settings: Mapping[str, Any]) -> str:
    """The text of the plan that a draft describes."""
    detected = {"missing_values": look.missing_values, "text": look.text}
    source = {**look.spelled, **settings}
    source |= {key: sorted({*settings.get(key, ()), *more}) for key, more in detected.items()}
    return "".join([
        _head(str(settings.get("table") or Path(settings.get("path") or settings["url"]).name), look, plan),
        "".join(f"# {line}\n" for line in [*understood(look, settings), *questions(plan)]),
        _CHOOSE,
        "\n" + dumps({"source": {key: value for key, value in source.items() if value}}),
        *(_doubtful(name) for name in look.doubtful),
        _schema(look.profile, plan),
        _whole_numbers(look.source, plan.roles["quasi"]),
        _levels(plan.levels),
        *(_hierarchy(name, spec) for name, spec in plan.specs.items()),
        _guards(plan),
        _methods(look.source, plan),
        '\n[output]\nformat = "csv"\n',
    ])  # fmt: skip


def understood(look: FirstLook, settings: Mapping[str, Any]) -> list[str]:
    """How the file was read, in at most five lines, and how to say otherwise; empty if it was read as it is."""
    keys = {**look.spelled, **settings}
    lines = []
    if keys.get("header") == "no":
        lines.append("the first line is a record: the columns are called column_1, column_2 …  (--header yes)")
    if dates := keys.get("dates", ()):
        doubt = f"; days and months of {_some(look.ambiguous)} could be exchanged" if look.ambiguous else ""
        if any("%y" in form for form in dates):
            doubt += "; years of two digits are 1969 to 2068"
        lines.append(f"dates: {_some(list(dates))}{doubt}  (--dates)")
    numbers = [f"{keys['thousands']!r} separates thousands"] if keys.get("thousands") else []
    numbers += [f"{', '.join(keys['units'])} left out"] if keys.get("units") else []
    numbers += [f"top and bottom codes in {_some(keys['top_codes'])}"] if keys.get("top_codes") else []
    if numbers:
        lines.append(f"numbers: {'; '.join(numbers)}  (--thousands, --units, --top-codes)")
    missing = [", ".join(map(repr, look.missing_values))] if look.missing_values else []
    missing += [f"what is no number or date in {_some(keys['others_missing'])}"] if keys.get("others_missing") else []
    if missing:
        lines.append(f"missing: {'; '.join(missing)}  (--missing-values, --others-missing)")
    text = [f"as text: {_some(look.text)}  (--text)"] if look.text else []
    left_out = [f"left out, because it cannot be read: {_some(list(look.unreadable))}"] if look.unreadable else []
    if text or left_out:
        lines.append("; ".join(text + left_out))
    return ["Understood:", *(f"  {line}" for line in lines)] if lines else []


def questions(plan: Draft) -> list[str]:
    """What is left to the owner, a line each, the most important first."""
    lines = []
    if not plan.roles["sensitive"]:
        lines.append(
            "NO COLUMN IS SENSITIVE: nothing is promised about what is learnt about people. Which one must stay secret?"
        )
    named = [column for column in plan.asked if column.kind != "unknown"]
    unknown = [column.name for column in plan.asked if column.kind == "unknown"]
    for column in named[:LISTED]:
        instead = f", or {' and '.join(column.otherwise)}" if column.otherwise else ""
        lines.append(f"{plain(column.name)}: {' and '.join(column.roles)}{instead}? {plain(column.reason)}")
    if named[LISTED:]:
        lines.append(f"also unsure: {_some([column.name for column in named[LISTED:]])}")
    if unknown:
        lines.append(
            f"nothing says what these are: {_some(unknown)}. What others can know is quasi, the rest sensitive."
        )
    if weights := [name for name in plan.roles["drop"] if "sampling weights" in plan.reasons[name]]:
        lines.append(
            f"{_some(weights)}: sampling weights tell people apart, and are left out; make them plain if they do not"
        )
    return [f"Check first ({counted(len(lines), 'question')}):", *(f"  {line}" for line in lines)] if lines else []


def _some(names: Sequence[str]) -> str:
    """Names in a row; of many, the first ones."""
    more = f" and {len(names) - MANY:,} more" if len(names) > MANY else ""
    return ", ".join(map(plain, names[:MANY])) + more


def _head(name: str, look: FirstLook, plan: Draft) -> str:
    of = f" of {counted(plan.persons.people, 'person')}" if plan.persons.column is not None else ""
    part = (
        "of which " * (look.whole is not None)
        + f"{counted(look.profile.rows, 'row')}{of}"
        + " were read" * (look.whole is not None)
    )
    size = f"{part}, {counted(len(look.profile.columns), 'column')}"
    who, know, must_not = ATTACKERS[plan.audience]
    attackers = "".join(f"#   {line}\n" for line in (who, know, f"{must_not[:-1]}: {_promised(plan)}."))
    return (
        f"# A first plan for {plain(name)} ({size}). It runs as it is:\n"
        "#   fairveil explore PLAN                 what can be published, side by side\n"
        "#   fairveil release PLAN --out release   publish the best\n"
        f"# Who is assumed to attack (fairveil init --audience {plan.audience}):\n{attackers}"
        "# Roles and hierarchies are suggestions. You know the data: check the roles first.\n"
    )


def _promised(plan: Draft) -> str:
    """What the guards promise, in a few words, and what is usual for the audience, if that is more."""
    usual = PROMISED[plan.audience][0]
    named = (("ℓ", "l"), ("t", "t"))
    given = [(symbol, sorted({guard[name] for guard, _ in plan.guards if name in guard})) for symbol, name in named]
    bounds = [f"{symbol} = {' or '.join(map(str, values))}" for symbol, values in given if values]
    fewer = f" ({usual} is usual, for larger files)" if plan.people < usual else ""
    return ", ".join([f"classes of {counted(plan.people, 'person', 'people')}{fewer}", *bounds])


def _schema(profile: Profile, plan: Draft) -> str:
    lines = ["\n[schema]"]
    for role, names in plan.roles.items():
        if not names:
            continue
        lines.append(f"# {role}: {MEANINGS[role]}")
        lines += [f"#   {plain(name)}: {plain(plan.reasons[name])}" for name in names if role != "protected"]
        lines.append(_line(role, names[0] if role in SINGLE else list(names)))
        lines += ['publish_weight = "rounded"'] if role == "weight" else []
    for decision in plan.roles["decision"]:
        column = profile.column(decision)
        if plan.denied:
            lines += [
                "# the unfavourable decision",
                _line("denied", list(plan.denied) if len(plan.denied) > 1 else plan.denied[0]),
            ]
            continue
        if denied := unfavourable(decision, column.values):
            named = column.fewest >= NAMED
            value = denied if len(denied) > 1 else denied[0]
            lines += ["# the unfavourable decision", _line("denied", value)] if named else [
                "# denied = which value is the unfavourable decision? Few rows hold it, and a recipe would name it."
            ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _doubtful(name: str) -> str:
    return (
        f"# {plain(name)}: a few rows hold a text that may mean a missing value. It is not named here, because a\n"
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


def _levels(levels: Mapping[str, int]) -> str:
    if not levels:
        return ""
    return (
        "\n[schema.levels]\n# Exact values would name people, or tell what others hide: published at this level.\n"
        + "".join(f"{_line(name, level)}\n" for name, level in levels.items())
    )


def _hierarchy(name: str, spec: tuple[Spec, str] | None) -> str:
    if spec is None:
        return ""
    lines = dumps({"hierarchies": {name: spec[0]}}).strip().splitlines()
    return "\n".join(["", lines[0], f"# {spec[1]}", *lines[1:]]) + "\n"


def _guards(plan: Draft) -> str:
    people, max_rows = plan.people, plan.persons.rows_each
    comment = (
        f"# Everybody looks like at least {people - 1} others. Statistical offices use 3 to 20; 5 is common for files\n"
        "# that are shared under a contract, 10 or more for public downloads.\n"
    )
    if max_rows > 1:
        comment += (
            f"# Promises count rows, and a person has up to {max_rows}: {people * max_rows} rows are those of\n"
            f"# {people} people at least. With one row per person, {people} would do, and less would be lost.\n"
        )
    meanings = ["".join(f"# {plain(line)}\n" for line in says.splitlines()) for _, says in plan.guards]
    parts = zip(plan.guards, meanings, strict=True)
    return "".join(_part("guards", guard, meaning or comment) for (guard, _), meaning in parts)


def _methods(source: Source, plan: Draft) -> str:
    quasi = plan.roles["quasi"]
    heights = [hierarchy.from_dict(spec[0]).height or 1 if spec else 1 for spec in map(plan.specs.get, quasi)]
    comment = "# Divides the records into groups of similar ones: little is lost, but labels differ between groups.\n"
    text = _part("methods", {"kind": "mondrian"}, comment)
    if len(quasi) >= WIDE:
        comment = (
            "# Hides single cells and shows all others: of many columns, most cells can stay. Columns of many values\n"
            "# are shown at a level of their hierarchy.\n"
        )
        text += _part("methods", {"kind": "local-suppression", "levels": _shown_levels(source, plan)}, comment)
    if prod(height + 1 for height in heights) <= (LARGE if plan.persons.column is None else LARGE_OF_PERSONS):
        comment = "# Generalizes each column to one level: easier to read and analyse, but more is lost.\n"
        text += _part("methods", {"kind": "incognito"}, comment)
    return text


def _shown_levels(source: Source, plan: Draft) -> dict[str, int]:
    """For each quasi column of many values, the lowest level with few labels."""
    levels = {}
    for name in plan.roles["quasi"]:
        spec, column = plan.specs.get(name), source.domain(name)
        if spec is None or len(column.values) <= SHOWN:
            continue
        bound = hierarchy.from_dict(spec[0]).bind(column.domain, name)
        levels[name] = next(level for level in range(1, bound.height + 1)
                            if len(set(bound.codes[level].tolist())) <= SHOWN or level == bound.height)  # fmt: skip
    return levels


def _part(section: str, content: Mapping[str, Any], comment: str) -> str:
    return f"\n{comment}{dumps({section: [content]})}"


def _line(key: str, value: Any) -> str:
    return dumps({key: value}).strip()


def plain(text: str) -> str:
    """Text as one line: a name may hold a line break."""
    return " ".join(str(text).split())
