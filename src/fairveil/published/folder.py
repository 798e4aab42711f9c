"""Reading a release folder: the one loader of what was published.

data.csv, data.parquet or a folder data of Parquet files (projection-1, projection-2, … where the columns are split),
recipe.json, evidence.json. Nothing is verified here; `release/verify.py` does that. But only plain files are opened: a
link could lead out of the folder, and a pipe would be waited for forever. Parquet data of many rows is counted, not
read.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.parquet

from fairveil import guards as known_guards
from fairveil import recipes
from fairveil.counting.cells import class_columns
from fairveil.data.arrow import numbers
from fairveil.data.canonical import published_table
from fairveil.data.coding import Coder
from fairveil.data.own_csv import read_csv
from fairveil.data.reading import plain_piece
from fairveil.data.table import Column, Table
from fairveil.data.types import parsed, readable, type_named
from fairveil.data.writing import ENDINGS
from fairveil.errors import BadInput
from fairveil.guards import Guard, looked_at
from fairveil.progress import Progress
from fairveil.published.counts import LARGE, Counts, Held
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


def loaded(
    folder: Path,
    evidence: Mapping[str, Any],
    recipe: Recipe,
    progress: Progress | None = None,
    counted: Mapping[str, Counts] | None = None,
) -> Loaded:
    """The data of a folder whose evidence and recipe have been read; tables that were counted before stay counted."""
    types: Mapping[str, Any] = evidence.get("types", {})
    rows: Mapping[str, Any] = evidence.get("rows", {})
    guards = tuple(guard_of(claim) for claim in evidence.get("guards", []))
    content: dict[str, Counts] = {}
    for name in recipe.table_names:
        if progress is not None:
            progress.check(f"reading {name}")
        own_types = types if name == ONLY else types.get(name, {})
        known = (counted or {}).get(name)
        content[name] = known or load_content(folder, name, own_types, recipe, guards, rows.get("published"), progress)
    published = Published(
        recipe,
        content,
        guards,
        rows.get("suppressed", 0),
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


def data_files(folder: Path, name: str) -> list[Path]:
    """The file of one published table, or its parts in the order of their names; there must be exactly one of these."""
    found = [file for ending in ENDINGS if os.path.lexists(file := folder / f"{name}.{ending}")]
    if os.path.lexists(folder / name):
        found.append(folder / name)
    if len(found) != 1:
        raise BadInput(
            f"the release must hold {name}.csv, {name}.parquet or a folder {name}, and it holds "
            f"{'several' if found else 'none'} of them"
        )
    return parts_of_folder(found[0]) if found[0].name == name else found


def parts_of_folder(folder: Path) -> list[Path]:
    """The files of a folder of parts, in the order of their names; there must be nothing else in it."""
    if folder.is_symlink() or not folder.is_dir():
        raise BadInput(f"{folder.name} is neither a plain file nor a folder of Parquet files")
    names = sorted(os.listdir(folder))
    odd = [name for name in names if not name.endswith(".parquet")]
    if odd or not names:
        raise BadInput(f"{folder.name} must hold Parquet files and nothing else" + (f", not {odd[0]}" if odd else ""))
    return [folder / name for name in names]


def load_content(
    folder: Path,
    name: str,
    types: Mapping[str, Any],
    recipe: Recipe,
    guards: Sequence[Guard] = (),
    rows: Any = None,
    progress: Progress | None = None,
) -> Counts:
    """One published table: held, or counted where it has many rows and its columns stand together."""
    files = data_files(folder, name)
    if files[0].suffix == ".parquet":
        fields, found = parquet_fields(files, types, rows)
        if found > LARGE and not recipe.splits and not any(pa.types.is_decimal256(kind) for kind in fields.types):
            from fairveil.published.elsewhere import Parts

            together = class_columns(recipe.schema, fields.names, looked_at(guards, recipe.schema))
            return Parts(files, recipe.schema, [column for column in together if column in fields.names], progress)
    return Held(published_table(load_table(folder, types, name, progress, rows), recipe.schema))


def load_table(
    folder: Path, types: Mapping[str, Any], name: str = ONLY, progress: Progress | None = None, rows: Any = None
) -> Table:
    """One published table, its columns in these types. Parquet data of other than `rows` rows is not even read: a
    small file can stand for endlessly many."""
    files = data_files(folder, name)
    if files[0].suffix == ".parquet":
        return _read_parquet(files, parquet_fields(files, types, rows)[0], progress)
    with open_plain(files[0]) as file:
        table = read_csv(file, files[0].name, progress)
    return table.with_columns(_retyped(column, types.get(column.name, "string")) for column in table.columns)


def parquet_fields(files: Sequence[Path], types: Mapping[str, Any], rows: Any) -> tuple[pa.Schema, int]:
    """The columns of Parquet files, which must be the same in each and have these types, and the rows of all of them,
    from their footers alone."""
    fields, held = None, 0
    for file in files:
        with _parquet(file) as source:
            own: pa.Schema = source.schema_arrow.remove_metadata()
            held += source.metadata.num_rows
        if fields is not None and not own.equals(fields):
            raise BadInput(f"{file.name} has other columns or types than {files[0].name}")
        fields = own
    assert fields is not None, "there is a file at least"
    if rows is not None and rows != held:
        what = files[0].name if len(files) == 1 else files[0].parent.name
        raise BadInput(f"the evidence says {str(rows)[:20]} rows, {what} has {held}")
    if len(set(fields.names)) < len(fields.names):
        raise BadInput(f"{files[0].name} names a column twice")
    for name, kind in zip(fields.names, fields.types, strict=True):
        if name in types and str(readable(name, kind)) != types[name]:
            raise BadInput(f"column {name!r} of the data does not hold {types[name]} values")
    return fields, held


@contextmanager
def _parquet(path: Path) -> Iterator[pa.parquet.ParquetFile]:
    try:
        with open_plain(path) as file, pa.parquet.ParquetFile(file) as source:
            yield source
    except (pa.ArrowException, OSError):
        raise BadInput(f"{path.name} is not a whole Parquet file") from None


def _read_parquet(files: Sequence[Path], fields: pa.Schema, progress: Progress | None) -> Table:
    coders = [Coder(column) for column in fields.names]
    for coder, kind in zip(coders, fields.types, strict=True):
        coder.add(plain_piece(coder.name, pa.nulls(0, kind)))
    for path in files:
        with _parquet(path) as source:
            for batch in source.iter_batches(batch_size=1 << 17):
                if progress is not None:
                    progress.check(f"reading {path.name}")
                for coder, piece in zip(coders, batch.columns, strict=True):
                    coder.add(plain_piece(coder.name, piece))
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
    settings = [field.name for field in fields(known_guards.GUARDS.get(claim.get("kind")))]
    return known_guards.from_dict({key: v for key, v in claim.items() if key not in _ANSWERS or key in settings})


def sha256(path: Path) -> str:
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def seal(evidence: Mapping[str, Any]) -> str:
    """A checksum of everything that the evidence says, so that a changed promise shows."""
    stated = {key: value for key, value in evidence.items() if key != "seal"}
    return hashlib.sha256(json.dumps(stated, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()
