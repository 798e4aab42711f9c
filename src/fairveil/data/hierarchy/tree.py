"""Explicit trees: one path per leaf, from a leaf-per-line CSV file, a nested mapping or a taxonomy file.

A tree that was learnt from the data (`automatic`) names its nodes by their leaves, so that a release shows no more than
the leaves of its own rows. It has `unlisted` levels above any other value, all of them the top.

>>> race = tree({"*": {"White": ["White"], "Colored": ["Black", "Asian"]}})
>>> race.bind(["Asian", "Black", "White"]).labels[1]
('Colored', 'White')
"""

from __future__ import annotations

import csv
import difflib
import io
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, Levels
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, refuse
from fairveil.settings import required, setting
from fairveil.shapes import many, text

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table


@dataclass(frozen=True, repr=False)
class Tree(Hierarchy):
    """As listed, in rows of (leaf, level 1, …, top); leaves are compared as text, so "17" in a file matches 17."""

    kind: ClassVar[str] = "tree"
    says: ClassVar[str] = "Groups within groups that you name, such as city, region, country."
    rows: tuple[tuple[str, ...], ...] = field(
        metadata=required("a row per value: the value, level 1, …, top", shape=many(many(text, 1)))
    )
    unlisted: int | None = setting(
        None, "in saved plans: number of levels, all of them the top, of a value that no row lists", min=1
    )

    def __post_init__(self) -> None:  # without the check of every field, as trees may have a million rows
        if self.unlisted is None:
            refuse(_problems(self.rows))
        elif self.rows:
            odd = [row[0] for row in self.rows if len(row) != self.unlisted + 1]
            problems = [f"leaf {leaf!r} does not have {self.unlisted} levels" for leaf in odd[:1]]
            refuse([*_problems(self.rows), *problems])

    @property
    def learnt(self) -> bool:
        return self.unlisted is not None

    def narrowed(self, column: Column, counts: np.ndarray | None = None) -> Tree:
        if not self.learnt:
            return self
        rows = np.bincount(column.codes, weights=counts, minlength=len(column.values))
        occurring = {str(value) for value, n in zip(column.domain, rows, strict=True) if n and value is not None}
        return self._of_leaves([row for row in self.rows if row[0] in occurring])

    def shown(self, labels: Set[str]) -> Tree:
        named = [row for row in self.rows if not labels.isdisjoint({*row} - {TOP})]
        return self._of_leaves(named) if self.learnt else self

    def _of_leaves(self, rows: Sequence[tuple[str, ...]]) -> Tree:
        """The tree of these rows only; every node except the top is named by its leaves again."""
        below: dict[tuple[int, str], list[str]] = {}
        for row in rows:
            for level, label in enumerate(row):
                below.setdefault((level, label), []).append(row[0])
        names = {node: TOP if node[1] == TOP else set_label(leaves) for node, leaves in below.items()}
        return replace(self, rows=tuple(tuple(names[node] for node in enumerate(row)) for row in rows))

    def admits(self, level: int, label: Any) -> bool:
        return (self.learnt and level > 0 and label == TOP) or super().admits(level, label)

    @cached_property
    def _above_leaf(self) -> dict[str, tuple[str, ...]]:
        return {as_text(row[0]): row[1:] for row in self.rows}

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        by_leaf = self._above_leaf
        if self.unlisted is not None:
            top = (TOP,) * self.unlisted
            return [by_leaf.get(as_text(value), top) for value in values], []
        unlisted = [value for value in values if as_text(value) not in by_leaf]
        if unlisted:
            examples = ", ".join(map(repr, unlisted[:5])) + (", …" if len(unlisted) > 5 else "")
            count = "1 value has" if len(unlisted) == 1 else f"{len(unlisted)} values have"
            return [], [f"{count} no leaf: {examples}"]
        return [by_leaf[as_text(value)] for value in values], []

    def extra_leaves(self) -> Sequence[Any]:
        return [row[0] for row in self.rows]


def _problems(rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return ["a tree hierarchy has no rows"]
    depth = max(map(len, rows))
    short = [row[0] for row in rows if len(row) != depth]
    problems = [f"leaf {leaf!r} has fewer levels than others: every line needs {depth} fields" for leaf in short[:1]]
    row_of_leaf: dict[str, Sequence[str]] = {}
    for row in rows:
        earlier = row_of_leaf.setdefault(row[0], row)
        if list(earlier) != list(row):
            problems.append(f"{row[0]!r} generalizes two ways: to {earlier[1:]!r} and to {row[1:]!r}")
    return problems


def set_label(leaves: Iterable[str]) -> str:
    """The default name of a node: its leaves."""
    return " / ".join(leaves)


def from_rows(rows: Iterable[Sequence[Any]]) -> Tree:
    """A tree from `rows` of leaf, level 1, …, top; duplicate rows count once."""
    return Tree(tuple(dict.fromkeys(tuple(str(field) for field in row) for row in rows)))


def read_csv(path: str | Path, *, separator: str = ";") -> Tree:
    """A tree from a file with one leaf per line: value, level 1, …, top, with a `separator` between them."""
    path = Path(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.reader(lines, delimiter=separator) if row]
    except (csv.Error, OSError, ValueError) as problem:
        reason = problem if isinstance(problem, csv.Error) else getattr(problem, "strerror", "it is not UTF-8 text")
        raise BadInput(f"hierarchy file {path} cannot be read: {reason}") from None
    if not rows:
        raise BadInput(f"hierarchy file {path.name} is empty")
    try:
        return from_rows(rows)
    except BadInput as problem:
        raise BadInput(f"hierarchy file {path.name}: {problem}") from None


def write_csv(levels: Levels, path: str | Path, *, separator: str = ";") -> None:
    """Write any bound hierarchy (`levels`) to a file that `read_csv` reads; `separator` is the delimiter."""
    from fairveil.data.atomic import write_text

    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    paths = map(levels.path, range(levels.leaves))
    writer.writerows(labels for labels in paths if labels[0] is not None)  # missing values are not written
    write_text(text.getvalue(), Path(path))


def tree(nested: Mapping[str, Any]) -> Tree:
    """A tree from `nested` mappings whose innermost entries are lists of leaves; shallow branches repeat a label."""
    paths: list[tuple[str, ...]] = []

    def walk(node: Any, above: tuple[str, ...]) -> None:
        if isinstance(node, Mapping):
            for label, child in node.items():
                walk(child, (str(label), *above))
        elif isinstance(node, str) or not isinstance(node, Iterable):
            paths.append((str(node), *above))
        else:
            for leaf in node:
                walk(leaf, above)

    walk(nested, ())
    depth = max((len(path) for path in paths), default=0)
    return from_rows([path[:1] + path[:1] * (depth - len(path)) + path[1:] for path in paths])


def read_taxonomies(path: str | Path, table: Table) -> dict[str, Hierarchy]:
    """The trees in a taxonomy file of Caruccio et al., by column names of the `table`, leaves spelled as its values.

    A block starts with a line `%` and the attribute's name. Then each line is a leaf, level 1, …, top, separated by `#`
    or by commas. Numbers may have a decimal comma, names may be spelled a little differently from the column's, and
    lines may end in empty fields: all of this occurs in the authors' files.
    """
    hierarchies: dict[str, Hierarchy] = {}
    for name, lines in _blocks(Path(path)).items():
        column = _column(name, table)
        if column is None:
            continue  # a taxonomy of the decision, or of a column that this table does not hold
        values = {_plain(value): str(value) for value in column.domain if value is not None}
        separator = "#" if "#" in lines[0] else ","
        rows = [map(str.strip, line.rstrip(f"{separator} \t").split(separator)) for line in lines]
        try:
            hierarchies[column.name] = from_rows([(values.get(_plain(leaf), leaf), *above) for leaf, *above in rows])
        except BadInput as problem:
            raise BadInput(f"{Path(path).name}, taxonomy of {name!r}: {problem}") from None
    if not hierarchies:
        raise BadInput(f"{Path(path).name} holds no taxonomy for any of the columns {', '.join(table.names)}")
    return hierarchies


def _blocks(path: Path) -> dict[str, list[str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not UTF-8 text"
        raise BadInput(f"taxonomy file {path} cannot be read: {reason}") from None
    before, *chunks = re.split(r"(?m)^[ \t]*%[ \t]*$", text)
    if before.strip():
        number = before[: -len(before.lstrip())].count("\n") + 1
        raise BadInput(f"{path.name}, line {number}: a taxonomy starts with a line '%' and the attribute's name")
    lines_of = [[line.strip() for line in chunk.splitlines() if line.strip()] for chunk in chunks]
    blocks = {name: leaves for name, *leaves in filter(None, lines_of)}
    for name in (name for name, leaves in blocks.items() if not leaves):
        raise BadInput(f"{path.name}: the taxonomy of {name!r} has no leaves")
    return blocks


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
