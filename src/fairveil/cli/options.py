"""Options that several commands share, and how lists are given: repeated, or with commas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from fairveil.data.table import Table

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a machine to read.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")]
PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help="A plan.toml (see docs/plan.md).")]
DataFile = Annotated[Path, typer.Argument(metavar="FILE", help="A CSV, TSV (also .gz) or Parquet file.")]
MissingValues = Annotated[
    list[str], typer.Option("--missing-values", metavar="TEXT", help="Text that means missing, such as '?'.")
]
TextColumns = Annotated[
    list[str], typer.Option("--text", metavar="COLUMNS", help="Columns to keep as text although they look numeric.")
]
Separator = Annotated[str | None, typer.Option(metavar="SIGN", help="Between the fields of a CSV; found if not given.")]
Measures = Annotated[list[str], typer.Option("--measures", metavar="NAMES", help="Further measures to show.")]


def split(options: Sequence[str]) -> list[str]:
    """`--quasi age,zip --quasi sex` as a list."""
    return [name.strip() for entry in options for name in entry.split(",") if name.strip()]


def columns(options: Sequence[str], names: Sequence[str]) -> list[str]:
    """Column names of a list option; one that has a comma in its own name is taken whole."""
    return [name for entry in options for name in ([entry] if entry in names else split([entry]))]


def read_table(path: Path, missing_values: Sequence[str], text: Sequence[str], separator: str | None) -> Table:
    """A data file with the reading options of the command line."""
    from fairveil.data.reading import column_names
    from fairveil.data.table import Table

    names = column_names(path, separator)
    return Table.read(path, missing_values=missing_values, text=columns(text, names), separator=separator)
