"""Dataset: a table with its schema, and the location of its bundled files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from fairveil.data.hierarchy import Hierarchy, read_csv
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.display import Displayable, DisplayTable
from fairveil.errors import BadInput, suggest
from fairveil.messages import counted

Columns = Literal["default", "all"]

_HERE = Path(__file__).parent


@dataclass(frozen=True, repr=False)
class Dataset(Displayable):
    """The result of a loader: data to publish, the roles of its columns, and data to test a recipe on.

    >>> from fairveil.datasets import credit_decisions
    >>> credit = credit_decisions()
    >>> credit.table.rows, credit.schema.decision, credit.test
    (10, 'Credit_approved', None)
    """

    table: Table
    schema: Schema
    test: Table | None
    about: str

    def _headline(self) -> str:
        return f"Dataset: {self.about} {counted(self.table.rows, 'row')}, {counted(len(self.table.columns), 'column')}"

    def _tables(self) -> list[DisplayTable]:
        return [*self.schema._tables(), *self.table._tables()]


def data_file(name: str, ending: str = "csv.gz") -> Path:
    """Return the path of a data set's bundled microdata."""
    return _HERE / "data" / f"{name}.{ending}"


def trees(name: str, columns: Iterable[str]) -> dict[str, Hierarchy]:
    """Return the bundled hierarchies of these columns of a data set."""
    return {column: read_csv(_HERE / "hierarchies" / name / f"{column}.csv") for column in columns}


def wants_all(columns: Columns) -> bool:
    """Whether every column is requested; raises for any word but the two known ones."""
    choices = get_args(Columns)
    if columns not in choices:
        raise BadInput(suggest(columns, choices, "choice of columns"))
    return columns == "all"
