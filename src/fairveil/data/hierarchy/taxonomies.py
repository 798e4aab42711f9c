"""The taxonomy files of Caruccio et al.: blocks that start with `%`, the attribute's name, then one line per leaf.

A leaf's line is its value, level 1, …, top, separated by `#` or by commas. Numbers may have a decimal comma, names may
be spelled a little differently from the column's, and lines may end in empty fields: all of this occurs in the authors'
files.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.data.hierarchy.hierarchy import Hierarchy
from fairveil.data.hierarchy.tree import from_rows
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table


def read_taxonomies(path: str | Path, table: Table) -> dict[str, Hierarchy]:
    """The hierarchies in such a file, by the column names of the `table`, their leaves spelled as its values."""
    hierarchies: dict[str, Hierarchy] = {}
    for name, lines in _blocks(Path(path)).items():
        column = _column(name, table)
        if column is None:
            continue  # a taxonomy of the decision, or of a column that this table does not hold
        spelled = {_plain(value): str(value) for value in column.domain if value is not None}
        separator = "#" if "#" in lines[0] else ","
        rows = [_fields(line, separator) for line in lines]
        try:
            hierarchies[column.name] = from_rows(
                [(spelled.get(_plain(leaf), leaf), *path_up) for leaf, *path_up in rows]
            )
        except BadInput as problem:
            raise BadInput(f"{Path(path).name}, taxonomy of {name!r}: {problem}") from None
    if not hierarchies:
        raise BadInput(f"{Path(path).name} holds no taxonomy for any of the columns {', '.join(table.names)}")
    return hierarchies


def _blocks(path: Path) -> dict[str, list[str]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not UTF-8 text"
        raise BadInput(f"taxonomy file {path} cannot be read: {reason}") from None
    blocks: dict[str, list[str]] = {}
    name, expecting = "", False
    for number, line in enumerate((line.strip() for line in lines), start=1):
        if line == "%":
            expecting = True
        elif expecting and line:
            name, expecting = line, False
            blocks[name] = []
        elif line and not name:
            raise BadInput(f"{path.name}, line {number}: a taxonomy starts with a line '%' and the attribute's name")
        elif line:
            blocks[name].append(line)
    empty = [name for name, rows in blocks.items() if not rows]
    if empty:
        raise BadInput(f"{path.name}: the taxonomy of {empty[0]!r} has no leaves")
    return blocks


def _fields(line: str, separator: str) -> Sequence[str]:
    fields = [field.strip() for field in line.split(separator)]
    while fields and not fields[-1]:
        fields.pop()
    return fields


def _column(name: str, table: Table) -> Column | None:
    """The column of that name, letters only; else the nearest one, because the files spell 'martialStatus'."""
    letters = {re.sub(r"[^a-z]", "", column.lower()): column for column in table.names}
    own_letters = re.sub(r"[^a-z]", "", name.lower())
    close = difflib.get_close_matches(own_letters, letters, n=1, cutoff=0.9)
    return table.column(letters[close[0]]) if close else None


def _plain(value: Any) -> Any:
    """A number as a number, with any decimal separator; anything else as text."""
    try:
        return float(str(value).replace(",", "."))
    except ValueError:
        return str(value)
