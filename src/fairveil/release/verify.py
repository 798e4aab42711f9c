"""Verify: re-read a release's files and re-check every promise, from the files alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil import guards
from fairveil.data.arrow import numbers
from fairveil.data.coding import Coder
from fairveil.data.reading import read_csv_as_text
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.guards import Guard, Verdict
from fairveil.guards.projections import Projections
from fairveil.recipes import base as recipe
from fairveil.recipes.base import Recipe, Split, classes_of
from fairveil.release.release import content_order, seal, sha256, unquoted


@dataclass(frozen=True)
class Verification:
    """True when every file is as it was sealed and every promise holds; otherwise what is wrong."""

    path: Path
    problems: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    rows: int

    def __bool__(self) -> bool:
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        return {
            "holds": bool(self),
            "rows": self.rows,
            "problems": list(self.problems),
            "guards": [verdict.to_dict() for verdict in self.verdicts],
        }


def verify(path: str | Path) -> Verification:
    """Check a release folder. A folder that is no release is bad input; a broken promise is the answer False."""
    folder = Path(path)
    evidence = load_json(folder / "evidence.json")
    problems = _changed_files(folder, evidence)
    made = recipe.from_dict(load_json(folder / "recipe.json"))
    promised = [guard_of(claim) for claim in evidence.get("guards", [])]
    if not promised:
        problems.append("the evidence promises nothing")
    judge = _judge_parts if isinstance(made, Split) else _judge_table
    try:
        more, verdicts, rows = judge(folder, evidence.get("types", {}), made, promised)
    except BadInput as problem:
        return Verification(folder, (*problems, str(problem)), (), 0)
    problems += more
    problems += [f"{verdict.guard.kind} does not hold: {verdict.sentence}" for verdict in verdicts if not verdict]
    published = evidence.get("rows", {}).get("published")
    if verdicts and published != rows:
        problems.append(f"the evidence speaks of {published} rows, the data has {rows}")
    return Verification(folder, tuple(problems), verdicts, rows)


Judged = tuple[list[str], tuple[Verdict, ...], int]
"""What is wrong with the data, the guards' verdicts, and the number of rows."""


def _judge_table(folder: Path, types: Mapping[str, Any], made: Recipe, promised: Sequence[Guard]) -> Judged:
    table, schema = load_data(folder, types), made.schema
    problems = _wrong_columns(table, made)
    lost = [name for name in (*schema.quasi, *schema.sensitive) if name not in table]
    if lost:
        return [*problems, f"column {lost[0]!r} is missing from the data"], (), table.rows
    classes, _ = classes_of(table, schema)
    return problems, tuple(guard.verdict(classes, schema) for guard in promised), table.rows


def _judge_parts(folder: Path, types: Mapping[str, Any], made: Recipe, promised: Sequence[Guard]) -> Judged:
    """A release in projections: each as the recipe says, their rows in an order that says nothing, guards kept."""
    assert isinstance(made, Split)
    stems = [f"projection-{number}" for number in range(1, len(made.subsets) + 1)]
    parts = [load_data(folder, types.get(stem, {}), stem) for stem in stems]
    problems = []
    for position, (stem, part) in enumerate(zip(stems, parts, strict=True)):
        problems += [f"{stem}: {problem}" for problem in made.part_problems(position, part)]
        if not problems and (np.diff(content_order(part)) < 0).any():
            problems.append(
                f"{stem}: the rows are not in the order of their values, so their order may tell whose they are"
            )
    if problems:
        return problems, (), parts[0].rows
    if len({_class_counts(part.column(made.schema.decision or "")) for part in parts}) > 1:
        problems.append("the projections do not hold the same number of rows of each class")
    verdicts = Projections.published(parts, made.schema).check(promised)
    return problems, verdicts, parts[0].rows if parts else 0


def _class_counts(column: Column) -> tuple[tuple[str, int], ...]:
    rows = np.bincount(column.codes, minlength=len(column.values))
    return tuple(sorted((str(value), int(n)) for value, n in zip(column.domain, rows, strict=True)))


def guard_of(claim: Mapping[str, Any]) -> Guard:
    """The guard that a claim of the evidence speaks of, without the answers."""
    return guards.from_dict({key: value for key, value in claim.items() if key not in _ANSWERS})


_ANSWERS = ("holds", "worst", "limit", "broken_classes", "broken_rows", "sentence")


def _changed_files(folder: Path, evidence: dict[str, Any]) -> list[str]:
    problems = []
    if seal(evidence) != evidence.get("seal"):
        problems.append("evidence.json was changed after it was sealed")
    files = evidence.get("files", {})
    for name, checksum in files.items():
        if not (folder / name).is_file():
            problems.append(f"{name} is missing")
        elif sha256(folder / name) != checksum:
            problems.append(f"{name} was changed: its SHA-256 is not the one in the evidence")
    extra = sorted(file.name for file in folder.iterdir() if file.name not in (*files, "evidence.json"))
    return problems + [f"{name} does not belong to the release" for name in extra]


def _wrong_columns(table: Table, made: Recipe) -> list[str]:
    """Identifiers that should be gone, and published values that no generalization at the recipe's level gives."""
    schema = made.schema
    gone = {*schema.drop, *schema.identifier} - set(schema.pseudonyms)
    problems = [f"column {name!r} should have been left out" for name in gone if name in table]
    for name in schema.quasi:
        if name in table:
            strays = made.strays(table.column(name))
            if strays:
                problems.append(f"column {name!r} holds {strays[0]!r}, which the recipe does not publish")
    for name, level in schema.levels.items():
        held = table.column(name).domain if name in table else []
        strays = [value for value in held if value is not None and not schema.hierarchy(name).admits(level, value)]
        if strays:
            problems.append(f"column {name!r} holds {strays[0]!r}, which is not a value of its level {level}")
    return problems


def load_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"{path.parent} is not a release: {path.name} cannot be read ({problem.strerror})") from None
    except ValueError:
        raise BadInput(f"{path} is not valid JSON") from None
    if not isinstance(content, dict):
        raise BadInput(f"{path} does not hold a JSON object")
    return content


def load_recipe(folder: Path) -> Recipe:
    """The recipe of a release, refused where it was changed after it was sealed."""
    evidence = load_json(folder / "evidence.json")
    content = load_json(folder / "recipe.json")
    if sha256(folder / "recipe.json") != evidence.get("files", {}).get("recipe.json"):
        raise BadInput(f"{folder / 'recipe.json'} was changed: its SHA-256 is not the one in the evidence")
    return recipe.from_dict(content)


def load_published(folder: Path) -> tuple[Recipe, Table, tuple[Table, ...] | None]:
    """The recipe of a release folder and what it publishes: a table, or several whose shared column is that table."""
    evidence = load_json(folder / "evidence.json")
    made = recipe.from_dict(load_json(folder / "recipe.json"))
    types: Mapping[str, Any] = evidence.get("types", {})
    if not isinstance(made, Split):
        return made, load_data(folder, types), None
    stems = [f"projection-{number}" for number in range(1, len(made.subsets) + 1)]
    parts = tuple(load_data(folder, types.get(stem, {}), stem) for stem in stems)
    return made, parts[0].select([made.schema.decision or ""]) if parts else Table(()), parts


def load_data(folder: Path, types: Mapping[str, str], stem: str = "data") -> Table:
    """A published table, its columns in the types that the evidence names."""
    if (folder / f"{stem}.parquet").is_file():
        return Table.read(folder / f"{stem}.parquet")
    if not (folder / f"{stem}.csv").is_file():
        raise BadInput(f"{folder} holds no {stem}.csv or {stem}.parquet")
    table = unquoted(Table(tuple(read_csv_as_text(folder / f"{stem}.csv"))))
    return table.with_columns(_retyped(column, types.get(column.name, "string")) for column in table.columns)


def _retyped(column: Column, kind: str) -> Column:
    """The column in its own type again, sorted as that type sorts: 9 before 10."""
    try:
        values = column.values.cast(pa.type_for_alias(kind))
    except (pa.ArrowInvalid, ValueError):
        raise BadInput(f"column {column.name!r} of the data does not hold {kind} values") from None
    coder = Coder(column.name)
    coder.add(values.take(numbers(column.codes)))
    return coder.finish()
