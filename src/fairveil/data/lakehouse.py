"""Tables of a lakehouse: a folder of Parquet files and a log that says which of them one version consists of.

A run reads the files of one version, the newest when it starts or the one named after an @: "people@12" is version 12
of the Delta table in the folder people, and for Iceberg the number is that of a snapshot. Writers add files and log
entries and change none, so all queries of a run see the same rows, whatever is committed meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from fairveil.data.file_pieces import first_sentence
from fairveil.errors import BadInput, need

Columns = Mapping[str, pa.Scalar | None]
"""All columns of a table in their order, as one file has them: None, or the value of every row where the file itself
lacks the column (a partition's value; null if the column was added later). Empty: those of the file."""
ICEBERG = "metadata/*.metadata.json"
_READABLE = {"timestampNtz", "v2Checkpoint", "vacuumProtocolCheck", "typeWidening", "deletionVectors", "columnMapping"}
"""Features of Delta that leave the rows of a version in its files; of the last two, only where they are not used."""


@dataclass(frozen=True)
class TableVersion:
    """One version of a table: where its log is, its number, its files, and how the columns of one are found."""

    place: Path
    number: int | None
    described: str
    paths: Sequence[Path]
    columns: Callable[[Path], Columns]

    @property
    def files(self) -> Mapping[Path, Columns]:
        return {path: self.columns(path) for path in self.paths}

    @property
    def location(self) -> Path:
        """The name of this version."""
        return self.place if self.number is None else Path(f"{self.place}@{self.number}")


def version_at(location: str | Path) -> TableVersion | None:
    """The version that a location names, or the newest; None if it is not a table of a lakehouse. Raises BadInput for
    single files of one, which also contain deleted rows."""
    place, number = _named(location)
    if place.name.endswith(".metadata.json") and place.is_file():
        return _with_rows(_iceberg(place, number))
    if (kind := _kind(place)) in ("Delta", "Iceberg"):
        return _with_rows(_delta(place, number) if kind == "Delta" else _iceberg(_newest(place), number))
    for folder in (place, *place.absolute().parents):
        if (kind := _kind(folder)) == "Hudi":
            raise BadInput(
                f"{folder} is a Hudi table, which cannot be read: write one state of it to Parquet files with the "
                "program that maintains it, and name those"
            )
        if kind is not None:
            raise BadInput(
                f"{place} is in the folder of the {kind} table {folder.name}, whose files also contain deleted rows: "
                f"name the folder, {folder}, or one version of it, {folder}@…"
            )
    return None


def _kind(folder: Path) -> str | None:
    """The kind of table that a folder contains."""
    marks = {"Delta": "_delta_log", "Hudi": ".hoodie", "Iceberg": "metadata"}
    kind = next((kind for kind, mark in marks.items() if (folder / mark).is_dir()), None)
    return None if kind == "Iceberg" and next(folder.glob(ICEBERG), None) is None else kind


def pinned(location: str | Path) -> str | Path:
    """The location; that of a table of a lakehouse with the number of its newest version, unless it names one."""
    version = version_at(location)
    return location if version is None else version.location


def _with_rows(version: TableVersion) -> TableVersion:
    if not version.paths:
        raise BadInput(f"{version.described} has no rows")
    return version


def _named(location: str | Path) -> tuple[Path, int | None]:
    path, named = Path(location), re.fullmatch(r"(.+)@(\d{1,19})", str(location), re.DOTALL)
    if named is None or path.exists() or not Path(named[1]).exists():
        return path, None
    return Path(named[1]), int(named[2])


def _delta(folder: Path, number: int | None) -> TableVersion:
    need("deltalake", "a Delta table")
    import deltalake

    with _refusing(folder, number):
        table = deltalake.DeltaTable(folder, version=number)
        schema = pa.schema(table.schema().to_arrow())
        actions = pa.table(table.get_add_actions()).to_pylist()
    mapping = table.metadata().configuration.get("delta.columnMapping.mode", "none")
    features = set(table.protocol().reader_features or ())
    if mapping != "none" or (unknown := sorted(features - _READABLE)):
        feature = "its columns have other names in its files (column mapping)"
        what = feature if mapping != "none" else f"it uses {unknown[0][:60]!r}, which is not known here"
        raise _unreadable(folder, what, "copy it to a table without this")
    if "deletionVectors" in features and _marks_rows(table):
        raise _unreadable(folder, "rows of it are marked as deleted (deletion vectors)", "purge them (REORG TABLE)")
    partitions = {_local(folder, unquote(action["path"])): action.get("partition") or {} for action in actions}

    def columns(path: Path) -> Columns:
        values = partitions[path]
        inside = set(_footer(path, folder).names) - values.keys()
        return {f.name: None if f.name in inside else _scalar(values.get(f.name), f.type) for f in schema}

    version = table.version()
    described = f"version {version} of the Delta table {folder.name}"
    return TableVersion(folder, version, described, sorted(partitions), columns)


def _marks_rows(table: Any) -> bool:
    try:
        return bool(pa.table(table.deletion_vectors()).num_rows)
    except Exception:  # one of them cannot be read
        return True


def _iceberg(metadata: Path, number: int | None) -> TableVersion:
    need("pyiceberg", "an Iceberg table")
    from pyiceberg.io.pyarrow import schema_to_pyarrow
    from pyiceberg.table import StaticTable

    folder = metadata.parent.parent
    with _refusing(folder, number):
        table = StaticTable.from_metadata(str(metadata.absolute()))
        scan = table.scan(snapshot_id=number)
        tasks, fields = list(scan.plan_files()), scan.projection().fields
        types = schema_to_pyarrow(scan.projection(), include_field_ids=False)
    if any(task.delete_files for task in tasks):
        raise _unreadable(folder, "rows of it are marked as deleted (delete files)", "rewrite its data files")
    partitioned = {part.source_id for spec in table.specs().values() for part in spec.fields}

    def columns(path: Path) -> Columns:
        footer = _footer(path, folder)
        ids = {(f.metadata or {}).get(b"PARQUET:field_id", b"").decode(): f.name for f in footer}
        found: dict[str, pa.Scalar | None] = {}
        for field, kind in zip(fields, types.types, strict=True):
            inside = ids.get(str(field.field_id), field.name if "" in ids and field.name in footer.names else None)
            if inside not in (None, field.name):
                raise _unreadable(folder, f"its column {field.name!r} was renamed", "rewrite its data files")
            if inside is None and field.field_id in partitioned:
                raise _unreadable(
                    folder,
                    f"its files lack the partition column {field.name!r}",
                    "copy it to another table",
                )
            found[field.name] = None if inside else _scalar(getattr(field, "initial_default", None), kind)
        return found

    current = table.current_snapshot()
    described = f"snapshot {number or (current and current.snapshot_id)} of the Iceberg table {folder.name}"
    return TableVersion(
        metadata, number, described, sorted(_local(folder, task.file.file_path) for task in tasks), columns
    )


def _newest(folder: Path) -> Path:
    """The newest metadata of an Iceberg table: the one that its hint names, or the one with the highest number."""
    hint = folder / "metadata" / "version-hint.text"
    logs = sorted(folder.glob(ICEBERG))
    if hint.is_file():
        named = hint.read_text(encoding="utf-8").strip()
        logs = [log for log in logs if log.name in (f"v{named}.metadata.json", f"{named}.metadata.json", named)] or logs
    numbers = {log: int((re.findall(r"\d+", log.name) or ["0"])[0]) for log in logs}
    newest = [log for log in logs if numbers[log] == max(numbers.values())]
    if len(newest) > 1:
        raise _unreadable(folder, f"two of its states have the number {numbers[newest[0]]}", f"name one, {newest[0]}")
    return newest[0]


def _scalar(value: Any, kind: pa.DataType) -> pa.Scalar:
    return pa.scalar(value, pa.string() if pa.types.is_large_string(kind) else kind)


def _footer(path: Path, folder: Path) -> pa.Schema:
    """The columns of a file of a table."""
    import pyarrow.parquet as pq

    if not path.is_file():
        raise _unreadable(folder, f"its file {path.name} was removed", "name a newer version")
    if not path.name.lower().endswith(".parquet"):
        raise _unreadable(folder, f"{path.name} is not a Parquet file", "copy it to a table of Parquet files")
    return pq.read_schema(path)


def _local(folder: Path, name: str) -> Path:
    """A file that the log of a table names, without escapes; nothing is fetched from elsewhere."""
    if "://" in name and not name.startswith("file:///"):
        raise _unreadable(folder, f"its files are on {urlsplit(name).scheme}://", "copy it to this machine")
    return folder / re.sub(r"^file:(//)?(?=/)", "", name)


def _unreadable(folder: Path, why: str, what_to_do: str) -> BadInput:
    return BadInput(f"{folder} cannot be read, because {why}: {what_to_do}")


@contextmanager
def _refusing(folder: Path, number: int | None) -> Iterator[None]:
    try:
        yield
    except Exception as problem:
        what = f"the table {folder}" if number is None else f"version {number} of the table {folder}"
        raise BadInput(f"{what} does not exist or cannot be read: {first_sentence(problem)}") from None
