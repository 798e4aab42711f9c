"""Knowledge for no-redlining, learnt from a reference sample: a file that still has the protected columns.

A sample may be as confidential as the source, and a guard is published with the release. So only column names are taken
from it, such as zip → race; the guard needs no more. No value, count or confidence of the sample is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.data.dialect import Dialect
from fairveil.data.readers import column_names
from fairveil.data.table import Table
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards.guard import published_columns
from fairveil.guards.rules.redlining import Correlation, background_knowledge
from fairveil.shapes import Shape, from_json, integer, many, name, number, read_bytes, record

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Hierarchy
    from fairveil.data.schema import Schema

SETTINGS: Mapping[str, Shape] = {
    "lift": number(0), "min_support": number(0), "width": integer(1), "count": name, "columns": many(name),
}  # fmt: skip
"""Keys allowed beside `sample` in a plan; see `background_knowledge`."""
_spelled = record({"sample": name}, SETTINGS)


def knowledge_of(
    file: Path,
    protected: Sequence[str],
    among: Sequence[str],
    *,
    confidence: float,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    dialect: Dialect = Dialect(),  # noqa: B008 - frozen
    columns: Sequence[str] = (),
    count: str | None = None,
    **settings: Any,
) -> tuple[Correlation, ...]:
    """The proxies of the `protected` columns `among` these of the data; each rule names columns only.

    `file` is a sample, or a list of rules as JSON, which is used as is.
    """
    if file.suffix.lower() == ".json":
        rules = from_json(read_bytes(file, "knowledge"), f"knowledge {file}")
        if not isinstance(rules, list):
            raise BadInput(f"knowledge {file} must be a list of rules such as 'zip -> race'")
        return tuple(Correlation.of(rule) for rule in rules)
    dialect = dialect.remembered(dialect.missing_values)
    header = column_names(file, dialect)
    counting = [] if count is None else [count]
    refuse([suggest(n, header, f"column of {file.name}:") for n in (*columns, *counting) if n not in header])
    goals = [name for name in protected if name in header]
    premises = [name for name in columns or header if name in among and name not in (*goals, count)]
    if not goals:
        wanted = " or ".join(map(repr, protected)) or "that is protected, because none is named"
        raise BadInput(f"{file} has no column {wanted}, so nothing can be learnt from it")
    if not premises:
        raise BadInput(f"{file} has no other column of the data, so nothing in it can stand for {', '.join(goals)}")
    needed = [*premises, *goals, *counting]
    dialect = replace(dialect, text=[name for name in dialect.text if name in needed])
    sample = Table.read(file, columns=needed, dialect=dialect)
    # a hierarchy may not cover the sample, which may have values not in the data
    of_premises = {name: rule for name, rule in (hierarchies or {}).items() if name in premises}
    fitting = {name: rule for name, rule in of_premises.items() if not rule.try_bind(sample.column(name).domain)[1]}
    settings |= {"columns": premises, "hierarchies": fitting, "count": count}
    rules = background_knowledge(sample, goals, confidence=confidence, **settings)
    if not rules:
        raise BadInput(
            f"by {file} no column stands for {', '.join(goals)} with a confidence of {confidence:g}: leave "
            "no-redlining out, or lower its confidence"
        )
    sides = [tuple(tuple((name, None) for name, _ in side) for side in (r.premise, r.conclusion)) for r in rules]
    return tuple(Correlation(premise, conclusion, confidence) for premise, conclusion in dict.fromkeys(sides))


def with_samples(
    spec: Mapping[str, Any], folder: Path, roles: Callable[[], Schema], dialect: Dialect
) -> Mapping[str, Any]:
    """The section of a guard with its samples replaced by the rules learnt: knowledge = {sample = "census.csv"}."""
    given = spec.get("knowledge")
    entries = given if isinstance(given, list) else [given]
    if not any(_is_sample(entry) for entry in entries):
        return spec
    confidence = number(0, 1)(spec.get("confidence", 0.8), "no-redlining: confidence")
    schema = roles()
    rules: list[Any] = []
    for entry in entries:
        if not _is_sample(entry):
            rules.append(entry)
            continue
        settings = _spelled(entry, "knowledge")
        learnt = knowledge_of(
            folder / settings.pop("sample"), schema.protected, published_columns(schema), confidence=confidence,
            dialect=dialect, hierarchies=schema.hierarchies, **settings,
        )  # fmt: skip
        rules += [rule.to_dict() for rule in learnt]
    return {**spec, "knowledge": rules}


def _is_sample(entry: Any) -> bool:
    return isinstance(entry, dict) and "sample" in entry
