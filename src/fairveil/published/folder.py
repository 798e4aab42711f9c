"""Reading a release folder: the one loader of what was published.

data.csv or data.parquet (projection-1, projection-2, … where the columns are split), recipe.json, evidence.json.
Nothing is verified here; `release/verify.py` does that. But only plain files are opened: a link could lead out of the
folder, and a pipe would be waited for forever.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.parquet

from fairveil import guards, recipes
from fairveil.data.arrow import numbers
from fairveil.data.canonical import published_table
from fairveil.data.coding import Coder
from fairveil.data.own_csv import read_csv
from fairveil.data.reading import plain_piece
from fairveil.data.table import Column, Table
from fairveil.data.types import parsed, readable, type_named
from fairveil.data.writing import FORMATS
from fairveil.errors import BadInput
from fairveil.guards import Guard
from fairveil.progress import Progress
from fairveil.published.published import Published
from fairveil.recipes.base import ONLY, Recipe
from fairveil.shapes import MOST_BYTES, each, either, from_json, many, record, text, whole

EVIDENCE, RECIPE, REPORT = "evidence.json", "recipe.json", "report.html"
NEEDED = record(
    {},
    {
        "types": each(either(text, each(text))), "guards": many(record({"kind": text}, more=True)),
        "rows": each(whole(0, (1 << 63) - 1)), "seed": whole(0, (1 << 63) - 1), "files": each(text),
    },
    more=True,
)  # fmt: skip
"""What the evidence must say so that the data can be read."""
_ONLY_PLAIN = sum(getattr(os, f"O_{name}", 0) for name in ("NOFOLLOW", "NONBLOCK", "CLOEXEC", "BINARY"))
"""How to open a file so that no link is followed and no pipe waited for, where the system can."""
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
    return loaded(folder, load_evidence(folder), recipes.from_dict(load_json(folder / RECIPE)), progress)


def loaded(folder: Path, evidence: Mapping[str, Any], recipe: Recipe, progress: Progress | None = None) -> Loaded:
    """The data of a folder whose evidence and recipe have been read."""
    types: Mapping[str, Any] = evidence.get("types", {})
    tables = {}
    for name in recipe.table_names:
        if progress is not None:
            progress.check(f"reading {name}")
        own_types = types if name == ONLY else types.get(name, {})
        table = load_table(folder, own_types, name, progress, evidence.get("rows", {}).get("published"))
        tables[name] = published_table(table, recipe.schema)
    published = Published(
        recipe,
        tables,
        tuple(guard_of(claim) for claim in evidence.get("guards", [])),
        evidence.get("rows", {}).get("suppressed", 0),
        evidence.get("seed", 0),
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


def open_plain(path: Path) -> BinaryIO:
    """A plain file, opened; a link, a pipe or a device is refused, and nothing is waited for."""
    try:
        handle = os.open(path, os.O_RDONLY | _ONLY_PLAIN)
    except OSError as problem:
        link = problem.errno == errno.ELOOP
        reason = "it is a link, or too many lead to it" if link else problem.strerror
        raise BadInput(f"{path.parent} is not a release: {path.name} cannot be read ({reason})") from None
    except ValueError:
        raise BadInput(f"{str(path)!r} is no path") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise BadInput(f"{path.parent} is not a release: {path.name} is not a plain file")
    return os.fdopen(handle, "rb")


def load_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    with open_plain(path) as file:
        if os.fstat(file.fileno()).st_size > MOST_BYTES:
            raise BadInput(f"{path.name} is larger than {MOST_BYTES >> 20} MB, and no release needs that")
        content = from_json(file.read(), path.name)
    if not isinstance(content, dict):
        raise BadInput(f"{path.name} does not hold a JSON object")
    return content


def load_evidence(folder: Path) -> dict[str, Any]:
    """What the evidence says, in the form that evidence has."""
    evidence: dict[str, Any] = NEEDED(load_json(folder / EVIDENCE), "evidence")
    return evidence


def load_recipe(folder: Path) -> Recipe:
    """The recipe of a release, refused where it was changed after it was sealed."""
    evidence, content = load_evidence(folder), load_json(folder / RECIPE)
    if sha256(folder / RECIPE) != evidence.get("files", {}).get(RECIPE):
        raise BadInput(f"{folder / RECIPE} was changed: its SHA-256 is not the one in the evidence")
    return recipes.from_dict(content)


def data_file(folder: Path, name: str) -> Path:
    """The file of one published table: there must be exactly one."""
    files = [file for ending in FORMATS if os.path.lexists(file := folder / f"{name}.{ending}")]
    if len(files) != 1:
        found = "both" if files else "neither"
        raise BadInput(f"the release must hold {name}.csv or {name}.parquet, and it holds {found}")
    return files[0]


def load_table(
    folder: Path, types: Mapping[str, Any], name: str = ONLY, progress: Progress | None = None, rows: Any = None
) -> Table:
    """One published table, its columns in these types. A Parquet file of other than `rows` rows is not even read: a
    small one can stand for endlessly many."""
    path = data_file(folder, name)
    with open_plain(path) as file:
        if path.suffix == ".parquet":
            return _read_parquet(file, path.name, types, progress, rows)
        table = read_csv(file, path.name, progress)
    return table.with_columns(_retyped(column, types.get(column.name, "string")) for column in table.columns)


def _read_parquet(
    file: BinaryIO, name: str, types: Mapping[str, Any], progress: Progress | None, rows: Any
) -> Table:  # fmt: skip
    try:
        with pa.parquet.ParquetFile(file) as source:
            schema, held = source.schema_arrow, source.metadata.num_rows
            if rows is not None and rows != held:
                raise BadInput(f"the evidence says {str(rows)[:20]} rows, {name} has {held}")
            if len(set(schema.names)) < len(schema.names):
                raise BadInput(f"{name} names a column twice")
            coders = [Coder(column) for column in schema.names]
            for coder, kind in zip(coders, schema.types, strict=True):
                if coder.name in types and str(readable(coder.name, kind)) != types[coder.name]:
                    raise BadInput(f"column {coder.name!r} of the data does not hold {types[coder.name]} values")
                coder.add(plain_piece(coder.name, pa.nulls(0, kind)))
            for batch in source.iter_batches(batch_size=1 << 17):
                if progress is not None:
                    progress.check(f"reading {name}")
                for coder, piece in zip(coders, batch.columns, strict=True):
                    coder.add(plain_piece(coder.name, piece))
    except (pa.ArrowException, OSError):
        raise BadInput(f"{name} is not a whole Parquet file") from None
    return Table(tuple(coder.finish() for coder in coders))


def _retyped(column: Column, kind: Any) -> Column:
    """The column in its own type again, sorted as that type sorts: 9 before 10."""
    wanted = type_named(kind)
    try:
        values = parsed(column.values, wanted)
    except (pa.ArrowException, ValueError, OverflowError):
        raise BadInput(f"column {column.name!r} of the data does not hold {kind} values") from None
    coder = Coder(column.name)
    coder.add(values.take(numbers(column.codes)))
    return coder.finish()


def guard_of(claim: Mapping[str, Any]) -> Guard:
    """The guard that a claim of the evidence is about, without its answers; some have a setting called `limit`."""
    settings = [field.name for field in fields(guards.GUARDS.get(claim.get("kind")))]
    return guards.from_dict({key: v for key, v in claim.items() if key not in _ANSWERS or key in settings})


def sha256(path: Path) -> str:
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def seal(evidence: Mapping[str, Any]) -> str:
    """A checksum of everything that the evidence says, so that a changed promise shows."""
    stated = {key: value for key, value in evidence.items() if key != "seal"}
    return hashlib.sha256(json.dumps(stated, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()
