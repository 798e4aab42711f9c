"""Reading a release folder: the one loader of what was published.

data.csv or data.parquet (projection-1, projection-2, … where the columns are split), recipe.json, evidence.json.
Nothing is verified here; `release/verify.py` does that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from fairveil import guards, recipes
from fairveil.data.arrow import numbers
from fairveil.data.coding import Coder
from fairveil.data.reading import read_csv_as_text
from fairveil.data.table import Column, Table
from fairveil.data.writing import FORMATS, unquoted
from fairveil.errors import BadInput
from fairveil.guards import Guard
from fairveil.progress import Progress
from fairveil.published.published import Published
from fairveil.recipes.base import ONLY, Recipe

EVIDENCE, RECIPE, REPORT = "evidence.json", "recipe.json", "report.html"
_ANSWERS = ("holds", "worst", "limit", "broken_classes", "broken_rows", "sentence")


@dataclass(frozen=True)
class Loaded:
    """A folder's evidence as it stands, and what it publishes."""

    path: Path
    evidence: Mapping[str, Any]
    published: Published


def load(path: str | Path, progress: Progress | None = None) -> Loaded:
    """Everything of a release folder, its columns in the types that the evidence names."""
    folder = Path(path)
    evidence = load_json(folder / EVIDENCE)
    recipe = recipes.from_dict(load_json(folder / RECIPE))
    types: Mapping[str, Any] = evidence.get("types", {})
    tables = {}
    for name in recipe.table_names:
        if progress is not None:
            progress.check(f"reading {name}")
        tables[name] = load_table(folder, types if name == ONLY else types.get(name, {}), name, progress)
    published = Published(
        recipe,
        tables,
        tuple(guard_of(claim) for claim in evidence.get("guards", [])),
        int(evidence.get("rows", {}).get("suppressed", 0)),
        int(evidence.get("seed", 0)),
        "keep" if evidence.get("order") == "keep" else "sorted",
    )
    return Loaded(folder, evidence, published)


class HasPublished(Protocol):
    """A release at hand."""

    @property
    def published(self) -> Published: ...


Publishing = HasPublished | Published | str | Path
"""A release at hand, its folder, or what it publishes."""


def published_of(given: Publishing) -> Published:
    """What a release publishes, wherever it is."""
    if isinstance(given, str | Path):
        return load(given).published
    return given if isinstance(given, Published) else given.published


def is_release(path: Path) -> bool:
    return (path / EVIDENCE).is_file() and (path / RECIPE).is_file()


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
    evidence = load_json(folder / EVIDENCE)
    content = load_json(folder / RECIPE)
    if sha256(folder / RECIPE) != evidence.get("files", {}).get(RECIPE):
        raise BadInput(f"{folder / RECIPE} was changed: its SHA-256 is not the one in the evidence")
    return recipes.from_dict(content)


def load_table(folder: Path, types: Mapping[str, str], name: str = ONLY, progress: Progress | None = None) -> Table:
    """One published table, its columns in these types."""
    csv, parquet = (folder / f"{name}.{ending}" for ending in FORMATS)
    if parquet.is_file():
        return Table.read(parquet, progress=progress)
    if not csv.is_file():
        raise BadInput(f"{folder} holds no {csv.name} or {parquet.name}")
    table = unquoted(Table(tuple(read_csv_as_text(csv))))
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


def guard_of(claim: Mapping[str, Any]) -> Guard:
    """The guard that a claim of the evidence is about, without its answers; some have a setting called `limit`."""
    settings = [field.name for field in fields(guards.GUARDS.get(claim.get("kind")))]
    return guards.from_dict({key: v for key, v in claim.items() if key not in _ANSWERS or key in settings})


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def seal(evidence: Mapping[str, Any]) -> str:
    """A checksum of everything that the evidence says, so that a changed promise shows."""
    stated = {key: value for key, value in evidence.items() if key != "seal"}
    return hashlib.sha256(json.dumps(stated, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()
