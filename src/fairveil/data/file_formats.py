"""The formats of files by the endings of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

CSV = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz", ".data")
PARQUET = (".parquet", ".pq")
WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
LABELLED = (".dta", ".sav", ".zsav", ".por", ".sas7bdat", ".xpt")
"""Files of Stata, SPSS and SAS."""


def catalog_of(path: Path) -> Path | None:
    """The file beside a SAS file in which the labels are, if there is one."""
    catalog = path.with_suffix(".sas7bcat")
    return catalog if path.suffix.lower() == ".sas7bdat" and catalog.exists() else None
