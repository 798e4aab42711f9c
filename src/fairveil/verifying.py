"""Verify: re-read a release's files and re-check every promise, from the files alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairveil import guards, recipe
from fairveil.arrow import numbers
from fairveil.errors import BadInput
from fairveil.guards import Verdict
from fairveil.reading import Coder, read_csv_as_text
from fairveil.recipe import Recipe, classes_of
from fairveil.release import seal, sha256, unquoted
from fairveil.table import Column, Table


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
    try:
        table = load_data(folder, evidence.get("types", {}))
    except BadInput as problem:
        return Verification(folder, (*problems, str(problem)), (), 0)
    schema = made.schema
    problems += _wrong_columns(table, made)
    lost = [name for name in (*schema.quasi, *schema.sensitive) if name not in table]
    if lost:
        return Verification(folder, (*problems, f"column {lost[0]!r} is missing from the data"), (), table.rows)
    classes, _ = classes_of(table, schema)
    said = [{key: value for key, value in claim.items() if key not in _ANSWERS} for claim in evidence.get("guards", [])]
    verdicts = tuple(guards.from_dict(claim).verdict(classes, schema) for claim in said)
    if not verdicts:
        problems.append("the evidence promises nothing")
    problems += [f"{verdict.guard.kind} does not hold: {verdict.sentence}" for verdict in verdicts if not verdict]
    published = evidence.get("rows", {}).get("published")
    if published != table.rows:
        problems.append(f"the evidence speaks of {published} rows, the data has {table.rows}")
    return Verification(folder, tuple(problems), verdicts, table.rows)


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


def load_data(folder: Path, types: Mapping[str, str]) -> Table:
    """The published table, its columns in the types that the evidence names."""
    if (folder / "data.parquet").is_file():
        return Table.read(folder / "data.parquet")
    if not (folder / "data.csv").is_file():
        raise BadInput(f"{folder} holds no data.csv or data.parquet")
    table = unquoted(Table(tuple(read_csv_as_text(folder / "data.csv"))))
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
