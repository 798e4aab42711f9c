"""A plan with noise from what the owner declares; of the file, only the column names are read.

A first plan for other methods is suggested by the data. Here that would be a leak, as ε does not cover
choices made after looking at the data.

>>> declared = Declared.of(["age", "sex", "job", "y"], ranges=["age=0:100:5,20"], values=["sex=f,m", "y=no,yes"])
>>> declared.ranges, declared.values
({'age': ((0, 100), (5, 20))}, {'sex': ['f', 'm'], 'y': ['no', 'yes']})
>>> declared.left_out("y")
['job']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fairveil.errors import BadInput, refuse, suggest
from fairveil.run.suggestions.unfavourable_values import unfavourable
from fairveil.toml import dumps

Number = int | float
Range = tuple[tuple[Number, Number], tuple[Number, ...]]
"""The ends of a range, and the widths of its intervals, level by level."""


@dataclass(frozen=True)
class Declared:
    """The domains of columns: ranges of numbers, or listed values; an empty list publishes nothing."""

    names: tuple[str, ...]
    ranges: Mapping[str, Range]
    values: Mapping[str, list[str]]

    @classmethod
    def of(cls, names: Sequence[str], *, ranges: Sequence[str], values: Sequence[str]) -> Declared:
        """Parse command-line syntax: `age=0:100:5,20` and `sex=f,m`."""
        problems: list[str] = []
        read_ranges: dict[str, Range] = {}
        read_values: dict[str, list[str]] = {}
        for entry in ranges:
            name, declaration = _named(entry, names)
            try:
                read_ranges[name] = _range(declaration)
            except ValueError:
                problems.append(f"--range {entry}: write the ends and the widths, as in age=0:100:5,20")
        for entry in values:
            name, declaration = _named(entry, names)
            read_values.setdefault(name, []).extend(filter(None, map(str.strip, declaration.split(","))))
        problems += [suggest(name, names, "column") for name in (*read_ranges, *read_values) if name not in names]
        problems += [f"{name!r} has both --range and --values" for name in read_ranges if name in read_values]
        refuse(problems)
        return cls(tuple(names), read_ranges, read_values)

    def left_out(self, decision: str) -> list[str]:
        """The columns without a declaration."""
        return [name for name in self.names if name not in (*self.ranges, *self.values, decision)]


def noisy_plan(
    declared: Declared, source: Mapping[str, Any], *, epsilon: float, decision: str | None,
    denied: Sequence[str], protected: Sequence[str],
) -> str:  # fmt: skip
    """The text of a plan. `source` has the keys of its [source]."""
    names, values = declared.names, declared.values
    problems = [suggest(name, names, "column") for name in (*protected, *([decision] if decision else []))
                if name not in names]  # fmt: skip
    if decision is None:
        problems.append("a table with noise needs a decision: --decision COLUMN, and its values: --values COLUMN=A,B")
    elif not values.get(decision):
        problems.append(f"the values of {decision!r} are needed: --values '{decision}=A,B'")
    problems += [f"the values of {name!r} are needed: --values '{name}=A,B' or --range '{name}=LOW:HIGH:WIDTH'"
                 for name in protected if name in names and name not in (*declared.ranges, *values)]  # fmt: skip
    refuse(problems)
    assert decision is not None
    unwanted = list(denied) or unfavourable(decision, values[decision])
    if protected and not unwanted:
        raise BadInput(f"the unfavourable value of {decision!r} is needed: --denied VALUE")
    quasi = [name for name in names if name in (*declared.ranges, *values) and name != decision]
    left_out = declared.left_out(decision)
    text = sorted({*source.get("text", ()), *values})
    schema = {"quasi": quasi, "protected": list(protected), "decision": decision, "denied": unwanted, "drop": left_out}
    method = {"kind": "noisy-table", "epsilon": epsilon,
              "public": {name: listed or False for name, listed in values.items()}}  # fmt: skip
    rules = {name: {"kind": "intervals", "edges": list(ends), "widths": list(widths)}
             for name, (ends, widths) in declared.ranges.items()}  # fmt: skip
    guard = {"kind": "alpha-protection", "alpha": 1.2} if protected else {
        "kind": "k-anonymity", "k": 5, "suppression": 0.1}  # fmt: skip
    parts: list[tuple[str, Mapping[str, Any]]] = [
        (_HEAD, {"format": 1, "choose": "cm"}),
        ("", {"source": {key: value for key, value in {**source, "text": text}.items() if value}}),
        (_LEFT_OUT if left_out else "", {"schema": {key: value for key, value in schema.items() if value}}),
        (_RANGES if rules else "", {"hierarchies": rules} if rules else {}),
        (_FAIR if protected else _LARGE, {"guards": [guard]}),
        (_METHOD, {"method": method}),
    ]
    return "\n".join(f"{comment}{dumps(content)}" for comment, content in parts if content)


_HEAD = """\
# A first plan for a differentially private table. Of the file, only the names of its columns were read.
# ε covers what is published, and no decision that you make after looking at the data: change nothing because of what
# you find there.

"""
_LEFT_OUT = """\
# Columns without a declaration are left out. Give one that names people the role identifier: then a file in
# which somebody has several records is refused, as ε is about records.
"""
_RANGES = "# Numbers outside a range count in its first and last interval, which are published as < and ≥.\n"
_METHOD = """\
# What can be published is listed here and in the hierarchies. Records with other values are not counted; name the
# columns in which a missing value counts as a value in `missing`. Each search spends epsilon again.
"""
_FAIR = "# No frequent rule denies a protected group 1.2 times as often as others.\n"
_LARGE = "# Classes of fewer than five rows are mostly noise.\n"


def _named(entry: str, names: Sequence[str]) -> tuple[str, str]:
    """The column and its declaration; a name may itself contain an equals sign."""
    fitting = [name for name in names if entry.startswith(f"{name}=")]
    name = max(fitting, key=len) if fitting else entry.partition("=")[0]
    return name, entry[len(name) + 1 :]


def _range(declaration: str) -> Range:
    """The range of a declaration; raises ValueError if it is not LOW:HIGH:WIDTHS."""
    low, high, widths = declaration.split(":")
    return (_number(low), _number(high)), tuple(map(_number, widths.split(",")))


def _number(text: str) -> Number:
    with suppress(ValueError):
        return int(text)
    return float(text)
