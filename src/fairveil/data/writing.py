"""How tables are written: CSV that no spreadsheet runs, and Parquet; and what cannot be written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from fairveil.data.placing import refuse_link, refuse_parent, whole_files
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.progress import Progress

Format = Literal["csv", "parquet"]
FORMATS: tuple[Format, ...] = ("csv", "parquet")
FORMULA_SIGNS = "=+@\t\r-"  # the minus last: between two signs it would mean a range
BATCH = 1 << 17
"""Rows that are written at a time, so that writing can be cancelled and needs little memory."""


def write_table(table: Table, path: Path, format: Format, progress: Progress | None = None) -> None:
    """One table as a file of this format."""
    (write_csv if format == "csv" else write_parquet)(table, path, progress)


def write_csv(table: Table, path: Path, progress: Progress | None = None) -> None:
    """CSV whose text, names of columns included, no spreadsheet takes for a formula: a leading = + - @ gets an
    apostrophe before it."""
    safe = replace(table, columns=tuple(_quoted(column) for column in table.columns))
    options = pa.csv.WriteOptions(quoting_style="needed")
    writer = None
    with path.open("wb") as sink:
        for batch in safe.batches(BATCH):
            _go_on(progress, path)
            writer = writer or pa.csv.CSVWriter(sink, batch.schema, write_options=options)
            writer.write_table(batch)
        if writer is None:
            pa.csv.write_csv(safe.to_arrow(), sink, options)
        else:
            writer.close()


def write_parquet(table: Table, path: Path, progress: Progress | None = None) -> None:
    schema = table.to_arrow(slice(0, 0)).schema
    with pa.parquet.ParquetWriter(path, schema) as writer:
        for batch in table.batches():
            _go_on(progress, path)
            writer.write_table(batch)


def write_files(tables: Mapping[Path, Table], progress: Progress | None = None, *, overwrite: bool = True) -> None:
    """Tables as CSV or Parquet files, all of them whole or none at all."""
    with whole_files(list(tables), overwrite=overwrite) as asides:
        for path, aside in asides.items():
            write_table(tables[path], aside, "csv" if path.name.endswith(".csv") else "parquet", progress)


def refuse_file_target(path: Path, *, overwrite: bool = False) -> None:
    """Refuse a file that data cannot be written to, before any work."""
    refuse_format(path)
    refuse_link(path)
    if path.exists() and not (overwrite and path.is_file()):
        raise BadInput(f"{path} is there already: choose another name" + (", or overwrite it" * path.is_file()))
    refuse_parent(path)


def refuse_format(path: Path) -> None:
    """Refuse a name that does not say in which format to write."""
    if not path.name.endswith((".csv", ".parquet")):
        raise BadInput(f"{path} must be a .csv or .parquet file")


def unquoted(table: Table) -> Table:
    """The inverse of what `write_csv` does to text that looks like a formula."""

    def undo(column: Column) -> Column:
        name = column.name
        column = replace(column, name=name[1:] if name.startswith("'") and _is_risky(name) else name)
        if not pa.types.is_string(column.values.type):
            return column
        risky = pc.match_substring_regex(column.values, f"^'+[{FORMULA_SIGNS}]")
        if not risky.true_count:
            return column
        return replace(column, values=pc.if_else(risky, pc.utf8_slice_codeunits(column.values, 1), column.values))

    return replace(table, columns=tuple(undo(column) for column in table.columns))


def _quoted(column: Column) -> Column:
    column = replace(column, name="'" + column.name if _is_risky(column.name) else column.name)
    if not pa.types.is_string(column.values.type):
        return column
    risky = pc.match_substring_regex(column.values, f"^'*[{FORMULA_SIGNS}]")
    if not risky.true_count:
        return column
    return replace(column, values=pc.if_else(risky, pc.binary_join_element_wise("'", column.values, ""), column.values))


def _is_risky(name: str) -> bool:
    return name.lstrip("'").startswith(tuple(FORMULA_SIGNS))


def _go_on(progress: Progress | None, path: Path) -> None:
    if progress is not None:
        progress.check(f"writing {path.name.strip('.')}")
